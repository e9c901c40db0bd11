/** Reads the instructions of `.vir` text that reach memory or members: one function a class of the opcode table. */

import { NONE, type TypeId } from '../ir/entities.js';
import { operationResultType, pairWithFlag } from '../ir/operation-rules.js';
import { ATOMIC_OPERATIONS, Aux, ORDERINGS } from '../ir/schema.js';
import { parseChoice } from '../ir/text/annotations.js';
import type { InstructionBody, OperandReader } from './operand-reader.js';

/** `T`: the type of the object. */
export function readAlloca(reader: OperandReader): InstructionBody {
  const type = reader.type();
  return reader.body(reader.tables.types.pointer(type), type);
}

/** Reads `atomic` and `volatile`, in any order. */
function readFlags(reader: OperandReader): { isAtomic: boolean; aux: number } {
  let isAtomic = false;
  let aux = 0;
  for (;;) {
    if (reader.cursor.accept('volatile')) aux |= Aux.volatile;
    else if (reader.cursor.accept('atomic')) isAtomic = true;
    else return { isAtomic, aux };
  }
}

/** Reads a memory ordering. */
export function readOrdering(reader: OperandReader): number {
  return parseChoice(reader.cursor, 'ordering', ORDERINGS);
}

/** `[atomic] [volatile] T p [ordering]`. */
export function readLoad(reader: OperandReader): InstructionBody {
  const { isAtomic, aux } = readFlags(reader);
  const type = reader.type();
  reader.value(reader.tables.types.pointer(type));
  return reader.body(type, aux | (isAtomic ? readOrdering(reader) : 0));
}

/** `[atomic] [volatile] T a, p [ordering]`. */
export function readStore(reader: OperandReader): InstructionBody {
  const { isAtomic, aux } = readFlags(reader);
  const type = reader.typedValue();
  reader.comma();
  reader.value(reader.tables.types.pointer(type));
  return reader.body(reader.voidType, aux | (isAtomic ? readOrdering(reader) : 0));
}

/** `T p, i, …`: T is what p points to. */
export function readAddress(reader: OperandReader): InstructionBody {
  const source = reader.type();
  reader.value(reader.tables.types.pointer(source));
  reader.indices(1);
  return reader.body(derivedType(reader, source, source), source);
}

/** `T a, n, …`. */
export function readExtract(reader: OperandReader): InstructionBody {
  const whole = reader.typedValue();
  reader.indices(1);
  return reader.body(derivedType(reader, whole, NONE));
}

/** `T a, U b, n, …`. */
export function readInsert(reader: OperandReader): InstructionBody {
  const whole = reader.typedValue();
  reader.comma();
  reader.typedValue();
  reader.indices(1);
  return reader.body(whole);
}

/** The result type that the indices lead to; what they cannot reach is left to the verifier. */
function derivedType(reader: OperandReader, whole: TypeId, aux: number): TypeId {
  const operands = reader.operands;
  return operationResultType(reader.tables, {
    opcode: reader.opcode,
    aux,
    operandCount: operands.length,
    operandType: (index) => (index === 0 ? whole : reader.tables.types.i32),
    operandConstant: (index) => {
      const operand = operands[index] as number;
      return (operand < NONE ? -2 - operand : NONE) as never;
    },
  });
}

/** `[weak] [volatile] T p, a, b success failure`. */
export function readCompareExchange(reader: OperandReader): InstructionBody {
  const weak = reader.cursor.accept('weak') ? Aux.weak : 0;
  const { aux } = readFlags(reader);
  const type = reader.type();
  reader.value(reader.tables.types.pointer(type));
  reader.comma();
  reader.values(type, 2);
  const success = readOrdering(reader);
  const failure = readOrdering(reader) << Aux.failureOrderingShift;
  return reader.body(pairWithFlag(reader.tables, type), weak | aux | success | failure);
}

/** `[volatile] operation T p, a ordering`. */
export function readAtomicUpdate(reader: OperandReader): InstructionBody {
  const { aux } = readFlags(reader);
  const operation = parseChoice(reader.cursor, 'operation', ATOMIC_OPERATIONS);
  const type = reader.type();
  reader.value(reader.tables.types.pointer(type));
  reader.comma();
  reader.value(type);
  return reader.body(type, aux | readOrdering(reader) | (operation << Aux.operationShift));
}

/** `[volatile] T p, U a, V n`: of memcpy, memmove and memset. */
export function readMemory(reader: OperandReader): InstructionBody {
  const { aux } = readFlags(reader);
  for (let index = 0; index < 3; index++) {
    if (index > 0) reader.comma();
    reader.typedValue();
  }
  return reader.body(reader.voidType, aux);
}
