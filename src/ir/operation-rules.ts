/**
 * What each operation demands of its operands, said once for both representations: the HIR builder and verifier ask
 * before and after an expression is made, the VIR verifier asks for each instruction (005 §5 invariant 6).
 *
 * Ids must be in range already; nothing here reads a table with a number that was not checked before. `param`, `phi` and
 * the terminators need more than types and are left to the VIR verifier.
 */

import { type ConstantId, NONE, type TypeId } from './entities.js';
import { memoryFault } from './memory-rules.js';
import type { ModuleTables } from './module-tables.js';
import { Opcode, opcodeRow } from './opcodes.js';
import { ConstantKind, FLOAT_PREDICATES, INTEGER_PREDICATES, TypeKind } from './schema.js';

/** An operation as the rules see it. */
export interface OperationShape {
  readonly opcode: number;
  /** The type of the result; void when there is none, NONE to leave the result unchecked. */
  readonly type: TypeId;
  readonly aux: number;
  readonly operandCount: number;
  operandType(index: number): TypeId;
  /** The constant that the operand is, or NONE. */
  operandConstant(index: number): ConstantId;
}

/** A broken rule: `{operation} needs {expected}, not {found}`. */
export interface OperationFault {
  readonly operation: string;
  readonly expected: string;
  readonly found: string;
}

/** The first rule that the operation breaks, if any. */
export function operationFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const row = opcodeRow(shape.opcode);
  const count = operandCounts(shape.opcode);
  if (shape.operandCount < count.minimum || shape.operandCount > count.maximum)
    return fault(shape, countText(count.minimum, count.maximum), countText(shape.operandCount));
  for (let index = 0; index < shape.operandCount; index++) {
    if (!tables.types.isFirstClass(shape.operandType(index)))
      return fault(shape, 'operands that are values', typeText(tables, shape.operandType(index)));
  }
  switch (row.class) {
    case 'integerBinary':
    case 'integerUnary':
    case 'integerTernary':
    case 'integerOverflow':
      return sameOperands(tables, shape, 'isInteger', 'integers');
    case 'floatBinary':
    case 'floatUnary':
      return sameOperands(tables, shape, 'isFloat', 'floats');
    case 'integerCompare':
      return integerCompareFault(tables, shape);
    case 'floatCompare':
      if (shape.aux < 0 || shape.aux >= FLOAT_PREDICATES.length)
        return fault(shape, 'a float predicate', `${shape.aux}`);
      return sameOperands(tables, shape, 'isFloat', 'floats');
    case 'cast':
      return castFault(tables, shape);
    case 'select':
      return selectFault(tables, shape);
    case 'address':
      return addressFault(tables, shape);
    case 'extract':
    case 'insert':
      return memberFault(tables, shape);
    case 'call':
      return callFault(tables, shape);
    case 'assume':
      if (shape.operandType(0) !== tables.types.i1)
        return fault(shape, 'an i1', typeText(tables, shape.operandType(0)));
      return resultFault(tables, shape);
    case 'parameter':
    case 'phi':
    case 'terminator':
      return undefined;
    default:
      return memoryFault(tables, shape) ?? resultFault(tables, shape);
  }
}

/**
 * The type that the rules give the result, or NONE where the author chooses it: casts, load, alloca. Requires operands
 * that the rules accept.
 */
export function operationResultType(tables: ModuleTables, shape: Omit<OperationShape, 'type'>): TypeId {
  const { types } = tables;
  const row = opcodeRow(shape.opcode);
  switch (row.result) {
    case 'none':
      return types.void;
    case 'operand':
      return shape.operandType(0);
    case 'boolean':
      return types.i1;
    case 'overflow':
      return pairWithFlag(tables, shape.operandType(0));
    case 'result':
      return types.result(shape.aux as TypeId);
    default:
      break;
  }
  switch (row.class) {
    case 'select':
      return shape.operandType(1);
    case 'compareExchange':
      return pairWithFlag(tables, shape.operandType(1));
    case 'atomicUpdate':
      return shape.operandType(1);
    case 'address':
      return types.pointer(indexedType(tables, shape.aux as TypeId, shape, 2).type);
    case 'extract':
      return indexedType(tables, shape.operandType(0), shape, 1).type;
    default:
      return NONE as TypeId;
  }
}

