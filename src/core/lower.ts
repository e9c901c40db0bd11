/**
 * Lowering: HIR tables to VIR tables in one streaming pass, with SSA built as it walks (005). Twin: native/core/lower.cc.
 *
 * Inputs, in the order of `LowerInput`: hirNode, hirVariable, hirFunction, type, constant, traitSet, function. Outputs: virInstruction,
 * operands, virBlock, virFunction, and one operand per HIR node (the forward half of the LoweringMap). Functions are lowered by
 * themselves, one after the other, and laid down in function order, so the result does not depend on who lowers which (L-5, L-6).
 * Cost: linear in the nodes, plus one map entry for each (block, variable) that a read passes through.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import {
  CoreHeader,
  CoreStatus,
  FUNCTION,
  HIR_FUNCTION,
  HIR_NODE,
  HIR_VARIABLE,
  TYPE,
  TypeKind,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../ir/schema.js';
import { reportFault } from './border.js';
import { clearBuffer, endBlock, newRow } from './function-buffer.js';
import { type ModuleOutput, writeFunction } from './function-layout.js';
import {
  branchOnValue,
  emitUnreachable,
  finishOperation,
  lowerCondition,
  lowerConditionalEnd,
  lowerConditionalMiddle,
  lowerExpression,
  lowerLogicalEnd,
  lowerLogicalMiddle,
  lowerOperands,
} from './lower-expressions.js';
import { afterReturnValue, beginLabels, emitReturn, endGoto, goTo, joinAt } from './lower-jumps.js';
import {
  Action,
  blockFor,
  emitBranch,
  ensureBlock,
  finishValues,
  functionColumn,
  isInMemory,
  LowerState,
  positionOf,
  push,
  startSealed,
  typeColumn,
  variableColumn,
  workStride,
  writeLocal,
} from './lower-state.js';
import {
  beginArm,
  dispatchSwitch,
  endArm,
  endConstruct,
  endDeferred,
  endForStep,
  endLoop,
  endScope,
  finishWrite,
  lowerDeferred,
  lowerForHeader,
  lowerStatement,
  lowerStatements,
} from './lower-statements.js';
import { removeRedundantPhis } from './redundant-phis.js';
import { beginRegions, scanRegions } from './scan-regions.js';
import { scanWrites } from './scan-writes.js';
import { clearSsa, sealBlock } from './ssa.js';
import { LowerInput, validateHir } from './validate-hir.js';
import { WellKnownName } from './well-known-names.js';

/** The outputs of lowering, by their place in the list. */
export const LowerOutput = {
  instructions: 0,
  operands: 1,
  blocks: 2,
  functions: 3,
  values: 4,
  count: 5,
} as const;

/** Does one action of the walk. */
function step(state: LowerState, action: number, node: number, p: number, q: number, owner: number): void {
  switch (action) {
    case Action.expression:
      lowerExpression(state, node);
      break;
    case Action.operands:
      lowerOperands(state, node);
      break;
    case Action.operation:
      finishOperation(state, node, p);
      break;
    case Action.condition:
      lowerCondition(state, node, p, q, owner);
      break;
    case Action.branchOnValue:
      branchOnValue(state, p, q, owner);
      break;
    case Action.logicalMiddle:
      lowerLogicalMiddle(state, node);
      break;
    case Action.logicalEnd:
      lowerLogicalEnd(state, node, p);
      break;
    case Action.conditionalMiddle:
      lowerConditionalMiddle(state, node, p);
      break;
    case Action.conditionalEnd:
      lowerConditionalEnd(state, node, p);
      break;
    case Action.drop:
      state.valueStack.pop();
      break;
    case Action.statement:
      lowerStatement(state, node);
      break;
    case Action.statements:
      lowerStatements(state, node);
      break;
    case Action.scopeEnd:
      endScope(state, node, p);
      break;
    case Action.write:
      finishWrite(state, node);
      break;
    case Action.start:
      startSealed(state, p);
      break;
    case Action.goTo:
      goTo(state, node, p);
      break;
    case Action.join:
      joinAt(state, p);
      break;
    case Action.loopLatch:
      endLoop(state, node, p, q);
      break;
    case Action.constructExit:
      endConstruct(state, p);
      break;
    case Action.seal:
      sealBlock(state.buffer, state.ssa, p);
      break;
    case Action.forHeader:
      lowerForHeader(state, node);
      break;
    case Action.forStepEnd:
      endForStep(state, node, p);
      break;
    case Action.switchDispatch:
      dispatchSwitch(state, node);
      break;
    case Action.arm:
      beginArm(state, node, p);
      break;
    case Action.armEnd:
      endArm(state, node, p);
      break;
    case Action.jump:
      ensureBlock(state, WellKnownName.dead, node);
      emitBranch(state, node, p);
      break;
    case Action.deferred:
      lowerDeferred(state, node);
      break;
    case Action.deferredEnd:
      endDeferred(state);
      break;
    case Action.gotoEnd:
      endGoto(state, node, p);
      break;
    case Action.returnValue:
      afterReturnValue(state, node);
      break;
    default:
      emitReturn(state, node, p);
      break;
  }
}

