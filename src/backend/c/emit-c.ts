/**
 * The C back end (008): a verified VIR module to readable C17.
 *
 * Each function becomes one translation unit, complete in itself: headers, types, helpers, declarations, definition. What C refuses
 * to see twice is guarded, so units may be joined in one file in any number. The module's globals are defined in a unit of their own,
 * `globals`, which comes first; every other unit declares those that it mentions. `text` is the whole module as one file without
 * repetitions: what one reads, and what one compiles when one compiles all of it.
 */

import { leaveSsa } from '../../core/leave-ssa.js';
import { type DiagnosticPosition, fail } from '../../diag/diagnostic.js';
import type { CoreChoice, Dialect } from '../../ir/config.js';
import type { FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import { Linkage, TypeKind } from '../../ir/schema.js';
import type { VirFunction, VirModule } from '../../ir/vir-module.js';
import { LayoutTable } from '../../types/layout.js';
import { Declarations } from './declarations.js';
import { type WrittenFunction, writeFunction } from './emit-function.js';
import { ParameterPromises } from './parameter-promises.js';
import { ModuleSymbols } from './symbols.js';
import { TypeDefinitions } from './type-definitions.js';
import { Unit } from './unit.js';
import { type ModuleText, UnitSymbols } from './value-writer.js';

/** How C text is written. */
export interface COptions {
  readonly dialect: Dialect;
  /** Whether lines are mapped to the author's source (008/R24). */
  readonly debug: boolean;
  readonly core: CoreChoice;
}

/** One translation unit. */
export interface CUnit {
  /** The function's name in VIR; `globals` for the unit of the module's globals. */
  readonly name: string;
  /** The function, or undefined for the unit of the globals. */
  readonly function: FunctionId | undefined;
  readonly text: string;
}

/** A module as C. */
export interface CModule {
  /** Translation units in emission order: globals, then functions as the module has them (008/R4). */
  readonly units: readonly CUnit[];
  /** All of it as one C17 file. */
  readonly text: string;
}

/** Writes a module as C. Fails with a VCT07xx diagnostic for what C cannot say. Requires a verified module. */
export function emitC(vir: VirModule, options: COptions): CModule {
  const { tables } = vir;
  const { dialect } = options;
  if (dialect === 'c17') refuseWeak(vir);
  internWideTypes(vir);
  const symbols = new ModuleSymbols(vir, dialect);
  const variables = leaveSsa(vir, options.core);
  const declarations = new Declarations(tables, symbols, dialect, new ParameterPromises(vir, variables));
  const module: ModuleText = {
    tables,
    dialect,
    symbols,
    declarations,
    layout: new LayoutTable(tables.types),
    localNames: new Map(),
    literals: [],
  };
  const definitions = new TypeDefinitions(tables.types, module.layout, symbols.typeNames, dialect);
  const functions = vir
    .definedFunctions()
    .map((view) => ({ view, ...writeFunction(module, definitions, vir, view, variables, options.debug) }));
  const globals = writeGlobals(module, definitions, functions);
  const units: CUnit[] = functions.map(({ view, unit, definition }) => ({
    name: view.name,
    function: view.id,
    text: `${unit.prelude(true, definition)}\n${definition}`,
  }));
  if (globals.definitions.length > 0) {
    const body = `${globals.definitions.join('\n')}\n`;
    const text = `${globals.unit.prelude(true, body)}\n${body}`;
    units.unshift({ name: 'globals', function: undefined, text });
  }
  return { units, text: wholeText(module, definitions, globals, functions) };
}

/** Plain C has no word for a definition that another file may replace. */
function refuseWeak(vir: VirModule): void {
  const { tables } = vir;
  const refuse = (position: DiagnosticPosition | undefined) =>
    fail('VCT0702', { feature: 'weak linkage' }, position);
  for (let id = 0 as FunctionId; id < tables.functions.length; id++)
    if (tables.functionLinkage(id) === Linkage.weak) refuse(vir.functionPositionOf(id));
  for (let id = 0 as GlobalId; id < tables.globals.length; id++)
    if (tables.globalLinkage(id) === Linkage.weak) refuse(vir.globalPositionOf(id));
}

/** Both signs of 128 bits, so that no type is added while texts are written. */
function internWideTypes(vir: VirModule): void {
  const { types } = vir.tables;
  const count = types.length;
  for (let type = 0 as TypeId; type < count; type++) {
    if (types.kind(type) !== TypeKind.integer) continue;
    types.integer(types.width(type), true);
    types.integer(types.width(type), false);
  }
}

interface WrittenGlobals {
  readonly unit: Unit;
  readonly definitions: readonly string[];
  /** Declarations and definitions of all globals for the whole text, each declared before it is mentioned. */
  readonly order: readonly string[];
}

/** Globals that are exported or that something mentions; an internal one that nothing does would only earn a warning. */
function writeGlobals(
  module: ModuleText,
  definitions: TypeDefinitions,
  functions: readonly WrittenFunction[],
): WrittenGlobals {
  const { tables, declarations, symbols } = module;
  const written = new Map<GlobalId, { readonly unit: Unit; readonly text: string }>();
  const byName = new Map<string, GlobalId>();
  const work: GlobalId[] = [];
  for (let id = 0 as GlobalId; id < tables.globals.length; id++) {
    byName.set(symbols.globalName(id), id);
    const linkage = tables.globalLinkage(id);
    if (linkage === Linkage.export || linkage === Linkage.weak) work.push(id);
  }
  const mention = (unit: Unit) => {
    for (const name of unit.globals.keys()) work.push(byName.get(name) as GlobalId);
  };
  for (const { unit } of functions) mention(unit);
  while (work.length > 0) {
    const id = work.pop() as GlobalId;
    if (written.has(id)) continue;
    const unit = new Unit(definitions);
    let text = declarations.globalDefinition(unit, id, new UnitSymbols(module, unit));
    mention(unit);
    if (text === undefined) {
      declarations.requireGlobal(unit, id);
      text = '';
    }
    written.set(id, { unit, text });
  }
  return inOrder(module, definitions, written);
}

function inOrder(
  module: ModuleText,
  definitions: TypeDefinitions,
  written: ReadonlyMap<GlobalId, { readonly unit: Unit; readonly text: string }>,
): WrittenGlobals {
  const all = new Unit(definitions);
  const texts: string[] = [];
  const order: string[] = [];
  const known = new Set<string>();
  for (const [id, { unit, text }] of [...written].sort(([left], [right]) => left - right)) {
    all.merge(unit);
    const own = text === '' ? '' : module.symbols.globalName(id);
    for (const [name, declaration] of unit.globals) {
      // A definition may mention itself.
      if (!known.has(name) && name !== own) order.push(declaration);
      known.add(name);
    }
    if (text === '') continue;
    known.add(own);
    texts.push(text);
    order.push(text);
  }
  return { unit: all, definitions: texts, order };
}

/** One file: what several units need stands in it once, and internal functions that nothing calls are marked as meant. */
function wholeText(
  module: ModuleText,
  definitions: TypeDefinitions,
  globals: WrittenGlobals,
  functions: readonly (WrittenFunction & { readonly view: VirFunction })[],
): string {
  const whole = new Unit(definitions);
  const mentioned = new Set<string>(globals.unit.functions.keys());
  whole.merge(globals.unit);
  for (const { view, unit } of functions) {
    whole.merge(unit);
    const own = module.symbols.functionName(view.id);
    for (const name of unit.functions.keys()) if (name !== own) mentioned.add(name);
  }
  for (const [name, text] of whole.functions) {
    const isUnused = text.startsWith('static ') && !mentioned.has(name) && module.dialect !== 'c17';
    if (isUnused) whole.functions.set(name, `${text.slice(0, -1)} __attribute__((unused));`);
  }
  const title = module.tables.name.replace(/\*\//g, '* /').replace(/[\r\n]/g, ' ');
  const head = title === '' ? '' : `/* ${title} */\n`;
  const texts = functions.map(({ definition }) => definition);
  const body = texts.join('\n');
  return `${head}${whole.prelude(false, body, globals.order)}\n${body}`;
}
