/**
 * Congruence classes: which SSA values share one variable (008/R6). Twin: native/core/coalescing.cc.
 *
 * Boissinot et al. (CGO 2009) isolate each phi by parallel copies and then merge what does not interfere. Here every edge has
 * a place for copies of its own (critical edges count as split, 008/R7), so the copies x' = a of a phi x = phi(a, ...) live
 * on their edges alone and never interfere with x: they are not made, only remembered as a wish that a and x be in one
 * class (§4.3, virtualization). The copy of a value does not interfere with it (§3.2): a may stay alive after the edge
 * leaves in another direction.
 *
 * Classes are given in preorder of the dominator tree. Two values of strict SSA interfere only if one is alive where the
 * other is defined, and the first then dominates the second (Budimlić et al., PLDI 2002). So a value may enter a class
 * unless the member that dominates it most closely is still alive: a farther member that were alive would interfere with the
 * nearer one. One liveness question a wish, hence linear. When a web of phis has no interference at all, it becomes one class
 * and no copy is left.
 *
 * Each value takes the class that the most frequent of its wishes name; loops weigh more.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { VIR_BLOCK, VIR_INSTRUCTION } from '../ir/schema.js';
import { dominates } from './dominators.js';
import {
  blockColumn,
  type FunctionRows,
  instructionColumn,
  instructionOpcode,
  operandsOf,
  plainValueCount,
  type VirTables,
} from './function-rows.js';
import { isReachable } from './graph.js';
import { collectUses, type Flow, isLiveAfter, type Liveness } from './liveness.js';

/** How many classes a value tries before it gets one of its own; more than a few differ only in contrived input. */
const MAXIMUM_ATTEMPTS = 16;

/** The classes of one function, and the memory to find those of the next. All arrays but three are by value. */
export interface Classes {
  classCount: number;
  /** The class of each value that is bound to a phi, else NONE. */
  readonly classOf: Int32Array;
  /** 1 when something other than a dead phi reads the value. */
  readonly isUsed: Int32Array;
  /** 1 when the value is operand or result of a phi and may share a variable with it. */
  readonly isBound: Int32Array;
  /** Union-find over values that phis connect; the first class of each web, at its root. */
  readonly web: Int32Array;
  readonly webClass: Int32Array;
  /** Value v is an operand of phis wishPhi[wishStart[v] .. wishStart[v + 1]), on the edges from the blocks wishBlock[...]. */
  readonly wishStart: Int32Array;
  readonly wishPhi: Int32Array;
  readonly wishBlock: Int32Array;
  /** Per phi without class: the class that the first of its operands got. */
  readonly preferred: Int32Array;
  /** Per class: its closest member above, and the weight of the wishes for it. */
  readonly holder: Int32Array;
  readonly weight: Int32Array;
  /** Per value: the holder of its class before it. */
  readonly previousHolder: Int32Array;
  /** Values that hold their class, to be undone when the walk leaves their blocks. */
  readonly held: Int32Array;
  heldCount: number;
  /** Classes with a weight. */
  readonly candidates: Int32Array;
  candidateCount: number;
}

/** What `findClasses` reads and uses of one function. */
export interface ClassInput extends Flow {
  readonly tables: VirTables;
  readonly liveness: Liveness;
}

/** Memory for functions of up to so many instructions and operands. */
export function makeClasses(instructionCapacity: number, operandCapacity: number): Classes {
  const byValue = () => new Int32Array(instructionCapacity);
  return {
    classCount: 0,
    classOf: byValue(),
    isUsed: byValue(),
    isBound: byValue(),
    web: byValue(),
    webClass: byValue(),
    wishStart: new Int32Array(instructionCapacity + 1),
    wishPhi: new Int32Array(operandCapacity),
    wishBlock: new Int32Array(operandCapacity),
    preferred: byValue(),
    holder: byValue(),
    weight: byValue(),
    previousHolder: byValue(),
    held: byValue(),
    heldCount: 0,
    candidates: byValue(),
    candidateCount: 0,
  };
}

