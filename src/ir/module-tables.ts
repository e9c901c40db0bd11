/**
 * What HIR and VIR of one module share: names, types, constants, globals, function signatures, source positions and
 * trait sets. Lowering reads these and adds nothing, so both representations keep pointing at the same rows.
 */

import { NO_TRAITS, TraitSetTable } from '../traits/trait-sets.js';
import { TypeTable } from '../types/type-table.js';
import { ConstantTable } from './constants.js';
import {
  type ConstantId,
  type FunctionId,
  type GlobalId,
  type NameId,
  NONE,
  type PositionId,
  type TraitSetId,
  type TypeId,
} from './entities.js';
import { NameTable } from './names.js';
import { FUNCTION, GLOBAL, GlobalFlag, type Linkage, POSITION } from './schema.js';
import { Table } from './table.js';

/** A place in the author's source text; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The shared tables of one module. */
export class ModuleTables {
  readonly names: NameTable;
  readonly types: TypeTable;
  readonly constants: ConstantTable;
  readonly traitSets: TraitSetTable;
  readonly globals: Table;
  readonly functions = new Table(FUNCTION.stride);
  readonly positions: Table;
  /** Functions and globals share one name space, as symbols of an object file do. */
  readonly #symbols: Map<
    NameId,
    { readonly function: FunctionId | undefined; readonly global: GlobalId | undefined }
  >;

  /**
   * `name` is the module's own, used as LLVM's ModuleID and as the stem of output files. With `shared` everything but the rows of functions
   * is that of another module, so that a rewritten module may say more of its functions.
   */
  constructor(
    readonly name: string,
    shared?: ModuleTables,
  ) {
    this.names = shared?.names ?? new NameTable();
    this.types = shared?.types ?? new TypeTable(this.names);
    this.constants = shared?.constants ?? new ConstantTable(this.types);
    this.traitSets = shared?.traitSets ?? new TraitSetTable();
    this.globals = shared?.globals ?? new Table(GLOBAL.stride);
    this.positions = shared?.positions ?? new Table(POSITION.stride, 256);
    this.#symbols = shared === undefined ? new Map() : shared.#symbols;
    if (shared === undefined) return;
    for (let row = 0; row < shared.functions.length; row++) {
      this.functions.append();
      for (let column = 0; column < FUNCTION.stride; column++)
        this.functions.set(row, column, shared.functions.get(row, column));
    }
  }

  /** Adds a function row without body. Returns NONE when the symbol is taken. */
  addFunction(
    name: NameId,
    type: TypeId,
    linkage: Linkage,
    traits = NO_TRAITS,
    position = NONE as PositionId,
  ): FunctionId {
    if (this.#symbols.has(name)) return NONE as FunctionId;
    const row = this.functions.append();
    this.functions.data.set([name, type, linkage, 0, traits, position], row * FUNCTION.stride);
    this.#symbols.set(name, { function: row as FunctionId, global: undefined });
    return row as FunctionId;
  }

  /** Adds a global; `initializer` is NONE for an extern one. Returns NONE when the symbol is taken. */
  addGlobal(
    name: NameId,
    type: TypeId,
    linkage: Linkage,
    initializer: ConstantId,
    flags = 0,
    traits = NO_TRAITS,
    position = NONE as PositionId,
  ): GlobalId {
    if (this.#symbols.has(name)) return NONE as GlobalId;
    const row = this.globals.append();
    this.globals.data.set([name, type, linkage, initializer, flags, traits, position], row * GLOBAL.stride);
    this.#symbols.set(name, { function: undefined, global: row as GlobalId });
    return row as GlobalId;
  }

  findFunction(name: NameId): FunctionId | undefined {
    return this.#symbols.get(name)?.function;
  }

  findGlobal(name: NameId): GlobalId | undefined {
    return this.#symbols.get(name)?.global;
  }

  functionName(id: FunctionId): string {
    return this.names.text(this.functions.get(id, FUNCTION.name));
  }

  /** The function type of a function. */
  functionType(id: FunctionId): TypeId {
    return this.functions.get(id, FUNCTION.type) as TypeId;
  }

  functionLinkage(id: FunctionId): Linkage {
    return this.functions.get(id, FUNCTION.linkage) as Linkage;
  }

  functionTraits(id: FunctionId): TraitSetId {
    return this.functions.get(id, FUNCTION.traits) as TraitSetId;
  }

  globalName(id: GlobalId): string {
    return this.names.text(this.globals.get(id, GLOBAL.name));
  }

  /** The type of a global's content; its address has type `ptr<that>`. */
  globalType(id: GlobalId): TypeId {
    return this.globals.get(id, GLOBAL.type) as TypeId;
  }

  globalLinkage(id: GlobalId): Linkage {
    return this.globals.get(id, GLOBAL.linkage) as Linkage;
  }

  globalInitializer(id: GlobalId): ConstantId {
    return this.globals.get(id, GLOBAL.initializer) as ConstantId;
  }

  isConstantGlobal(id: GlobalId): boolean {
    return (this.globals.get(id, GLOBAL.flags) & GlobalFlag.constant) !== 0;
  }

  isThreadLocalGlobal(id: GlobalId): boolean {
    return (this.globals.get(id, GLOBAL.flags) & GlobalFlag.threadLocal) !== 0;
  }

  /** The row of a position; the position that was added last is not added again. */
  addPosition(file: NameId, line: number, column: number): PositionId {
    const last = this.positions.length - 1;
    if (
      last >= 0 &&
      this.positions.get(last, POSITION.file) === file &&
      this.positions.get(last, POSITION.line) === line &&
      this.positions.get(last, POSITION.column) === column
    ) {
      return last as PositionId;
    }
    const row = this.positions.append();
    this.positions.data.set([file, line, column], row * POSITION.stride);
    return row as PositionId;
  }

  /** A position in full, or undefined for NONE. */
  position(id: PositionId | number): SourcePosition | undefined {
    if (id < 0 || id >= this.positions.length) return undefined;
    return {
      file: this.names.text(this.positions.get(id, POSITION.file)),
      line: this.positions.get(id, POSITION.line),
      column: this.positions.get(id, POSITION.column),
    };
  }
}
