/**
 * The rules on what stands outside the bodies of functions, in HIR and VIR alike: types, constants, globals, signatures and traits
 * (006/WF-8…WF-13).
 */

import type { DiagnosticCode } from '../diag/catalogue.js';
import {
  type DiagnosticArguments,
  type DiagnosticPosition,
  type DiagnosticSink,
  diagnostic,
} from '../diag/diagnostic.js';
import { completeTypes } from '../types/complete-types.js';
import { LayoutTable } from '../types/layout.js';
import {
  type ConstantId,
  type FunctionId,
  type GlobalId,
  NONE,
  type TraitSetId,
  type TypeId,
} from './entities.js';
import type { ModuleTables } from './module-tables.js';
import { ConstantKind, FUNCTION, GLOBAL, Linkage, TypeKind } from './schema.js';
import { verifyTraits } from './trait-rules.js';

/** A module of either representation, as these rules see it. */
export interface ItemOwner {
  readonly tables: ModuleTables;
  hasBody(id: FunctionId): boolean;
  typePositionOf(type: TypeId): DiagnosticPosition | undefined;
  globalPositionOf(id: GlobalId): DiagnosticPosition | undefined;
  functionPositionOf(id: FunctionId): DiagnosticPosition | undefined;
}

/** The largest object: what x86-64 and AArch64 can address below the sign bit. */
export const MAXIMUM_OBJECT_SIZE = 2 ** 47 - 1;
/** How many words and marks one type or constant may be spelled with. */
const MAXIMUM_TEXT_PIECES = 10_000_000;

/** Checks everything but the bodies. Says false when the bodies cannot be checked before this is put right. */
export function verifyItems(module: ItemOwner, sink: DiagnosticSink): boolean {
  const { tables } = module;
  if (!verifyTypes(module, sink)) return false;
  const constants = verifyConstants(tables, sink);
  const seen = new Set<number>();
  for (let id = 0; id < tables.globals.length; id++) verifyGlobal(module, id as GlobalId, seen, sink);
  for (let id = 0; id < tables.functions.length; id++) {
    verifyFunctionItem(module, id as FunctionId, seen, sink);
  }
  return constants && sink.diagnostics.length < sink.limit;
}

/** A type's text, shortened for a message. */
export function shortType(tables: ModuleTables, type: TypeId): string {
  const text = tables.types.text(type);
  return text.length > 100 ? `${text.slice(0, 97)}…` : text;
}

/** Every aggregate is complete and not empty, whether or not a value of it is used: C must declare it. */
function verifyTypes(module: ItemOwner, sink: DiagnosticSink): boolean {
  const { types } = module.tables;
  if (!verifyTextLengths(module.tables, sink)) return false;
  const layouts = new LayoutTable(types);
  const isComplete = completeTypes(types);
  const before = sink.diagnostics.length;
  for (let id = 0; id < types.length && sink.diagnostics.length < sink.limit; id++) {
    const type = id as TypeId;
    if (!types.isAggregate(type) || isOpaque(module.tables, type)) continue;
    const report = (code: DiagnosticCode, values: DiagnosticArguments = {}) =>
      sink.add(
        diagnostic(code, { type: shortType(module.tables, type), ...values }, module.typePositionOf(type)),
      );
    const isArray = types.kind(type) === TypeKind.array;
    if ((isArray ? types.count(type) : types.memberCount(type)) === 0) {
      report('VCT0221');
      continue;
    }
    const part = isComplete[type] === 1 ? undefined : incompletePart(module.tables, type, isComplete);
    if (part !== undefined) {
      report('VCT0225', { part: shortType(module.tables, part) });
    } else if (types.isPinned(type) && layouts.pinFault(type) !== undefined) {
      report('VCT0248', { detail: layouts.pinFault(type) ?? '' });
    } else if (layouts.size(type) > MAXIMUM_OBJECT_SIZE) {
      report('VCT0226', { limit: MAXIMUM_OBJECT_SIZE });
    }
  }
  return sink.diagnostics.length === before;
}

/**
 * Types and constants share their parts, so that the text of one may be exponentially longer than the tables; a constant names the
 * type of every member besides.
 */