/** Finds the classes of one function. Graph, dominators, loops and `blockOf` are those of the function. */
export function findClasses(classes: Classes, input: ClassInput, rows: FunctionRows): void {
  const count = rows.instructionCount;
  classes.classOf.fill(NONE, 0, count);
  classes.isUsed.fill(0, 0, count);
  classes.isBound.fill(0, 0, count);
  classes.webClass.fill(NONE, 0, count);
  classes.preferred.fill(NONE, 0, count);
  classes.wishStart.fill(0, 0, count + 1);
  for (let value = 0; value < count; value++) classes.web[value] = value;
  classes.classCount = 0;
  classes.heldCount = 0;
  classes.candidateCount = 0;
  if (!markUsed(classes, input, rows)) return;
  collectWishes(classes, input, rows);
  collectUses(input.liveness, input.tables, rows, input.graph, classes.isBound, classes.isUsed);
  walkTree(classes, input, rows);
}

/** Marks what is read: by instructions at once, by phis once the phi is itself read. Says whether there is a read phi. */
function markUsed(classes: Classes, input: ClassInput, rows: FunctionRows): boolean {
  const { tables, graph, blockOf } = input;
  const { isUsed, held } = classes;
  let waiting = 0;
  let hasPhi = false;
  for (let inst = rows.parameterCount; inst < rows.instructionCount; inst++) {
    if (blockOf[inst] === NONE) continue;
    const start = operandsOf(tables, rows, inst);
    const values = plainValueCount(
      instructionOpcode(tables, rows, inst),
      instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount),
    );
    for (let index = 0; index < values; index++) {
      const value = tables.operands[start + index] as number;
      if (value < 0 || isUsed[value] !== 0) continue;
      isUsed[value] = 1;
      held[waiting++] = value;
    }
  }
  while (waiting > 0) {
    const phi = held[--waiting] as number;
    if (!isReachablePhi(input, rows, phi)) continue;
    hasPhi = true;
    const start = operandsOf(tables, rows, phi);
    const count = instructionColumn(tables, rows, phi, VIR_INSTRUCTION.operandCount);
    for (let pair = 0; pair < count; pair += 2) {
      const value = tables.operands[start + pair] as number;
      if (value < 0 || isUsed[value] !== 0) continue;
      if (!isReachable(graph, tables.operands[start + pair + 1] as number)) continue;
      isUsed[value] = 1;
      held[waiting++] = value;
    }
  }
  return hasPhi;
}

function isReachablePhi(input: ClassInput, rows: FunctionRows, inst: number): boolean {
  return (
    instructionOpcode(input.tables, rows, inst) === Opcode.phi &&
    isReachable(input.graph, input.blockOf[inst] as number)
  );
}

/** Lists for each operand of a read phi its wish to share the phi's class, and joins the two in a web. */
function collectWishes(classes: Classes, input: ClassInput, rows: FunctionRows): void {
  const { wishStart } = classes;
  eachWish(classes, input, rows, false);
  for (let value = 0; value < rows.instructionCount; value++)
    wishStart[value + 1] = (wishStart[value + 1] as number) + (wishStart[value] as number);
  const total = wishStart[rows.instructionCount] as number;
  // Filling from the end of each list moves wishStart[v + 1] down to where the list of v begins.
  eachWish(classes, input, rows, true);
  for (let value = 0; value < rows.instructionCount; value++)
    wishStart[value] = wishStart[value + 1] as number;
  wishStart[rows.instructionCount] = total;
}

/** Goes through all wishes, to count or to store them; from the last, so that each list is stored in order. */
function eachWish(classes: Classes, input: ClassInput, rows: FunctionRows, isStoring: boolean): void {
  const { tables, graph } = input;
  for (let phi = rows.instructionCount - 1; phi >= rows.parameterCount; phi--) {
    if (classes.isUsed[phi] === 0 || !isReachablePhi(input, rows, phi)) continue;
    const start = operandsOf(tables, rows, phi);
    const count = instructionColumn(tables, rows, phi, VIR_INSTRUCTION.operandCount);
    classes.isBound[phi] = 1;
    for (let pair = count - 2; pair >= 0; pair -= 2) {
      const value = tables.operands[start + pair] as number;
      const block = tables.operands[start + pair + 1] as number;
      if (!isReachable(graph, block) || !mayShare(tables, rows, phi, value)) continue;
      if (isStoring) storeWish(classes, value, phi, block);
      else {
        classes.isBound[value] = 1;
        uniteWebs(classes, value, phi);
        (classes.wishStart[value + 1] as number)++;
      }
    }
  }
}

