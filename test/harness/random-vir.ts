/** Random VIR functions in SSA form, full of moves between variables; and a tiny machine that runs them two ways. */

import type { OutOfSsaResult } from '../../src/core/leave-ssa.js';
import { phiOperand, phisOf, readOperands } from '../../src/core/out-of-ssa-checker.js';
import { type Block, type Inst, NONE, operandConstant, type Value } from '../../src/ir/entities.js';
import { Opcode } from '../../src/ir/opcodes.js';
import type { VirFunction } from '../../src/ir/vir-module.js';
import { Random } from './random.js';

/** Random numbers below a limit, from a seed. */
export function randomNumbers(seed: number): (below: number) => number {
  const random = new Random(seed);
  return (below) => random.below(below);
}

interface RandomBlock {
  readonly lines: string[];
  /** What each variable is at the end. */
  readonly end: string[];
  readonly targets: readonly number[];
  readonly terminator: string;
}

/**
 * The text of a random function. It is made with variables that are assigned and moved; every block with predecessors gets a
 * phi for each variable, so that swaps, lost copies, dead phis and phis of phis abound.
 */
export function randomFunction(name: string, seed: number, maximumBlocks = 8): string {
  const random = randomNumbers(seed);
  const types = Array.from({ length: 2 + random(4) }, (_, index) =>
    index < 2 || random(4) > 0 ? 'i32' : 'i64',
  );
  const blockCount = 1 + random(maximumBlocks);
  const targets = Array.from({ length: blockCount }, () => randomTargets(random, blockCount));
  const predecessors = targets.map((_, block) =>
    targets.flatMap((list, from) => (list.includes(block) ? [from] : [])),
  );
  const blocks = targets.map((list, block) =>
    randomBlock(random, types, block, list, (predecessors[block] as number[]).length > 0),
  );
  const text = blocks.map((block, number) => {
    const phis =
      (predecessors[number] as number[]).length === 0
        ? []
        : types.map((type, variable) => {
            const pairs = (predecessors[number] as number[]).map(
              (from) => `[ ${(blocks[from] as RandomBlock).end[variable]}, %b${from} ]`,
            );
            return `  %v${variable}.b${number} = phi ${type} ${pairs.join(', ')}`;
          });
    return [`b${number}:`, ...phis, ...block.lines, `  ${block.terminator}`].join('\n');
  });
  return `func @${name}(%p0: i32, %p1: i32, %q: i64) -> i32 export {\n${text.join('\n')}\n}\n`;
}

/** The entry has no predecessors. */
function randomTargets(random: (below: number) => number, blockCount: number): number[] {
  if (blockCount === 1 || random(7) === 0) return [];
  return Array.from({ length: 1 + random(random(3) === 0 ? 3 : 2) }, () => 1 + random(blockCount - 1));
}

function randomBlock(
  random: (below: number) => number,
  types: readonly string[],
  block: number,
  targets: readonly number[],
  hasPhis: boolean,
): RandomBlock {
  const lines: string[] = [];
  const current = types.map((type, variable) => {
    if (hasPhis) return `%v${variable}.b${block}`;
    return type === 'i64' ? (random(2) ? '%q' : '11') : (['%p0', '%p1', '3', '-4'][random(4)] as string);
  });
  const other = (variable: number): number => {
    const same = types.flatMap((type, index) => (type === types[variable] ? [index] : []));
    return same[random(same.length)] as number;
  };
  for (let count = random(5); count > 0; count--) {
    const variable = random(types.length);
    const kind = random(6);
    if (kind < 3) {
      const result = `%t${count}.b${block}`;
      const operation = ['add', 'xor', 'mul'][kind] as string;
      lines.push(
        `  ${result} = ${operation} ${types[variable]} ${current[other(variable)]}, ${current[other(variable)]}`,
      );
      current[variable] = result;
    } else if (kind === 3) current[variable] = current[other(variable)] as string;
    else if (kind === 4) {
      const second = other(variable);
      [current[variable], current[second]] = [current[second] as string, current[variable] as string];
    } else current[variable] = `${random(100)}`;
  }
  return {
    lines,
    end: current,
    targets,
    terminator: randomTerminator(random, lines, current, block, targets),
  };
}

