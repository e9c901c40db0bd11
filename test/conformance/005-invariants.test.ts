/**
 * What holds of all that lowering makes (005 §12), on every `.hir` case that is well-formed. Counted from the tables here, and not by the
 * verifier, which is held against the same cases once more.
 */

import { describe, expect, test } from 'vitest';
import { lowerModule, verifyVir } from '../../src/index.js';
import { type Block, type FunctionId, type Inst, NONE, type Node } from '../../src/ir/entities.js';
import { NODE_KINDS, NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode, opcodeRow } from '../../src/ir/opcodes.js';
import { HIR_NODE, VIR_BLOCK, VIR_INSTRUCTION } from '../../src/ir/schema.js';
import type { VirFunction } from '../../src/ir/vir-module.js';
import {
  blocksOf,
  everyLoweredCase,
  instructionsOf,
  isTerminator,
  predecessorsOf,
} from '../harness/lowered.js';
import { expectSameTables } from '../harness/same-tables.js';

const CASES = everyLoweredCase(`${import.meta.dirname}/../cases`);
const FUNCTIONS = CASES.flatMap(({ name, vir }) =>
  vir.definedFunctions().map((code) => ({ name: `${name} @${code.name}`, code })),
);

/** The phis of a block. */
const phisOf = (code: VirFunction, block: Block) =>
  instructionsOf(code, block).filter((inst) => code.opcode(inst) === Opcode.phi);

/** The blocks that a phi names. */
const sourcesOf = (code: VirFunction, phi: Inst) =>
  Array.from({ length: code.operandCount(phi) / 2 }, (_, pair) => code.rawOperand(phi, 2 * pair + 1));

/** For each block, those on every path to it, found the slow and certain way; undefined for one that nothing reaches. */
function dominatorSets(code: VirFunction): (Set<number> | undefined)[] {
  const predecessors = predecessorsOf(code);
  const sets: (Set<number> | undefined)[] = predecessors.map(() => undefined);
  sets[0] = new Set([0]);
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let block = 1; block < sets.length; block++) {
      const known = (predecessors[block] ?? []).flatMap((from) => sets[from] ?? []);
      const [first, ...others] = known;
      if (first === undefined) continue;
      const met = new Set([...first].filter((item) => others.every((set) => set.has(item))).concat(block));
      if (met.size !== sets[block]?.size) isChanged = true;
      sets[block] = met;
    }
  }
  return sets;
}

test('the cases have what the invariants are about', () => {
  const phis = FUNCTIONS.flatMap(({ code }) => blocksOf(code).flatMap((block) => phisOf(code, block)));
  expect(CASES.length).toBeGreaterThan(60);
  expect(phis.length).toBeGreaterThan(50);
});

describe('005 §12: invariants of every lowered case', () => {
  test('005/L-2 the verifier finds nothing', () => {
    for (const { name, vir } of CASES) expect(verifyVir(vir), name).toEqual([]);
  });

  test('005/I-1 every instruction but a parameter stands in one block, once', () => {
    for (const { name, code } of FUNCTIONS) {
      const placed = blocksOf(code).flatMap((block) => instructionsOf(code, block));
      const all = Array.from({ length: code.instructionCount }, (_, inst) => inst);
      expect(
        placed.sort((left, right) => left - right),
        name,
      ).toEqual(all.slice(code.parameterCount));
    }
  });

  test('005/I-2 a definition dominates its uses, that of a phi operand the end of the predecessor', () => {
    for (const { name, code } of FUNCTIONS) {
      const sets = dominatorSets(code);
      const blockOf = new Map(
        blocksOf(code).flatMap((block) => instructionsOf(code, block).map((inst) => [inst as number, block])),
      );
      for (const block of blocksOf(code)) {
        for (const inst of instructionsOf(code, block)) {
          const isPhi = code.opcode(inst) === Opcode.phi;
          for (const { operand, index } of valuesUsed(code, inst)) {
            const definition = blockOf.get(operand);
            const place = isPhi ? code.rawOperand(inst, index + 1) : block;
            if (definition === undefined || sets[place] === undefined) continue;
            expect(sets[place]?.has(definition), `${name}: ${operand} in ${inst}`).toBe(true);
            if (definition === block && !isPhi) expect(operand).toBeLessThan(inst);
          }
        }
      }
    }
  });

  test('005/L-8, I-3 every block ends in its one terminator', () => {
    for (const { name, code } of FUNCTIONS) {
      for (const block of blocksOf(code)) {
        const terminators = instructionsOf(code, block).filter((inst) => isTerminator(code, inst));
        expect(terminators, name).toEqual([code.terminator(block)]);
      }
    }
  });

  test('005/L-22, L-28, L-29, I-4 a phi names the distinct predecessors of its block, each once, ascending', () => {
    for (const { name, code } of FUNCTIONS) {
      const predecessors = predecessorsOf(code);
      for (const block of blocksOf(code)) {
        for (const phi of phisOf(code, block))
          expect(sourcesOf(code, phi), name).toEqual(predecessors[block]);
      }
    }
  });

  test('005/L-10, I-5 the entry has no predecessor', () => {
    for (const { name, code } of FUNCTIONS) expect(predecessorsOf(code)[0], name).toEqual([]);
  });

  test('005/I-6 a phi and its operands have one type, and so have a value and where it is stored', () => {
    for (const { name, code } of FUNCTIONS) {
      const { types } = code.tables;
      for (const block of blocksOf(code)) {
        for (const inst of instructionsOf(code, block)) {
          if (code.opcode(inst) === Opcode.phi) {
            for (const { operand } of valuesUsed(code, inst))
              expect(code.valueType(operand as never), name).toBe(code.instructionType(inst));
          }
          if (code.opcode(inst) !== Opcode.store) continue;
          const target = types.pointee(code.valueType(code.operand(inst, 1)));
          expect(code.valueType(code.operand(inst, 0)), name).toBe(target);
        }
      }
    }
  });

  test('005/L-19 no phi has only one value besides itself', () => {
    for (const { name, code } of FUNCTIONS) {
      for (const block of blocksOf(code)) {
        for (const phi of phisOf(code, block)) {
          const values = new Set(valuesUsed(code, phi).map(({ operand }) => operand));
          values.delete(phi);
          // The value of a conditional expression is a phi of its own, whatever its operands are.
          if (isVariablePhi(code, phi)) expect(values.size, `${name}: %${phi}`).toBeGreaterThan(1);
        }
      }
    }
  });

  test('005/L-5, I-8 lowering again gives the same bytes, and leaves the HIR as it was', () => {
    for (const { hir, vir } of CASES) {
      const before = [hir.nodes, hir.variables, hir.functions].map((table) => [...table.view()]);
      expectSameTables(lowerModule(hir, 'ts'), vir);
      expect([hir.nodes, hir.variables, hir.functions].map((table) => [...table.view()])).toEqual(before);
    }
  });
});

