/**
 * Addresses and accesses. An address carries the place that it is the address of, so that `gep` then `load` reads `p->next` or
 * `table[i]`.
 *
 * VIR lets an index run over the bounds of an inner array as long as it stays in its object; C does not. So an index that may do so
 * goes through a pointer to the element type, and so does every access that C would think of as one of another type (008/X3).
 */

import { type Inst, isConstantOperand, operandConstant, type TypeId, type Value } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { Aux, ORDERINGS, TypeKind } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import { atomicLoad } from './atomics.js';
import { isZeroConstant } from './constants.js';
import { at, binary, type Expression, Level, type Place, prefix } from './expression.js';
import { constantBits, signedType } from './integers.js';
import { Fate } from './plan.js';
import { isBooleanPointer, type ValueWriter } from './value-writer.js';

/** gep. */
export function elementAddress(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const { types } = tables;
  const source = view.aux(inst) as TypeId;
  const result = view.instructionType(inst);
  writer.unit.requireType(source);
  const base = pointerTo(writer, view.operand(inst, 0), source);
  const first = constantBits(writer, view.operand(inst, 1));
  if (view.operandCount(inst) === 2) {
    if (first === 0n) return base;
    return offsetAddress(writer, inst, base, source, result);
  }
  if (countOpenIndices(writer, inst, source) > MOST_OPEN_INDICES)
    return byteAddress(writer, inst, base, source);
  let place = first === 0n ? target(writer, base, source) : indexed(writer, inst, base, source);
  let type = source;
  for (let index = 2; index < view.operandCount(inst); index++) {
    const operand = view.operand(inst, index);
    if (types.kind(type) === TypeKind.array) {
      place = elementPlace(writer, place, type, operand, inst, index);
      type = types.element(type);
    } else {
      const member = Number(constantBits(writer, operand) ?? 0n);
      place = memberPlace(writer, place, type, member);
      type = types.memberType(type, member);
    }
  }
  return addressOf(writer, place, type, result);
}

/** Each index that may run over its array costs a cast and a pair of parentheses; compilers nest only so many. */
const MOST_OPEN_INDICES = 8;

/** How many indices of a gep may run over the bounds of an inner array. */
function countOpenIndices(writer: ValueWriter, inst: Inst, source: TypeId): number {
  const { view, tables } = writer;
  const { types } = tables;
  let count = 0;
  let type = source;
  for (let index = 2; index < view.operandCount(inst); index++) {
    if (types.kind(type) === TypeKind.array) {
      if (!isInside(writer, view.operand(inst, index), inst, type)) count++;
      type = types.element(type);
    } else {
      type = types.memberType(type, Number(constantBits(writer, view.operand(inst, index)) ?? 0n));
    }
  }
  return count;
}

/** `(T *)((uint8_t *)p + (int64_t)i * 12 + 4)`: an address by the sizes of what it steps over. */
function byteAddress(writer: ValueWriter, inst: Inst, base: Expression, source: TypeId): Expression {
  const { view, tables, module } = writer;
  const { types } = tables;
  const terms = [`(uint8_t *)${at(base, Level.unary)}`];
  let constant = 0n;
  let hasEffect = base.hasEffect === true;
  let type = source;
  for (let index = 1; index < view.operandCount(inst); index++) {
    const bits = constantBits(writer, view.operand(inst, index));
    if (index > 1 && types.kind(type) !== TypeKind.array) {
      constant += BigInt(module.layout.offset(type, Number(bits ?? 0n)));
      type = types.memberType(type, Number(bits ?? 0n));
      continue;
    }
    if (index > 1) type = types.element(type);
    const size = BigInt(module.layout.size(type));
    const counter = indexText(writer, inst, index);
    hasEffect ||= counter.hasEffect === true;
    if (bits === undefined) terms.push(`(int64_t)${at(counter, Level.unary)} * ${size}`);
    else constant += size * BigInt.asIntN(64, BigInt(counter.text));
  }
  if (constant !== 0n) terms.push(String(constant));
  const result = view.instructionType(inst);
  const sum = terms.join(' + ').replaceAll('+ -', '- ');
  return {
    text: `(${writer.typeName(result)})(${sum})`,
    level: Level.unary,
    type: result,
    ...(hasEffect && { hasEffect }),
  };
}

/** The operand as a pointer to `type`, cast where it points to something else. */
function pointerTo(writer: ValueWriter, value: Value, type: TypeId): Expression {
  const { types } = writer.tables;
  const expression = writer.pointer(value);
  if (types.pointee(expression.type) !== type) return castToPointer(writer, expression, type);
  return settled(writer, value, expression, type);
}