function verifyTextLengths(tables: ModuleTables, sink: DiagnosticSink): boolean {
  const { constants, types } = tables;
  const typePieces = new Float64Array(types.length);
  for (let id = 0; id < types.length; id++) {
    typePieces[id] = countTypePieces(tables, id as TypeId, typePieces);
    if (isTooLong(typePieces[id] as number, 'the length of a type', sink)) return false;
  }
  const pieces = new Float64Array(constants.length);
  for (let id = 0; id < constants.length; id++) {
    const constant = id as ConstantId;
    pieces[id] = 1;
    if (constants.kind(constant) !== ConstantKind.aggregate) continue;
    for (let index = 0; index < constants.memberCount(constant); index++) {
      const member = constants.member(constant, index);
      (pieces[id] as number) += (pieces[member] as number) + (typePieces[constants.type(member)] as number);
    }
    if (isTooLong(pieces[id] as number, 'the length of a constant', sink)) return false;
  }
  return true;
}

function isTooLong(pieces: number, what: string, sink: DiagnosticSink): boolean {
  if (pieces <= MAXIMUM_TEXT_PIECES) return false;
  sink.add(diagnostic('VCT0002', { what, limit: MAXIMUM_TEXT_PIECES }));
  return true;
}

/** How many words and marks spell a type; `known` holds the counts of older types. */
function countTypePieces(tables: ModuleTables, type: TypeId, known: Float64Array): number {
  const { types } = tables;
  const kind = types.kind(type);
  if (kind === TypeKind.pointer || kind === TypeKind.array) return 1 + (known[types.element(type)] as number);
  if (kind !== TypeKind.function && !types.isAggregate(type)) return 1;
  // Members of a named type are spelled once, in its own line, and may be younger than it.
  if (kind !== TypeKind.function && types.nameOf(type) !== NONE) return 1;
  let count = kind === TypeKind.function ? 1 + (known[types.result(type)] as number) : 1;
  for (let index = 0; index < types.memberCount(type); index++) {
    count += known[types.memberType(type, index)] as number;
  }
  return count;
}

function isOpaque(tables: ModuleTables, type: TypeId): boolean {
  return tables.types.kind(type) !== TypeKind.array && !tables.types.isDefined(type);
}

/** The first element or member without a size. */
function incompletePart(tables: ModuleTables, type: TypeId, isComplete: Uint8Array): TypeId {
  const { types } = tables;
  if (types.kind(type) === TypeKind.array) return types.element(type);
  for (let index = 0; index < types.memberCount(type); index++) {
    const member = types.memberType(type, index);
    if (isComplete[member] === 0) return member;
  }
  return type;
}

/** Members of aggregates have the types of their places; addresses that are constants name no thread-local global. */
function verifyConstants(tables: ModuleTables, sink: DiagnosticSink): boolean {
  const { constants, types } = tables;
  const before = sink.diagnostics.length;
  for (let id = 0; id < constants.length; id++) {
    const constant = id as ConstantId;
    const type = constants.type(constant);
    const kind = constants.kind(constant);
    let detail: string | undefined;
    if (kind === ConstantKind.aggregate) detail = aggregateFault(tables, constant);
    else if (kind === ConstantKind.bytes) {
      const element = types.element(type);
      if (element !== types.i8 && element !== types.u8) detail = `bytes of type ${shortType(tables, type)}`;
      else if (constants.byteContent(constant).length !== types.count(type)) {
        detail = `${constants.byteContent(constant).length} bytes of type ${shortType(tables, type)}`;
      }
    } else if ((kind === ConstantKind.undef || kind === ConstantKind.zero) && !types.isFirstClass(type)) {
      detail = `type ${shortType(tables, type)} has no values`;
    }
    if (detail !== undefined && !sink.add(diagnostic('VCT0222', { detail }))) break;
  }
  return sink.diagnostics.length === before;
}

function aggregateFault(tables: ModuleTables, constant: ConstantId): string | undefined {
  const { constants, types } = tables;
  const type = constants.type(constant);
  const text = () => shortType(tables, type);
  const isArray = types.kind(type) === TypeKind.array;
  const isUnion = types.kind(type) === TypeKind.union;
  const wanted = isArray ? types.count(type) : isUnion ? 1 : types.memberCount(type);
  const count = constants.memberCount(constant);
  if (count !== wanted) return `${count} members of type ${text()}`;
  if (!types.isComplete(type)) return `type ${text()} has no values`;
  for (let index = 0; index < count; index++) {
    const expected = isArray ? types.element(type) : types.memberType(type, index);
    const found = constants.type(constants.member(constant, index));
    if (found !== expected) return `member ${index} of type ${text()} is ${shortType(tables, found)}`;
  }
  return undefined;
}

