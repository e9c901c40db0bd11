/** What accesses to memory demand: pointees, and the orderings that LLVM and C11 allow for each operation (006 §4). */

import type { TypeId } from './entities.js';
import type { ModuleTables } from './module-tables.js';
import { Opcode, opcodeRow } from './opcodes.js';
import { fault, type OperationFault, type OperationShape, typeText } from './operation-rules.js';
import { ATOMIC_OPERATIONS, Aux, ORDERINGS, type Ordering } from './schema.js';

/** The first rule on memory that the operation breaks, if any. */
export function memoryFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  switch (opcodeRow(shape.opcode).class) {
    case 'alloca':
      return allocaFault(tables, shape);
    case 'load':
      return (
        pointeeFault(tables, shape, 0, shape.type) ??
        orderingFault(tables, shape, shape.type, ['release', 'acq_rel'])
      );
    case 'store':
      return (
        pointeeFault(tables, shape, 1, shape.operandType(0)) ??
        orderingFault(tables, shape, shape.operandType(0), ['acquire', 'acq_rel'])
      );
    case 'compareExchange':
      return compareExchangeFault(tables, shape);
    case 'atomicUpdate':
      return atomicUpdateFault(tables, shape);
    case 'fence':
      return fenceFault(shape);
    case 'memoryCopy':
      return pointerFault(tables, shape, 0) ?? pointerFault(tables, shape, 1) ?? lengthFault(tables, shape);
    case 'memorySet':
      return pointerFault(tables, shape, 0) ?? byteFault(tables, shape) ?? lengthFault(tables, shape);
    default:
      return undefined;
  }
}

/** The ordering in an aux word; bits that name none give undefined. */
export function auxOrdering(aux: number): Ordering | undefined {
  return ORDERINGS[aux & Aux.orderingMask];
}

/** The ordering of failure in the aux word of a cmpxchg. */
export function auxFailureOrdering(aux: number): Ordering | undefined {
  return ORDERINGS[(aux >> Aux.failureOrderingShift) & Aux.orderingMask];
}

function allocaFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const type = shape.aux as TypeId;
  if (type < 0 || type >= types.length || !types.isComplete(type))
    return fault(shape, 'a type with a size', `type ${shape.aux}`);
  const wanted = types.pointer(type);
  if (shape.type === wanted) return undefined;
  return fault(shape, `a result of type ${typeText(tables, wanted)}`, typeText(tables, shape.type));
}

function pointerFault(
  tables: ModuleTables,
  shape: OperationShape,
  index: number,
): OperationFault | undefined {
  const found = shape.operandType(index);
  return tables.types.isPointer(found) ? undefined : fault(shape, 'a pointer', typeText(tables, found));
}

/** The operand must point to exactly that type. */
function pointeeFault(
  tables: ModuleTables,
  shape: OperationShape,
  index: number,
  wanted: TypeId,
): OperationFault | undefined {
  const { types } = tables;
  const found = shape.operandType(index);
  if (!types.isFirstClass(wanted)) return fault(shape, 'a type that has values', typeText(tables, wanted));
  if (types.isPointer(found) && types.pointee(found) === wanted) return undefined;
  return fault(shape, `a pointer of type ptr<${typeText(tables, wanted)}>`, typeText(tables, found));
}

/** A plain access may have any type; an atomic one needs what the machine reads in one step. */
function orderingFault(
  tables: ModuleTables,
  shape: OperationShape,
  type: TypeId,
  forbidden: readonly Ordering[],
): OperationFault | undefined {
  const ordering = auxOrdering(shape.aux);
  if (ordering === undefined || shape.aux < 0 || shape.aux > (Aux.orderingMask | Aux.volatile))
    return fault(shape, 'a memory ordering', `aux ${shape.aux}`);
  if (ordering === 'not_atomic') return undefined;
  if (forbidden.includes(ordering)) return fault(shape, 'another ordering', ordering);
  return atomicTypeFault(tables, shape, type);
}

function atomicTypeFault(
  tables: ModuleTables,
  shape: OperationShape,
  type: TypeId,
): OperationFault | undefined {
  const { types } = tables;
  const machine =
    types.isPointer(type) ||
    types.isFloat(type) ||
    (types.isInteger(type) && [8, 16, 32, 64].includes(types.width(type)));
  return machine
    ? undefined
    : fault(
        shape,
        'an integer of 8, 16, 32 or 64 bits, a float or a pointer to be atomic',
        typeText(tables, type),
      );
}

function compareExchangeFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const type = shape.operandType(1);
  const failure = auxFailureOrdering(shape.aux);
  if (shape.operandType(2) !== type)
    return fault(
      shape,
      `a new value of type ${typeText(tables, type)}`,
      typeText(tables, shape.operandType(2)),
    );
  if (tables.types.isFloat(type)) return fault(shape, 'an integer or a pointer', typeText(tables, type));
  if (failure === undefined || !['monotonic', 'acquire', 'seq_cst'].includes(failure))
    return fault(
      shape,
      'monotonic, acquire or seq_cst as the ordering of failure',
      failure ?? `aux ${shape.aux}`,
    );
  return (
    updateOrderingFault(shape) ?? pointeeFault(tables, shape, 0, type) ?? atomicTypeFault(tables, shape, type)
  );
}

function atomicUpdateFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const type = shape.operandType(1);
  const operation = ATOMIC_OPERATIONS[(shape.aux >> Aux.operationShift) & 15];
  if (operation === undefined) return fault(shape, 'an atomic operation', `aux ${shape.aux}`);
  if (!types.isInteger(type) && !(operation === 'xchg' && types.isPointer(type)))
    return fault(
      shape,
      operation === 'xchg' ? 'an integer or a pointer' : 'an integer',
      typeText(tables, type),
    );
  return (
    updateOrderingFault(shape) ?? pointeeFault(tables, shape, 0, type) ?? atomicTypeFault(tables, shape, type)
  );
}

function updateOrderingFault(shape: OperationShape): OperationFault | undefined {
  const ordering = auxOrdering(shape.aux);
  if (ordering === undefined || ordering === 'not_atomic' || ordering === 'unordered' || shape.aux < 0)
    return fault(shape, 'an ordering of at least monotonic', ordering ?? `aux ${shape.aux}`);
  return undefined;
}

function fenceFault(shape: OperationShape): OperationFault | undefined {
  const ordering = auxOrdering(shape.aux);
  if (ordering !== undefined && ['acquire', 'release', 'acq_rel', 'seq_cst'].includes(ordering))
    return undefined;
  return fault(shape, 'acquire, release, acq_rel or seq_cst', ordering ?? `aux ${shape.aux}`);
}

function lengthFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const found = shape.operandType(2);
  const fits = types.isInteger(found) && types.width(found) === 64;
  return fits ? undefined : fault(shape, 'a length of type i64 or u64', typeText(tables, found));
}

function byteFault(tables: ModuleTables, shape: OperationShape): OperationFault | undefined {
  const { types } = tables;
  const found = shape.operandType(1);
  const fits = types.isInteger(found) && types.width(found) === 8;
  return fits ? undefined : fault(shape, 'a byte of type i8 or u8', typeText(tables, found));
}

/** Whether an opcode's aux word is an ordering that the rules above read. */
export function hasOrdering(opcode: number): boolean {
  return opcode === Opcode.fence || opcodeRow(opcode).aux === 'memory';
}
