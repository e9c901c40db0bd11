/**
 * How values of each type lie in bytes: little-endian, integers zero-extended to whole bytes, as the layout table says.
 * A read of any undef byte gives undef; so does a store of undef for the bytes that it covers.
 */

import type { TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { LayoutTable } from '../../types/layout.js';
import { ByteState, Content } from './content.js';
import type { Memory, Pointer } from './memory.js';
import { trap } from './trap.js';
import {
  floatBits,
  floatFromBits,
  fromHalves,
  integerBits,
  integerFromBits,
  OddNan,
  type Slot,
  type Wide,
} from './values.js';

/** Reads a value at an offset that is known to be within the content. */
export type Loader = (content: Content, offset: number) => Slot;
/** Writes a value at an offset that is known to be within the content. */
export type Storer = (content: Content, offset: number, value: Slot) => void;

/** A reader and a writer for each type of a module, made once each. */
export class AccessTable {
  readonly #loaders: (Loader | undefined)[] = [];
  readonly #storers: (Storer | undefined)[] = [];

  constructor(
    readonly layout: LayoutTable,
    readonly memory: Memory,
  ) {}

  loader(type: TypeId): Loader {
    let loader = this.#loaders[type];
    if (loader === undefined) {
      loader = this.#makeLoader(type);
      this.#loaders[type] = loader;
    }
    return loader;
  }

  storer(type: TypeId): Storer {
    let storer = this.#storers[type];
    if (storer === undefined) {
      storer = this.#makeStorer(type);
      this.#storers[type] = storer;
    }
    return storer;
  }

  /** Bytes that an access of the type touches. */
  accessSize(type: TypeId): number {
    return this.layout.storeSize(type);
  }

  #makeLoader(type: TypeId): Loader {
    const { types } = this.layout;
    switch (types.kind(type)) {
      case TypeKind.integer:
        return integerLoader(types.width(type), types.text(type));
      case TypeKind.float:
        return types.width(type) === 32 ? loadFloat32 : loadFloat64;
      case TypeKind.pointer:
        return pointerLoader(this.memory);
      default:
        return aggregateLoader(this.layout.size(type));
    }
  }

  #makeStorer(type: TypeId): Storer {
    const { types } = this.layout;
    switch (types.kind(type)) {
      case TypeKind.integer:
        return integerStorer(types.width(type));
      case TypeKind.float:
        return floatStorer(types.width(type));
      case TypeKind.pointer:
        return storePointer;
      default:
        return aggregateStorer(this.layout.size(type));
    }
  }
}

/** False when a byte is undef. A piece of a pointer that is read as a number is exposed. */
function readable(content: Content, offset: number, length: number): boolean {
  const states = content.start + content.size + offset;
  let sawPointer = false;
  for (let at = states; at < states + length; at++) {
    if (content.bytes[at] === ByteState.undef) return false;
    if (content.bytes[at] === ByteState.pointer) sawPointer = true;
  }
  if (sawPointer) content.expose(offset, length);
  return true;
}

function integerLoader(width: number, type: string): Loader {
  switch (width) {
    case 8:
      return (content, offset) =>
        readable(content, offset, 1) ? content.bytes[content.start + offset] : undefined;
    case 16:
      return (content, offset) =>
        readable(content, offset, 2) ? content.view.getUint16(content.start + offset, true) : undefined;
    case 32:
      return loadInt32;
    case 64:
      return loadInt64;
    default:
      return oddIntegerLoader(width, type);
  }
}

/** A 32-bit integer. */
export function loadInt32(content: Content, offset: number): Slot {
  const at = content.start + offset;
  if (content.view.getInt32(at + content.size) !== 0x01010101 && !readable(content, offset, 4))
    return undefined;
  return content.view.getInt32(at, true);
}

/** A 64-bit integer. */
export function loadInt64(content: Content, offset: number): Slot {
  const at = content.start + offset;
  const { view, size } = content;
  const isPlain = view.getInt32(at + size) === 0x01010101 && view.getInt32(at + size + 4) === 0x01010101;
  if (!isPlain && !readable(content, offset, 8)) return undefined;
  return fromHalves(view.getInt32(at + 4, true), view.getInt32(at, true));
}

function oddIntegerLoader(width: number, type: string): Loader {
  const length = Math.ceil(width / 8);
  return (content, offset) => {
    if (!readable(content, offset, length)) return undefined;
    let bits = 0n;
    for (let index = length - 1; index >= 0; index--)
      bits = (bits << 8n) | BigInt(content.bytes[content.start + offset + index] as number);
    if (bits >> BigInt(width) !== 0n) trap('VCT0622', { type });
    return integerFromBits(width, bits);
  };
}

