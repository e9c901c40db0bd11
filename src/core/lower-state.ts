/**
 * What lowering keeps while it walks one function, and the steps that every construct shares. Twin: native/core/lower-state.cc.
 *
 * The walk is a stack of actions instead of recursion: an action does a little and pushes what comes next, the last pushed first.
 * Expressions leave exactly one value on the value stack, NONE for those without a result.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import {
  Aux,
  HIR_FUNCTION,
  HIR_NODE,
  HIR_VARIABLE,
  ORDERINGS,
  TRAIT_SET,
  TYPE,
  TypeKind,
} from '../ir/schema.js';
import { Trait } from '../traits/trait-table.js';
import {
  addEdge,
  addOperand,
  BufferRow,
  endBlock,
  FunctionBuffer,
  getRow,
  newBlock,
  newRow,
  setRow,
  startBlock,
} from './function-buffer.js';
import { finalValue, LayoutScratch, type ModuleOutput } from './function-layout.js';
import { RedundantPhis } from './redundant-phis.js';
import { readVariable, SsaState, sealBlock, writeVariable } from './ssa.js';
import { LowerInput } from './validate-hir.js';
import { Words } from './words.js';

const MONOTONIC = ORDERINGS.indexOf('monotonic');
const ACQUIRE = ORDERINGS.indexOf('acquire');
const RELEASE = ORDERINGS.indexOf('release');
const ACQ_REL = ORDERINGS.indexOf('acq_rel');

/** The steps of the walk. The comment names what `p`, `q` and `owner` are; `node` is the node at work. */
export const Action = {
  /** Evaluate an expression. */
  expression: 0,
  /** Evaluate `node` and its later siblings as operands. */
  operands: 1,
  /** Emit an operation; p = value-stack height before its operands. */
  operation: 2,
  /** Branch on `node`: p = block when true, q = block when false, owner = node that the branch belongs to. */
  condition: 3,
  /** Branch on the value on the stack: p, q, owner as above. */
  branchOnValue: 4,
  /** Between the operands of logicalAnd and logicalOr. */
  logicalMiddle: 5,
  /** After both; p = join, q = the constant's place among the phi's operands is always the first. */
  logicalEnd: 6,
  /** After the first value of a conditional; p = join. */
  conditionalMiddle: 7,
  /** After the second value of a conditional; p = join. */
  conditionalEnd: 8,
  /** Forget the value on the stack. */
  drop: 9,
  /** Run one statement. */
  statement: 10,
  /** Run `node` and its later siblings as statements. */
  statements: 11,
  /** Leave a scope; p = height of the defer stack at its beginning. */
  scopeEnd: 12,
  /** Write the value on the stack to the variable of declare or assign. */
  write: 13,
  /** Start block p and seal it. */
  start: 14,
  /** Go to block p, when control comes here. */
  goTo: 15,
  /** Go on in block p, or nowhere when nothing leads there. */
  join: 16,
  /** The end of a loop's body; p = latch, q = header. */
  loopLatch: 17,
  /** Leave a loop or switch; p = exit. */
  constructExit: 18,
  /** Seal block p: its last edge is made. */
  seal: 19,
  /** After the init of a for. */
  forHeader: 20,
  /** The end of the step of a for; p = header. */
  forStepEnd: 21,
  /** Emit the switch on the value on the stack. */
  switchDispatch: 22,
  /** Begin an arm; p = its block. */
  arm: 23,
  /** End an arm; p = its block. */
  armEnd: 24,
  /** After the defers of a jump: go to block p. */
  jump: 25,
  /** After the value of a return: run the defers. */
  returnValue: 26,
  /** Emit the return; p = 1 when its value is on the stack. */
  returnEnd: 27,
  /** Run what a defer registered. */
  deferred: 28,
  /** The end of it. */
  deferredEnd: 29,
  /** After the defers of a goto; p = its label. */
  gotoEnd: 30,
} as const;

/** Words of an entry of the work stack: action, node, p, q, owner. */
const WORK_STRIDE = 5;

/**
 * Loops and switches around the walk, innermost last: node, exit, block for continue or NONE, defer height. What a defer runs has
 * a frame too, with NONE for node and the frame of the defer around it for exit.
 */
export const FRAME_STRIDE = 4;

/** Labels of the function: node, block, defer height, and how many gotos to it are still to come. */
export const LABEL_STRIDE = 4;

/**
 * Loops and switches of the function, wherever they stand: node, frame or NONE, and of a loop the places of the writes that it holds, the
 * first and the one behind the last. While the function is at work, `values` has for each of them, and for each label, its number.
 */
export const Construct = { node: 0, frame: 1, firstPlace: 2, endPlace: 3, stride: 4 } as const;