/** GCC forgets that a pointer may alias everything when it met the pointer's type before that of its target. */
function settled(writer: ValueWriter, value: Value, expression: Expression, type: TypeId): Expression {
  const { types } = writer.tables;
  const isLoaded =
    !isConstantOperand(value) && writer.plan.fate[value] === Fate.inline && expression.place === undefined;
  if (!isLoaded || !types.isAggregate(type) || !writer.unit.definitions.isLate(type)) return expression;
  return castToPointer(writer, expression, type);
}

/** The expression as a pointer to `type`, without what was known about where it points. */
function castToPointer(writer: ValueWriter, expression: Expression, type: TypeId): Expression {
  return {
    text: `(${writer.memoryName(type)} *)${at(expression, Level.unary)}`,
    level: Level.unary,
    type: expression.type,
    ...(expression.hasEffect === true && { hasEffect: true }),
  };
}

/** What a part of a place takes over from it. */
function flagsOf(place: Place): Pick<Place, 'isReadOnly' | 'isDeclared' | 'object' | 'hasEffect'> {
  const { isReadOnly, isDeclared, object, hasEffect } = place;
  return { isReadOnly, isDeclared, object, hasEffect };
}

/** What an element takes over from its array: an index that reads the array's own object is more than a way into it. */
function elementFlags(
  writer: ValueWriter,
  array: Place,
  index: Expression,
  readsBefore: number,
): Pick<Place, 'isReadOnly' | 'isDeclared' | 'object' | 'hasEffect'> {
  const { isReadOnly, isDeclared, object } = array;
  const isOwn = object !== undefined && !writer.hasReadSince(readsBefore, object);
  const hasEffect = array.hasEffect === true || index.hasEffect === true;
  return { isReadOnly, isDeclared, object: isOwn ? object : undefined, hasEffect };
}

/** What a pointer to `type` points to. An array is the C array in the struct that stands for it. */
function target(writer: ValueWriter, pointer: Expression, type: TypeId): Place {
  if (pointer.place !== undefined) return pointer.place;
  const { types } = writer.tables;
  const { hasEffect } = pointer;
  if (types.kind(type) === TypeKind.array)
    return { text: `${at(pointer, Level.postfix)}->e`, level: Level.postfix, hasEffect };
  if (pointer.elements !== undefined)
    return { ...pointer.elements, text: `${at(pointer.elements, Level.postfix)}[0]`, level: Level.postfix };
  return { text: prefix('*', pointer), level: Level.unary, pointer, hasEffect };
}

/** `p[i]`, as a place. */
function indexed(writer: ValueWriter, inst: Inst, pointer: Expression, type: TypeId): Place {
  const readsBefore = writer.readCount;
  const index = indexText(writer, inst, 1);
  const base = pointer.elements ?? { text: pointer.text, level: pointer.level };
  const array = pointer.elements ?? { ...base, hasEffect: pointer.hasEffect };
  const flags = elementFlags(writer, array, index, readsBefore);
  const text = offsetElement(pointer, index) ?? `${at(base, Level.postfix)}[${index.text}]`;
  if (writer.tables.types.kind(type) !== TypeKind.array) return { text, level: Level.postfix, ...flags };
  return { text: `${text}.e`, level: Level.postfix, ...flags };
}

/** `p[i + 1]` for `(p + i)[1]`, where the sum cannot leave its C type. */
function offsetElement(pointer: Expression, index: Expression): string | undefined {
  const { offset } = pointer;
  if (offset === undefined || index.bits === undefined || index.level !== Level.primary) return undefined;
  if (index.bits > offset.room) return undefined;
  return `${at(offset.base, Level.postfix)}[${binary(offset.index, '+', index).text}]`;
}

/** How much may be added to an index before its C type overflows; none where that is not plain to see. */
function roomAbove(writer: ValueWriter, inst: Inst, index: Expression): bigint {
  const { types } = writer.tables;
  const width = types.width(index.type);
  if (width < 32) return 1n << 30n;
  // Where a 64-bit index would overflow there is no object.
  if (width >= 64) return 1n << 62n;
  const value = withoutWidening(writer, writer.view.operand(inst, 1));
  const range = writer.ranges.of(value, writer.ranges.blockOf[inst] as number);
  return range === undefined ? -1n : (1n << 31n) - 1n - range.high;
}