/** Conditions are read after everything else of the block. */
function randomTerminator(
  random: (below: number) => number,
  lines: string[],
  current: readonly string[],
  block: number,
  targets: readonly number[],
): string {
  const value = current[random(2)] as string;
  if (targets.length === 0) return `ret i32 ${value}`;
  if (targets.length === 1) return `br %b${targets[0]}`;
  if (targets.length === 2) {
    lines.push(`  %c.b${block} = icmp slt i32 ${value}, ${current[random(2)]}`);
    return `condbr %c.b${block}, %b${targets[0]}, %b${targets[1]}`;
  }
  lines.push(`  %s.b${block} = and i32 ${value}, 3`);
  return `switch i32 %s.b${block}, %b${targets[0]} [ 0: %b${targets[1]}, 1: %b${targets[2]} ]`;
}

/** What a run did: the blocks it went through, and what it returned if it did. */
export interface Run {
  readonly path: number[];
  readonly result: bigint | undefined;
}

/** Where a run keeps its values. */
interface Store {
  read(value: Value): bigint;
  write(inst: Inst, value: bigint): void;
  cross(block: Block, successor: Block): void;
}

function constantOf(view: VirFunction, value: Value): bigint {
  return view.tables.constants.integerValue(operandConstant(value));
}

/** SSA as it is defined: each value has its own place, and phis act at once. */
function ssaStore(view: VirFunction): Store {
  const values: bigint[] = [];
  const read = (value: Value) => (value < 0 ? constantOf(view, value) : (values[value] ?? 0n));
  return {
    read,
    write: (inst, value) => {
      values[inst] = value;
    },
    cross: (block, successor) => {
      const phis = phisOf(view, successor);
      const incoming = phis.map((phi) => read(phiOperand(view, phi, block)));
      phis.forEach((phi, index) => {
        values[phi] = incoming[index] as bigint;
      });
    },
  };
}

/** After SSA: variables, and moves one after the other. */
function variableStore(view: VirFunction, result: OutOfSsaResult): Store {
  const variables: bigint[] = [];
  const { id } = view;
  return {
    read: (value) =>
      value < 0 ? constantOf(view, value) : (variables[result.variable(id, value as number as Inst)] ?? 0n),
    write: (inst, value) => {
      if (result.variable(id, inst) !== NONE) variables[result.variable(id, inst)] = value;
    },
    cross: (block, successor) => {
      for (const { destination, source } of [
        ...result.edgeCopies(id, block, successor),
        ...result.headCopies(id, successor),
      ])
        variables[destination] = source < 0 ? constantOf(view, source as Value) : (variables[source] ?? 0n);
    },
  };
}

/** Runs a function of `randomFunction` for at most `fuel` blocks; after SSA when `result` is given. */
export function runFunction(
  view: VirFunction,
  parameters: readonly bigint[],
  fuel: number,
  result?: OutOfSsaResult,
): Run {
  const store = result === undefined ? ssaStore(view) : variableStore(view, result);
  parameters.forEach((value, index) => {
    store.write(index as Inst, value);
  });
  const path: number[] = [];
  for (let block = 0 as Block; path.length < fuel; ) {
    path.push(block);
    for (let inst = view.blockStart(block); inst < view.terminator(block); inst++)
      if (view.opcode(inst) !== Opcode.phi) store.write(inst, compute(view, inst, store));
    const next = nextBlock(view, block, store);
    if (typeof next === 'bigint') return { path, result: next };
    store.cross(block, next);
    block = next;
  }
  return { path, result: undefined };
}

function compute(view: VirFunction, inst: Inst, store: Store): bigint {
  const [left, right] = readOperands(view, inst).map(store.read) as [bigint, bigint];
  const width = view.tables.types.width(view.instructionType(inst));
  switch (view.opcode(inst)) {
    case Opcode.add:
      return BigInt.asIntN(width, left + right);
    case Opcode.xor:
      return left ^ right;
    case Opcode.and:
      return left & right;
    case Opcode.mul:
      return BigInt.asIntN(width, left * right);
    default:
      return left < right ? 1n : 0n;
  }
}

/** The block that comes next, or what the function returns. */
function nextBlock(view: VirFunction, block: Block, store: Store): Block | bigint {
  const last = view.terminator(block);
  const value = () => store.read(view.operand(last, 0));
  switch (view.opcode(last)) {
    case Opcode.br:
      return view.blockOperand(last, 0);
    case Opcode.condbr:
      return view.blockOperand(last, value() !== 0n ? 1 : 2);
    case Opcode.switch:
      for (let index = 2; index < view.operandCount(last); index += 2)
        if (constantOf(view, view.operand(last, index)) === value())
          return view.blockOperand(last, index + 1);
      return view.blockOperand(last, 1);
    default:
      return value();
  }
}