function verifyGlobal(module: ItemOwner, id: GlobalId, seen: Set<number>, sink: DiagnosticSink): void {
  const { tables } = module;
  const position = module.globalPositionOf(id);
  const global = tables.globalName(id);
  const type = tables.globalType(id);
  verifySymbol(tables, tables.globals.get(id, GLOBAL.name), seen, position, sink);
  const traits = tables.globals.get(id, GLOBAL.traits) as TraitSetId;
  verifyTraits(tables, traits, { hosts: ['global'] }, position, sink);
  const initializer = tables.globalInitializer(id);
  const isExtern = tables.globalLinkage(id) === Linkage.extern;
  if (isExtern && initializer !== NONE) {
    sink.add(diagnostic('VCT0214', { global, problem: 'is extern and has an initializer' }, position));
  }
  if (!isExtern && initializer === NONE) {
    sink.add(diagnostic('VCT0214', { global, problem: 'has no initializer' }, position));
  }
  if (!tables.types.isFirstClass(type)) {
    const values = { type: shortType(tables, type), symbol: global };
    sink.add(diagnostic('VCT0219', values, position));
  }
  if (initializer === NONE) return;
  const found = tables.constants.type(initializer);
  if (found !== type) {
    const values = { global, found: shortType(tables, found), expected: shortType(tables, type) };
    sink.add(diagnostic('VCT0220', values, position));
  }
  const local = threadLocalWithin(tables, initializer);
  if (local !== undefined) {
    const detail = `the address of the thread-local @${local} is not known before the program runs`;
    sink.add(diagnostic('VCT0222', { detail }, position));
  }
}

/** The name of a thread-local global whose address a constant holds. Shared members are visited once. */
function threadLocalWithin(tables: ModuleTables, constant: ConstantId): string | undefined {
  const { constants } = tables;
  const work: ConstantId[] = [constant];
  const seen = new Set<ConstantId>(work);
  while (work.length > 0) {
    const next = work.pop() as ConstantId;
    const kind = constants.kind(next);
    if (constants.isWithinGlobal(next)) {
      const global = constants.addressee(next) as GlobalId;
      if (tables.isThreadLocalGlobal(global)) return tables.globalName(global);
    } else if (kind === ConstantKind.aggregate) {
      for (let index = 0; index < constants.memberCount(next); index++) {
        const member = constants.member(next, index);
        if (!seen.has(member)) work.push(member);
        seen.add(member);
      }
    }
  }
  return undefined;
}

function verifyFunctionItem(
  module: ItemOwner,
  id: FunctionId,
  seen: Set<number>,
  sink: DiagnosticSink,
): void {
  const { tables } = module;
  const { types } = tables;
  const position = module.functionPositionOf(id);
  const name = tables.functionName(id);
  verifySymbol(tables, tables.functions.get(id, FUNCTION.name), seen, position, sink);
  verifyTraits(tables, tables.functionTraits(id), { hosts: ['function'] }, position, sink);
  const type = tables.functionType(id);
  const hasBody = module.hasBody(id);
  const isExtern = tables.functionLinkage(id) === Linkage.extern;
  if (hasBody && isExtern) sink.add(diagnostic('VCT0212', { function: name }, position));
  if (!hasBody && !isExtern) sink.add(diagnostic('VCT0213', { function: name }, position));
  const result = types.result(type);
  const parts = result === types.void ? [] : [result];
  for (let index = 0; index < types.memberCount(type); index++) parts.push(types.memberType(type, index));
  const wrong = parts.find((part) => !types.isFirstClass(part));
  if (wrong !== undefined) {
    sink.add(diagnostic('VCT0219', { type: shortType(tables, wrong), symbol: name }, position));
  }
}

function verifySymbol(
  tables: ModuleTables,
  name: number,
  seen: Set<number>,
  position: DiagnosticPosition | undefined,
  sink: DiagnosticSink,
): void {
  const symbol = tables.names.text(name);
  if (symbol === '' || seen.has(name)) sink.add(diagnostic('VCT0227', { symbol }, position));
  seen.add(name);
}