/** `p + i`, and the place `p[i]`. */
function offsetAddress(
  writer: ValueWriter,
  inst: Inst,
  base: Expression,
  source: TypeId,
  result: TypeId,
): Expression {
  const { types } = writer.tables;
  const place = indexed(writer, inst, base, source);
  const index = indexText(writer, inst, 1);
  const bits = constantBits(writer, writer.view.operand(inst, 1));
  const signed = bits === undefined ? 0n : BigInt.asIntN(64, BigInt.asIntN(types.width(index.type), bits));
  const { place: _place, elements: _elements, ...pointer } = base;
  const joined =
    signed < 0n && signed > -(2n ** 31n)
      ? binary(pointer, '-', { text: String(-signed), level: Level.primary })
      : binary(pointer, '+', index);
  const hasEffect = base.hasEffect === true || index.hasEffect === true;
  const offset =
    bits === undefined && base.elements === undefined
      ? { base: { text: base.text, level: base.level }, index, room: roomAbove(writer, inst, index) }
      : undefined;
  // A pointer to void or to a function has no size to step over.
  return { ...joined, type: result, place, hasEffect, offset };
}

/** An index, which counts signed. */
function indexText(writer: ValueWriter, inst: Inst, index: number): Expression {
  const { view } = writer;
  const value = view.operand(inst, index);
  const type = view.valueType(value);
  const bits = constantBits(writer, value);
  if (bits !== undefined) {
    const number = BigInt.asIntN(writer.tables.types.width(type), bits);
    return {
      text: String(number),
      level: number < 0n ? Level.unary : Level.primary,
      type: signedType(writer, type),
      bits: number < 0n ? undefined : number,
    };
  }
  const narrow = withoutWidening(writer, value);
  const narrowType = view.valueType(narrow);
  return writer.exact(writer.value(narrow), signedType(writer, narrowType));
}

/** C widens an index by itself, so that an inlined sign extension need not be written. */
function withoutWidening(writer: ValueWriter, value: Value): Value {
  const { view, plan } = writer;
  if (isConstantOperand(value)) return value;
  const inst = value as number as Inst;
  return view.opcode(inst) === Opcode.sext &&
    plan.fate[inst] === Fate.inline &&
    !isBoolean(writer, view.operand(inst, 0))
    ? view.operand(inst, 0)
    : value;
}

function isBoolean(writer: ValueWriter, value: Value): boolean {
  return writer.view.valueType(value) === writer.tables.types.i1;
}

/** Whether the index is known to lie within the array. */
function isInside(writer: ValueWriter, operand: Value, inst: Inst, type: TypeId): boolean {
  const range = writer.ranges.of(operand, writer.ranges.blockOf[inst] as number);
  return range !== undefined && range.low >= 0n && range.high < BigInt(writer.tables.types.count(type));
}

/** An element of a C array. */
function elementPlace(
  writer: ValueWriter,
  array: Place,
  type: TypeId,
  operand: Value,
  inst: Inst,
  position: number,
): Place {
  const { types } = writer.tables;
  const readsBefore = writer.readCount;
  const index = indexText(writer, inst, position);
  const bits = constantBits(writer, operand);
  const number = bits === undefined ? -1n : BigInt.asIntN(types.width(writer.view.valueType(operand)), bits);
  const element = types.element(type);
  const flags = elementFlags(writer, array, index, readsBefore);
  const { hasEffect, object } = flags;
  if (array.isWholeObject === true || isInside(writer, operand, inst, type))
    return {
      text: `${at(array, Level.postfix)}[${index.text}]`,
      level: Level.postfix,
      ...flags,
      ...(number === 0n && types.isScalar(element) && { firstOf: array }),
    };
  const pointer = `((${writer.memoryName(element)} *)${at(array, Level.unary)})[${index.text}]`;
  if (types.kind(element) === TypeKind.array)
    return { text: `${pointer}.e`, level: Level.postfix, hasEffect, object };
  return { text: pointer, level: Level.postfix, hasEffect, object };
}

function memberPlace(writer: ValueWriter, place: Place, type: TypeId, member: number): Place {
  const name = writer.unit.definitions.memberNames(type)[member] as string;
  const flags = flagsOf(place);
  if (place.pointer !== undefined)
    return { text: `${at(place.pointer, Level.postfix)}->${name}`, level: Level.postfix, ...flags };
  return { text: `${at(place, Level.postfix)}.${name}`, level: Level.postfix, ...flags };
}