function storeWish(classes: Classes, value: number, phi: number, block: number): void {
  const place = (classes.wishStart[value + 1] as number) - 1;
  classes.wishStart[value + 1] = place;
  classes.wishPhi[place] = phi;
  classes.wishBlock[place] = block;
}

/** Whether a phi and its operand may be one variable: two values of the identical type. */
function mayShare(tables: VirTables, rows: FunctionRows, phi: number, value: number): boolean {
  return (
    value >= 0 &&
    value !== phi &&
    instructionColumn(tables, rows, value, VIR_INSTRUCTION.type) ===
      instructionColumn(tables, rows, phi, VIR_INSTRUCTION.type)
  );
}

/** The root of a value's web; halves the path. */
function findWeb(classes: Classes, value: number): number {
  const { web } = classes;
  while (web[value] !== value) {
    web[value] = web[web[value] as number] as number;
    value = web[value] as number;
  }
  return value;
}

function uniteWebs(classes: Classes, left: number, right: number): void {
  const leftRoot = findWeb(classes, left);
  const rightRoot = findWeb(classes, right);
  if (leftRoot < rightRoot) classes.web[rightRoot] = leftRoot;
  else classes.web[leftRoot] = rightRoot;
}

/** Gives classes in preorder of the dominator tree; parameters come before the entry. */
function walkTree(classes: Classes, input: ClassInput, rows: FunctionRows): void {
  const { tables, dominators, graph } = input;
  for (let inst = 0; inst < rows.parameterCount; inst++)
    if (classes.isBound[inst] !== 0 && classes.isUsed[inst] !== 0) giveClass(classes, input, rows, inst);
  for (let index = 0; index < graph.reachableCount; index++) {
    const block = dominators.treeOrder[index] as number;
    leaveBlocks(classes, input, block);
    const first = blockColumn(tables, rows, block, VIR_BLOCK.firstInstruction);
    const end = first + blockColumn(tables, rows, block, VIR_BLOCK.instructionCount);
    for (let inst = first; inst < end; inst++)
      if (classes.isBound[inst] !== 0 && classes.isUsed[inst] !== 0) giveClass(classes, input, rows, inst);
  }
}

/** Undoes the holders that stand in blocks that do not dominate `block`; they are the last ones. */
function leaveBlocks(classes: Classes, input: ClassInput, block: number): void {
  while (classes.heldCount > 0) {
    const value = classes.held[classes.heldCount - 1] as number;
    if (dominates(input.dominators, input.blockOf[value] as number, block)) return;
    classes.holder[classes.classOf[value] as number] = classes.previousHolder[value] as number;
    classes.heldCount--;
  }
}

/** Puts a value into the class that it most wishes and may enter, or into one of its own. */
function giveClass(classes: Classes, input: ClassInput, rows: FunctionRows, value: number): void {
  collectGiven(classes, input, rows, value);
  let hasWish = classes.candidateCount > 0;
  let chosen = chooseCandidate(classes, input, rows, value);
  if (chosen === NONE) {
    collectPreferred(classes, input, rows, value);
    hasWish = hasWish || classes.candidateCount > 0;
    chosen = chooseCandidate(classes, input, rows, value);
  }
  const root = findWeb(classes, value);
  const first = classes.webClass[root] as number;
  // No wish names a class yet: the web's first class will do, so that a web without interference becomes one class.
  if (chosen === NONE && !hasWish && first !== NONE && isFree(classes, input, rows, value, first))
    chosen = first;
  if (chosen === NONE) {
    chosen = classes.classCount++;
    classes.holder[chosen] = NONE;
    classes.weight[chosen] = 0;
    if (first === NONE) classes.webClass[root] = chosen;
  }
  classes.classOf[value] = chosen;
  classes.previousHolder[value] = classes.holder[chosen] as number;
  classes.holder[chosen] = value;
  classes.held[classes.heldCount++] = value;
  const end = classes.wishStart[value + 1] as number;
  for (let wish = classes.wishStart[value] as number; wish < end; wish++) {
    const phi = classes.wishPhi[wish] as number;
    if (classes.preferred[phi] === NONE) classes.preferred[phi] = chosen;
  }
}

