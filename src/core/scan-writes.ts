/**
 * The scan that finds where a function writes its variables, before it is walked. Twin: native/core/scan-writes.cc.
 *
 * Only statements are visited: expressions write no variable. What a defer runs counts where it is registered: it runs inside every loop
 * around that place, or on a way out of it.
 */

import { NONE } from '../ir/entities.js';
import { NodeKind } from '../ir/node-kinds.js';
import { HIR_NODE } from '../ir/schema.js';
import { type LowerState, localVariable, nodeColumn } from './lower-state.js';
import { sortPlaces } from './write-lists.js';

/** The steps of the scan. */
const Scan = {
  /** Visit a node and its later siblings. */
  statements: 0,
  /** Visit one node. */
  statement: 1,
  /** A loop's places begin here. */
  loopStart: 2,
  /** A loop's places end here. */
  loopEnd: 3,
} as const;

function pushScan(state: LowerState, step: number, node: number): void {
  state.work.push(step);
  state.work.push(node);
}

/** Pushes what a loop holds, to be visited between its two marks; the first pushed comes last. */
function scanLoop(state: LowerState, node: number): void {
  const first = nodeColumn(state, node, HIR_NODE.firstChild);
  const second = nodeColumn(state, first, HIR_NODE.nextSibling);
  pushScan(state, Scan.loopEnd, node);
  const kind = nodeColumn(state, node, HIR_NODE.kind);
  if (kind === NodeKind.for) {
    // Init, condition, step, body: the init runs once, before the loop.
    pushScan(state, Scan.statements, nodeColumn(state, second, HIR_NODE.nextSibling));
    pushScan(state, Scan.loopStart, node);
    pushScan(state, Scan.statement, first);
  } else {
    pushScan(state, Scan.statement, kind === NodeKind.while ? second : first);
    pushScan(state, Scan.loopStart, node);
  }
}

/** Visits one statement. */
function scanStatement(state: LowerState, node: number): void {
  const first = nodeColumn(state, node, HIR_NODE.firstChild);
  switch (nodeColumn(state, node, HIR_NODE.kind)) {
    case NodeKind.declare:
    case NodeKind.assign: {
      const variable = localVariable(state, node);
      if (variable !== NONE) state.ssa.writes.placeVariable.push(variable);
      return;
    }
    case NodeKind.while:
    case NodeKind.doWhile:
    case NodeKind.for:
      scanLoop(state, node);
      return;
    case NodeKind.block:
    case NodeKind.if:
    case NodeKind.switch:
    case NodeKind.case:
    case NodeKind.default:
    case NodeKind.defer:
      pushScan(state, Scan.statements, first);
      return;
    default:
  }
}

/** Lists the places of all writes of the function at work, and notes for every loop which of them it holds. */
export function scanWrites(state: LowerState): void {
  pushScan(state, Scan.statement, state.body);
  while (state.work.length > 0) {
    const node = state.work.pop();
    const step = state.work.pop();
    if (step === Scan.loopStart) state.nodes.loopFirstPlace[node] = state.ssa.writes.placeVariable.length;
    else if (step === Scan.loopEnd) state.nodes.loopEndPlace[node] = state.ssa.writes.placeVariable.length;
    else if (node !== NONE) {
      if (step === Scan.statements)
        pushScan(state, Scan.statements, nodeColumn(state, node, HIR_NODE.nextSibling));
      scanStatement(state, node);
    }
  }
  sortPlaces(state.ssa.writes, state.variableCount);
}