/** The address of a place of the type, as a value of the pointer type `result`. */
function addressOf(writer: ValueWriter, place: Place, type: TypeId, result: TypeId): Expression {
  const isArray = writer.tables.types.kind(type) === TypeKind.array;
  const { hasEffect, firstOf } = place;
  const isBoolean = isBooleanPointer(writer.module, result);
  if (firstOf !== undefined && place.isReadOnly !== true && !isBoolean)
    return { text: firstOf.text, level: firstOf.level, type: result, elements: firstOf, hasEffect };
  const needsCast = isArray || place.isReadOnly === true || isBoolean;
  const text = isArray ? at(place, Level.unary) : prefix('&', place);
  if (!needsCast) return { text, level: Level.unary, type: result, place, hasEffect };
  const whole = firstOf ?? { text, level: Level.unary };
  return {
    text: `(${writer.typeName(result)})${text}`,
    level: Level.unary,
    type: result,
    place,
    hasEffect,
    castOf: { text: whole.text, level: whole.level, type: result, hasEffect },
  };
}

/** Alignment that the access promises when that is less than the type's own; 0 otherwise. */
function reducedAlignment(writer: ValueWriter, inst: Inst, type: TypeId): number {
  const { view, tables, module } = writer;
  const trait = tables.traitSets.find(view.instructionTraits(inst), Trait.Align);
  return trait !== undefined && trait.a < module.layout.alignment(type) ? trait.a : 0;
}

/** The name of the type as a place that is aligned to less. */
function underAlignedName(writer: ValueWriter, type: TypeId, alignment: number): string {
  const memory = writer.memoryName(type);
  const name = `vct_${writer.module.symbols.typeNames.mangled(type)}_align${alignment}`;
  writer.unit.helpers.set(
    name,
    `typedef ${memory} ${name} __attribute__((may_alias, aligned(${alignment})));`,
  );
  return name;
}

/** The place that an access reads or writes, in the form that makes C access it as VIR says. */
function accessPlace(
  writer: ValueWriter,
  inst: Inst,
  pointerIndex: number,
  type: TypeId,
  isWrite: boolean,
): Place {
  const { view, tables } = writer;
  const value = view.operand(inst, pointerIndex);
  const pointer = pointerTo(writer, value, type);
  const aux = Math.max(0, view.aux(inst));
  const isVolatile = (aux & Aux.volatile) !== 0;
  const alignment = writer.dialect === 'c17' ? 0 : reducedAlignment(writer, inst, type);
  const place = target(writer, pointer, type);
  const isArray = tables.types.kind(type) === TypeKind.array;
  if (!isVolatile && alignment === 0 && !isArray && !(isWrite && place.isReadOnly === true)) return place;
  const name = alignment > 0 ? underAlignedName(writer, type, alignment) : writer.memoryName(type);
  if (isArray && !isVolatile && alignment === 0)
    return { text: prefix('*', pointer), level: Level.unary, hasEffect: place.hasEffect };
  return {
    text: `*(${isVolatile ? 'volatile ' : ''}${name} *)${at(pointer.castOf ?? pointer, Level.unary)}`,
    level: Level.unary,
    hasEffect: isVolatile || place.hasEffect === true,
    isVolatile: isVolatile && place.hasEffect !== true,
  };
}

/** Whether C17 text must copy bytes: the place is not part of an object that C knows, nor of a character type. */
function needsCopy(writer: ValueWriter, inst: Inst, place: Place, type: TypeId): boolean {
  if (writer.dialect !== 'c17' || place.isDeclared === true) return false;
  const { types } = writer.tables;
  const isVolatile = (Math.max(0, writer.view.aux(inst)) & Aux.volatile) !== 0;
  return !isVolatile && !(types.isInteger(type) && types.width(type) === 8);
}

/** load. */
export function loadExpression(writer: ValueWriter, inst: Inst): Expression {
  const { view } = writer;
  const type = view.instructionType(inst);
  if (isAtomic(view.aux(inst))) return atomicLoad(writer, inst);
  writer.unit.requireType(type);
  const place = accessPlace(writer, inst, 0, type, false);
  if (needsCopy(writer, inst, place, type)) return copiedLoad(writer, inst, type);
  return { text: place.text, level: place.level, type, hasEffect: place.hasEffect };
}

