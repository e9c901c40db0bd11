/**
 * The scan that finds the regions of a function, before it is walked (005/L-35). Twin: native/core/scan-regions.cc.
 *
 * A node that is `complex` or carries `NoOptimize` makes a region of itself and all below it; one on the function makes a region of the
 * body. Regions count from 0 in the order of the text. A node within several has the number of the innermost. What lowering makes for a
 * node has the node's region, wherever it ends up: what a defer registered outside a region is outside it on every way out.
 */

import { NONE } from '../ir/entities.js';
import { CoreFaultNumber, FUNCTION, HIR_NODE, OpcodeAndRegion, TRAIT_SET } from '../ir/schema.js';
import { Trait } from '../traits/trait-table.js';
import { type LowerState, nodeColumn, stop } from './lower-state.js';
import { LowerInput } from './validate-hir.js';

const REGION_MASK = (1 << Trait.complex) | (1 << Trait.NoOptimize);

/** Whether a trait set makes a region. */
function makesRegion(state: LowerState, set: number): boolean {
  if (set < 0) return false;
  const sets = state.inputs[LowerInput.traitSets] as Int32Array;
  return ((sets[set * TRAIT_SET.stride + TRAIT_SET.mask] as number) & REGION_MASK) !== 0;
}

/** Makes room for the regions of all nodes, when some trait set of the module makes one. */
export function beginRegions(state: LowerState): void {
  const sets = (state.inputs[LowerInput.traitSets] as Int32Array).length / TRAIT_SET.stride;
  for (let set = 0; set < sets; set++) {
    if (!makesRegion(state, set)) continue;
    state.layout.regionOfNode = new Int32Array(state.values.length).fill(NONE);
    return;
  }
}

/** Notes the region of every node of the function at work. */
export function scanRegions(state: LowerState, id: number): void {
  const { layout, work } = state;
  if (layout.regionOfNode.length === 0) return;
  const signatures = state.inputs[LowerInput.signatures] as Int32Array;
  let count = 0;
  let around = NONE;
  if (makesRegion(state, signatures[id * FUNCTION.stride + FUNCTION.traits] as number)) around = count++;
  const ofFunction = around;
  work.push(state.body);
  work.push(around);
  while (work.length > 0) {
    around = work.pop();
    const node = work.pop();
    let region = around;
    // The function and its body are one region, whichever of them says so.
    const isKnown = node === state.body && ofFunction !== NONE;
    if (!isKnown && makesRegion(state, nodeColumn(state, node, HIR_NODE.traits))) region = count++;
    if (count > OpcodeAndRegion.regionCount) {
      stop(state, CoreFaultNumber.tooLarge, node);
      break;
    }
    layout.regionOfNode[node] = region;
    const next = nodeColumn(state, node, HIR_NODE.nextSibling);
    if (next !== NONE) {
      work.push(next);
      work.push(around);
    }
    const first = nodeColumn(state, node, HIR_NODE.firstChild);
    if (first !== NONE) {
      work.push(first);
      work.push(region);
    }
  }
  layout.bodyRegion = layout.regionOfNode[state.body] as number;
}
