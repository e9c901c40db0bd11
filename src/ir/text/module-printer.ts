/** Writes what `.hir` and `.vir` share: the items of a module but the bodies of its functions. */

import { memberPieces, type PinnedLayout, quotedName, quotedText } from '../../types/type-table.js';
import {
  type ConstantId,
  type FunctionId,
  type GlobalId,
  type NameId,
  NONE,
  type TraitSetId,
  type TypeId,
} from '../entities.js';
import type { ModuleTables } from '../module-tables.js';
import { FUNCTION, GLOBAL, GlobalFlag, Linkage, POSITION, TypeKind } from '../schema.js';
import { traitsText } from './annotations.js';
import { constantText } from './print-constant.js';

const LINKAGE_TEXTS = Object.fromEntries(Object.entries(Linkage).map(([word, number]) => [number, word]));

/** `layout(size 16, align 8, at 0, 8)`: the pinned layout of a struct. */
function layoutText({ size, alignment, offsets }: PinnedLayout): string {
  return `layout(size ${size}, align ${alignment}, at ${offsets.join(', ')})`;
}

/** Writes the parts of one module. The head lists the sources that positions named, so write every body before it. */
export class ModulePrinter {
  readonly #sources = new Map<NameId, number>();
  readonly #typeTexts: string[] = [];

  constructor(readonly tables: ModuleTables) {}

  /**
   * Numbers the sources of these rows of the position table in the order of their names' ids, which is the order in which a text
   * that was read lists them. Without it they are numbered in the order of their use.
   */
  numberSources(rows: Iterable<number>): void {
    const { positions } = this.tables;
    const files = new Set<NameId>();
    for (const row of rows) {
      if (row >= 0 && row < positions.length) files.add(positions.get(row, POSITION.file) as NameId);
    }
    for (const file of [...files].sort((left, right) => left - right))
      this.#sources.set(file, this.#sources.size);
  }

  /** A type, kept for its next use. */
  type(type: TypeId): string {
    this.#typeTexts[type] ??= this.tables.types.text(type);
    return this.#typeTexts[type] as string;
  }

  /** A constant without its type. */
  constant(constant: ConstantId): string {
    return constantText(this.tables, constant);
  }

  /** ` #[…]`, or nothing for the empty set. */
  traits(set: TraitSetId, isStale = false): string {
    return set > 0 || isStale ? traitsText(this.tables, set, isStale) : '';
  }

  /** ` !line:column`, with the number of the source in front when it is not the first; nothing for NONE. */
  position(row: number): string {
    const { positions } = this.tables;
    if (row < 0 || row >= positions.length) return '';
    const file = positions.get(row, POSITION.file) as NameId;
    let number = this.#sources.get(file);
    if (number === undefined) {
      number = this.#sources.size;
      this.#sources.set(file, number);
    }
    const place = `${positions.get(row, POSITION.line)}:${positions.get(row, POSITION.column)}`;
    return number === 0 ? ` !${place}` : ` !${number}:${place}`;
  }

  /** Traits and position, as they stand at the end of an item. */
  annotations(traits: TraitSetId, position: number, isStale = false): string {
    return this.traits(traits, isStale) + this.position(position);
  }

  /** `func @f(%a: i32) -> i32 export #[NoThrow] !1:1`, or `declare …`; `parameters` is what stands in the parentheses. */
  signature(
    id: FunctionId,
    parameters: readonly string[] | undefined,
    hasBody: boolean,
    isStale = false,
  ): string {
    const { tables } = this;
    const type = tables.functionType(id);
    const written = [...(parameters ?? this.#parameterTypes(type))];
    if (tables.types.isVarargs(type)) written.push('...');
    const usual = hasBody ? Linkage.internal : Linkage.extern;
    const linkage = this.#linkage(tables.functionLinkage(id), usual);
    const position = tables.functions.get(id, FUNCTION.position);
    const tail = this.annotations(tables.functionTraits(id), position, isStale);
    const name = quotedName(tables.functionName(id));
    const result = this.type(tables.types.result(type));
    return `${hasBody ? 'func' : 'declare'} @${name}(${written.join(', ')}) -> ${result}${linkage}${tail}`;
  }

  /** Module name, sources, types and globals, a blank line after each group. */
  head(): string {
    const globals = this.#globals();
    const groups = [
      [
        `module ${quotedText(this.tables.name)}`,
        ...[...this.#sources.keys()].map((file) => `source ${quotedText(this.tables.names.text(file))}`),
      ],
      this.#namedTypes(),
      globals,
    ];
    const filled = groups.filter((lines) => lines.length > 0);
    return filled.map((lines) => `${lines.join('\n')}\n`).join('\n');
  }

  #parameterTypes(type: TypeId): string[] {
    const { types } = this.tables;
    const result: string[] = [];
    for (let index = 0; index < types.memberCount(type); index++) {
      result.push(this.type(types.memberType(type, index)));
    }
    return result;
  }

  #namedTypes(): string[] {
    const { types } = this.tables;
    const lines: string[] = [];
    for (let id = 0; id < types.length; id++) {
      const type = id as TypeId;
      const kind = types.kind(type);
      if ((kind !== TypeKind.struct && kind !== TypeKind.union) || types.nameOf(type) === NONE) continue;
      const union = kind === TypeKind.union ? 'union' : '';
      const members = memberPieces(types, type).map((piece) =>
        typeof piece === 'string' ? piece : this.type(piece),
      );
      const layout = types.isPinned(type) ? layoutText(types.pinnedLayout(type)) : '';
      const body = types.isDefined(type) ? [union, members.join(''), layout] : ['opaque', union];
      lines.push(`type ${this.type(type)} = ${body.filter((part) => part !== '').join(' ')}`);
    }
    return lines;
  }

  #globals(): string[] {
    const { globals } = this.tables;
    const lines: string[] = [];
    for (let id = 0; id < globals.length; id++) lines.push(this.#global(id as GlobalId));
    return lines;
  }

  #global(id: GlobalId): string {
    const { tables } = this;
    const { globals } = tables;
    const flags = globals.get(id, GLOBAL.flags);
    const word = (flags & GlobalFlag.constant) !== 0 ? 'constant' : 'global';
    const linkage = this.#linkage(tables.globalLinkage(id), Linkage.internal);
    const threadLocal = (flags & GlobalFlag.threadLocal) !== 0 ? ' thread_local' : '';
    const initializer = tables.globalInitializer(id);
    const value = initializer === NONE ? '' : ` = ${this.constant(initializer)}`;
    const tail = this.annotations(
      globals.get(id, GLOBAL.traits) as TraitSetId,
      globals.get(id, GLOBAL.position),
    );
    const type = this.type(tables.globalType(id));
    return `${word} @${quotedName(tables.globalName(id))}: ${type}${linkage}${threadLocal}${value}${tail}`;
  }

  #linkage(linkage: Linkage, usual: Linkage): string {
    return linkage === usual ? '' : ` ${LINKAGE_TEXTS[linkage] ?? 'internal'}`;
  }
}
