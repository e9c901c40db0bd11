/** Instructions as C statements: those with effects, and the values that get a variable. */

import type { Inst, TypeId } from '../../ir/entities.js';
import { NONE } from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { Aux } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import { atomicStore, compareExchange, fenceStatement } from './atomics.js';
import { directCallee } from './calls.js';
import { at, type Expression, Level } from './expression.js';
import { constantBits } from './integers.js';
import { overflowAssignment } from './intrinsics.js';
import { isAtomic, memberPath, storeForm } from './memory.js';
import { operationExpression } from './operations.js';
import {
  assignment,
  assignmentStatement,
  evaluation,
  type TextStatement,
  textStatement,
  type Update,
} from './statements.js';
import type { ValueWriter } from './value-writer.js';

const NO_STATEMENTS: readonly TextStatement[] = [];

/** The statements of a needed instruction that is not inlined and ends no block. */
export function instructionStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const { view } = values;
  const opcode = view.opcode(inst);
  switch (opcodeRow(opcode).class) {
    case 'phi':
    case 'parameter':
    case 'alloca':
      return [];
    case 'store':
      return [storeText(values, inst)];
    case 'fence':
      return [statement(values, inst, fenceStatement(values, inst))];
    case 'memoryCopy':
      return [statement(values, inst, copyText(values, inst, opcode === Opcode.memmove))];
    case 'memorySet':
      return [statement(values, inst, setText(values, inst))];
    case 'assume':
      return assumeStatements(values, inst);
    case 'insert':
      return values.plan.isLiteral[inst] === 1
        ? resultStatements(values, inst)
        : insertStatements(values, inst);
    case 'integerOverflow':
      return overflowStatements(values, inst);
    case 'compareExchange':
      return exchangeStatements(values, inst);
    default:
      return resultStatements(values, inst);
  }
}

/** Whether the instruction calls what never comes back. */
export function isNoReturnCall(values: ValueWriter, inst: Inst): boolean {
  const { view, module, tables } = values;
  if (view.opcode(inst) !== Opcode.call) return false;
  const callee = directCallee(values, inst);
  if (callee === NONE) return false;
  const library = module.symbols.library(callee);
  return library?.isNoReturn ?? tables.traitSets.has(tables.functionTraits(callee), Trait.NoReturn);
}

function statement(values: ValueWriter, inst: Inst, text: string): TextStatement {
  return textStatement(text, values.takeReads(), values.view.instructionPosition(inst));
}

/** A store to a local object by its name may be joined with the object's declaration. */
function storeText(values: ValueWriter, inst: Inst): TextStatement {
  const { view } = values;
  if (isAtomic(view.aux(inst))) return statement(values, inst, atomicStore(values, inst));
  const form = storeForm(values, inst);
  if ('statement' in form) return statement(values, inst, form.statement);
  const { place, value, type, reads } = form;
  const pointer = view.operand(inst, 1);
  const isLocal = pointer >= 0 && view.opcode(pointer as number as Inst) === Opcode.alloca;
  const isStable = place.hasEffect !== true || place.isVolatile === true;
  const update = !isStable ? undefined : updateOf(values, place.text, value, type);
  const position = view.instructionPosition(inst);
  // The name on the left is no read of the object.
  const object = place.object ?? NONE;
  const all = reads.concat(values.takeReads().filter((variable) => variable !== object));
  if (isLocal && place.text === values.nameOf(pointer as number as Inst))
    return assignmentStatement(object, value, all, position, false, update);
  const text = assignment(place.text, { text: value.text, update });
  const hasEffect = object === NONE || value.hasEffect === true || place.hasEffect === true;
  return textStatement(text, all, position, object, hasEffect);
}

function resultStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const { view } = values;
  const type = view.instructionType(inst);
  const variable = values.variableOf(inst);
  const expression = operationExpression(values, inst);
  const position = view.instructionPosition(inst);
  if (variable === NONE) return [evaluation(withoutCast(expression), values.takeReads(), position)];
  const name = values.variableNameOf(variable);
  const value = values.assignable(expression, type);
  const reads = values.takeReads();
  // Another way to write what the variable holds already.
  if (value.level === Level.primary && value.text === name) return NO_STATEMENTS;
  const update = updateOf(values, name, value, type);
  return [assignmentStatement(variable, value, reads, position, expression.type === type, update)];
}

/** A call without the cast of its result, which nobody wants. */
function withoutCast(expression: Expression): Expression {
  return expression.castOf?.isCall === true ? expression.castOf : expression;
}

/**
 * `x = (uint32_t)x + y` as `x += (uint32_t)y`: the sum is unsigned either way, for one of its operands is. Only where the operator
 * binds the variable itself.
 */
function updateOf(values: ValueWriter, name: string, value: Expression, type: TypeId): Update | undefined {
  const { parts } = value;
  if (parts === undefined || isComparison(parts.operator)) return undefined;
  const { left, right, operator } = parts;
  const { types } = values.tables;
  const isOne = right.bits === 1n && types.isInteger(type) && !types.isSigned(type);
  const isNumber = right.bits !== undefined && right.level === Level.primary;
  if (left.text === name) return { operator, right: isOne ? '1' : right.text, isNumber };
  if (left.castOf?.text !== name || left.castOf.type !== type || !types.isInteger(type)) return undefined;
  // A quotient or a shift to the right depends on the sign that the cast gives; the low bits of these do not.
  if (!['+', '-', '*', '&', '|', '^'].includes(operator)) return undefined;
  if (types.width(left.type) !== types.width(type)) return undefined;
  const isUnsigned = right.type === left.type && right.isLiteral !== true && right.isNumber !== true;
  return {
    operator,
    right: isUnsigned ? right.text : values.cast(right, left.type).text,
    isNumber: isNumber && isUnsigned,
  };
}