function loadFloat32(content: Content, offset: number): Slot {
  if (!readable(content, offset, 4)) return undefined;
  const value = content.view.getFloat32(content.start + offset, true);
  return !Number.isNaN(value)
    ? value
    : floatFromBits(32, BigInt(content.view.getUint32(content.start + offset, true)));
}

/** A 64-bit float. */
export function loadFloat64(content: Content, offset: number): Slot {
  const at = content.start + offset;
  const { view, size } = content;
  const isPlain = view.getInt32(at + size) === 0x01010101 && view.getInt32(at + size + 4) === 0x01010101;
  if (!isPlain && !readable(content, offset, 8)) return undefined;
  const value = view.getFloat64(at, true);
  return !Number.isNaN(value) ? value : floatFromBits(64, view.getBigUint64(at, true));
}

function pointerLoader(memory: Memory): Loader {
  return (content, offset) => {
    const stored = content.storedPointer(offset);
    if (stored !== undefined) return stored;
    const address = loadInt64(content, offset);
    return address === undefined ? undefined : memory.pointerAt(address as Wide);
  };
}

function aggregateLoader(size: number): Loader {
  return (content, offset) => {
    const image = new Content(size);
    image.copy(0, content, offset, size);
    return image;
  };
}

function integerStorer(width: number): Storer {
  switch (width) {
    case 8:
    case 1:
      return (content, offset, value) => {
        if (value === undefined) {
          content.undefine(offset, 1);
          return;
        }
        const at = content.start + offset;
        content.bytes[at] = value as number;
        content.bytes[at + content.size] = ByteState.plain;
      };
    case 16:
      return (content, offset, value) => {
        if (value === undefined) {
          content.undefine(offset, 2);
          return;
        }
        const at = content.start + offset;
        content.view.setUint16(at, value as number, true);
        content.view.setUint16(at + content.size, 0x0101);
      };
    case 32:
      return storeInt32;
    case 64:
      return storeInt64;
    default:
      return oddIntegerStorer(width);
  }
}

/** A 32-bit integer. */
export function storeInt32(content: Content, offset: number, value: Slot): void {
  if (value === undefined) {
    content.undefine(offset, 4);
    return;
  }
  const at = content.start + offset;
  content.view.setInt32(at, value as number, true);
  content.view.setInt32(at + content.size, 0x01010101);
}

/** A 64-bit integer. */
export function storeInt64(content: Content, offset: number, value: Slot): void {
  if (value === undefined) {
    content.undefine(offset, 8);
    return;
  }
  const { view, size } = content;
  const at = content.start + offset;
  if (typeof value === 'number') {
    view.setInt32(at, value | 0, true);
    view.setInt32(at + 4, Math.floor(value / 4294967296), true);
  } else view.setBigInt64(at, value as bigint, true);
  view.setInt32(at + size, 0x01010101);
  view.setInt32(at + size + 4, 0x01010101);
}

function oddIntegerStorer(width: number): Storer {
  const length = Math.ceil(width / 8);
  return (content, offset, value) => {
    if (value === undefined) {
      content.undefine(offset, length);
      return;
    }
    let bits = integerBits(width, value as Wide);
    for (let index = 0; index < length; index++) {
      content.bytes[content.start + offset + index] = Number(bits & 255n);
      bits >>= 8n;
    }
    content.define(offset, length);
  };
}

function floatStorer(width: number): Storer {
  if (width === 64) return storeFloat64;
  return (content, offset, value) => {
    if (value === undefined) {
      content.undefine(offset, 4);
      return;
    }
    if (value instanceof OddNan || Number.isNaN(value))
      content.view.setUint32(content.start + offset, Number(floatBits(32, value as number | OddNan)), true);
    else content.view.setFloat32(content.start + offset, value as number, true);
    content.define(offset, 4);
  };
}

/** A 64-bit float. */
export function storeFloat64(content: Content, offset: number, value: Slot): void {
  if (value === undefined) {
    content.undefine(offset, 8);
    return;
  }
  const { view, size } = content;
  const at = content.start + offset;
  if (value instanceof OddNan || Number.isNaN(value))
    view.setBigUint64(at, floatBits(64, value as number | OddNan), true);
  else view.setFloat64(at, value as number, true);
  view.setInt32(at + size, 0x01010101);
  view.setInt32(at + size + 4, 0x01010101);
}

function storePointer(content: Content, offset: number, value: Slot): void {
  if (value === undefined) content.undefine(offset, 8);
  else content.storePointer(offset, value as Pointer);
}

function aggregateStorer(size: number): Storer {
  return (content, offset, value) => {
    if (value === undefined) content.undefine(offset, size);
    else content.copy(offset, value as Content, 0, size);
  };
}