/** Does actions until none is left or the walk is stopped. */
function walk(state: LowerState): void {
  const { work } = state;
  while (work.length > 0 && state.fault === NONE) {
    work.length -= workStride();
    const at = work.length;
    const { data } = work;
    step(
      state,
      data[at] as number,
      data[at + 1] as number,
      data[at + 2] as number,
      data[at + 3] as number,
      data[at + 4] as number,
    );
  }
}

/** Empties the state for the next function and keeps its memory. */
function clearState(state: LowerState, id: number): void {
  clearBuffer(state.buffer);
  clearSsa(state.ssa);
  state.work.length = 0;
  state.valueStack.length = 0;
  state.deferStack.length = 0;
  state.frames.length = 0;
  state.constructs.length = 0;
  state.slots.length = 0;
  state.labels.length = 0;
  state.valuedNodes.length = 0;
  state.deferFrame = NONE;
  state.statementPosition = NONE;
  state.body = functionColumn(state, id, HIR_FUNCTION.body);
  state.firstVariable = functionColumn(state, id, HIR_FUNCTION.firstVariable);
  state.variableCount = functionColumn(state, id, HIR_FUNCTION.variableCount);
  state.parameterCount = functionColumn(state, id, HIR_FUNCTION.parameterCount);
}

/** The node that a variable's own instructions come from: its declaration, or the body for a parameter. */
function variableNode(state: LowerState, variable: number): number {
  const declaration = variableColumn(state, variable, HIR_VARIABLE.declaration);
  return declaration === NONE ? state.body : declaration;
}

/** Makes the `param` rows and tells SSA construction about every variable. */
function beginVariables(state: LowerState): void {
  const { ssa } = state;
  for (let variable = 0; variable < state.variableCount; variable++) {
    const type = variableColumn(state, variable, HIR_VARIABLE.type);
    const name = variableColumn(state, variable, HIR_VARIABLE.name);
    const position = variableColumn(state, variable, HIR_VARIABLE.position);
    const traits = variableColumn(state, variable, HIR_VARIABLE.traits);
    const node = variableNode(state, variable);
    ssa.variableType.push(type);
    ssa.variableName.push(name);
    ssa.variablePosition.push(position);
    ssa.variableTraits.push(traits);
    ssa.variableNode.push(node);
    ssa.variableUndef.push(-2 - variableColumn(state, variable, HIR_VARIABLE.undef));
    state.slots.push(NONE);
    if (variable < state.parameterCount)
      newRow(state.buffer, Opcode.param, type, 0, name, position, traits, node);
  }
}

/** Makes the slots of variables that live in memory, and gives parameters their first value. */
function beginSlots(state: LowerState): void {
  for (let variable = 0; variable < state.variableCount; variable++) {
    if (!isInMemory(state, variable)) continue;
    state.slots.data[variable] = newRow(
      state.buffer,
      Opcode.alloca,
      variableColumn(state, variable, HIR_VARIABLE.slotType),
      variableColumn(state, variable, HIR_VARIABLE.type),
      variableColumn(state, variable, HIR_VARIABLE.name),
      variableColumn(state, variable, HIR_VARIABLE.position),
      variableColumn(state, variable, HIR_VARIABLE.traits),
      variableNode(state, variable),
    );
  }
  for (let variable = 0; variable < state.parameterCount; variable++) {
    writeLocal(state, state.body, variable, variable);
  }
}

/** Ends a function whose last statement lets control fall out: `ret void`, or `unreachable` where a value is due. */
function endFunction(state: LowerState, returnsVoid: boolean): void {
  if (state.buffer.current === NONE) return;
  if (!returnsVoid) {
    emitUnreachable(state, state.body);
    return;
  }
  newRow(state.buffer, Opcode.ret, 0, 0, NONE, positionOf(state, state.body), 0, state.body);
  endBlock(state.buffer);
}

