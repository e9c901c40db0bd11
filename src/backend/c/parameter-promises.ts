/**
 * What a function's declaration promises of its pointer parameters (008 Table 1): `nonnull`, `const`, and what stands at the head of its body,
 * `__builtin_assume_aligned`.
 *
 * `nonnull` is left out where a compiler would warn of it: where the body itself asks whether the parameter is null, and where some call
 * gives a null that can be seen. There the trait loses speed, never meaning.
 */

import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import {
  type FunctionId,
  type Inst,
  isConstantOperand,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind } from '../../ir/schema.js';
import type { VirFunction, VirModule } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import type { LayoutTable } from '../../types/layout.js';
import { ReadOnlyParameters } from './read-only-parameters.js';

/** The promises of one module's functions. */
export class ParameterPromises {
  readonly #nonNull = new Map<FunctionId, readonly number[]>();
  #givenNull: ReadonlySet<string> | undefined;

  /** Those that are `const T *`. */
  readonly readOnly: ReadOnlyParameters;

  constructor(
    readonly vir: VirModule,
    variables: OutOfSsaResult,
  ) {
    this.readOnly = new ReadOnlyParameters(vir, variables);
  }

  /** The parameters that may be called `nonnull`, counted from 0. */
  nonNull(id: FunctionId): readonly number[] {
    const known = this.#nonNull.get(id);
    if (known !== undefined) return known;
    const found = this.#findNonNull(id);
    this.#nonNull.set(id, found);
    return found;
  }

  #findNonNull(id: FunctionId): number[] {
    if (id >= this.vir.functions.length) return [];
    const view = this.vir.function(id);
    const { traitSets, types } = view.tables;
    const stated: number[] = [];
    for (let index = 0; index < view.parameterCount; index++) {
      const isPointer = types.isPointer(view.instructionType(index as Inst));
      if (isPointer && traitSets.has(view.instructionTraits(index as Inst), Trait.NonNull))
        stated.push(index);
    }
    if (stated.length === 0) return stated;
    const asked = askedForNull(view);
    this.#givenNull ??= nullArguments(this.vir);
    return stated.filter((index) => !asked.has(index) && !this.#givenNull?.has(`${id} ${index}`));
  }
}

/** How many bytes a parameter's address is a multiple of, where its trait says more than its type; else 0. */
export function promisedAlignment(view: VirFunction, parameter: Inst, layout: LayoutTable): number {
  const { traitSets, types } = view.tables;
  const type = view.instructionType(parameter);
  const entry = traitSets.find(view.instructionTraits(parameter), Trait.Align);
  if (entry === undefined || !types.isPointer(type)) return 0;
  const pointee: TypeId = types.pointee(type);
  const usual = types.isFirstClass(pointee) ? layout.alignment(pointee) : 1;
  return entry.a > usual ? entry.a : 0;
}

function isNull(view: { readonly tables: VirModule['tables'] }, value: Value): boolean {
  return isConstantOperand(value) && view.tables.constants.kind(operandConstant(value)) === ConstantKind.null;
}

/** The parameters that the body compares with null, by casts too. */
function askedForNull(view: VirFunction): ReadonlySet<number> {
  const asked = new Set<number>();
  /** Per cast of a parameter: the parameter. */
  const castOf = new Map<Value, number>();
  for (let inst = 0 as Inst; inst < view.instructionCount; inst++) {
    const value = inst as number as Value;
    const opcode = view.opcode(inst);
    if (opcode === Opcode.param) castOf.set(value, inst);
    else if (opcode === Opcode.bitcast) {
      const source = castOf.get(view.operand(inst, 0));
      if (source !== undefined) castOf.set(value, source);
    } else if (opcode === Opcode.icmp) {
      const [left, right] = [view.operand(inst, 0), view.operand(inst, 1)];
      const parameter = isNull(view, right)
        ? castOf.get(left)
        : isNull(view, left)
          ? castOf.get(right)
          : undefined;
      if (parameter !== undefined) asked.add(parameter);
    }
  }
  return asked;
}

/** `function index` of every argument of a direct call that is null as it is written. */
function nullArguments(vir: VirModule): ReadonlySet<string> {
  const { constants } = vir.tables;
  const found = new Set<string>();
  for (const view of vir.definedFunctions()) {
    for (let inst = view.parameterCount as Inst; inst < view.instructionCount; inst++) {
      if (view.opcode(inst) !== Opcode.call) continue;
      const callee = view.operand(inst, 0);
      if (!isConstantOperand(callee)) continue;
      const constant = operandConstant(callee);
      if (constants.kind(constant) !== ConstantKind.functionAddress) continue;
      for (let index = 1; index < view.operandCount(inst); index++)
        if (isNull(view, view.operand(inst, index)))
          found.add(`${constants.addressee(constant)} ${index - 1}`);
    }
  }
  return found;
}
