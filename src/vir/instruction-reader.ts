/** Reads one instruction of `.vir` text: one function a class of the opcode table. */

import { constantOperand, NONE, type TypeId } from '../ir/entities.js';
import { OPCODES, Opcode, type OpcodeClass, opcodeRow } from '../ir/opcodes.js';
import { pairWithFlag } from '../ir/operation-rules.js';
import { FLOAT_PREDICATES, INTEGER_PREDICATES, TypeKind } from '../ir/schema.js';
import { parseChoice } from '../ir/text/annotations.js';
import { parseConstant } from '../ir/text/parse-constant.js';
import { TokenKind } from '../ir/text/tokens.js';
import type { EntityKey } from './function-names.js';
import {
  readAddress,
  readAlloca,
  readAtomicUpdate,
  readCompareExchange,
  readExtract,
  readInsert,
  readLoad,
  readMemory,
  readOrdering,
  readStore,
} from './memory-instruction-reader.js';
import type { InstructionBody, OperandReader } from './operand-reader.js';

/** An instruction that has been read and not yet appended. */
export interface InstructionDraft extends InstructionBody {
  readonly opcode: number;
}

const OPCODE_NUMBERS = new Map<string, number>(OPCODES.map((opcode, number) => [opcode.name, number]));

/** Reads an instruction from its mnemonic to its last operand. */
export function readInstruction(reader: OperandReader): InstructionDraft {
  const { cursor } = reader;
  const token = cursor.at;
  const opcode = OPCODE_NUMBERS.get(cursor.word('an instruction')) ?? Opcode.param;
  if (opcode === Opcode.param) return cursor.fail('VCT0117', { name: cursor.excerpt(token) }, token);
  reader.begin(opcode);
  return { opcode, ...READERS[opcodeRow(opcode).class](reader) };
}

const READERS: Readonly<Record<OpcodeClass, (reader: OperandReader) => InstructionBody>> = {
  parameter: (reader) => reader.cursor.unexpected('an instruction'),
  integerBinary: (reader) => readSameType(reader, 2),
  integerUnary: (reader) => readSameType(reader, 1),
  integerTernary: (reader) => readSameType(reader, 3),
  integerOverflow: readOverflow,
  floatBinary: (reader) => readSameType(reader, 2),
  floatUnary: (reader) => readSameType(reader, 1),
  integerCompare: (reader) => readCompare(reader, INTEGER_PREDICATES),
  floatCompare: (reader) => readCompare(reader, FLOAT_PREDICATES),
  cast: readCast,
  select: readSelect,
  phi: readPhi,
  alloca: readAlloca,
  load: readLoad,
  store: readStore,
  address: readAddress,
  extract: readExtract,
  insert: readInsert,
  call: readCall,
  compareExchange: readCompareExchange,
  atomicUpdate: readAtomicUpdate,
  fence: (reader) => reader.body(reader.voidType, readOrdering(reader)),
  memoryCopy: readMemory,
  memorySet: readMemory,
  assume: readAssume,
  terminator: readTerminator,
};

function readAssume(reader: OperandReader): InstructionBody {
  reader.value(reader.tables.types.i1);
  return reader.body(reader.voidType);
}

function readSameType(reader: OperandReader, count: number): InstructionBody {
  const type = reader.type();
  reader.values(type, count);
  return reader.body(type);
}

function readOverflow(reader: OperandReader): InstructionBody {
  const type = reader.type();
  reader.values(type, 2);
  return reader.body(pairWithFlag(reader.tables, type));
}

function readCompare(reader: OperandReader, predicates: readonly string[]): InstructionBody {
  const predicate = parseChoice(reader.cursor, 'predicate', predicates);
  reader.values(reader.type(), 2);
  return reader.body(reader.tables.types.i1, predicate);
}

function readCast(reader: OperandReader): InstructionBody {
  reader.typedValue();
  reader.cursor.expect('to');
  return reader.body(reader.type());
}

function readSelect(reader: OperandReader): InstructionBody {
  const type = reader.type();
  reader.value(reader.tables.types.i1);
  reader.comma();
  reader.values(type, 2);
  return reader.body(type);
}

/** `phi T [ a, %b ], …`: the pairs are put in ascending order of their blocks. */
function readPhi(reader: OperandReader): InstructionBody {
  const type = reader.type();
  const pairs: { readonly key: EntityKey | undefined; token: number; operand: number; block: number }[] = [];
  while (reader.cursor.is('[') || (pairs.length > 0 && reader.cursor.is(','))) {
    if (pairs.length > 0) reader.comma();
    reader.cursor.expect('[');
    const token = reader.cursor.at;
    const kind = reader.cursor.kind();
    const isLocal = kind === TokenKind.local || kind === TokenKind.localNumber;
    const key = isLocal ? reader.key('a value') : undefined;
    const operand = isLocal ? NONE : constantOperand(parseConstant(reader.cursor, reader.tables, type));
    reader.comma();
    pairs.push({ key, token, operand, block: reader.block() });
    reader.cursor.expect(']');
  }
  pairs.sort((left, right) => left.block - right.block);
  for (const { key, token, operand, block } of pairs) {
    if (key === undefined) reader.operands.push(operand);
    else reader.pushValue(key, token);
    reader.operands.push(block);
  }
  return reader.body(type);
}

/** `call R callee(T a, …)`, or with the whole function type in place of R. */
function readCall(reader: OperandReader): InstructionBody {
  const { cursor } = reader;
  const { types } = reader.tables;
  const written = reader.type();
  const callee = cursor.at;
  const isLocal = cursor.kind() === TokenKind.local || cursor.kind() === TokenKind.localNumber;
  if (isLocal) reader.value(reader.voidType);
  else {
    cursor.advance();
    reader.operands.push(NONE);
  }
  const given = readArguments(reader);
  const isWhole = types.kind(written) === TypeKind.function;
  const signature = isWhole ? written : types.function(given, written);
  if (!isLocal) {
    const end = cursor.at;
    cursor.at = callee;
    reader.operands[0] = constantOperand(parseConstant(cursor, reader.tables, types.pointer(signature)));
    cursor.at = end;
  }
  return reader.body(types.result(signature), signature);
}

function readArguments(reader: OperandReader): TypeId[] {
  const given: TypeId[] = [];
  reader.cursor.expect('(');
  if (reader.cursor.accept(')')) return given;
  do given.push(reader.typedValue());
  while (reader.cursor.accept(','));
  reader.cursor.expect(')');
  return given;
}

function readTerminator(reader: OperandReader): InstructionBody {
  switch (reader.opcode) {
    case Opcode.br:
      reader.operands.push(reader.block());
      break;
    case Opcode.condbr:
      reader.value(reader.tables.types.i1);
      for (let index = 0; index < 2; index++) {
        reader.comma();
        reader.operands.push(reader.block());
      }
      break;
    case Opcode.switch:
      readSwitch(reader);
      break;
    case Opcode.ret: {
      if (reader.cursor.accept('void')) break;
      reader.typedValue();
      break;
    }
    default:
  }
  return reader.body(reader.voidType);
}

/** `switch T v, %default [ 0: %a, 1: %b ]`; the brackets may span lines. */
function readSwitch(reader: OperandReader): void {
  const type = reader.typedValue();
  reader.comma();
  reader.operands.push(reader.block());
  reader.cursor.expect('[');
  if (reader.cursor.accept(']')) return;
  do {
    reader.operands.push(constantOperand(parseConstant(reader.cursor, reader.tables, type)));
    reader.cursor.expect(':');
    reader.operands.push(reader.block());
  } while (reader.cursor.accept(','));
  reader.cursor.expect(']');
}