/** The operands of an instruction that are values of instructions or constants, with their places. */
function valuesUsed(code: VirFunction, inst: Inst): { readonly operand: number; readonly index: number }[] {
  const opcode = code.opcode(inst);
  const operands = Array.from({ length: code.operandCount(inst) }, (_, index) => ({
    operand: code.rawOperand(inst, index),
    index,
  }));
  switch (opcode) {
    case Opcode.br:
      return [];
    case Opcode.condbr:
    case Opcode.switch:
      return operands.slice(0, 1);
    case Opcode.phi:
      return operands.filter(({ index }) => index % 2 === 0);
    default:
      return operands;
  }
}

/** Whether a phi stands for a variable and not for a conditional or logical expression. */
function isVariablePhi(code: VirFunction, phi: Inst): boolean {
  const { hir } = CASES.find(({ vir }) => vir.tables === code.tables) as (typeof CASES)[number];
  const kind = hir.nodes.get(code.instructionNode(phi), HIR_NODE.kind);
  return NODE_KINDS[kind]?.category !== 'expression';
}

describe('005 §9: the LoweringMap of every lowered case', () => {
  test('005/L-30 each entity is among those of its node, and each of a node has that node', () => {
    for (const { name, hir, vir } of CASES) {
      let count = 0;
      for (let node = 0; node < hir.nodes.length; node++) {
        for (const { function: id, kind, index } of vir.loweringMap?.entities(node as Node) ?? []) {
          const code = vir.function(id as FunctionId);
          const back =
            kind === 'block' ? code.blockNode(index as Block) : code.instructionNode(index as Inst);
          expect(back, name).toBe(node);
          count++;
        }
      }
      expect(count, name).toBe(vir.instructions.length + vir.blocks.length - withoutNode(vir));
    }
  });

  test('005/L-33, I-7 every node that is lowered has its entities, and every expression its value', () => {
    for (const { name, hir, vir } of CASES) {
      for (let node = 0; node < hir.nodes.length; node++) {
        const { tables } = hir;
        const kind = hir.nodes.get(node, HIR_NODE.kind);
        const isValue = NODE_KINDS[kind]?.category === 'expression';
        const isVoid = hir.nodes.get(node, HIR_NODE.type) === tables.types.void;
        const entities = vir.loweringMap?.entities(node as Node).length ?? 0;
        const value = vir.loweringMap?.value(node as Node) ?? NONE;
        const place = `${name}: node ${node}, ${NODE_KINDS[kind]?.name}`;
        if (isValue && !isVoid && !isBranchOnly(kind)) expect(value, place).not.toBe(NONE);
        if (kind === NodeKind.operation || kind === NodeKind.while || kind === NodeKind.for)
          expect(entities, place).toBeGreaterThan(0);
      }
    }
  });

  test('005/L-31 an operation has the traits of its node', () => {
    for (const { name, hir, vir } of CASES) {
      for (const code of vir.definedFunctions()) {
        for (let inst = code.parameterCount; inst < code.instructionCount; inst++) {
          const node = code.instructionNode(inst as Inst);
          if (node === NONE || hir.nodes.get(node, HIR_NODE.kind) !== NodeKind.operation) continue;
          if (opcodeRow(code.opcode(inst as Inst)).name === 'phi') continue;
          expect(code.instructionTraits(inst as Inst), name).toBe(hir.nodes.get(node, HIR_NODE.traits));
        }
      }
    }
  });
});

/** A logical operation in a condition branches and makes no value. */
function isBranchOnly(kind: number): boolean {
  return kind === NodeKind.logicalAnd || kind === NodeKind.logicalOr;
}

/** Rows that name no node. */
function withoutNode(vir: (typeof CASES)[number]['vir']): number {
  let count = 0;
  for (let row = 0; row < vir.instructions.length; row++)
    if (vir.instructions.get(row, VIR_INSTRUCTION.node) === NONE) count++;
  for (let row = 0; row < vir.blocks.length; row++) if (vir.blocks.get(row, VIR_BLOCK.node) === NONE) count++;
  return count;
}