function copiedLoad(writer: ValueWriter, inst: Inst, type: TypeId): Expression {
  const name = writer.typeName(type);
  const helper = `vct_load_${writer.module.symbols.typeNames.mangled(type)}`;
  writer.unit.headers.add('string.h');
  writer.unit.helpers.set(
    helper,
    `static inline ${name} ${helper}(const void *place)\n{\n    ${name} value;\n    memcpy(&value, place, sizeof value);\n    return value;\n}`,
  );
  const { text, hasEffect } = writer.operand(inst, 0);
  return { text: `${helper}(${text})`, level: Level.postfix, type, hasEffect };
}

/** A store as C: a whole statement, or the place and what is assigned to it. */
export type StoreForm =
  | { readonly statement: string }
  | {
      readonly place: Place;
      readonly value: Expression;
      readonly type: TypeId;
      /** The variables that the value reads; those of the place have yet to be taken. */
      readonly reads: readonly number[];
    };

/** store that is not atomic. */
export function storeForm(writer: ValueWriter, inst: Inst): StoreForm {
  const { view } = writer;
  const type = view.valueType(view.operand(inst, 0));
  writer.unit.requireType(type);
  const zeroed = zeroArray(writer, inst, type);
  if (zeroed !== undefined) return { statement: zeroed };
  writer.takeReads();
  const value = writer.assignable(writer.operand(inst, 0), type);
  const reads = writer.takeReads();
  const place = accessPlace(writer, inst, 1, type, true);
  if (!needsCopy(writer, inst, place, type)) return { place, value, type, reads };
  for (const variable of reads) writer.noteRead(variable);
  const name = writer.typeName(type);
  const helper = `vct_store_${writer.module.symbols.typeNames.mangled(type)}`;
  writer.unit.headers.add('string.h');
  writer.unit.helpers.set(
    helper,
    `static inline void ${helper}(void *place, ${name} value)\n{\n    memcpy(place, &value, sizeof value);\n}`,
  );
  return { statement: `${helper}(${writer.operand(inst, 1).text}, ${value.text})` };
}

/** `memset(table, 0, sizeof table)` for a store of zeros to a whole array. */
function zeroArray(writer: ValueWriter, inst: Inst, type: TypeId): string | undefined {
  const { view, tables } = writer;
  const value = view.operand(inst, 0);
  if (tables.types.kind(type) !== TypeKind.array || !isConstantOperand(value)) return undefined;
  if (!isZeroConstant(tables, operandConstant(value)) || (Math.max(0, view.aux(inst)) & Aux.volatile) !== 0)
    return undefined;
  const place = target(writer, pointerTo(writer, view.operand(inst, 1), type), type);
  if (place.isReadOnly === true) return undefined;
  writer.unit.headers.add('string.h');
  return `memset(${place.text}, 0, sizeof ${at(place, Level.postfix)})`;
}

/** Whether the aux word of a load or store names an ordering. */
export function isAtomic(aux: number): boolean {
  return aux > 0 && ORDERINGS[aux & Aux.orderingMask] !== 'not_atomic';
}

/** extractvalue. An array inside a struct value is a C array; as a value it is the struct around one. */
export function memberValue(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const type = view.instructionType(inst);
  const path = memberPath(writer, inst, 1, view.operandCount(inst));
  const base = writer.operand(inst, 0);
  const text = `${at(base, Level.postfix)}${path.text}`;
  const { hasEffect } = base;
  if (!path.isArray) return { text, level: Level.postfix, type, hasEffect };
  return {
    text: `*(${tables.types.isAggregate(type) ? writer.typeName(type) : ''} *)${text}`,
    level: Level.unary,
    type,
    hasEffect,
  };
}

/** `.lo.e[3]`: the path that the constant operands from `first` to before `end` name in the aggregate of operand 0. */
export function memberPath(
  writer: ValueWriter,
  inst: Inst,
  first: number,
  end: number,
): { readonly text: string; readonly isArray: boolean; readonly type: TypeId } {
  const { view, tables } = writer;
  const { types } = tables;
  let type = view.valueType(view.operand(inst, 0));
  writer.unit.requireType(type);
  let text = '';
  // Only the outermost array is a struct around an array.
  let isWrapped = true;
  for (let index = first; index < end; index++) {
    const member = Number(constantBits(writer, view.operand(inst, index)) ?? 0n);
    if (types.kind(type) === TypeKind.array) {
      text += `${isWrapped ? '.e' : ''}[${member}]`;
      type = types.element(type);
    } else {
      text += `.${writer.unit.definitions.memberNames(type)[member]}`;
      type = types.memberType(type, member);
    }
    isWrapped = false;
  }
  return { text, isArray: types.kind(type) === TypeKind.array, type };
}
