/** Modules under construction: functions, globals, strings, and the way from the builder to a finished `HirModule`. */

import { DiagnosticError, type DiagnosticPosition, fail } from '../../diag/diagnostic.js';
import { type FunctionId, type GlobalId, NONE, type PositionId, type TypeId } from '../../ir/entities.js';
import { HirModule } from '../../ir/hir-module.js';
import { ModuleTables } from '../../ir/module-tables.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { FUNCTION, FunctionFlag, GlobalFlag, Linkage } from '../../ir/schema.js';
import { quotedBytes } from '../../types/type-table.js';
import { callSite } from './call-site.js';
import { constantOf, type LiteralValue } from './constant-literals.js';
import { LeafExpression } from './expression.js';
import type { PositionMode } from './function-body.js';
import { FunctionBuilder } from './function-builder.js';
import { build, requireClosure, requireText, wanted } from './given.js';
import { NodeMaker } from './node-maker.js';
import { Place } from './place.js';
import { type TraitUse, traitSet } from './traits.js';
import { FunctionType, type I8, i8, type PointerType, type Type, type U8 } from './types.js';
import type { Parameter, TypesOf, VariablesOf } from './variable.js';

/** How a module is built. */
export interface ModuleOptions {
  /**
   * Where nodes get their positions from while `f.at` was not called: the author's own program (the default; tens of µs a
   * statement) or nowhere.
   */
  readonly positions?: PositionMode;
  /** The source file that `f.at` means where it is given none. */
  readonly file?: string;
}

/** Who can see a function or global: by default the module alone. */
export type LinkageName = 'internal' | 'export' | 'weak';

/** What a function may be given. */
export interface FunctionOptions {
  readonly linkage?: LinkageName;
  readonly traits?: readonly TraitUse[];
}

/** What a global may be given. */
export interface GlobalOptions {
  readonly linkage?: LinkageName | 'extern';
  readonly threadLocal?: boolean;
  readonly traits?: readonly TraitUse[];
}

/** Starts a module. Its name becomes LLVM's ModuleID and the stem of output files. */
export function createModule(name: string, options: ModuleOptions = {}): ModuleBuilder {
  requireText(name, 'createModule');
  return new ModuleBuilder(name, options);
}

const LINKAGES: readonly LinkageName[] = ['internal', 'export', 'weak'];

function linkageOf(
  name: keyof typeof Linkage | undefined,
  allowed: readonly (keyof typeof Linkage)[],
): Linkage {
  if (name === undefined) return Linkage.internal;
  if (!allowed.includes(name)) wanted('linkage', `one of ${allowed.join(', ')}`, name);
  return Linkage[name];
}

function requireParameters(name: string, parameters: readonly Parameter[]): void {
  const example = "a list such as `[param('n', i32)]`";
  if (!Array.isArray(parameters)) wanted(`function ${name}`, `as its second argument ${example}`, parameters);
  for (const parameter of parameters as readonly (Parameter | undefined)[]) {
    if (typeof parameter?.name !== 'string' || parameter.type === undefined)
      wanted(`function ${name}`, `as its second argument ${example}`, parameter);
  }
}

/** A global as a place: `.load()`, `.set(v)`, `.at(i)`, `.address()`. May be used any number of times. */
export class Global<T extends Type = Type> extends Place<T> {
  /** @internal */
  constructor(
    maker: NodeMaker,
    readonly name: string,
    readonly id: GlobalId,
    typeId: TypeId,
  ) {
    const { types, constants } = maker.tables;
    super(maker, typeId, maker.constant(constants.globalAddress(types.pointer(typeId), id)), typeId, []);
  }
}

/** The closure that builds a function's body. */
export type BodyBuilder<Parameters extends readonly Parameter[], Result extends Type> = (
  f: FunctionBuilder<Result>,
  ...parameters: VariablesOf<Parameters>
) => void;

/** A function of the module: what `f.call` takes, and a pointer to the function wherever a value is wanted. */
export class FunctionReference<
  F extends FunctionType = FunctionType,
  const Parameters extends readonly Parameter[] = readonly Parameter[],
  Result extends Type = Type,
> extends LeafExpression<PointerType<F>> {
  /** @internal */
  constructor(
    readonly module: ModuleBuilder,
    readonly name: string,
    readonly id: FunctionId,
    readonly parameters: Parameters,
  ) {
    const { tables } = module.maker;
    const type = tables.types.pointer(tables.functionType(id));
    super(module.maker, type, NodeKind.constant, tables.constants.functionAddress(type, id));
  }

  /** Builds the body now. Once for each function, and never for a declared one. */
  define(body: BodyBuilder<Parameters, Result>): this {
    this.module.build(this as unknown as FunctionReference, body as never);
    return this;
  }
}

/** What a note says of the place in the author's program; the position of the error is the line that called the builder. */
const BUILDING = 'while what stands here was built';

