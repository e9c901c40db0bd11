/** Loads, stores, addresses, aggregate members and the memory intrinsics. */

import {
  type Loader,
  loadFloat64,
  loadInt32,
  loadInt64,
  type Storer,
  storeFloat64,
  storeInt32,
} from './access.js';
import { Content } from './content.js';
import type { Places } from './integer-steps.js';
import { checkAccess, Life, type Memory, type MemoryObject, Pointer } from './memory.js';
import type { Step } from './step.js';
import { trap, trapUndef } from './trap.js';
import type { Slot, Wide } from './values.js';

/** How an instruction reaches memory. `alignment` is in bytes. */
export interface AccessShape {
  readonly size: number;
  readonly alignment: number;
  readonly load: Loader;
  readonly store: Storer;
}

/** The pointer of an access, after every test that can be made before its bytes are touched. */
function readPlace(value: Slot, size: number, alignmentMask: number): Pointer {
  if (value === undefined) trapUndef('the address of a read');
  const pointer = value as Pointer;
  const { object, offset } = pointer;
  const isGood =
    object.life <= Life.constant &&
    offset >= 0 &&
    offset + size <= object.size &&
    ((object.phase + offset) & alignmentMask) === 0;
  if (!isGood) checkAccess(pointer, size, alignmentMask + 1, false);
  return pointer;
}

/** The same for a write. */
export function writePlace(value: Slot, size: number, alignmentMask: number): Pointer {
  if (value === undefined) trapUndef('the address of a write');
  const pointer = value as Pointer;
  const { object, offset } = pointer;
  const isGood =
    object.life === Life.writable &&
    offset >= 0 &&
    offset + size <= object.size &&
    ((object.phase + offset) & alignmentMask) === 0;
  if (!isGood) checkAccess(pointer, size, alignmentMask + 1, true);
  return pointer;
}

/** load. The frequent types have a step of their own, so that the engine can inline the access. */
export function loadStep(shape: AccessShape, places: Places): Step {
  const [address] = places.operands as [number];
  const { result } = places;
  const { size, load } = shape;
  const alignmentMask = shape.alignment - 1;
  switch (load) {
    case loadInt32:
      return (registers) => {
        const pointer = readPlace(registers[address], 4, alignmentMask);
        registers[result] = loadInt32(pointer.object, pointer.offset);
      };
    case loadInt64:
      return (registers) => {
        const pointer = readPlace(registers[address], 8, alignmentMask);
        registers[result] = loadInt64(pointer.object, pointer.offset);
      };
    case loadFloat64:
      return (registers) => {
        const pointer = readPlace(registers[address], 8, alignmentMask);
        registers[result] = loadFloat64(pointer.object, pointer.offset);
      };
    default:
      return (registers) => {
        const pointer = readPlace(registers[address], size, alignmentMask);
        registers[result] = load(pointer.object, pointer.offset);
      };
  }
}

/** store: operand 0 is the value, operand 1 the pointer. */
export function storeStep(shape: AccessShape, places: Places): Step {
  const [value, address] = places.operands as [number, number];
  const { size, store } = shape;
  const alignmentMask = shape.alignment - 1;
  switch (store) {
    case storeInt32:
      return (registers) => {
        const pointer = writePlace(registers[address], 4, alignmentMask);
        storeInt32(pointer.object, pointer.offset, registers[value]);
      };
    case storeFloat64:
      return (registers) => {
        const pointer = writePlace(registers[address], 8, alignmentMask);
        storeFloat64(pointer.object, pointer.offset, registers[value]);
      };
    default:
      return (registers) => {
        const pointer = writePlace(registers[address], size, alignmentMask);
        store(pointer.object, pointer.offset, registers[value]);
      };
  }
}

/** An index of gep that is not a constant: counted in `scale` bytes, in the sign of its own type. */
export interface ScaledIndex {
  readonly register: number;
  readonly scale: number;
  /** 32 - width for a signed index of up to 32 bits, which has to be sign-extended; else 0. */
  readonly spare: number;
  /** 2^width for an unsigned index, to be added where the register holds a negative number; else 0. */
  readonly span: number;
}

/** gep: the base plus `constant` bytes plus the scaled indices. */
export function addressStep(
  result: number,
  base: number,
  constant: number,
  indices: readonly ScaledIndex[],
): Step {
  if (indices.length === 0)
    return (registers) => {
      registers[result] = moved(registers[base], constant);
    };
  const [first] = indices as [ScaledIndex];
  if (indices.length === 1 && first.spare === 0) {
    const { register, scale, span } = first;
    return (registers) => {
      const index = registers[register];
      if (typeof index === 'number' && (index >= 0 || span === 0))
        registers[result] = moved(registers[base], constant + index * scale);
      else if (index === undefined) registers[result] = undefined;
      else registers[result] = moved(registers[base], constant + indexValue(index as Wide, first) * scale);
    };
  }
  return (registers) => {
    let offset = constant;
    for (const index of indices) {
      const by = registers[index.register];
      if (by === undefined) {
        registers[result] = undefined;
        return;
      }
      offset += indexValue(by as Wide, index) * index.scale;
    }
    registers[result] = moved(registers[base], offset);
  };
}

