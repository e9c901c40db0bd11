/** Declarations of functions and globals, with the attributes that their traits become (008 Table 1). */

import type { Dialect } from '../../ir/config.js';
import type { FunctionId, GlobalId, TraitSetId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { GLOBAL, Linkage, TypeKind } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import { initializer, isZeroConstant, type Symbols, stringLiteral } from './constants.js';
import type { ParameterPromises } from './parameter-promises.js';
import type { ModuleSymbols } from './symbols.js';
import type { Unit } from './unit.js';

const LABEL_MACRO = `#define VCT_TEXT_OF(x) #x
#define VCT_TEXT(x) VCT_TEXT_OF(x)
#define VCT_SYMBOL(name) __asm__(VCT_TEXT(__USER_LABEL_PREFIX__) name)`;

/** Writes declarations for one dialect. */
export class Declarations {
  constructor(
    readonly tables: ModuleTables,
    readonly symbols: ModuleSymbols,
    readonly dialect: Dialect,
    readonly promises: ParameterPromises,
  ) {}

  /** Makes a function callable in the unit: its header, or a prototype. */
  requireFunction(unit: Unit, id: FunctionId, isDefinedHere = false): void {
    const library = this.symbols.library(id);
    if (library !== undefined) {
      unit.headers.add(library.header);
      return;
    }
    const name = this.symbols.functionName(id);
    if (unit.functions.has(name)) return;
    if (isDefinedHere && this.symbols.isMain(id)) return;
    unit.functions.set(name, '');
    this.#requireSignature(unit, id);
    unit.functions.set(name, `${this.#prototype(unit, id)};`);
  }

  #requireSignature(unit: Unit, id: FunctionId): void {
    const { types } = this.tables;
    const type = this.tables.functionType(id);
    for (let index = 0; index < types.memberCount(type); index++)
      unit.requireType(types.memberType(type, index));
    unit.requireType(types.result(type));
  }

  /** `static int32_t f(int32_t, vct_i32 *)`, attributes included. */
  #prototype(unit: Unit, id: FunctionId): string {
    if (this.symbols.isMain(id)) {
      const count = this.tables.types.memberCount(this.tables.functionType(id));
      return count === 0 ? 'int main(void)' : 'int main(int, char **)';
    }
    const readOnly = this.promises.readOnly.of(id);
    const parameters = unit.definitions
      .parameterTypes(this.tables.functionType(id))
      .map((type, index) => (readOnly.has(index) ? `const ${type}` : type))
      .join(', ');
    const attributes = [
      ...this.#label(unit, this.symbols.functionLabel(id)),
      ...this.#functionAttributes(id),
    ];
    return [`${this.functionHead(id)}(${parameters})`, ...attributes].join(' ');
  }

  /** `static int32_t f`: what stands before the parameters, in declarations and definitions alike. */
  functionHead(id: FunctionId): string {
    const { tables } = this;
    const { typeNames } = this.symbols;
    const traits = tables.functionTraits(id);
    const isInternal = tables.functionLinkage(id) === Linkage.internal;
    const isInline =
      tables.traitSets.has(traits, Trait.Inline) || tables.traitSets.has(traits, Trait.AlwaysInline);
    const words: string[] = [];
    if (isInternal) words.push('static');
    if (isInternal && isInline) words.push('inline');
    if (tables.traitSets.has(traits, Trait.NoReturn)) words.push('_Noreturn');
    const result = tables.types.result(tables.functionType(id));
    return [...words, typeNames.declare(result, this.symbols.functionName(id))].join(' ');
  }

  #functionAttributes(id: FunctionId): string[] {
    const { tables, dialect } = this;
    const linkage = tables.functionLinkage(id);
    if (dialect === 'c17') return [];
    const has = (trait: number) => tables.traitSets.has(tables.functionTraits(id), trait);
    const names: string[] = [];
    if (linkage === Linkage.weak) names.push('weak');
    if (has(Trait.AlwaysInline) && linkage === Linkage.internal) names.push('always_inline');
    if (has(Trait.NoInline)) names.push('noinline');
    if (has(Trait.HotPath)) names.push('hot');
    if (has(Trait.ColdPath)) names.push('cold');
    if (has(Trait.NoThrow)) names.push('nothrow');
    // GNU pure and const also promise that the call comes back: without WillReturn and NoThrow they would delete calls.
    const hasResult = tables.types.kind(tables.types.result(tables.functionType(id))) !== TypeKind.void;
    if (hasResult && has(Trait.NoWrite) && has(Trait.WillReturn) && has(Trait.NoThrow))
      names.push(has(Trait.NoRead) ? 'const' : 'pure');
    const nonNull = this.promises.nonNull(id).map((index) => index + 1);
    if (nonNull.length > 0) names.push(`nonnull(${nonNull.join(', ')})`);
    return names.length > 0 ? [`__attribute__((${names.join(', ')}))`] : [];
  }

  #label(unit: Unit, label: string | undefined): string[] {
    if (label === undefined) return [];
    unit.helpers.set('label', LABEL_MACRO);
    return [`VCT_SYMBOL(${stringLiteral(new TextEncoder().encode(label))})`];
  }

  /** Makes a global nameable in the unit. */
  requireGlobal(unit: Unit, id: GlobalId): void {
    const name = this.symbols.globalName(id);
    if (unit.globals.has(name)) return;
    unit.requireType(this.tables.globalType(id));
    const isElsewhere = this.tables.globalLinkage(id) !== Linkage.internal;
    unit.globals.set(name, `${isElsewhere ? 'extern ' : ''}${this.#globalHead(unit, id)};`);
  }

  /** The definition of a global; nothing for an extern one. */
  globalDefinition(unit: Unit, id: GlobalId, symbols: Symbols): string | undefined {
    const { tables } = this;
    if (tables.globalLinkage(id) === Linkage.extern) return undefined;
    unit.requireType(tables.globalType(id));
    const constant = tables.globalInitializer(id);
    const head = this.#globalHead(unit, id);
    if (constant < 0 || (isZeroConstant(tables, constant) && !this.isReadOnly(id))) return `${head};`;
    return `${head} = ${initializer(tables, constant, this.dialect, symbols)};`;
  }

  /** Whether C says `const` of a global. Not of a weak one: GCC reads the value that stands here, and another file may replace it. */
  isReadOnly(id: GlobalId): boolean {
    const { tables } = this;
    return tables.isConstantGlobal(id) && tables.globalLinkage(id) !== Linkage.weak;
  }

  #globalHead(unit: Unit, id: GlobalId): string {
    const { tables } = this;
    const linkage = tables.globalLinkage(id);
    const words: string[] = [];
    if (linkage === Linkage.internal) words.push('static');
    if (tables.isThreadLocalGlobal(id)) words.push('_Thread_local');
    const align = tables.traitSets.find(tables.globals.get(id, GLOBAL.traits) as TraitSetId, Trait.Align);
    if (align !== undefined) words.push(`_Alignas(${align.a})`);
    words.push(this.declareObject(tables.globalType(id), this.symbols.globalName(id), this.isReadOnly(id)));
    words.push(...this.#label(unit, this.symbols.globalLabel(id)));
    if (linkage === Linkage.weak) words.push('__attribute__((weak))');
    return words.join(' ');
  }

  /** A constant pointer is `T *const p`: the `const` before the type would belong to the pointee. */
  declareObject(type: TypeId, name: string, isConstant: boolean): string {
    const { types } = this.tables;
    const { typeNames } = this.symbols;
    if (!isConstant) return typeNames.declarePlace(type, name);
    return types.isPointer(types.innermostElement(type))
      ? typeNames.declarePlace(type, `const ${name}`)
      : `const ${typeNames.declarePlace(type, name)}`;
  }
}