/** The error with the place in the program that is compiled, which `f.at` told, as a note. */
function withPlace(error: unknown, place: DiagnosticPosition | undefined): unknown {
  if (!(error instanceof DiagnosticError) || place === undefined) return error;
  if (error.diagnostics.some(({ notes }) => notes.some(({ message }) => message === BUILDING))) return error;
  const told = new DiagnosticError(
    error.diagnostics.map((item) => ({
      ...item,
      notes: [...item.notes, { message: BUILDING, position: place }],
    })),
  );
  if (error.stack !== undefined) told.stack = error.stack;
  return told;
}

/** Builds one module. */
export class ModuleBuilder {
  /** The tables that are being built. */
  readonly hir: HirModule;
  /** @internal */
  readonly maker: NodeMaker;
  readonly #positions: PositionMode;
  readonly #strings = new Map<string, LeafExpression<PointerType>>();

  constructor(name: string, options: ModuleOptions = {}) {
    this.hir = new HirModule(new ModuleTables(name));
    this.maker = new NodeMaker(this.hir, options.file ?? name);
    this.#positions = options.positions ?? 'callsite';
  }

  /**
   * A function of this module. With a body it is built at once; without one, `define` builds it later, so that functions can
   * call each other.
   */
  function<const Parameters extends readonly Parameter[], Result extends Type>(
    name: string,
    parameters: Parameters,
    result: Result,
    body?: BodyBuilder<Parameters, Result>,
    options?: FunctionOptions,
  ): FunctionReference<FunctionType<TypesOf<Parameters>, Result, false>, Parameters, Result>;
  function<const Parameters extends readonly Parameter[], Result extends Type>(
    name: string,
    parameters: Parameters,
    result: Result,
    options: FunctionOptions,
    body?: BodyBuilder<Parameters, Result>,
  ): FunctionReference<FunctionType<TypesOf<Parameters>, Result, false>, Parameters, Result>;
  function<const Parameters extends readonly Parameter[], Result extends Type>(
    name: string,
    parameters: Parameters,
    result: Result,
    ...rest: readonly (BodyBuilder<Parameters, Result> | FunctionOptions | undefined)[]
  ): FunctionReference<FunctionType<TypesOf<Parameters>, Result, false>, Parameters, Result> {
    const body = rest.find((item) => typeof item === 'function');
    const options: FunctionOptions = rest.find((item) => typeof item === 'object') ?? {};
    requireParameters(name, parameters);
    const type = new FunctionType(
      parameters.map((parameter) => parameter.type) as unknown as TypesOf<Parameters>,
      result,
      false as const,
    );
    const id = this.#addFunction(name, type, linkageOf(options.linkage, LINKAGES), options.traits);
    const reference = new FunctionReference<typeof type, Parameters, Result>(this, name, id, parameters);
    if (body !== undefined) reference.define(body);
    return reference;
  }

  /** A function that is defined elsewhere, as in the C library. */
  declare<F extends FunctionType>(
    name: string,
    type: F,
    options: { readonly traits?: readonly TraitUse[] } = {},
  ): FunctionReference<F> {
    if (type?.kind !== 'function') wanted(`declare ${name}`, 'a type such as `fn([i32], i32)`', type);
    return new FunctionReference<F>(
      this,
      name,
      this.#addFunction(name, type, Linkage.extern, options.traits),
      [],
    );
  }

  /** A variable that lives as long as the program; zero where no value is given. */
  global<T extends Type>(
    name: string,
    type: T,
    initial?: LiteralValue,
    options: GlobalOptions = {},
  ): Global<T> {
    return this.#addGlobal(name, type, initial, options, 0);
  }

  /** A global that is never written. */
  constant<T extends Type>(
    name: string,
    type: T,
    value: LiteralValue,
    options: GlobalOptions = {},
  ): Global<T> {
    return this.#addGlobal(name, type, value, options, GlobalFlag.constant);
  }

  /**
   * A pointer to the text, in UTF-8 with a zero byte after it; or to the bytes. Equal texts share one constant. A language
   * whose characters are u8 says so: `m.string('text', u8)`.
   */
  string(text: string | Uint8Array): LeafExpression<PointerType<I8>>;
  string<Character extends I8 | U8>(
    text: string | Uint8Array,
    character: Character,
  ): LeafExpression<PointerType<Character>>;
  string(text: string | Uint8Array, character: I8 | U8 = i8): LeafExpression<PointerType> {
    const { tables, types } = this.maker;
    if (!(text instanceof Uint8Array)) requireText(text, 'string');
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const content = new Uint8Array(bytes.length + 1);
    content.set(bytes);
    const element = types.id(character);
    const key = `${element},${quotedBytes(content)}`;
    const known = this.#strings.get(key);
    if (known !== undefined) return known;
    const type = tables.types.array(element, content.length);
    const initial = tables.constants.byteString(type, content);
    let id = NONE as GlobalId;
    for (let number = this.#strings.size; id === NONE; number++) {
      const name = tables.names.intern(`string.${number}`);
      id = tables.addGlobal(name, type, Linkage.internal, initial, GlobalFlag.constant);
    }
    const address = tables.constants.globalAddress(tables.types.pointer(element), id);
    const leaf = this.maker.constant(address) as LeafExpression<PointerType>;
    this.#strings.set(key, leaf);
    return leaf;
  }