/** A bigint index is far outside of every object; its nearest number says so as well. */
function indexValue(value: Wide, index: ScaledIndex): number {
  if (index.spare > 0) return ((value as number) << index.spare) >> index.spare;
  const plain = Number(value);
  return plain < 0 ? plain + index.span : plain;
}

function moved(base: Slot, by: number): Slot {
  if (base === undefined) return undefined;
  const pointer = base as Pointer;
  const offset = pointer.offset + by;
  if (by === 0) return pointer;
  const { object } = pointer;
  if (!(offset >= 0 && offset <= object.size))
    trap('VCT0614', { offset, object: object.label, limit: object.size });
  return new Pointer(object, offset);
}

/** memcpy and memmove: operands destination, source, length. */
export function copyStep(isMove: boolean, places: Places, alignment: number): Step {
  const [to, from, count] = places.operands as [number, number, number];
  return (registers) => copyMemory(registers[to], registers[from], registers[count], isMove, alignment);
}

/** Copies bytes as memcpy does, or as memmove. A length of zero does nothing, wherever the pointers point. */
export function copyMemory(to: Slot, from: Slot, count: Slot, isMove: boolean, alignment = 1): void {
  const length = byteCount(count);
  if (length === 0) return;
  const source = readPlace(from, length, alignment - 1);
  const destination = writePlace(to, length, alignment - 1);
  const distance = destination.offset - source.offset;
  const overlaps = destination.object === source.object && distance !== 0 && Math.abs(distance) < length;
  if (overlaps && !isMove)
    trap('VCT0616', {
      size: length,
      destination: destination.offset,
      source: source.offset,
      object: source.object.label,
    });
  destination.object.copy(destination.offset, source.object, source.offset, length);
}

/** memset: operands destination, byte, length. */
export function fillStep(places: Places, alignment: number): Step {
  const [to, byte, count] = places.operands as [number, number, number];
  return (registers) => fillMemory(registers[to], registers[byte], registers[count], alignment);
}

/** Sets bytes; undef makes them undef. */
export function fillMemory(to: Slot, byte: Slot, count: Slot, alignment = 1): void {
  const length = byteCount(count);
  if (length === 0) return;
  const { object, offset } = writePlace(to, length, alignment - 1);
  if (byte === undefined) object.undefine(offset, length);
  else object.fill(offset, length, (byte as number) & 255);
}

/** A length as an unsigned number; one that no object has stays larger than all of them. */
function byteCount(count: Slot): number {
  if (count === undefined) trapUndef('the length of a copy or fill');
  return (count as Wide) < 0 ? 2 ** 64 + Number(count) : Number(count);
}

/** Bytes that a program reads, with the tests of a load. */
export function readRange(value: Slot, length: number): Uint8Array {
  const { object, offset } = readPlace(value, length, 0);
  if (!object.isDefined(offset, length)) trapUndef('bytes given to an external function');
  object.expose(offset, length);
  return object.range(offset, length);
}

/** Writes bytes with the tests of a store. */
export function writeRange(value: Slot, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  const { object, offset } = writePlace(value, bytes.length, 0);
  object.write(offset, bytes);
}

/** alloca: `own` ties the object to the frame. */
export function allocaStep(
  memory: Memory,
  label: string,
  size: number,
  alignment: number,
  result: number,
  own: (object: MemoryObject) => void,
): Step {
  return (registers) => {
    const object = memory.allocate('stack', label, size, alignment);
    own(object);
    registers[result] = new Pointer(object, 0);
  };
}

/** extractvalue: the member lies at `offset` of the aggregate. */
export function extractStep(load: Loader, offset: number, places: Places): Step {
  const [aggregate] = places.operands as [number];
  const { result } = places;
  return (registers) => {
    const image = registers[aggregate];
    registers[result] = image === undefined ? undefined : load(image as Content, offset);
  };
}

/** insertvalue: a copy of the aggregate of `size` bytes with the member at `offset` replaced. */
export function insertStep(store: Storer, offset: number, size: number, places: Places): Step {
  const [aggregate, member] = places.operands as [number, number];
  const { result } = places;
  return (registers) => {
    const image = new Content(size);
    const old = registers[aggregate];
    if (old !== undefined) image.copy(0, old as Content, 0, size);
    store(image, offset, registers[member]);
    registers[result] = image;
  };
}
