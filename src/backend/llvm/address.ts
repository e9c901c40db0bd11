/**
 * getelementptr, and members of union values.
 *
 * VIR steps into a union as into a struct. LLVM's union holds one member only, so that the path is cut at each union and goes
 * on from the same address with the type of the chosen member; a part that moves nowhere is left out, which leaves one
 * instruction in all but odd cases.
 */

import { type Inst, isConstantOperand, operandConstant, type TypeId, type Value } from '../../ir/entities.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { TypeTable } from '../../types/type-table.js';
import type { FunctionWriter } from './function-writer.js';

/** A piece of a path that one getelementptr can walk. */
interface Segment {
  readonly source: TypeId;
  readonly indices: string[];
  /** Whether every index is the constant zero. */
  still: boolean;
}

/** Writes a gep. */
export function writeAddress(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const path = new Path(writer, code.aux(inst) as TypeId);
  for (let index = 1; index < code.operandCount(inst); index++) path.step(code.operand(inst, index));
  const result = writer.names.value(inst as number as Value);
  path.write(writer.operand(inst, 0), (isLast) => (isLast ? result : writer.names.fresh('part')));
}

/** Writes an extractvalue. A member of a union value is read through memory. */
export function writeExtract(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const whole = code.valueType(code.operand(inst, 0));
  if (!passesUnion(writer, inst, 1)) {
    writer.define(inst, `extractvalue ${writer.typedOperand(inst, 0)}${constantIndices(writer, inst, 1)}`);
    return;
  }
  const slot = spill(writer, inst, whole);
  const place = memberPlace(writer, inst, whole, slot, 1);
  const type = code.instructionType(inst);
  writer.define(
    inst,
    `load ${writer.typeText(type)}, ptr ${place}, align ${writer.state.layout.alignment(type)}`,
  );
}

/** Writes an insertvalue, of a union value through memory. */
export function writeInsert(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const whole = code.instructionType(inst);
  if (!passesUnion(writer, inst, 2)) {
    const parts = `${writer.typedOperand(inst, 0)}, ${writer.typedOperand(inst, 1)}`;
    writer.define(inst, `insertvalue ${parts}${constantIndices(writer, inst, 2)}`);
    return;
  }
  const slot = spill(writer, inst, whole);
  const place = memberPlace(writer, inst, whole, slot, 2);
  const alignment = writer.state.layout.alignment(code.valueType(code.operand(inst, 1)));
  writer.write(`store ${writer.typedOperand(inst, 1)}, ptr ${place}, align ${alignment}`);
  writer.define(
    inst,
    `load ${writer.typeText(whole)}, ptr ${slot}, align ${writer.state.layout.alignment(whole)}`,
  );
}

/** A path from a pointer, one index at a time. */
class Path {
  readonly #types: TypeTable;
  readonly #segments: Segment[];
  #at: TypeId;

  constructor(
    readonly writer: FunctionWriter,
    source: TypeId,
  ) {
    this.#types = writer.tables.types;
    this.#at = source;
    this.#segments = [{ source, indices: [], still: true }];
  }

