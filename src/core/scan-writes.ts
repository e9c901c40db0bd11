/**
 * The scan that finds where a function writes its variables, and its labels, before it is walked. Twin: native/core/scan-writes.cc.
 *
 * A goto forward runs the defers that are active at it and not at its label, and a label's block gets its last edge from its last goto:
 * so both must be known before. How many defers are active somewhere is a matter of the text alone.
 *
 * Only statements are visited: expressions write no variable. What a defer runs counts where it is registered: it runs inside every loop
 * around that place, or on a way out of it.
 */

import { NONE } from '../ir/entities.js';
import { NodeKind } from '../ir/node-kinds.js';
import { CoreFaultNumber, HIR_NODE } from '../ir/schema.js';
import {
  Construct,
  LABEL_STRIDE,
  type LowerState,
  localVariable,
  nodeColumn,
  numberConstruct,
  setConstruct,
  stop,
} from './lower-state.js';
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
  /** A scope ends here; as many defers as the number says are active again. */
  scopeEnd: 4,
  /** What a defer registers ends here. */
  deferEnd: 5,
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
    pushScan(state, Scan.statements, nodeColumn(state, first, HIR_NODE.firstChild));
  } else {
    pushScan(state, Scan.statement, kind === NodeKind.while ? second : first);
    pushScan(state, Scan.loopStart, node);
  }
}

/** The place of a label among those of the function, or NONE when the node is none of them. */
export function labelOf(state: LowerState, node: number): number {
  if (node === NONE || nodeColumn(state, node, HIR_NODE.kind) !== NodeKind.label) return NONE;
  const label = state.values[node] as number;
  const isKnown = label >= 0 && label * LABEL_STRIDE < state.labels.length;
  return isKnown && state.labels.data[label * LABEL_STRIDE] === node ? label : NONE;
}

/** Lists a label, or keeps a goto to be counted. What a defer registers is lowered many times, so it holds neither. */
function scanJump(state: LowerState, node: number, isLabel: boolean): void {
  if (state.deferFrame !== NONE) {
    stop(state, CoreFaultNumber.jumpTarget, node);
    return;
  }
  if (!isLabel) {
    state.frames.push(node);
    return;
  }
  state.values[node] = state.labels.length / LABEL_STRIDE;
  state.labels.push(node);
  state.labels.push(NONE);
  state.labels.push(state.deferStack.length);
  state.labels.push(0);
}

/** Counts the gotos to each label, and stops at one that leads to none. */
function countGotos(state: LowerState): void {
  for (let index = 0; index < state.frames.length && state.fault === NONE; index++) {
    const node = state.frames.data[index] as number;
    const label = labelOf(state, nodeColumn(state, node, HIR_NODE.a));
    if (label === NONE) stop(state, CoreFaultNumber.jumpTarget, node);
    else (state.labels.data[label * LABEL_STRIDE + 3] as number)++;
  }
  state.frames.length = 0;
  state.deferStack.length = 0;
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
      scanLoop(state, node);
      return;
    case NodeKind.for:
      pushScan(state, Scan.scopeEnd, state.deferStack.length);
      scanLoop(state, node);
      return;
    case NodeKind.block:
      pushScan(state, Scan.scopeEnd, state.deferStack.length);
      pushScan(state, Scan.statements, first);
      return;
    case NodeKind.if:
    case NodeKind.switch:
    case NodeKind.case:
    case NodeKind.default:
      pushScan(state, Scan.statements, first);
      return;
    case NodeKind.defer:
      pushScan(state, Scan.deferEnd, state.deferFrame);
      pushScan(state, Scan.statement, first);
      state.deferFrame = node;
      return;
    case NodeKind.label:
    case NodeKind.goto:
      scanJump(state, node, nodeColumn(state, node, HIR_NODE.kind) === NodeKind.label);
      return;
    default:
  }
}

/**
 * Lists the places of all writes of the function at work, and notes for every loop which of them it holds. Lists its labels, with the
 * number of gotos to each; a goto or label that cannot be lowered stops the walk.
 */
export function scanWrites(state: LowerState): void {
  pushScan(state, Scan.statement, state.body);
  while (state.work.length > 0) {
    const node = state.work.pop();
    const step = state.work.pop();
    const place = state.ssa.writes.placeVariable.length;
    if (step === Scan.loopStart)
      setConstruct(state, numberConstruct(state, node), Construct.firstPlace, place);
    else if (step === Scan.loopEnd)
      setConstruct(state, numberConstruct(state, node), Construct.endPlace, place);
    else if (step === Scan.scopeEnd) state.deferStack.length = node;
    else if (step === Scan.deferEnd) {
      state.deferFrame = node;
      state.deferStack.push(NONE);
    } else if (node !== NONE) {
      if (step === Scan.statements)
        pushScan(state, Scan.statements, nodeColumn(state, node, HIR_NODE.nextSibling));
      scanStatement(state, node);
    }
  }
  countGotos(state);
  sortPlaces(state.ssa.writes, state.variableCount);
}
