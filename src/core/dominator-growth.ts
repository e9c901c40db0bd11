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
import {
  BufferBlock,
  BufferEdge,
  type FunctionBuffer,
  getBlock,
  getEdge,
  setBlock,
} from './function-buffer.js';

/** The end of a block that is not ended yet. */
export const STILL_OPEN = 0x7fffffff;

function depthOf(buffer: FunctionBuffer, block: number): number {
  return getBlock(buffer, block, BufferBlock.depth);
}

function jumpOf(buffer: FunctionBuffer, block: number): number {
  return getBlock(buffer, block, BufferBlock.jump);
}

function dominatorOf(buffer: FunctionBuffer, block: number): number {
  return getBlock(buffer, block, BufferBlock.dominator);
}

/** The nearest block that dominates both; NONE when they have different roots. */
export function commonDominator(buffer: FunctionBuffer, left: number, right: number): number {
  while (depthOf(buffer, left) > depthOf(buffer, right)) {
    const next = jumpOf(buffer, left);
    left = depthOf(buffer, next) >= depthOf(buffer, right) ? next : dominatorOf(buffer, left);
  }
  while (depthOf(buffer, right) > depthOf(buffer, left)) {
    const next = jumpOf(buffer, right);
    right = depthOf(buffer, next) >= depthOf(buffer, left) ? next : dominatorOf(buffer, right);
  }
  while (left !== right) {
    if (dominatorOf(buffer, left) === NONE) return NONE;
    const isFar = jumpOf(buffer, left) !== jumpOf(buffer, right);
    left = isFar ? jumpOf(buffer, left) : dominatorOf(buffer, left);
    right = isFar ? jumpOf(buffer, right) : dominatorOf(buffer, right);
  }
  return left;
}

/** Gives a block that is being started its place in the tree: below the common dominator of its predecessors so far. */
export function placeBlock(buffer: FunctionBuffer, block: number): void {
  let edge = getBlock(buffer, block, BufferBlock.firstIn);
  let dominator = edge === NONE ? NONE : getEdge(buffer, edge, BufferEdge.from);
  while (edge !== NONE && dominator !== NONE) {
    dominator = commonDominator(buffer, dominator, getEdge(buffer, edge, BufferEdge.from));
    edge = getEdge(buffer, edge, BufferEdge.nextIn);
  }
  setBlock(buffer, block, BufferBlock.dominator, dominator);
  if (dominator === NONE) {
    setBlock(buffer, block, BufferBlock.depth, 0);
    setBlock(buffer, block, BufferBlock.jump, block);
    return;
  }
  const first = jumpOf(buffer, dominator);
  const second = jumpOf(buffer, first);
  const near = depthOf(buffer, dominator) - depthOf(buffer, first);
  const far = depthOf(buffer, first) - depthOf(buffer, second);
  setBlock(buffer, block, BufferBlock.depth, depthOf(buffer, dominator) + 1);
  setBlock(buffer, block, BufferBlock.jump, near === far ? second : dominator);
}

/** The highest of a block and its dominators that was still open at a time, or ended after it; the block itself if none was. */
export function highestOpenAt(buffer: FunctionBuffer, block: number, time: number): number {
  let current = block;
  for (;;) {
    const far = jumpOf(buffer, current);
    if (far !== current && getBlock(buffer, far, BufferBlock.endTime) >= time) {
      current = far;
      continue;
    }
    const near = dominatorOf(buffer, current);
    if (near === NONE || getBlock(buffer, near, BufferBlock.endTime) < time) return current;
    current = near;
  }
}
