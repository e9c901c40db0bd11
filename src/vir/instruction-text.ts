/** Writes one instruction as `.vir` text, from its mnemonic to its last operand: one case a class of the opcode table. */

import {
  type ConstantId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
} from '../ir/entities.js';
import { auxFailureOrdering, auxOrdering } from '../ir/memory-rules.js';
import { Opcode, opcodeRow } from '../ir/opcodes.js';
import {
  ATOMIC_OPERATIONS,
  Aux,
  ConstantKind,
  FLOAT_PREDICATES,
  INTEGER_PREDICATES,
  TypeKind,
} from '../ir/schema.js';
import type { ModulePrinter } from '../ir/text/module-printer.js';
import type { VirFunction } from '../ir/vir-module.js';

/** What the instructions of one function are written with. */
export interface FunctionTexts {
  readonly printer: ModulePrinter;
  readonly view: VirFunction;
  /** The text of each instruction's result without `%`; empty where there is none. */
  readonly values: readonly string[];
  /** The text of each block's name without `%`. */
  readonly blocks: readonly string[];
}

/** The instruction without its result, traits and position. Requires well-formed tables. */
export function instructionText(texts: FunctionTexts, inst: Inst): string {
  const { printer, view } = texts;
  const { name, class: opcodeClass } = opcodeRow(view.opcode(inst));
  const type = printer.type(view.instructionType(inst));
  const aux = view.aux(inst);
  switch (opcodeClass) {
    case 'integerOverflow':
      return `${name} ${typeOf(texts, inst, 0)} ${list(texts, inst, 0)}`;
    case 'integerCompare':
      return `${name} ${INTEGER_PREDICATES[aux] ?? 'eq'} ${typeOf(texts, inst, 0)} ${list(texts, inst, 0)}`;
    case 'floatCompare':
      return `${name} ${FLOAT_PREDICATES[aux] ?? 'oeq'} ${typeOf(texts, inst, 0)} ${list(texts, inst, 0)}`;
    case 'cast':
      return `${name} ${typed(texts, inst, 0)} to ${type}`;
    case 'phi':
      return phiText(texts, inst);
    case 'alloca':
      return `${name} ${auxType(texts, aux)}`;
    case 'load':
      return `${name}${flags(aux)} ${type} ${list(texts, inst, 0)}${ordering(aux)}`;
    case 'store':
      return `${name}${flags(aux)} ${typed(texts, inst, 0)}, ${list(texts, inst, 1)}${ordering(aux)}`;
    case 'address':
      return `${name} ${auxType(texts, aux)} ${value(texts, inst, 0)}${indices(texts, inst, 1)}`;
    case 'extract':
      return `${name} ${typed(texts, inst, 0)}${indices(texts, inst, 1)}`;
    case 'insert':
      return `${name} ${typed(texts, inst, 0)}, ${typed(texts, inst, 1)}${indices(texts, inst, 2)}`;
    case 'call':
      return callText(texts, inst);
    case 'compareExchange':
      return compareExchangeText(texts, inst);
    case 'atomicUpdate':
      return atomicUpdateText(texts, inst);
    case 'fence':
      return `${name} ${auxOrdering(aux) ?? 'not_atomic'}`;
    case 'memoryCopy':
    case 'memorySet':
      return `${name}${flags(aux)} ${typedList(texts, inst, 0)}`;
    case 'assume':
      return `${name} ${list(texts, inst, 0)}`;
    case 'terminator':
      return terminatorText(texts, inst);
    default:
      return `${name} ${type} ${list(texts, inst, 0)}`;
  }
}

function value(texts: FunctionTexts, inst: Inst, index: number): string {
  const { view } = texts;
  if (index >= view.operandCount(inst)) return 'undef';
  const operand = view.operand(inst, index);
  if (isConstantOperand(operand)) return texts.printer.constant(operandConstant(operand));
  if (operand === NONE || operand >= view.instructionCount) return 'undef';
  return `%${texts.values[operand]}`;
}

function typeId(texts: FunctionTexts, inst: Inst, index: number): TypeId {
  const { view } = texts;
  if (index >= view.operandCount(inst)) return view.tables.types.void;
  const operand = view.operand(inst, index);
  return operand === NONE ? view.tables.types.void : view.valueType(operand);
}

function typeOf(texts: FunctionTexts, inst: Inst, index: number): string {
  return texts.printer.type(typeId(texts, inst, index));
}

function typed(texts: FunctionTexts, inst: Inst, index: number): string {
  return `${typeOf(texts, inst, index)} ${value(texts, inst, index)}`;
}

function list(texts: FunctionTexts, inst: Inst, from: number): string {
  const parts: string[] = [];
  for (let index = from; index < texts.view.operandCount(inst); index++)
    parts.push(value(texts, inst, index));
  return parts.join(', ');
}

function typedList(texts: FunctionTexts, inst: Inst, from: number): string {
  const parts: string[] = [];
  for (let index = from; index < texts.view.operandCount(inst); index++)
    parts.push(typed(texts, inst, index));
  return parts.join(', ');
}