function isComparison(operator: string): boolean {
  return ['<', '>', '<=', '>=', '==', '!=', '&&', '||'].includes(operator);
}

/** The result and its flag, written one after the other into the variable that holds both. */
function overflowStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const variable = values.variableOf(inst);
  const { text, hasEffect } = overflowAssignment(values, inst, values.variableNameOf(variable));
  const position = values.view.instructionPosition(inst);
  return [textStatement(text, values.takeReads(), position, variable, hasEffect)];
}

/** Requires that the instruction has a variable, or one of its own. */
function exchangeStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const variable = values.variableOf(inst);
  const position = values.view.instructionPosition(inst);
  return compareExchange(values, inst, values.variableNameOf(variable)).map(({ text, reads }) =>
    textStatement(text, [...reads, variable], position),
  );
}

function insertStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const { view } = values;
  const variable = values.variableOf(inst);
  const name = values.variableNameOf(variable);
  const base = values.operand(inst, 0);
  const position = view.instructionPosition(inst);
  const baseReads = values.takeReads();
  const statements: TextStatement[] = [];
  if (base.text !== name)
    statements.push(assignmentStatement(variable, base, baseReads, position, false, undefined));
  const path = memberPath(values, inst, 2, view.operandCount(inst));
  const value = values.assignable(values.operand(inst, 1), path.type);
  const place = path.isArray
    ? `*(${values.typeName(path.type)} *)${name}${path.text}`
    : `${name}${path.text}`;
  const hasEffect = value.hasEffect === true;
  statements.push(
    textStatement(`${place} = ${value.text}`, values.takeReads(), position, variable, hasEffect),
  );
  return statements;
}

function isVolatile(values: ValueWriter, inst: Inst): boolean {
  return (Math.max(0, values.view.aux(inst)) & Aux.volatile) !== 0;
}

/** Whether the length may be zero: then C forbids null pointers to memcpy where VIR does not. */
function mayBeEmpty(values: ValueWriter, inst: Inst): boolean {
  const bits = constantBits(values, values.view.operand(inst, 2));
  return bits === undefined || bits === 0n;
}

function copyText(values: ValueWriter, inst: Inst, mayOverlap: boolean): string {
  const name = mayOverlap ? 'memmove' : 'memcpy';
  const target = values.operand(inst, 0);
  const origin = values.operand(inst, 1);
  const destination = (target.place?.isReadOnly === true ? target : (target.castOf ?? target)).text;
  const source = (origin.castOf ?? origin).text;
  const length = values.assignable(values.operand(inst, 2), values.tables.types.u64).text;
  values.unit.headers.add('string.h');
  let callee = name;
  if (isVolatile(values, inst)) {
    callee = 'vct_volatile_copy';
    values.unit.helpers.set(callee, VOLATILE_COPY);
  } else if (mayBeEmpty(values, inst)) {
    callee = `vct_${name}`;
    values.unit.helpers.set(
      callee,
      `static inline void ${callee}(void *destination, const void *source, uint64_t length)\n{\n    if (length != 0)\n        ${name}(destination, source, length);\n}`,
    );
  }
  return `${callee}(${destination}, ${source}, ${length})`;
}

const VOLATILE_COPY = `static inline void vct_volatile_copy(volatile void *destination, const volatile void *source, uint64_t length)
{
    volatile uint8_t *to = (volatile uint8_t *)destination;
    const volatile uint8_t *from = (const volatile uint8_t *)source;
    if ((uintptr_t)to <= (uintptr_t)from) {
        for (uint64_t i = 0; i < length; i++)
            to[i] = from[i];
    } else {
        for (uint64_t i = length; i-- > 0;)
            to[i] = from[i];
    }
}`;

const VOLATILE_SET = `static inline void vct_volatile_set(volatile void *destination, uint8_t byte, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++)
        ((volatile uint8_t *)destination)[i] = byte;
}`;

function setText(values: ValueWriter, inst: Inst): string {
  const target = values.operand(inst, 0);
  const destination = (target.place?.isReadOnly === true ? target : (target.castOf ?? target)).text;
  const byte = values.operand(inst, 1).text;
  const length = values.assignable(values.operand(inst, 2), values.tables.types.u64).text;
  values.unit.headers.add('string.h');
  let callee = 'memset';
  if (isVolatile(values, inst)) {
    callee = 'vct_volatile_set';
    values.unit.helpers.set(callee, VOLATILE_SET);
  } else if (mayBeEmpty(values, inst)) {
    callee = 'vct_memset';
    values.unit.helpers.set(
      callee,
      'static inline void vct_memset(void *destination, int byte, uint64_t length)\n{\n    if (length != 0)\n        memset(destination, byte, length);\n}',
    );
  }
  return `${callee}(${destination}, ${byte}, ${length})`;
}

/** Plain C17 cannot say it; the condition has no effect, so nothing is lost. */
function assumeStatements(values: ValueWriter, inst: Inst): readonly TextStatement[] {
  const condition = values.exactOperand(inst, 0);
  switch (values.dialect) {
    case 'clang':
      return [statement(values, inst, `__builtin_assume(${condition.text})`)];
    case 'gcc':
      return [statement(values, inst, `if (!${at(condition, Level.unary)})\n    __builtin_unreachable()`)];
    default:
      return [statement(values, inst, `(void)${at(condition, Level.unary)}`)];
  }
}
