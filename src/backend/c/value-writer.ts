/**
 * Values of one function as C expressions: what is in a variable by name, what is inlined in full, constants as literals.
 *
 * The depth of an expression is bounded by the plan, so the mutual recursion between this file and those that write operations is
 * bounded too.
 */

import { VectorizableLoops } from '../../core/vectorizable-loops.js';
import type { Dialect } from '../../ir/config.js';
import {
  type ConstantId,
  type FunctionId,
  type GlobalId,
  type Inst,
  isConstantOperand,
  operandConstant,
  operandInstruction,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import type { LayoutTable } from '../../types/layout.js';
import { initializer, integerLiteral, type Symbols, scalarConstant } from './constants.js';
import type { Declarations } from './declarations.js';
import { at, type Expression, Level } from './expression.js';
import { operationExpression } from './operations.js';
import { Fate, type Plan } from './plan.js';
import type { Ranges } from './ranges.js';
import type { ModuleSymbols } from './symbols.js';
import type { Unit } from './unit.js';

/** What all functions of one module share while they are written. */
export interface ModuleText {
  readonly tables: ModuleTables;
  readonly dialect: Dialect;
  readonly symbols: ModuleSymbols;
  readonly declarations: Declarations;
  readonly layout: LayoutTable;
  /** For each name of the module what it is as a local one. */
  readonly localNames: Map<number, string>;
  /** For each integer constant: its literal, once it was written. */
  readonly literals: (Expression | undefined)[];
}

/** Symbols as one unit names them; mentioning one declares it. */
export class UnitSymbols implements Symbols {
  constructor(
    readonly module: ModuleText,
    readonly unit: Unit,
  ) {}

  requireHeader(name: string): void {
    this.unit.headers.add(name);
  }

  memberNames(type: TypeId): readonly string[] {
    return this.unit.definitions.memberNames(type);
  }

  largestMember(type: TypeId): { readonly index: number; readonly name: string } {
    const { layout, tables } = this.module;
    let index = 0;
    for (let other = 1; other < tables.types.memberCount(type); other++)
      if (
        layout.size(tables.types.memberType(type, other)) > layout.size(tables.types.memberType(type, index))
      )
        index = other;
    return { index, name: this.unit.definitions.memberNames(type)[index] as string };
  }

  globalAddress(global: GlobalId, type: TypeId): Expression {
    const { tables, symbols, declarations } = this.module;
    const { types } = tables;
    declarations.requireGlobal(this.unit, global);
    this.unit.requireType(type);
    const name = symbols.globalName(global);
    const content = tables.globalType(global);
    const pointee = types.pointee(type);
    const isReadOnly = declarations.isReadOnly(global);
    const place = { text: name, level: Level.primary, isWholeObject: true, isReadOnly, isDeclared: true };
    const isArray = types.kind(content) === TypeKind.array;
    const make = (text: string, level: Level, extra: Partial<Expression>): Expression => ({
      text,
      level,
      type,
      isConstant: true,
      ...extra,
    });
    const bare = `${isArray ? '' : '&'}${name}`;
    const cast = `(${symbols.typeNames.value(type)})${bare}`;
    const castOf = { text: bare, level: isArray ? Level.primary : Level.unary, type };
    if (pointee === content) {
      if (isArray || isReadOnly || isBooleanPointer(this.module, type))
        return make(cast, Level.unary, { place, castOf });
      return make(`&${name}`, Level.unary, { place });
    }
    if (isArray && types.element(content) === pointee) {
      if (!isReadOnly && !isBooleanPointer(this.module, type))
        return make(name, Level.primary, { elements: place });
      return make(cast, Level.unary, { elements: place, castOf });
    }
    return make(cast, Level.unary, { castOf });
  }

  /** `&table[2].next`; an array within the global is the pointer to its first element. */
  elementAddress(constant: ConstantId): Expression {
    const { tables, symbols, declarations } = this.module;
    const { constants, types } = tables;
    const global = constants.addressee(constant) as GlobalId;
    const type = constants.type(constant);
    declarations.requireGlobal(this.unit, global);
    this.unit.requireType(type);
    let text = symbols.globalName(global);
    let content = tables.globalType(global);
    for (const index of constants.elementPath(constant)) {
      this.unit.requireType(content);
      const isArray = types.kind(content) === TypeKind.array;
      text += isArray ? `[${index}]` : `.${this.memberNames(content)[index]}`;
      content = isArray ? types.element(content) : types.memberType(content, index);
    }
    const isArray = types.kind(content) === TypeKind.array;
    const isReadOnly = declarations.isReadOnly(global);
    const bare = isArray ? text : `&${text}`;
    const castOf = { text: bare, level: isArray ? Level.postfix : Level.unary, type };
    const isOwn = types.pointee(type) === content;
    const place = { text, level: Level.postfix, isReadOnly, isDeclared: true };
    const part = { type, isConstant: true, ...(isOwn && { place }) };
    if (isOwn && !isArray && !isReadOnly && !isBooleanPointer(this.module, type))
      return { ...part, text: bare, level: Level.unary };
    return { ...part, text: `(${symbols.typeNames.value(type)})${bare}`, level: Level.unary, castOf };
  }

  functionAddress(callee: FunctionId, type: TypeId): Expression {
    const { tables, symbols, declarations } = this.module;
    declarations.requireFunction(this.unit, callee);
    this.unit.requireType(type);
    const name = symbols.functionName(callee);
    const pointee = tables.types.pointee(type);
    const isOwn =
      pointee === tables.functionType(callee) &&
      symbols.library(callee) === undefined &&
      !symbols.isMain(callee);
    if (isOwn) return { text: name, level: Level.primary, type, isConstant: true };
    // Compilers warn about a cast to another function type, but not by way of `void (*)(void)`.
    const through = tables.types.kind(pointee) === TypeKind.function ? '(void (*)(void))' : '(uintptr_t)';
    return {
      text: `(${symbols.typeNames.value(type)})${through}${name}`,
      level: Level.unary,
      type,
      isConstant: true,
    };
  }
}

/** GCC alone takes a bool that may alias for another type than bool, and refuses a pointer to the one for the other. */
export function isBooleanPointer(module: ModuleText, type: TypeId): boolean {
  const { types } = module.tables;
  return module.dialect !== 'c17' && types.isPointer(type) && types.pointee(type) === types.i1;
}

const NO_READS: readonly number[] = [];

/** Writes the values of one function. */
export class ValueWriter {
  readonly tables: ModuleTables;
  readonly dialect: Dialect;
  readonly symbols: UnitSymbols;
  readonly vectorizable: VectorizableLoops;
  /** Variables that the text written since the last `takeReads` reads. */
  readonly #reads: number[] = [];

  constructor(
    readonly module: ModuleText,
    readonly unit: Unit,
    readonly view: VirFunction,
    readonly plan: Plan,
    /** Per instruction that has a variable or is an alloca: its C name. */
    readonly nameOf: (inst: Inst) => string,
    readonly variableOf: (inst: Inst) => number,
    /** Per variable: its C name and type. */
    readonly variableNameOf: (variable: number) => string,
    readonly variableType: (variable: number) => TypeId,
    readonly ranges: Ranges,
  ) {
    this.tables = module.tables;
    this.dialect = module.dialect;
    this.symbols = new UnitSymbols(module, unit);
    this.vectorizable = new VectorizableLoops(view);
  }

  /** The variables read by what was written since the last call. */
  takeReads(): readonly number[] {
    if (this.#reads.length === 0) return NO_READS;
    const reads = this.#reads.slice();
    this.#reads.length = 0;
    return reads;
  }

  /** How many reads were noted since the last `takeReads`. */
  get readCount(): number {
    return this.#reads.length;
  }

  /** Whether the variable was read after the first `from` reads. */
  hasReadSince(from: number, variable: number): boolean {
    return this.#reads.includes(variable, from);
  }

  /** The name of a variable that the text reads. */
  variableName(variable: number): string {
    this.noteRead(variable);
    return this.variableNameOf(variable);
  }

  noteRead(variable: number): void {
    this.#reads.push(variable);
  }

  /** The C name of the type of a value. */
  typeName(type: TypeId): string {
    this.unit.requireType(type);
    return this.module.symbols.typeNames.value(type);
  }

  /** The C name of the type as a place in memory. */
  memoryName(type: TypeId): string {
    this.unit.requireMemory(type);
    return this.module.symbols.typeNames.memory(type);
  }

  /** A value in full. */
  value(value: Value): Expression {
    if (isConstantOperand(value)) return this.constant(value);
    const inst = operandInstruction(value);
    if (this.plan.fate[inst] === Fate.variable) return this.variable(inst);
    if (this.view.opcode(inst) === Opcode.alloca) return this.#local(inst);
    return operationExpression(this, inst);
  }

  /** The variable that holds an instruction's result. */
  variable(inst: Inst): Expression {
    this.noteRead(this.variableOf(inst));
    return { text: this.nameOf(inst), level: Level.primary, type: this.view.instructionType(inst) };
  }

  /** A pointer to read, write or call through, whose C type says what it points to. */
  pointer(value: Value): Expression {
    const expression = this.value(value);
    return expression.isNull === true ? this.cast(expression, expression.type) : expression;
  }

  operand(inst: Inst, index: number): Expression {
    return this.value(this.view.operand(inst, index));
  }

  /** An operand whose C value is exactly that of the VIR value, in its own type or as a literal. */
  exactOperand(inst: Inst, index: number): Expression {
    const value = this.view.operand(inst, index);
    return this.exact(this.value(value), this.view.valueType(value));
  }

  /** The expression as a value of exactly this C type, or a literal of that value. */
  exact(expression: Expression, type: TypeId): Expression {
    if (expression.type === type) return expression;
    return this.#literalOf(expression, type) ?? this.cast(expression, type);
  }

  /** A literal of the same width and other sign, as a literal of the type. */
  #literalOf(expression: Expression, type: TypeId): Expression | undefined {
    const { types } = this.tables;
    if (expression.bits === undefined || !types.isInteger(type)) return undefined;
    if (types.width(type) !== types.width(expression.type) || types.width(type) === 1) return undefined;
    return integerLiteral(this.tables, type, expression.bits);
  }

  /** As `exact`, but a literal has the type too: for shifts, varargs and wherever C looks at the type of an operand. */
  sized(expression: Expression, type: TypeId): Expression {
    return expression.type === type && expression.isLiteral !== true
      ? expression
      : this.cast(expression, type);
  }

  cast(expression: Expression, type: TypeId): Expression {
    const inner = this.#castFrom(expression, type);
    return {
      text: `(${this.typeName(type)})${at(inner, Level.unary)}`,
      level: Level.unary,
      type,
      isConstant: expression.isConstant,
      hasEffect: expression.hasEffect,
      castOf: inner,
    };
  }

  /** What a cast casts: `(int64_t)(int32_t)x` is two casts, `(int32_t)(uint32_t)x` only the outer one. */
  #castFrom(expression: Expression, type: TypeId): Expression {
    const { types } = this.tables;
    const source = expression.castOf;
    if (source === undefined || !types.isInteger(type) || !types.isInteger(expression.type))
      return expression;
    if (!types.isInteger(source.type) || source.isLiteral === true) return expression;
    return types.width(type) <= types.width(expression.type) &&
      types.width(type) > 1 &&
      types.width(expression.type) > 1
      ? source
      : expression;
  }

  /**
   * What may be assigned, passed or returned as a value of the type: C converts integers modulo 2^N by itself. Constants are
   * cast all the same, for compilers look at their values and warn.
   */
  assignable(expression: Expression, type: TypeId): Expression {
    const { types } = this.tables;
    if (expression.type === type) return expression;
    const literal = this.#literalOf(expression, type);
    if (literal !== undefined) return literal;
    const { bits } = expression;
    if (
      bits !== undefined &&
      types.isInteger(type) &&
      bits < 1n << BigInt(Math.min(31, types.width(type) - 1))
    )
      return expression;
    const converts =
      types.isInteger(type) &&
      types.isInteger(expression.type) &&
      types.width(type) > 1 &&
      expression.isConstant !== true;
    return converts ? expression : this.cast(expression, type);
  }

  constant(value: Value): Expression {
    const { constants, types } = this.tables;
    const constant = operandConstant(value);
    const known = this.module.literals[constant];
    if (known !== undefined) return known;
    const type = constants.type(constant);
    if (!types.isAggregate(type)) {
      const literal = scalarConstant(this.tables, constant, this.dialect, this.symbols);
      // All others tell the unit what they need.
      if (constants.kind(constant) === ConstantKind.integer) this.module.literals[constant] = literal;
      return literal;
    }
    const body = initializer(this.tables, constant, this.dialect, this.symbols, true);
    return { text: `(${this.typeName(type)})${body}`, level: Level.postfix, type, isConstant: true };
  }

  /** The address of a local object. */
  #local(inst: Inst): Expression {
    const { types } = this.tables;
    const type = this.view.instructionType(inst);
    const name = this.nameOf(inst);
    const object = this.variableOf(inst);
    this.noteRead(object);
    const place = { text: name, level: Level.primary, isWholeObject: true, isDeclared: true, object };
    const isArray = types.kind(types.pointee(type)) === TypeKind.array;
    const bare = `${isArray ? '' : '&'}${name}`;
    const level = isArray ? Level.primary : Level.unary;
    if (!isArray && !isBooleanPointer(this.module, type)) return { text: bare, level, type, place };
    const castOf: Expression = { text: bare, level, type };
    return { text: `(${this.typeName(type)})${bare}`, level: Level.unary, type, place, castOf };
  }
}
