/** A module made ready to run: its globals in memory, its functions decoded when they are first called. */

import { type FunctionId, type GlobalId, NONE, type TraitSetId, type TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { GLOBAL, VIR_FUNCTION } from '../../ir/schema.js';
import type { VirModule } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { LayoutTable } from '../../types/layout.js';
import { AccessTable } from './access.js';
import { ConstantValues, type SymbolAddresses } from './constant-values.js';
import { decodeFunction } from './decode.js';
import type { Machine } from './machine.js';
import { Life, type Memory, Pointer } from './memory.js';
import type { DecodedFunction } from './segments.js';
import type { Slot } from './values.js';

/** Calls an external function with arguments of these types, and gives a value of the result type. */
export type ExternalCaller = (values: readonly Slot[], types: readonly TypeId[], resultType: TypeId) => Slot;

/** What decoding asks for. */
export class Program implements SymbolAddresses {
  readonly tables: ModuleTables;
  readonly layout: LayoutTable;
  readonly accesses: AccessTable;
  readonly constants: ConstantValues;
  readonly #decoded: (DecodedFunction | undefined)[] = [];
  readonly #functions: (Pointer | undefined)[] = [];
  readonly #globals: Pointer[] = [];

  /** `external` finds the function behind a declaration. */
  constructor(
    readonly module: VirModule,
    readonly machine: Machine,
    readonly memory: Memory,
    readonly external: (id: FunctionId) => ExternalCaller,
  ) {
    this.tables = module.tables;
    this.layout = new LayoutTable(this.tables.types);
    this.accesses = new AccessTable(this.layout, memory);
    this.constants = new ConstantValues(this.tables, this.accesses, this);
    this.#placeGlobals();
  }

  hasBody(id: FunctionId): boolean {
    return id < this.module.functions.length && this.module.functions.get(id, VIR_FUNCTION.blockCount) > 0;
  }

  /** A function that has a body, ready to run. */
  decoded(id: FunctionId): DecodedFunction {
    let decoded = this.#decoded[id];
    if (decoded === undefined) {
      decoded = decodeFunction(this, id);
      this.#decoded[id] = decoded;
    }
    return decoded;
  }

  globalPointer(global: GlobalId): Pointer {
    return this.#globals[global] as Pointer;
  }

  functionPointer(callee: FunctionId): Pointer {
    let pointer = this.#functions[callee];
    if (pointer === undefined) {
      const object = this.memory.allocate(
        'function',
        `@${this.tables.functionName(callee)}`,
        0,
        16,
        Life.code,
      );
      object.function = callee;
      pointer = new Pointer(object, 0);
      this.#functions[callee] = pointer;
    }
    return pointer;
  }

  /** Two passes: an initializer may hold the address of a global that comes later. */
  #placeGlobals(): void {
    const { tables, layout } = this;
    for (let id = 0; id < tables.globals.length; id++) {
      const type = tables.globalType(id as GlobalId);
      const isDefined = tables.globalInitializer(id as GlobalId) !== NONE;
      const isSized = tables.types.isComplete(type);
      const size = isSized ? layout.size(type) : 0;
      const label = `@${tables.globalName(id as GlobalId)}`;
      const life = isDefined ? Life.writable : Life.elsewhere;
      this.#globals.push(
        new Pointer(this.memory.allocate('global', label, size, this.#alignment(id as GlobalId), life), 0),
      );
    }
    for (let id = 0; id < tables.globals.length; id++) {
      const initializer = tables.globalInitializer(id as GlobalId);
      if (initializer === NONE) continue;
      const { object } = this.#globals[id] as Pointer;
      this.constants.write(object, 0, initializer);
      if (tables.isConstantGlobal(id as GlobalId)) object.life = Life.constant;
    }
  }

  #alignment(global: GlobalId): number {
    const type = this.tables.globalType(global);
    const natural = this.tables.types.isComplete(type) ? this.layout.alignment(type) : 1;
    const traits = this.tables.globals.get(global, GLOBAL.traits) as TraitSetId;
    return Math.max(natural, this.tables.traitSets.find(traits, Trait.Align)?.a ?? 1);
  }
}