/** `, i, i…`: a constant index has its type in front unless it is an i32. */
function indices(texts: FunctionTexts, inst: Inst, from: number): string {
  const { view } = texts;
  let text = '';
  for (let index = from; index < view.operandCount(inst); index++) {
    const isPlain =
      !isConstantOperand(view.operand(inst, index)) || typeId(texts, inst, index) === view.tables.types.i32;
    text += `, ${isPlain ? value(texts, inst, index) : typed(texts, inst, index)}`;
  }
  return text;
}

function auxType(texts: FunctionTexts, aux: number): string {
  return texts.printer.type(aux as TypeId);
}

function flags(aux: number): string {
  const atomic = (aux & Aux.orderingMask) !== 0 ? ' atomic' : '';
  return `${atomic}${(aux & Aux.volatile) !== 0 ? ' volatile' : ''}`;
}

function ordering(aux: number): string {
  return (aux & Aux.orderingMask) === 0 ? '' : ` ${auxOrdering(aux) ?? 'not_atomic'}`;
}

function block(texts: FunctionTexts, inst: Inst, index: number): string {
  if (index >= texts.view.operandCount(inst)) return '%0';
  return `%${texts.blocks[texts.view.blockOperand(inst, index)] ?? '0'}`;
}

function phiText(texts: FunctionTexts, inst: Inst): string {
  const { view, printer } = texts;
  const pairs: string[] = [];
  for (let index = 0; index + 1 < view.operandCount(inst); index += 2) {
    pairs.push(`[ ${value(texts, inst, index)}, ${block(texts, inst, index + 1)} ]`);
  }
  const type = printer.type(view.instructionType(inst));
  return pairs.length === 0 ? `phi ${type}` : `phi ${type} ${pairs.join(', ')}`;
}

/** The short form where the callee is a function of exactly the type that the arguments tell, else the long one. */
function callText(texts: FunctionTexts, inst: Inst): string {
  const { view, printer } = texts;
  const { constants, types } = view.tables;
  const signature = view.aux(inst) as TypeId;
  const callee = view.operandCount(inst) > 0 ? view.operand(inst, 0) : (NONE as never);
  const isDirect =
    isConstantOperand(callee) &&
    constants.kind(operandConstant(callee) as ConstantId) === ConstantKind.functionAddress;
  let isShort = isDirect && types.kind(signature) === TypeKind.function && !types.isVarargs(signature);
  const count = isShort ? types.memberCount(signature) : 0;
  if (isShort && count !== view.operandCount(inst) - 1) isShort = false;
  for (let index = 0; isShort && index < count; index++) {
    if (types.memberType(signature, index) !== typeId(texts, inst, index + 1)) isShort = false;
  }
  const written = printer.type(isShort ? types.result(signature) : signature);
  return `call ${written} ${value(texts, inst, 0)}(${typedList(texts, inst, 1)})`;
}

function compareExchangeText(texts: FunctionTexts, inst: Inst): string {
  const aux = texts.view.aux(inst);
  const weak = (aux & Aux.weak) !== 0 ? ' weak' : '';
  const volatile = (aux & Aux.volatile) !== 0 ? ' volatile' : '';
  const orderings = `${auxOrdering(aux) ?? 'not_atomic'} ${auxFailureOrdering(aux) ?? 'not_atomic'}`;
  return `cmpxchg${weak}${volatile} ${typeOf(texts, inst, 1)} ${list(texts, inst, 0)} ${orderings}`;
}

function atomicUpdateText(texts: FunctionTexts, inst: Inst): string {
  const aux = texts.view.aux(inst);
  const volatile = (aux & Aux.volatile) !== 0 ? ' volatile' : '';
  const operation = ATOMIC_OPERATIONS[(aux >> Aux.operationShift) & 15] ?? ATOMIC_OPERATIONS[0];
  const type = typeOf(texts, inst, 1);
  return `atomicrmw${volatile} ${operation} ${type} ${list(texts, inst, 0)} ${auxOrdering(aux) ?? 'not_atomic'}`;
}

function terminatorText(texts: FunctionTexts, inst: Inst): string {
  const { view } = texts;
  switch (view.opcode(inst)) {
    case Opcode.br:
      return `br ${block(texts, inst, 0)}`;
    case Opcode.condbr:
      return `condbr ${value(texts, inst, 0)}, ${block(texts, inst, 1)}, ${block(texts, inst, 2)}`;
    case Opcode.switch:
      return switchText(texts, inst);
    case Opcode.ret:
      return view.operandCount(inst) === 0 ? 'ret void' : `ret ${typed(texts, inst, 0)}`;
    default:
      return 'unreachable';
  }
}

function switchText(texts: FunctionTexts, inst: Inst): string {
  const cases: string[] = [];
  for (let index = 2; index + 1 < texts.view.operandCount(inst); index += 2) {
    cases.push(`${value(texts, inst, index)}: ${block(texts, inst, index + 1)}`);
  }
  const body = cases.length === 0 ? '[]' : `[ ${cases.join(', ')} ]`;
  return `switch ${typed(texts, inst, 0)}, ${block(texts, inst, 1)} ${body}`;
}