/** `{ T, i1 }`: a value and whether something happened. */
export function pairWithFlag(tables: ModuleTables, type: TypeId): TypeId {
  const unnamed = NONE as never;
  return tables.types.struct([
    { type, name: unnamed },
    { type: tables.types.i1, name: unnamed },
  ]);
}

/** Fewest and most operands of an opcode. */
export function operandCounts(opcode: number): { readonly minimum: number; readonly maximum: number } {
  const exactly = (count: number) => ({ minimum: count, maximum: count });
  const atLeast = (count: number) => ({ minimum: count, maximum: Number.POSITIVE_INFINITY });
  switch (opcodeRow(opcode).class) {
    case 'integerBinary':
    case 'integerOverflow':
    case 'floatBinary':
    case 'integerCompare':
    case 'floatCompare':
    case 'store':
    case 'atomicUpdate':
      return exactly(2);
    case 'integerUnary':
    case 'floatUnary':
    case 'cast':
    case 'load':
    case 'assume':
      return exactly(1);
    case 'integerTernary':
    case 'select':
    case 'compareExchange':
    case 'memoryCopy':
    case 'memorySet':
      return exactly(3);
    case 'parameter':
    case 'alloca':
    case 'fence':
      return exactly(0);
    case 'address':
    case 'extract':
      return atLeast(2);
    case 'insert':
      return atLeast(3);
    case 'call':
      return atLeast(1);
    default:
      return atLeast(0);
  }
}

/** Makes a fault about the operation. */
export function fault(shape: { readonly opcode: number }, expected: string, found: string): OperationFault {
  return { operation: opcodeRow(shape.opcode).name, expected, found };
}

/** A type as a message names it: shortened when it is long. */
export function typeText(tables: ModuleTables, type: TypeId): string {
  if (type === NONE) return 'no type';
  const text = tables.types.text(type);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Whether the result has the type that the rules give it. */
export function resultFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  if (shape.type === NONE) return undefined;
  const wanted = operationResultType(tables, shape);
  if (wanted === NONE || wanted === shape.type) return undefined;
  return fault(shape, `a result of type ${typeText(tables, wanted)}`, typeText(tables, shape.type));
}

function countText(minimum: number, maximum = minimum): string {
  const plural = (count: number) => `${count} operand${count === 1 ? '' : 's'}`;
  return maximum === minimum ? plural(minimum) : `at least ${plural(minimum)}`;
}

function sameOperands(
  tables: ModuleTables,
  shape: OperationShape,
  test: 'isInteger' | 'isFloat',
  expected: string,
): OperationFault | undefined {
  const first = shape.operandType(0);
  if (!tables.types[test](first)) return fault(shape, expected, typeText(tables, first));
  return equalOperands(tables, shape, 1) ?? resultFault(tables, shape);
}

/** Operands `from`… must have the type of the operand before `from`. */
function equalOperands(
  tables: ModuleTables,
  shape: OperationShape,
  from: number,
): OperationFault | undefined {
  const wanted = shape.operandType(from - 1);
  for (let index = from; index < shape.operandCount; index++) {
    const found = shape.operandType(index);
    if (found !== wanted)
      return fault(
        shape,
        `operands of one type (${typeText(tables, wanted)} as the one before)`,
        typeText(tables, found),
      );
  }
  return undefined;
}

function integerCompareFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  if (shape.aux < 0 || shape.aux >= INTEGER_PREDICATES.length)
    return fault(shape, 'an integer predicate', `${shape.aux}`);
  const first = shape.operandType(0);
  if (!tables.types.isInteger(first) && !tables.types.isPointer(first))
    return fault(shape, 'integers or pointers', typeText(tables, first));
  return equalOperands(tables, shape, 1) ?? resultFault(tables, shape);
}

function castFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const from = shape.operandType(0);
  if (castAllows(tables, shape.opcode, from, shape.type)) return undefined;
  return fault(
    shape,
    CAST_EXPECTATIONS[shape.opcode] ?? 'other types',
    `${typeText(tables, from)} to ${typeText(tables, shape.type)}`,
  );
}

const CAST_EXPECTATIONS: Readonly<Record<number, string>> = {
  [Opcode.trunc]: 'an integer and a narrower integer type',
  [Opcode.zext]: 'an integer and a wider integer type',
  [Opcode.sext]: 'an integer and a wider integer type',
  [Opcode.fptrunc]: 'an f64 and the type f32',
  [Opcode.fpext]: 'an f32 and the type f64',
  [Opcode.fptosi]: 'a float and an integer type',
  [Opcode.fptoui]: 'a float and an integer type',
  [Opcode.sitofp]: 'an integer and a float type',
  [Opcode.uitofp]: 'an integer and a float type',
  [Opcode.ptrtoint]: 'a pointer and an integer type',
  [Opcode.inttoptr]: 'an integer and a pointer type',
  [Opcode.bitcast]: 'two pointers, or two scalars of one width',
};

/** Whether a cast opcode goes from one type to the other. */
export function castAllows(tables: ModuleTables, opcode: number, from: TypeId, to: TypeId): boolean {
  const { types } = tables;
  const integers = types.isInteger(from) && types.isInteger(to);
  const floats = types.isFloat(from) && types.isFloat(to);
  switch (opcode) {
    case Opcode.trunc:
      return integers && types.width(to) < types.width(from);
    case Opcode.zext:
    case Opcode.sext:
      return integers && types.width(to) > types.width(from);
    case Opcode.fptrunc:
      return floats && types.width(to) < types.width(from);
    case Opcode.fpext:
      return floats && types.width(to) > types.width(from);
    case Opcode.fptosi:
    case Opcode.fptoui:
      return types.isFloat(from) && types.isInteger(to);
    case Opcode.sitofp:
    case Opcode.uitofp:
      return types.isInteger(from) && types.isFloat(to);
    case Opcode.ptrtoint:
      return types.isPointer(from) && types.isInteger(to);
    case Opcode.inttoptr:
      return types.isInteger(from) && types.isPointer(to);
    default:
      if (types.isPointer(from) || types.isPointer(to)) return types.isPointer(from) && types.isPointer(to);
      return types.isScalar(from) && types.isScalar(to) && types.width(from) === types.width(to);
  }
}

function selectFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  if (shape.operandType(0) !== tables.types.i1)
    return fault(shape, 'an i1 condition', typeText(tables, shape.operandType(0)));
  return equalOperands(tables, shape, 2) ?? resultFault(tables, shape);
}

function addressFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const source = shape.aux as TypeId;
  if (source < 0 || source >= types.length || !types.isComplete(source))
    return fault(shape, 'a source element type with a size', `type ${shape.aux}`);
  if (shape.operandType(0) !== types.pointer(source))
    return fault(
      shape,
      `a base of type ptr<${typeText(tables, source)}>`,
      typeText(tables, shape.operandType(0)),
    );
  if (!types.isInteger(shape.operandType(1)))
    return fault(shape, 'integer indices', typeText(tables, shape.operandType(1)));
  return indexedType(tables, source, shape, 2).fault ?? resultFault(tables, shape);
}

function memberFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const inserts = shape.opcode === Opcode.insertvalue;
  const first = inserts ? 2 : 1;
  const whole = shape.operandType(0);
  if (!tables.types.isAggregate(whole)) return fault(shape, 'an aggregate', typeText(tables, whole));
  for (let index = first; index < shape.operandCount; index++) {
    if (constantIndex(tables, shape, index) < 0) return fault(shape, 'constant indices', 'another value');
  }
  const reached = indexedType(tables, whole, shape, first);
  if (reached.fault !== undefined) return reached.fault;
  if (inserts && shape.operandType(1) !== reached.type)
    return fault(
      shape,
      `a member of type ${typeText(tables, reached.type)}`,
      typeText(tables, shape.operandType(1)),
    );
  return resultFault(tables, shape);
}

