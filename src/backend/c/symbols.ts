/**
 * The file-scope names of a module and their declarations (008/R19-R21, R26).
 *
 * An exported name that C can spell and has no use for is kept as it is. One that is no identifier, or that would clash with what
 * C or a compiler means by it, keeps its symbol through an asm label. Internal names are made C identifiers of their own.
 */

import { type DiagnosticPosition, fail } from '../../diag/diagnostic.js';
import type { Dialect } from '../../ir/config.js';
import type { FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { Linkage } from '../../ir/schema.js';
import type { VirModule } from '../../ir/vir-module.js';
import type { TypeTable } from '../../types/type-table.js';
import { type LibraryFunction, libraryFunction, matchesLibrary } from './library.js';
import { NameScope, sanitizeGlobalName } from './names.js';
import { isIdentifier, isReservedName } from './reserved.js';
import { TypeNames } from './type-names.js';

/** How a symbol is written in C. */
interface Spelling {
  readonly name: string;
  /** The symbol, where it differs from the name. */
  readonly label: string | undefined;
}

/** Names of functions, globals and types of one module. */
export class ModuleSymbols {
  readonly #functions: Spelling[] = [];
  readonly #globals: Spelling[] = [];
  readonly tables: ModuleTables;
  readonly typeNames: TypeNames;

  constructor(
    vir: VirModule,
    readonly dialect: Dialect,
  ) {
    const { tables } = vir;
    this.tables = tables;
    const scope = new NameScope();
    const { functions, globals } = tables;
    for (let id = 0 as FunctionId; id < functions.length; id++)
      if (this.#isPlain(tables.functionName(id), tables.functionLinkage(id)) || this.isMain(id))
        this.#keep(scope, this.#functions, id, tables.functionName(id));
    for (let id = 0 as FunctionId; id < functions.length; id++)
      if (this.library(id) !== undefined) this.#keep(scope, this.#functions, id, tables.functionName(id));
    for (let id = 0 as GlobalId; id < globals.length; id++)
      if (this.#isPlain(tables.globalName(id), tables.globalLinkage(id)))
        this.#keep(scope, this.#globals, id, tables.globalName(id));
    this.typeNames = new TypeNames(tables.types, scope);
    for (let id = 0 as FunctionId; id < functions.length; id++)
      this.#functions[id] ??= this.#make(
        scope,
        tables.functionName(id),
        tables.functionLinkage(id),
        vir.functionPositionOf(id),
      );
    for (let id = 0 as GlobalId; id < globals.length; id++)
      this.#globals[id] ??= this.#make(
        scope,
        tables.globalName(id),
        tables.globalLinkage(id),
        vir.globalPositionOf(id),
      );
  }

  functionName(id: FunctionId): string {
    return (this.#functions[id] as Spelling).name;
  }

  globalName(id: GlobalId): string {
    return (this.#globals[id] as Spelling).name;
  }

  /** The symbol of a function where it needs an asm label. */
  functionLabel(id: FunctionId): string | undefined {
    return (this.#functions[id] as Spelling).label;
  }

  globalLabel(id: GlobalId): string | undefined {
    return (this.#globals[id] as Spelling).label;
  }

  /** The library function that an extern declaration means, when calling it so is right. */
  library(id: FunctionId): LibraryFunction | undefined {
    if (this.tables.functionLinkage(id) !== Linkage.extern) return undefined;
    const found = libraryFunction(this.tables.functionName(id));
    if (found === undefined || !matchesLibrary(this.tables.types, this.tables.functionType(id), found))
      return undefined;
    return found;
  }

  /** Whether the function is C's `main`, with a signature that C allows for it. */
  isMain(id: FunctionId): boolean {
    const { tables } = this;
    if (tables.functionName(id) !== 'main' || tables.functionLinkage(id) !== Linkage.export) return false;
    return isMainType(tables.types, tables.functionType(id));
  }

  /** Whether an exported or extern name stands in C as it is. */
  #isPlain(name: string, linkage: Linkage): boolean {
    if (linkage === Linkage.internal || !isIdentifier(name) || name === 'main') return false;
    return (
      this.dialect === 'c17' ||
      !isReservedName(name) ||
      (name.startsWith('_') && !name.startsWith('__builtin'))
    );
  }

  #keep(scope: NameScope, list: Spelling[], id: number, name: string): void {
    list[id] = { name, label: undefined };
    scope.take(name);
  }

  #make(
    scope: NameScope,
    name: string,
    linkage: Linkage,
    position: DiagnosticPosition | undefined,
  ): Spelling {
    const made = scope.unique(sanitizeGlobalName(name, 'f'));
    if (linkage === Linkage.internal) return { name: made, label: undefined };
    if (this.dialect === 'c17') fail('VCT0701', { name }, position);
    return { name: made, label: name };
  }
}

/** Whether a `main` of the type may be C's: `int main(void)` or `int main(int, char **)`. */
export function isMainType(types: TypeTable, type: TypeId): boolean {
  const count = types.memberCount(type);
  if (types.isVarargs(type) || types.result(type) !== types.i32 || (count !== 0 && count !== 2)) return false;
  if (count === 0) return true;
  const second = types.memberType(type, 1);
  const isText = (of: TypeId) =>
    types.isPointer(of) && types.isInteger(types.pointee(of)) && types.width(types.pointee(of)) === 8;
  return types.memberType(type, 0) === types.i32 && types.isPointer(second) && isText(types.pointee(second));
}