  /** The finished module. Every function must have a body or be declared. */
  finish(): HirModule {
    const { tables } = this.maker;
    this.maker.types.refresh();
    for (let id = 0; id < tables.functions.length; id++) {
      const isExtern = tables.functionLinkage(id as FunctionId) === Linkage.extern;
      const hasBody = (tables.functions.get(id, FUNCTION.flags) & FunctionFlag.hasBody) !== 0;
      if (!isExtern && !hasBody)
        fail(
          'VCT0321',
          { name: tables.functionName(id as FunctionId) },
          tables.position(tables.functions.get(id, FUNCTION.position)) ?? callSite(),
        );
    }
    return this.hir;
  }

  /** @internal Builds a body with its own builder; functions may be built within each other. */
  build(reference: FunctionReference, body: (f: FunctionBuilder, ...parameters: unknown[]) => void): void {
    const { maker } = this;
    const { id, name, parameters } = reference;
    requireClosure(body, `the body of @${name}`);
    const isExtern = maker.tables.functionLinkage(id) === Linkage.extern;
    if (isExtern || this.hir.body(id) !== NONE || this.#building.has(id))
      fail('VCT0319', { what: `@${name}` }, callSite());
    const outer = maker.sink;
    const rowsBefore = this.hir.nodes.length;
    const definedBefore = this.#definedCount;
    const f = new FunctionBuilder(maker, id, this.#positions, reference);
    maker.sink = f;
    this.#building.add(id);
    try {
      build(`the body of @${name}`, body, f, ...f.parameters(parameters));
      if (f.frames.length > 1)
        fail('VCT0320', { what: 'the end of the body', hint: 'Close what is open.' }, callSite());
      f.finish(parameters.length);
      this.#definedCount++;
    } catch (error) {
      // A caller that goes on after an error must not find half a tree among the rows.
      if (this.#definedCount === definedBefore) this.hir.nodes.length = rowsBefore;
      throw withPlace(error, f.place());
    } finally {
      maker.sink = outer;
      this.#building.delete(id);
    }
  }

  readonly #building = new Set<FunctionId>();
  #definedCount = 0;

  #addFunction(
    name: string,
    type: FunctionType,
    linkage: Linkage,
    uses: readonly TraitUse[] | undefined,
  ): FunctionId {
    requireText(name, 'the name of a function');
    const { tables, types } = this.maker;
    const typeId = types.id(type);
    for (const part of [...type.parameters.map((parameter) => types.id(parameter)), types.id(type.result)])
      if (part !== tables.types.void && tables.types.kind(part) === tables.types.kind(typeId))
        this.maker.operandsFault(`function ${name}`, 'parameters and result that are values', part);
    const traits = traitSet(tables, uses, ['function']);
    const { ownAbort } = this.maker;
    const isOwnAbort = ownAbort !== NONE && tables.functionName(ownAbort) === name;
    if (isOwnAbort && linkage === Linkage.extern && tables.functionType(ownAbort) === typeId) {
      // An operation that may trap has declared it before its author did.
      this.maker.ownAbort = NONE as FunctionId;
      return ownAbort;
    }
    const id = tables.addFunction(tables.names.intern(name), typeId, linkage, traits, this.#here());
    if (id === NONE) fail('VCT0317', { name }, callSite());
    return id;
  }

  #addGlobal<T extends Type>(
    name: string,
    type: T,
    initial: LiteralValue | undefined,
    options: GlobalOptions,
    kind: number,
  ): Global<T> {
    requireText(name, 'the name of a global');
    const { tables, types } = this.maker;
    const typeId = types.id(type);
    if (!tables.types.isFirstClass(typeId))
      this.maker.operandsFault(`global ${name}`, 'a type that has values', typeId);
    const linkage = linkageOf(options.linkage, [...LINKAGES, 'extern']);
    const isExtern = linkage === Linkage.extern;
    if (isExtern && initial !== undefined) fail('VCT0319', { what: `@${name}` }, callSite());
    const value =
      initial === undefined ? tables.constants.zero(typeId) : constantOf(this.maker, typeId, initial);
    const id = tables.addGlobal(
      tables.names.intern(name),
      typeId,
      linkage,
      isExtern ? (NONE as never) : value,
      kind | (options.threadLocal === true ? GlobalFlag.threadLocal : 0),
      traitSet(tables, options.traits, ['global']),
      this.#here(),
    );
    if (id === NONE) fail('VCT0317', { name }, callSite());
    return new Global<T>(this.maker, name, id, typeId);
  }

  #here(): PositionId {
    const { tables } = this.maker;
    if (this.#positions === 'none') return NONE as PositionId;
    const site = callSite();
    if (site === undefined) return NONE as PositionId;
    return tables.addPosition(tables.names.intern(site.file), site.line, site.column);
  }
}
