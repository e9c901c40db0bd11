/**
 * The writes of each variable in the order of the clock, and which loops write it. Twin: native/core/write-lists.cc.
 *
 * A write has a jump pointer to an earlier one, as in dominator-growth, so that the latest write up to a time is found in O(log n)
 * steps. That a loop writes a variable must be known before its body is walked; one scan of the function's statements lists, for every
 * variable, the places of its writes, and for every loop the places that it holds.
 */

import { NONE } from '../ir/entities.js';
import { BufferBlock, type FunctionBuffer, getBlock } from './function-buffer.js';
import { Words } from './words.js';

/** The writes of one function. */
export class WriteLists {
  readonly time = new Words();
  readonly value = new Words();
  /** The write before, of the same variable, or NONE; how many there are before; and an earlier one to jump to, or NONE. */
  readonly before = new Words();
  readonly depth = new Words();
  readonly jump = new Words();
  /** Per variable, its latest write, or NONE. */
  readonly latest = new Words();
  /** Per variable, the last read that had to look further than its block: the block, the time and the value; NONE after a write. */
  readonly readBlock = new Words();
  readonly readTime = new Words();
  readonly readValue = new Words();

  /** Places of the writes in the text: for variable v, ascending from `firstPlace[v]` to `firstPlace[v + 1]` in `places`. */
  readonly firstPlace = new Words();
  readonly places = new Words();
  /** The variables in the order of the places: what the scan collects. */
  readonly placeVariable = new Words();
  /** Per header block: the places that the loop holds, and the header of the loop around it, or NONE. */
  readonly loopFirstPlace = new Words();
  readonly loopEndPlace = new Words();
  readonly loopOuter = new Words();
}

/** Prepares for a new function and keeps the memory. */
export function clearWrites(writes: WriteLists): void {
  writes.time.length = 0;
  writes.value.length = 0;
  writes.before.length = 0;
  writes.depth.length = 0;
  writes.jump.length = 0;
  writes.latest.length = 0;
  writes.readBlock.length = 0;
  writes.readTime.length = 0;
  writes.readValue.length = 0;
  writes.firstPlace.length = 0;
  writes.places.length = 0;
  writes.placeVariable.length = 0;
  writes.loopFirstPlace.length = 0;
  writes.loopEndPlace.length = 0;
  writes.loopOuter.length = 0;
}

/** Sorts the places that the scan collected by variable, without comparing: they are ascending already. */
export function sortPlaces(writes: WriteLists, variableCount: number): void {
  writes.latest.resize(variableCount, NONE);
  writes.readBlock.resize(variableCount, NONE);
  writes.readTime.resize(variableCount, NONE);
  writes.readValue.resize(variableCount, NONE);
  writes.firstPlace.resize(variableCount + 2, 0);
  const count = writes.placeVariable.length;
  const first = writes.firstPlace.data;
  for (let place = 0; place < count; place++)
    (first[(writes.placeVariable.data[place] as number) + 2] as number)++;
  for (let variable = 2; variable < variableCount + 2; variable++) {
    (first[variable] as number) += first[variable - 1] as number;
  }
  writes.places.resize(count, 0);
  for (let place = 0; place < count; place++) {
    const variable = writes.placeVariable.data[place] as number;
    writes.places.data[first[variable + 1] as number] = place;
    (first[variable + 1] as number)++;
  }
}

/** Whether a loop holds a place of a variable. */
function isWrittenIn(writes: WriteLists, variable: number, header: number): boolean {
  const start = writes.loopFirstPlace.data[header] as number;
  let low = writes.firstPlace.data[variable] as number;
  const end = writes.firstPlace.data[variable + 1] as number;
  let high = end;
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if ((writes.places.data[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return low < end && (writes.places.data[low] as number) < (writes.loopEndPlace.data[header] as number);
}

/** The innermost loop around a block that writes a variable and whose header was started after a time, or NONE. */
export function writingLoop(
  buffer: FunctionBuffer,
  writes: WriteLists,
  block: number,
  variable: number,
  time: number,
): number {
  let header = getBlock(buffer, block, BufferBlock.loop);
  while (header !== NONE && getBlock(buffer, header, BufferBlock.startTime) > time) {
    if (isWrittenIn(writes, variable, header)) return header;
    header = writes.loopOuter.data[header] as number;
  }
  return NONE;
}

/** Begins a loop whose header is to be started; it holds the places from `firstPlace` to `endPlace`. */
export function beginLoop(
  buffer: FunctionBuffer,
  writes: WriteLists,
  header: number,
  firstPlace: number,
  endPlace: number,
): void {
  writes.loopFirstPlace.resize(header + 1, NONE);
  writes.loopEndPlace.resize(header + 1, NONE);
  writes.loopOuter.resize(header + 1, NONE);
  writes.loopFirstPlace.data[header] = firstPlace;
  writes.loopEndPlace.data[header] = endPlace;
  writes.loopOuter.data[header] = buffer.loop;
  buffer.loop = header;
}

/** Ends the innermost loop: blocks that are started from now on are outside. */
export function leaveLoop(buffer: FunctionBuffer, writes: WriteLists): void {
  buffer.loop = writes.loopOuter.data[buffer.loop] as number;
}

/** Where a write after `before` jumps to: twice as far as `before` does when the two jumps before are equally long. */
function jumpFrom(writes: WriteLists, before: number): number {
  if (before === NONE) return NONE;
  const first = writes.jump.data[before] as number;
  if (first === NONE) return before;
  const second = writes.jump.data[first] as number;
  if (second === NONE) return before;
  const near = (writes.depth.data[before] as number) - (writes.depth.data[first] as number);
  const far = (writes.depth.data[first] as number) - (writes.depth.data[second] as number);
  return near === far ? second : before;
}

/** Appends a write where the block being filled is. */
export function appendWrite(
  buffer: FunctionBuffer,
  writes: WriteLists,
  variable: number,
  value: number,
): void {
  const before = writes.latest.data[variable] as number;
  writes.time.push(++buffer.clock);
  writes.value.push(value);
  writes.before.push(before);
  writes.depth.push(before === NONE ? 0 : (writes.depth.data[before] as number) + 1);
  writes.latest.data[variable] = writes.jump.push(jumpFrom(writes, before));
  writes.readBlock.data[variable] = NONE;
}

/** The latest write of a variable, or NONE. */
export function latestWrite(writes: WriteLists, variable: number): number {
  return writes.latest.data[variable] as number;
}

/** The latest write up to a time, going back from `write`; NONE when all are later. */
export function writeUpTo(writes: WriteLists, write: number, time: number): number {
  const times = writes.time.data;
  while (write !== NONE && (times[write] as number) > time) {
    const far = writes.jump.data[write] as number;
    write = far !== NONE && (times[far] as number) > time ? far : (writes.before.data[write] as number);
  }
  return write;
}

/** Keeps what a read of a variable gave where the block being filled is. */
export function rememberRead(
  buffer: FunctionBuffer,
  writes: WriteLists,
  variable: number,
  value: number,
): void {
  writes.readBlock.data[variable] = buffer.current;
  writes.readTime.data[variable] = buffer.clock;
  writes.readValue.data[variable] = value;
}
