/**
 * The dominator tree of a function while its blocks are started. Twin: native/core/dominator-growth.cc.
 *
 * Requires that a block is started after every edge into it was made, back edges to a loop header excepted; in structured code that
 * is so, and a back edge changes no dominator, since its header dominates where it comes from. The immediate dominator of
 * a block is then the nearest common ancestor of its predecessors in the tree so far. Each block has a jump pointer to an ancestor,
 * as the nodes of a skew-binary list have (Myers 1983), so that an ancestor is found in O(log n) steps.
 *
 * A clock counts starts, ends and writes. A block is open from its start to its end; what was written between the end of its dominator
 * and its own start was written on the paths that join in it, or on paths that never come to it.
 */

import { NONE } from '../ir/entities.js';
import type { FunctionBuffer } from './function-buffer.js';

/** The end of a block that is not ended yet. */
export const STILL_OPEN = 0x7fffffff;

/** The nearest block that dominates both; NONE when they have different roots. */
export function commonDominator(buffer: FunctionBuffer, left: number, right: number): number {
  const depth = buffer.blockDepth.data;
  const jump = buffer.blockJump.data;
  const dominator = buffer.blockDominator.data;
  while ((depth[left] as number) > (depth[right] as number)) {
    const next = jump[left] as number;
    left = (depth[next] as number) >= (depth[right] as number) ? next : (dominator[left] as number);
  }
  while ((depth[right] as number) > (depth[left] as number)) {
    const next = jump[right] as number;
    right = (depth[next] as number) >= (depth[left] as number) ? next : (dominator[right] as number);
  }
  while (left !== right) {
    if (dominator[left] === NONE) return NONE;
    if (jump[left] !== jump[right]) {
      left = jump[left] as number;
      right = jump[right] as number;
    } else {
      left = dominator[left] as number;
      right = dominator[right] as number;
    }
  }
  return left;
}

/** Gives a block that is being started its place in the tree: below the common dominator of its predecessors so far. */
export function placeBlock(buffer: FunctionBuffer, block: number): void {
  let edge = buffer.blockFirstIn.data[block] as number;
  let dominator = edge === NONE ? NONE : (buffer.edgeFrom.data[edge] as number);
  while (edge !== NONE && dominator !== NONE) {
    dominator = commonDominator(buffer, dominator, buffer.edgeFrom.data[edge] as number);
    edge = buffer.edgeNextIn.data[edge] as number;
  }
  buffer.blockDominator.data[block] = dominator;
  if (dominator === NONE) {
    buffer.blockDepth.data[block] = 0;
    buffer.blockJump.data[block] = block;
    return;
  }
  const depth = buffer.blockDepth.data;
  const jump = buffer.blockJump.data;
  const first = jump[dominator] as number;
  const second = jump[first] as number;
  const isEven =
    (depth[dominator] as number) - (depth[first] as number) ===
    (depth[first] as number) - (depth[second] as number);
  depth[block] = (depth[dominator] as number) + 1;
  jump[block] = isEven ? second : dominator;
}

/** The highest of a block and its dominators that was still open at a time, or ended after it; the block itself if none was. */
export function highestOpenAt(buffer: FunctionBuffer, block: number, time: number): number {
  const end = buffer.blockEndTime.data;
  const jump = buffer.blockJump.data;
  const dominator = buffer.blockDominator.data;
  let current = block;
  for (;;) {
    const far = jump[current] as number;
    if (far !== current && (end[far] as number) >= time) {
      current = far;
      continue;
    }
    const near = dominator[current] as number;
    if (near === NONE || (end[near] as number) < time) return current;
    current = near;
  }
}