/** What indices from operand `first` on reach within `type`, or which one leads nowhere. */
function indexedType(
  tables: ModuleTables,
  type: TypeId,
  shape: Omit<OperationShape, 'type'>,
  first: number,
): { readonly type: TypeId; readonly fault: OperationFault | undefined } {
  const { types } = tables;
  const isAddress = opcodeRow(shape.opcode).class === 'address';
  for (let index = first; index < shape.operandCount; index++) {
    const kind = types.kind(type);
    if (!types.isInteger(shape.operandType(index)))
      return { type, fault: fault(shape, 'integer indices', typeText(tables, shape.operandType(index))) };
    const constant = constantIndex(tables, shape, index);
    if (kind === TypeKind.array) {
      if (!isAddress && constant >= types.count(type))
        return { type, fault: fault(shape, `an index below ${types.count(type)}`, `${constant}`) };
      type = types.element(type);
    } else if (kind === TypeKind.struct || kind === TypeKind.union) {
      if (shape.operandType(index) !== types.i32 || constant < 0)
        return { type, fault: fault(shape, 'an i32 constant as the index of a member', 'another value') };
      if (constant >= types.memberCount(type))
        return {
          type,
          fault: fault(shape, `a member index below ${types.memberCount(type)}`, `${constant}`),
        };
      type = types.memberType(type, constant);
    } else {
      return { type, fault: fault(shape, 'no index into a scalar', typeText(tables, type)) };
    }
  }
  return { type, fault: undefined };
}

/** The value of a constant index, or -1 when it is no constant or does not fit. */
function constantIndex(tables: ModuleTables, shape: Omit<OperationShape, 'type'>, index: number): number {
  const constant = shape.operandConstant(index);
  if (constant === NONE || tables.constants.kind(constant) !== ConstantKind.integer) return -1;
  const value = tables.constants.integerBits(constant);
  return value > 0x7fff_ffffn ? -1 : Number(value);
}

function callFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const signature = shape.aux as TypeId;
  if (signature < 0 || signature >= types.length || types.kind(signature) !== TypeKind.function)
    return fault(shape, 'a function type', `type ${shape.aux}`);
  if (shape.operandType(0) !== types.pointer(signature))
    return fault(
      shape,
      `a callee of type ptr<${typeText(tables, signature)}>`,
      typeText(tables, shape.operandType(0)),
    );
  const parameters = types.memberCount(signature);
  const given = shape.operandCount - 1;
  if (given < parameters || (given > parameters && !types.isVarargs(signature))) {
    const least = types.isVarargs(signature) ? 'at least ' : '';
    return fault(shape, `${least}${parameters} argument${parameters === 1 ? '' : 's'}`, `${given}`);
  }
  for (let index = 0; index < given; index++) {
    const found = shape.operandType(index + 1);
    const expected =
      index < parameters
        ? mismatch(tables, types.memberType(signature, index), found)
        : variadicMismatch(tables, found);
    if (expected !== undefined)
      return fault(shape, `argument ${index + 1} to be ${expected}`, typeText(tables, found));
  }
  return resultFault(tables, shape);
}

function mismatch(tables: ModuleTables, wanted: TypeId, found: TypeId): string | undefined {
  return wanted === found ? undefined : typeText(tables, wanted);
}

/** C promotes what is narrower than int or double in `...`; the callee would look for the promoted value. */
function variadicMismatch(tables: ModuleTables, found: TypeId): string | undefined {
  const { types } = tables;
  const passes =
    types.isPointer(found) ||
    (types.isInteger(found) && types.width(found) >= 32) ||
    (types.isFloat(found) && types.width(found) === 64);
  return passes ? undefined : 'a pointer, an f64 or an integer of at least 32 bits (it stands in `...`)';
}
