/**
 * The parameters that C may call `const T *` (008 Table 1): pointers through which their function does not write, and of which its text
 * does nothing but read.
 *
 * C's `const` follows a pointer wherever it goes, and compilers warn where it is lost. So the word is written only where the pointer goes
 * nowhere: into loads, comparisons and steps that are written at their place. And the type of a function whose address is taken stays that
 * of VIR, for C tells `void (*)(const T *)` from `void (*)(T *)`. Where it is left out, nothing but a word is lost.
 */

import { readFunctionRows } from '../../core/function-rows.js';
import { buildGraph, makeGraph } from '../../core/graph.js';
import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import {
  type ConstantId,
  type FunctionId,
  type GlobalId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { VirFunction, VirModule } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { Fate, type Plan, planFunction } from './plan.js';

/** Finds them, function by function, and keeps what it found. */
export class ReadOnlyParameters {
  readonly #found = new Map<FunctionId, ReadonlySet<number>>();
  #addressed: ReadonlySet<number> | undefined;

  constructor(
    readonly vir: VirModule,
    readonly variables: OutOfSsaResult,
  ) {}

  /** The parameters of a function, counted from 0. */
  of(id: FunctionId): ReadonlySet<number> {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const found = this.#find(id);
    this.#found.set(id, found);
    return found;
  }

  #find(id: FunctionId): ReadonlySet<number> {
    const found = new Set<number>();
    if (id >= this.vir.functions.length) return found;
    const view = this.vir.function(id);
    for (let index = 0 as Inst; index < view.parameterCount; index++)
      if (isStated(view, index)) found.add(index);
    if (found.size === 0) return found;
    this.#addressed ??= addressedFunctions(this.vir);
    if (this.#addressed.has(id)) return new Set();
    if (view.blockCount === 0) return found;
    const plan = this.#plan(view);
    for (const index of [...found]) if (!this.#isOnlyRead(view, plan, index as Inst)) found.delete(index);
    return found;
  }

  #plan(view: VirFunction): Plan {
    const { instructions, operands, blocks, functions } = this.vir;
    const tables = {
      instructions: instructions.data,
      operands: operands.data,
      blocks: blocks.data,
      functions: functions.data,
    };
    const rows = readFunctionRows(tables, view.id);
    const graph = makeGraph(rows.blockCount, rows.operandCount + 1);
    buildGraph(graph, tables, rows);
    return planFunction(view, graph, this.variables);
  }

  /** Whether the text reads through a parameter and does nothing else with it, and its C variable holds nothing else. */
  #isOnlyRead(view: VirFunction, plan: Plan, parameter: Inst): boolean {
    const variable = this.variables.variable(view.id, parameter);
    const places = new Set<Value>([parameter as number as Value]);
    for (let inst = view.parameterCount as Inst; inst < view.instructionCount; inst++) {
      const isShared = variable !== NONE && this.variables.variable(view.id, inst) === variable;
      if (isShared && plan.fate[inst] === Fate.variable) return false;
      const opcode = view.opcode(inst);
      for (let index = 0; index < view.operandCount(inst); index++) {
        if (!places.has(view.operand(inst, index)) || isBlockNumber(view, inst, index)) continue;
        if (plan.isLive[inst] === 0) continue;
        const isWritten = plan.fate[inst] !== Fate.variable;
        if (opcode === Opcode.gep && index === 0 && isWritten) places.add(inst as number as Value);
        else if (!(opcode === Opcode.load && view.aux(inst) <= 0) && opcode !== Opcode.icmp) return false;
      }
    }
    return true;
  }
}

/** Whether an operand is the number of a block, which says nothing of the value of that number. */
function isBlockNumber(view: VirFunction, inst: Inst, index: number): boolean {
  switch (view.opcode(inst)) {
    case Opcode.br:
      return true;
    case Opcode.condbr:
      return index > 0;
    case Opcode.phi:
    case Opcode.switch:
      return index % 2 === 1;
    default:
      return false;
  }
}

function isStated(view: VirFunction, parameter: Inst): boolean {
  const { traitSets, types } = view.tables;
  const type: TypeId = view.instructionType(parameter);
  const traits = view.instructionTraits(parameter);
  if (!types.isPointer(type)) return false;
  if (!traitSets.has(traits, Trait.ReadOnly) && !traitSets.has(traits, Trait.NoWrite)) return false;
  const kind = types.kind(types.pointee(type));
  return (
    kind === TypeKind.integer ||
    kind === TypeKind.float ||
    kind === TypeKind.struct ||
    kind === TypeKind.union
  );
}

/** The functions whose address is anything but what is called. */
function addressedFunctions(vir: VirModule): ReadonlySet<number> {
  const { constants, globals } = vir.tables;
  const found = new Set<number>();
  const note = (constant: ConstantId) => {
    if (constant >= 0 && constants.kind(constant) === ConstantKind.functionAddress)
      found.add(constants.addressee(constant));
  };
  for (let id = 0 as ConstantId; id < constants.length; id++) {
    if (constants.kind(id) !== ConstantKind.aggregate) continue;
    for (let index = 0; index < constants.memberCount(id); index++) note(constants.member(id, index));
  }
  for (let id = 0 as GlobalId; id < globals.length; id++) note(vir.tables.globalInitializer(id));
  for (const view of vir.definedFunctions()) {
    for (let inst = view.parameterCount as Inst; inst < view.instructionCount; inst++) {
      const first = view.opcode(inst) === Opcode.call ? 1 : 0;
      for (let index = first; index < view.operandCount(inst); index++) {
        const value = view.operand(inst, index);
        if (isConstantOperand(value)) note(operandConstant(value));
      }
    }
  }
  return found;
}
