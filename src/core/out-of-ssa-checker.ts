/**
 * Proves, for tests and debugging, that variables and moves of leaving SSA keep the meaning of a VIR function.
 *
 * By induction over paths: at the head of each block, the variable of every value that is alive there holds that value, and
 * the variable of every read phi holds the phi. Assuming that of one block, the checker runs its instructions and the moves
 * of its edges on symbols (a symbol is an SSA value or a constant operand) and shows the same for each successor. It shares
 * no code with what it checks: liveness here is the textbook's fixed point over sets. Quadratic; not for production.
 */

import { type Block, type FunctionId, type Inst, NONE, type Value } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import type { VirFunction } from '../ir/vir-module.js';
import type { OutOfSsaCopy, OutOfSsaResult } from './leave-ssa.js';

/** What a variable holds: a value or constant operand; absent when nothing is known. */
type Holdings = Map<number, number>;

/** The function's graph and liveness, as the checker finds them. */
interface Facts {
  readonly successors: readonly (readonly number[])[];
  readonly isReachable: readonly boolean[];
  /** Per block: values that are alive at its head, results of its phis left out. */
  readonly liveIn: readonly ReadonlySet<number>[];
}

/** Checks every function of the module; gives one sentence for each fault, none when all is proved. */
export function checkOutOfSsa(result: OutOfSsaResult): string[] {
  const faults: string[] = [];
  for (const view of result.vir.definedFunctions()) {
    checkVariables(result, view, faults);
    const facts = findFacts(view);
    for (let block = 0; block < view.blockCount; block++)
      if (facts.isReachable[block]) checkBlock(result, view, facts, block as Block, faults);
  }
  return faults;
}

/** Values of one variable have one type, and so have both ends of a move. */
function checkVariables(result: OutOfSsaResult, view: VirFunction, faults: string[]): void {
  const count = result.variableCount(view.id);
  for (let inst = 0; inst < view.instructionCount; inst++) {
    const variable = result.variable(view.id, inst as Inst);
    if (variable === NONE) continue;
    if (variable < 0 || variable >= count) faults.push(`${place(view, inst)}: no variable ${variable}`);
    else if (result.variableType(view.id, variable) !== view.instructionType(inst as Inst))
      faults.push(`${place(view, inst)}: variable ${variable} has another type`);
  }
}

function place(view: VirFunction, inst: number): string {
  return `${view.name} instruction ${inst}`;
}

/** The operands that an instruction other than a phi reads when it runs. */
export function readOperands(view: VirFunction, inst: Inst): Value[] {
  const opcode = view.opcode(inst);
  if (opcode === Opcode.phi || opcode === Opcode.br) return [];
  const count = opcode === Opcode.condbr || opcode === Opcode.switch ? 1 : view.operandCount(inst);
  return Array.from({ length: count }, (_, index) => view.operand(inst, index));
}

/** The distinct successors of a block. */
export function successorsOf(view: VirFunction, block: Block): Block[] {
  const last = view.terminator(block);
  const opcode = view.opcode(last);
  const targets = new Set<Block>();
  if (opcode === Opcode.br) targets.add(view.blockOperand(last, 0));
  if (opcode === Opcode.condbr) targets.add(view.blockOperand(last, 1)).add(view.blockOperand(last, 2));
  if (opcode === Opcode.switch)
    for (let index = 1; index < view.operandCount(last); index += 2)
      targets.add(view.blockOperand(last, index));
  return [...targets];
}

/** The operand of a phi for one predecessor; NONE when it has none. */
export function phiOperand(view: VirFunction, phi: Inst, predecessor: Block): Value {
  for (let index = 0; index < view.operandCount(phi); index += 2)
    if (view.blockOperand(phi, index + 1) === predecessor) return view.operand(phi, index);
  return NONE as Value;
}

/** The phis of a block. */
export function phisOf(view: VirFunction, block: Block): Inst[] {
  const phis: Inst[] = [];
  for (let inst = view.blockStart(block); view.opcode(inst) === Opcode.phi; inst++) phis.push(inst);
  return phis;
}

function findFacts(view: VirFunction): Facts {
  const successors = Array.from({ length: view.blockCount }, (_, block) =>
    successorsOf(view, block as Block),
  );
  const isReachable = new Array<boolean>(view.blockCount).fill(false);
  const work = [0];
  while (work.length > 0) {
    const block = work.pop() as number;
    if (isReachable[block]) continue;
    isReachable[block] = true;
    work.push(...(successors[block] as number[]));
  }
  const read = readPhis(view, isReachable);
  const liveIn = Array.from({ length: view.blockCount }, () => new Set<number>());
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (let block = view.blockCount - 1; block >= 0; block--) {
      if (!isReachable[block]) continue;
      const live = liveOut(view, successors, liveIn, read, block as Block);
      killAndUse(view, block as Block, live);
      const known = liveIn[block] as Set<number>;
      for (const value of live) hasChanged = hasChanged || !known.has(value);
      for (const value of live) known.add(value);
    }
  }
  return { successors, isReachable, liveIn };
}

/** The phis that something but dead phis reads. */
function readPhis(view: VirFunction, isReachable: readonly boolean[]): Set<number> {
  const read = new Set<number>();
  const work: number[] = [];
  for (let block = 0; block < view.blockCount; block++)
    for (let inst = view.blockStart(block as Block); inst < view.blockEnd(block as Block); inst++)
      work.push(...readOperands(view, inst as Inst));
  while (work.length > 0) {
    const value = work.pop() as number;
    if (value < 0 || read.has(value) || view.opcode(value as Inst) !== Opcode.phi) continue;
    read.add(value);
    for (let index = 0; index < view.operandCount(value as Inst); index += 2)
      if (isReachable[view.blockOperand(value as Inst, index + 1)])
        work.push(view.operand(value as Inst, index));
  }
  return read;
}