/** Weighs the classes of the phi's operands, and of the phis that the value is an operand of. */
function collectGiven(classes: Classes, input: ClassInput, rows: FunctionRows, value: number): void {
  const { tables, graph } = input;
  if (isReachablePhi(input, rows, value)) {
    const start = operandsOf(tables, rows, value);
    const count = instructionColumn(tables, rows, value, VIR_INSTRUCTION.operandCount);
    for (let pair = 0; pair < count; pair += 2) {
      const operand = tables.operands[start + pair] as number;
      const block = tables.operands[start + pair + 1] as number;
      if (isReachable(graph, block) && mayShare(tables, rows, value, operand))
        addCandidate(classes, input, classes.classOf[operand] as number, block);
    }
  }
  const end = classes.wishStart[value + 1] as number;
  for (let wish = classes.wishStart[value] as number; wish < end; wish++) {
    const given = classes.classOf[classes.wishPhi[wish] as number] as number;
    addCandidate(classes, input, given, classes.wishBlock[wish] as number);
  }
}

/** Weighs the classes that phis without class will ask for first, but not phis that the value is defined beside. */
function collectPreferred(classes: Classes, input: ClassInput, rows: FunctionRows, value: number): void {
  const isPhi = isReachablePhi(input, rows, value);
  const end = classes.wishStart[value + 1] as number;
  for (let wish = classes.wishStart[value] as number; wish < end; wish++) {
    const phi = classes.wishPhi[wish] as number;
    if (classes.classOf[phi] !== NONE || (isPhi && input.blockOf[phi] === input.blockOf[value])) continue;
    addCandidate(classes, input, classes.preferred[phi] as number, classes.wishBlock[wish] as number);
  }
}

/** Adds the weight of one edge to a class: eight times as much for each loop around, within bounds. */
function addCandidate(classes: Classes, input: ClassInput, candidate: number, block: number): void {
  if (candidate === NONE) return;
  const before = classes.weight[candidate] as number;
  if (before === 0) classes.candidates[classes.candidateCount++] = candidate;
  const sum = before + (1 << (3 * Math.min(input.loops.depth[block] as number, 6)));
  classes.weight[candidate] = Math.min(sum, 1 << 28);
}

/** The heaviest candidate that the value may enter, or NONE; forgets the weights. */
function chooseCandidate(classes: Classes, input: ClassInput, rows: FunctionRows, value: number): number {
  const { candidates, weight } = classes;
  let chosen = NONE;
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS && chosen === NONE; attempt++) {
    let heaviest = NONE;
    for (let index = 0; index < classes.candidateCount; index++) {
      const candidate = candidates[index] as number;
      if ((weight[candidate] as number) > (heaviest === NONE ? 0 : (weight[heaviest] as number)))
        heaviest = candidate;
    }
    if (heaviest === NONE) break;
    weight[heaviest] = 0;
    if (isFree(classes, input, rows, value, heaviest)) chosen = heaviest;
  }
  for (let index = 0; index < classes.candidateCount; index++) weight[candidates[index] as number] = 0;
  classes.candidateCount = 0;
  return chosen;
}

/**
 * Whether no member of the class is alive where the value is defined. Phis of one block never share, even where liveness would
 * allow it because only unreachable code reads one of them: an edge sets each variable once.
 */
function isFree(
  classes: Classes,
  input: ClassInput,
  rows: FunctionRows,
  value: number,
  candidate: number,
): boolean {
  const above = classes.holder[candidate] as number;
  if (above === NONE) return true;
  const block = input.blockOf[value] as number;
  if (
    input.blockOf[above] === block &&
    isReachablePhi(input, rows, above) &&
    isReachablePhi(input, rows, value)
  )
    return false;
  return !isLiveAfter(input.liveness, input, above, block, value);
}