export class LowerState {
  readonly buffer = new FunctionBuffer();
  readonly ssa = new SsaState();
  readonly layout = new LayoutScratch();
  readonly redundantPhis = new RedundantPhis();
  readonly work = new Words();
  readonly valueStack = new Words();
  /** The children of the defers that are registered. */
  readonly deferStack = new Words();
  readonly frames = new Words();
  readonly constructs = new Words();
  /** Per variable of the function, the row of its slot, or NONE when it lives in registers. */
  readonly slots = new Words();
  readonly labels = new Words();
  /** Nodes that have a value in `values` which may still name a row of the buffer; each once. */
  readonly valuedNodes = new Words();
  firstVariable = 0;
  variableCount = 0;
  parameterCount = 0;
  body = NONE;
  /** Whether every function, not only those with labels, gets the general algorithm of SSA construction. */
  isAlwaysGeneral = false;
  /** The frame of the innermost defer that is running, or NONE: no jump leaves it. */
  deferFrame = NONE;
  /** The position of the statement at work, for nodes that have none. */
  statementPosition = NONE;
  /** A fault that ended the walk, with the node at fault. */
  fault = NONE;
  faultNode = NONE;

  constructor(
    readonly inputs: readonly Int32Array[],
    readonly output: ModuleOutput,
    /** Per node, the operand that its value became. A node is in one function, so threads that lower different ones may share it. */
    readonly values: Int32Array,
  ) {}
}

export function nodeColumn(state: LowerState, node: number, column: number): number {
  return (state.inputs[LowerInput.nodes] as Int32Array)[node * HIR_NODE.stride + column] as number;
}

export function variableColumn(state: LowerState, variable: number, column: number): number {
  const table = state.inputs[LowerInput.variables] as Int32Array;
  return table[(state.firstVariable + variable) * HIR_VARIABLE.stride + column] as number;
}

export function functionColumn(state: LowerState, id: number, column: number): number {
  return (state.inputs[LowerInput.functions] as Int32Array)[id * HIR_FUNCTION.stride + column] as number;
}

export function typeColumn(state: LowerState, type: number, column: number): number {
  return (state.inputs[LowerInput.types] as Int32Array)[type * TYPE.stride + column] as number;
}

/** Puts an action on the work stack. */
export function push(
  state: LowerState,
  action: number,
  node: number,
  p = NONE,
  q = NONE,
  owner = NONE,
): void {
  const at = state.work.extend(WORK_STRIDE);
  const { data } = state.work;
  data[at] = action;
  data[at + 1] = node;
  data[at + 2] = p;
  data[at + 3] = q;
  data[at + 4] = owner;
}

/** How many words an entry of the work stack has. */
export function workStride(): number {
  return WORK_STRIDE;
}

/**
 * Takes back the action that was pushed when the work stack became `height` high, if nothing has been pushed since: what it waited for is
 * done, so that its turn is now. False also where the walk is to end.
 */
export function takeBack(state: LowerState, height: number): boolean {
  if (state.work.length !== height) return false;
  state.work.length -= WORK_STRIDE;
  return state.fault === NONE;
}

/** Ends the walk: the tables say something that cannot be lowered. */
export function stop(state: LowerState, fault: number, node: number): void {
  state.fault = fault;
  state.faultNode = node;
}

/** The position of a node, or of the statement that it stands in. */
export function positionOf(state: LowerState, node: number): number {
  const position = nodeColumn(state, node, HIR_NODE.position);
  return position === NONE ? state.statementPosition : position;
}

/** Makes a block for a construct. */
export function blockFor(state: LowerState, name: number, node: number): number {
  return newBlock(state.buffer, name, node, positionOf(state, node));
}

/** Starts a block whose edges are all made. */
export function startSealed(state: LowerState, block: number): void {
  startBlock(state.buffer, block);
  sealBlock(state.buffer, state.ssa, block);
}

/** Makes sure that a block is being filled: code after a jump goes into a block without predecessors (005/L-9). */
export function ensureBlock(state: LowerState, deadName: number, node: number): void {
  if (state.buffer.current !== NONE) return;
  startSealed(state, blockFor(state, deadName, node));
}

/** Records the operand that a node's value became, and puts it on the value stack. */
export function pushValue(state: LowerState, node: number, value: number): void {
  state.valueStack.push(value);
  // A defer makes a node's value once an exit; the node is listed once.
  if (state.values[node] === NONE) state.valuedNodes.push(node);
  state.values[node] = value;
}