/** Whether the type of a function has no result. */
function returnsVoid(state: LowerState, id: number): boolean {
  const signatures = state.inputs[LowerInput.signatures] as Int32Array;
  const type = signatures[id * FUNCTION.stride + FUNCTION.type] as number;
  return typeColumn(state, typeColumn(state, type, TYPE.c), TYPE.kind) === TypeKind.void;
}

/** Lowers one function into the buffer. */
function lowerFunction(state: LowerState, id: number): void {
  clearState(state, id);
  beginVariables(state);
  if (state.body === NONE) return;
  scanWrites(state);
  if (state.fault !== NONE) return;
  state.ssa.isRemovalLate = state.labels.length > 0;
  state.ssa.isGeneral = state.isAlwaysGeneral || state.ssa.isRemovalLate;
  scanRegions(state, id);
  if (state.fault !== NONE) return;
  startSealed(state, blockFor(state, WellKnownName.entry, state.body));
  beginLabels(state);
  beginSlots(state);
  push(state, Action.statement, state.body);
  walk(state);
  if (state.fault !== NONE) return;
  endFunction(state, returnsVoid(state, id));
  if (state.ssa.isRemovalLate) removeRedundantPhis(state.buffer, state.ssa, state.redundantPhis);
}

/** Lowers the functions from `first` to before `end`; a fault ends it and stays in the state. */
export function lowerRange(state: LowerState, first: number, end: number): void {
  beginRegions(state);
  for (let id = first; id < end; id++) {
    lowerFunction(state, id);
    if (state.fault !== NONE) return;
    writeFunction(state.buffer, state.layout, state.output, id, state.parameterCount, state.variableCount);
    finishValues(state);
  }
}

/** Tells the caller the sizes of the outputs, and whether they were large enough. */
export function reportSizes(
  header: Int32Array,
  output: ModuleOutput,
  functionCount: number,
  nodeCount: number,
): void {
  header[CoreHeader.status] = output.isOverflow ? CoreStatus.capacity : CoreStatus.ok;
  header[CoreHeader.firstSize + LowerOutput.instructions] = output.instructionCount * VIR_INSTRUCTION.stride;
  header[CoreHeader.firstSize + LowerOutput.operands] = output.operandCount;
  header[CoreHeader.firstSize + LowerOutput.blocks] = output.blockCount * VIR_BLOCK.stride;
  header[CoreHeader.firstSize + LowerOutput.functions] = functionCount * VIR_FUNCTION.stride;
  header[CoreHeader.firstSize + LowerOutput.values] = nodeCount;
}

/**
 * Lowers a whole module; see the head of the file for inputs and outputs, and 001 §5 for the header. `isGeneral` chooses the
 * general algorithm of SSA construction, which gives the same and is there to be compared with.
 */
export function lowerWith(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
  isGeneral: boolean,
): void {
  if (!validateHir(inputs, header)) return;
  const nodeCount = (inputs[LowerInput.nodes] as Int32Array).length / HIR_NODE.stride;
  const functionCount = (inputs[LowerInput.functions] as Int32Array).length / HIR_FUNCTION.stride;
  const values = outputs[LowerOutput.values] as Int32Array;
  const functions = outputs[LowerOutput.functions] as Int32Array;
  const output: ModuleOutput = {
    instructions: outputs[LowerOutput.instructions] as Int32Array,
    operands: outputs[LowerOutput.operands] as Int32Array,
    blocks: outputs[LowerOutput.blocks] as Int32Array,
    functions,
    isGrowing: false,
    instructionCount: 0,
    operandCount: 0,
    blockCount: 0,
    isOverflow: values.length < nodeCount || functions.length < functionCount * VIR_FUNCTION.stride,
  };
  const nodeValues = values.length < nodeCount ? new Int32Array(nodeCount) : values.subarray(0, nodeCount);
  nodeValues.fill(NONE);
  const state = new LowerState(inputs, output, nodeValues);
  state.isAlwaysGeneral = isGeneral;
  lowerRange(state, 0, functionCount);
  if (state.fault === NONE) reportSizes(header, output, functionCount, nodeCount);
  else reportFault(header, state.fault, LowerInput.nodes, state.faultNode);
}