function liveOut(
  view: VirFunction,
  successors: readonly (readonly number[])[],
  liveIn: readonly ReadonlySet<number>[],
  read: ReadonlySet<number>,
  block: Block,
): Set<number> {
  const live = new Set<number>();
  for (const successor of successors[block] as number[]) {
    for (const value of liveIn[successor] as Set<number>) live.add(value);
    for (const phi of phisOf(view, successor as Block)) {
      const operand = phiOperand(view, phi, block);
      if (read.has(phi) && operand >= 0) live.add(operand);
    }
  }
  return live;
}

/** Turns what is alive at the end of a block into what is alive at its head. */
function killAndUse(view: VirFunction, block: Block, live: Set<number>): void {
  for (let inst = view.blockEnd(block) - 1; inst >= view.blockStart(block); inst--) {
    live.delete(inst);
    for (const operand of readOperands(view, inst as Inst)) if (operand >= 0) live.add(operand);
  }
  if (block === 0)
    for (let parameter = 0; parameter < view.parameterCount; parameter++) live.delete(parameter);
}

/** The step of the induction: from the head of one block to the heads of its successors. */
function checkBlock(
  result: OutOfSsaResult,
  view: VirFunction,
  facts: Facts,
  block: Block,
  faults: string[],
): void {
  const { id } = view;
  const holdings: Holdings = new Map();
  const parameters = block === 0 ? Array.from({ length: view.parameterCount }, (_, index) => index) : [];
  const live = facts.liveIn[block] as Set<number>;
  for (const value of [...parameters, ...live, ...phisOf(view, block)])
    if (result.variable(id, value as Inst) !== NONE) holdings.set(result.variable(id, value as Inst), value);
  if (block === 0) checkEntry(result, view, facts, holdings, faults);
  for (let inst = view.blockStart(block); inst < view.blockEnd(block); inst++) {
    for (const operand of readOperands(view, inst)) {
      if (operand >= 0 && holdings.get(result.variable(id, operand as number as Inst)) !== operand)
        faults.push(`${place(view, inst)}: the variable of ${operand} no longer holds it`);
    }
    const variable = result.variable(id, inst);
    if (variable !== NONE && view.opcode(inst) !== Opcode.phi) holdings.set(variable, inst);
  }
  for (const successor of facts.successors[block] as Block[])
    checkEdge(result, view, facts, block, successor, new Map(holdings), faults);
}

/** Nothing is alive at the entry but the parameters, and they are in variables of their own. */
function checkEntry(
  result: OutOfSsaResult,
  view: VirFunction,
  facts: Facts,
  holdings: Holdings,
  faults: string[],
): void {
  for (const value of facts.liveIn[0] as Set<number>)
    if (value >= view.parameterCount)
      faults.push(`${view.name}: value ${value} is read before it is defined`);
  for (let parameter = 0; parameter < view.parameterCount; parameter++) {
    const variable = result.variable(view.id, parameter as Inst);
    if (variable !== NONE && holdings.get(variable) !== parameter)
      faults.push(`${view.name}: parameter ${parameter} shares its variable with another`);
  }
}

/** Runs the moves of one edge, then those at the successor's head, and looks at what must hold there. */
function checkEdge(
  result: OutOfSsaResult,
  view: VirFunction,
  facts: Facts,
  block: Block,
  successor: Block,
  holdings: Holdings,
  faults: string[],
): void {
  const { id } = view;
  const edge = `${view.name} edge ${block} -> ${successor}`;
  const copies = [...result.edgeCopies(id, block, successor), ...result.headCopies(id, successor)];
  for (const copy of copies) if (!isTyped(result, view, copy)) faults.push(`${edge}: a move between types`);
  runCopies(result, id, copies, holdings);
  for (const value of facts.liveIn[successor] as Set<number>)
    if (holdings.get(result.variable(id, value as Inst)) !== value)
      faults.push(`${edge}: the variable of ${value} no longer holds it`);
  const taken = new Set<number>();
  for (const phi of phisOf(view, successor)) {
    const variable = result.variable(id, phi);
    if (variable === NONE) continue;
    if (taken.has(variable)) faults.push(`${edge}: phi ${phi} shares its variable with another phi`);
    taken.add(variable);
    const operand = phiOperand(view, phi, block);
    // A phi that is its own operand keeps what its variable holds.
    if (holdings.get(variable) !== operand)
      faults.push(`${edge}: the variable of phi ${phi} does not hold ${operand}`);
  }
  for (const value of facts.liveIn[successor] as Set<number>)
    if (taken.has(result.variable(id, value as Inst)))
      faults.push(`${edge}: ${value} shares its variable with a phi`);
}

/** Whether both ends of a move exist and have one type. */
function isTyped(result: OutOfSsaResult, view: VirFunction, { destination, source }: OutOfSsaCopy): boolean {
  const count = result.variableCount(view.id);
  if (destination < 0 || destination >= count || source >= count || source === NONE) return false;
  const type = result.variableType(view.id, destination);
  return type === (source < 0 ? view.valueType(source as Value) : result.variableType(view.id, source));
}

function runCopies(
  result: OutOfSsaResult,
  id: FunctionId,
  copies: readonly OutOfSsaCopy[],
  holdings: Holdings,
): void {
  for (const { destination, source } of copies) {
    const held = source >= 0 ? holdings.get(source) : source;
    if (held === undefined || destination >= result.variableCount(id)) holdings.delete(destination);
    else holdings.set(destination, held);
  }
}