  /** Steps over no whole source element. */
  enter(): void {
    (this.#segments[0] as Segment).indices.push('i64 0');
  }

  get isStill(): boolean {
    return this.#segments.every((segment) => segment.still);
  }

  step(value: Value): void {
    const segment = this.#segments[this.#segments.length - 1] as Segment;
    const isFirst = this.#segments.length === 1 && segment.indices.length === 0;
    if (!isFirst && this.#types.kind(this.#at) === TypeKind.union) {
      this.#at = this.#types.memberType(this.#at, constantIndex(this.writer, value));
      this.#segments.push({ source: this.#at, indices: ['i64 0'], still: true });
      return;
    }
    if (!isFirst && this.#types.kind(this.#at) === TypeKind.struct) {
      const member = constantIndex(this.writer, value);
      const index = this.writer.state.types.elementIndex(this.#at, member);
      // A pinned layout may begin with padding, and then the first member is elsewhere than the struct.
      segment.indices.push(index === member ? indexText(this.writer, value) : `i32 ${index}`);
      segment.still &&= index === 0;
      this.#at = this.#types.memberType(this.#at, member);
      return;
    }
    segment.indices.push(indexText(this.writer, value));
    segment.still &&= isZero(this.writer, value);
    if (!isFirst) this.#at = this.#types.element(this.#at);
  }

  /** Writes the segments that move, at least one; `name` gives each its result. Returns the last result. */
  write(base: string, name: (isLast: boolean) => string): string {
    const moving = this.#segments.filter((segment) => !segment.still);
    if (moving.length === 0) moving.push(this.#segments[0] as Segment);
    let address = base;
    moving.forEach((segment, index) => {
      const result = name(index === moving.length - 1);
      const source = this.writer.typeText(segment.source);
      this.writer.write(
        `${result} = getelementptr inbounds ${source}, ptr ${address}, ${segment.indices.join(', ')}`,
      );
      address = result;
    });
    return address;
  }
}

/**
 * An index counts in its own sign; LLVM extends every index as signed. A constant is therefore written as a wide one, and
 * an unsigned value that is narrower than an address is extended first.
 */
function indexText(writer: FunctionWriter, value: Value): string {
  const { types, constants } = writer.tables;
  const type = writer.code.valueType(value);
  const isUnsigned = !types.isSigned(type) || types.width(type) === 1;
  if (!isUnsigned || types.width(type) >= 64) return writer.typed(value);
  if (isConstantOperand(value) && constants.kind(operandConstant(value)) === ConstantKind.integer)
    return `i64 ${constants.integerValue(operandConstant(value))}`;
  const wide = writer.names.fresh('index');
  writer.write(`${wide} = zext ${writer.typed(value)} to i64`);
  return `i64 ${wide}`;
}

function isZero(writer: FunctionWriter, value: Value): boolean {
  if (!isConstantOperand(value)) return false;
  const { constants } = writer.tables;
  const constant = operandConstant(value);
  return constants.kind(constant) === ConstantKind.integer && constants.integerBits(constant) === 0n;
}

/** The value of an index that is a constant. */
function constantIndex(writer: FunctionWriter, value: Value): number {
  return Number(writer.tables.constants.integerBits(operandConstant(value)));
}

function constantIndices(writer: FunctionWriter, inst: Inst, first: number): string {
  const { types } = writer.tables;
  let text = '';
  let at = writer.code.valueType(writer.code.operand(inst, 0));
  for (let index = first; index < writer.code.operandCount(inst); index++) {
    const member = constantIndex(writer, writer.code.operand(inst, index));
    text += `, ${writer.state.types.elementIndex(at, member)}`;
    at = types.kind(at) === TypeKind.array ? types.element(at) : types.memberType(at, member);
  }
  return text;
}

function passesUnion(writer: FunctionWriter, inst: Inst, first: number): boolean {
  const { types } = writer.tables;
  let at = writer.code.valueType(writer.code.operand(inst, 0));
  for (let index = first; index < writer.code.operandCount(inst); index++) {
    if (types.kind(at) === TypeKind.union) return true;
    at =
      types.kind(at) === TypeKind.array
        ? types.element(at)
        : types.memberType(at, constantIndex(writer, writer.code.operand(inst, index)));
  }
  return false;
}

/** Stores operand 0 into a slot of the frame, and gives the slot. */
function spill(writer: FunctionWriter, inst: Inst, type: TypeId): string {
  const slot = writer.slot(type, 'slot');
  writer.write(
    `store ${writer.typedOperand(inst, 0)}, ptr ${slot}, align ${writer.state.layout.alignment(type)}`,
  );
  return slot;
}

/** The address of a member of the value in the slot. */
function memberPlace(writer: FunctionWriter, inst: Inst, whole: TypeId, slot: string, first: number): string {
  const path = new Path(writer, whole);
  path.enter();
  for (let index = first; index < writer.code.operandCount(inst); index++)
    path.step(writer.code.operand(inst, index));
  return path.isStill ? slot : path.write(slot, () => writer.names.fresh('member'));
}