/** Emits a branch to a block and ends the block being filled. */
export function emitBranch(state: LowerState, node: number, target: number): void {
  const row = newRow(
    state.buffer,
    Opcode.br,
    0,
    0,
    NONE,
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  addOperand(state.buffer, row, target);
  addEdge(state.buffer, target);
  endBlock(state.buffer);
}

/** Emits a conditional branch and ends the block being filled. */
export function emitConditionalBranch(
  state: LowerState,
  node: number,
  condition: number,
  whenTrue: number,
  whenFalse: number,
): void {
  const row = newRow(
    state.buffer,
    Opcode.condbr,
    0,
    0,
    NONE,
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  addOperand(state.buffer, row, condition);
  addOperand(state.buffer, row, whenTrue);
  addOperand(state.buffer, row, whenFalse);
  addEdge(state.buffer, whenTrue);
  addEdge(state.buffer, whenFalse);
  endBlock(state.buffer);
}

/** The variable that a node names, counted within the function, or NONE after stopping the walk. */
export function localVariable(state: LowerState, node: number): number {
  const variable = nodeColumn(state, node, HIR_NODE.a) - state.firstVariable;
  return variable >= 0 && variable < state.variableCount ? variable : NONE;
}

/** Whether a variable lives in a stack slot: decided by its traits and type alone (005 §4.5, L-23 to L-25). */
export function isInMemory(state: LowerState, variable: number): boolean {
  const set = variableColumn(state, variable, HIR_VARIABLE.traits);
  const mask = (state.inputs[LowerInput.traitSets] as Int32Array)[
    set * TRAIT_SET.stride + TRAIT_SET.mask
  ] as number;
  const inMemory =
    (1 << Trait.isAddressed) |
    (1 << Trait.escapes) |
    (1 << Trait.isRuntimeMutable) |
    (1 << Trait.isVolatile) |
    (1 << Trait.isAtomic);
  if ((mask & inMemory) !== 0) return true;
  const kind = typeColumn(state, variableColumn(state, variable, HIR_VARIABLE.type), TYPE.kind);
  return kind === TypeKind.array || kind === TypeKind.struct || kind === TypeKind.union;
}

/**
 * The aux word of a load or a store of a variable with this access. What a variable's ordering says of both is split: only a load
 * acquires, only a store releases, and the other one of a variable that does but one of them is still atomic (005/L-25).
 */
function accessWord(access: number, isLoad: boolean): number {
  const ordering = access & Aux.orderingMask;
  const rest = access - ordering;
  if (ordering === ACQ_REL) return rest | (isLoad ? ACQUIRE : RELEASE);
  if (ordering === (isLoad ? RELEASE : ACQUIRE)) return rest | MONOTONIC;
  return access;
}

/** The value of a variable where the walk is: from the current definitions, or loaded from its slot (005/L-15). */
export function readLocal(state: LowerState, node: number, variable: number): number {
  const slot = state.slots.data[variable] as number;
  if (slot === NONE) return readVariable(state.buffer, state.ssa, variable);
  const row = newRow(
    state.buffer,
    Opcode.load,
    variableColumn(state, variable, HIR_VARIABLE.type),
    accessWord(variableColumn(state, variable, HIR_VARIABLE.access), true),
    NONE,
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  addOperand(state.buffer, row, slot);
  return row;
}

/**
 * Writes a variable where the walk is. A new instruction without a name of its own takes the variable's, so that the output
 * reads like the source.
 */
export function writeLocal(state: LowerState, node: number, variable: number, value: number): void {
  const { buffer } = state;
  const slot = state.slots.data[variable] as number;
  if (slot === NONE) {
    const isNewest = value >= 0 && value === buffer.rowCount - 1;
    if (isNewest && getRow(buffer, value, BufferRow.name) === NONE) {
      setRow(buffer, value, BufferRow.name, variableColumn(state, variable, HIR_VARIABLE.name));
    }
    writeVariable(buffer, state.ssa, variable, value);
    return;
  }
  const row = newRow(
    buffer,
    Opcode.store,
    0,
    accessWord(variableColumn(state, variable, HIR_VARIABLE.access), false),
    NONE,
    positionOf(state, node),
    0,
    node,
  );
  addOperand(buffer, row, value);
  addOperand(buffer, row, slot);
}

/** The number of a loop or switch of the function, or NONE when the node is none that the walk has come to. */
export function constructOf(state: LowerState, node: number): number {
  const construct = state.values[node] as number;
  const at = construct * Construct.stride;
  const isKnown = construct >= 0 && at < state.constructs.length;
  return isKnown && state.constructs.data[at + Construct.node] === node ? construct : NONE;
}

/** The number of a loop or switch, which it gets here when it has none. */
export function numberConstruct(state: LowerState, node: number): number {
  const known = constructOf(state, node);
  if (known !== NONE) return known;
  const at = state.constructs.extend(Construct.stride);
  const { data } = state.constructs;
  data[at + Construct.node] = node;
  data[at + Construct.frame] = NONE;
  data[at + Construct.firstPlace] = 0;
  data[at + Construct.endPlace] = 0;
  state.values[node] = at / Construct.stride;
  return at / Construct.stride;
}

/** A word of a loop or switch. */
export function getConstruct(state: LowerState, construct: number, column: number): number {
  return state.constructs.data[construct * Construct.stride + column] as number;
}

export function setConstruct(state: LowerState, construct: number, column: number, value: number): void {
  state.constructs.data[construct * Construct.stride + column] = value;
}

/** Turns the recorded values of the function's nodes from rows of the buffer into final operands, and forgets the numbers of the others. */
export function finishValues(state: LowerState): void {
  for (let index = 0; index < state.valuedNodes.length; index++) {
    const node = state.valuedNodes.data[index] as number;
    state.values[node] = finalValue(state.buffer, state.values[node] as number);
  }
  for (let at = 0; at < state.constructs.length; at += Construct.stride)
    state.values[state.constructs.data[at + Construct.node] as number] = NONE;
  for (let at = 0; at < state.labels.length; at += LABEL_STRIDE)
    state.values[state.labels.data[at] as number] = NONE;
}
