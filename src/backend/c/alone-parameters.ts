/**
 * The pointer parameters that C may call `restrict` (008 Table 1): those with the trait Restrict or NoAlias, and those that NoAlias
 * relationships part from all else that the function reaches.
 *
 * C's word says more than a relationship of two: that nothing else at all leads there. So a relationship becomes it only where every
 * access of the function is known to come from the parameter, from what it is related to, or from an object of the function itself, and no call can
 * hide another.
 */

import { type Inst, isConstantOperand, NONE, operandConstant, type Value } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { RelatedPointers } from '../../ir/related-pointers.js';
import { ConstantKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';

/**
 * The parameters, by number. `variableOf` gives the C variable of a value: one that the parameter shares with what does not come from it
 * cannot be `restrict`, for C would take what it becomes for the parameter.
 */
export function aloneParameters(view: VirFunction, variableOf: (inst: Inst) => number): ReadonlySet<number> {
  const { traitSets, types } = view.tables;
  const alone = new Set<number>();
  const related = new RelatedPointers(view);
  let accesses: readonly Value[] | undefined;
  for (let parameter = 0 as Inst; parameter < view.parameterCount; parameter++) {
    if (!types.isPointer(view.instructionType(parameter))) continue;
    const traits = view.instructionTraits(parameter);
    const isStated = traitSets.has(traits, Trait.Restrict) || traitSets.has(traits, Trait.NoAlias);
    const isRelated = related.sides(parameter as number as Value).length > 0;
    if (isRelated && !isStated) accesses ??= accessedPointers(view);
    if (!isStated && !isRelated) continue;
    const own = related.comingFrom([parameter as number as Value]);
    if (!isStated && !isApart(view, related, parameter as number as Value, own, accesses)) continue;
    if (keepsItsVariable(view, parameter, own, variableOf)) alone.add(parameter);
  }
  return alone;
}

/** Whether the C variable of a parameter holds nothing but what comes from it. */
function keepsItsVariable(
  view: VirFunction,
  parameter: Inst,
  own: ReadonlySet<Value>,
  variableOf: (inst: Inst) => number,
): boolean {
  const variable = variableOf(parameter);
  if (variable === NONE) return true;
  for (let inst = view.parameterCount as Inst; inst < view.instructionCount; inst++)
    if (variableOf(inst) === variable && !own.has(inst as number as Value)) return false;
  return true;
}

/** The pointers through which the function reaches memory that is not its own; undefined where a call may do more. */
function accessedPointers(view: VirFunction): readonly Value[] | undefined {
  const pointers = new Set<Value>();
  for (let inst = 0 as Inst; inst < view.instructionCount; inst++) {
    switch (view.opcode(inst)) {
      case Opcode.load:
      case Opcode.cmpxchg:
      case Opcode.atomicrmw:
      case Opcode.memset:
        pointers.add(view.operand(inst, 0));
        break;
      case Opcode.store:
        pointers.add(view.operand(inst, 1));
        break;
      case Opcode.memcpy:
      case Opcode.memmove:
        pointers.add(view.operand(inst, 0));
        pointers.add(view.operand(inst, 1));
        break;
      case Opcode.call:
        if (!touchesNothing(view, view.operand(inst, 0))) return undefined;
        break;
      default:
    }
  }
  return [...pointers];
}

/** Whether a callee is known to reach no memory of ours. */
function touchesNothing(view: VirFunction, callee: Value): boolean {
  if (!isConstantOperand(callee)) return false;
  const { constants, traitSets } = view.tables;
  const constant = operandConstant(callee);
  if (constants.kind(constant) !== ConstantKind.functionAddress) return false;
  const traits = view.tables.functionTraits(constants.addressee(constant) as never);
  return traitSets.has(traits, Trait.NoRead) && traitSets.has(traits, Trait.NoWrite);
}

/** Whether every access comes from the parameter, from what a relationship parts it from, or from an object of the function. */
function isApart(
  view: VirFunction,
  related: RelatedPointers,
  parameter: Value,
  own: ReadonlySet<Value>,
  accesses: readonly Value[] | undefined,
): boolean {
  if (accesses === undefined) return false;
  const local = related.comingFrom(localObjects(view));
  const sides = new Map(related.sides(parameter).map(({ id, isLeft }) => [id, isLeft]));
  return accesses.every(
    (pointer) =>
      own.has(pointer) ||
      local.has(pointer) ||
      related.sides(pointer).some(({ id, isLeft }) => sides.has(id) && sides.get(id) !== isLeft),
  );
}

function localObjects(view: VirFunction): Value[] {
  const objects: Value[] = [];
  for (let inst = 0 as Inst; inst < view.instructionCount; inst++)
    if (view.opcode(inst) === Opcode.alloca) objects.push(inst as number as Value);
  return objects;
}
