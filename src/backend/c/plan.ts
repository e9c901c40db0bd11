/**
 * Which values of a function get a C variable and which are written where they are used.
 *
 * Input: a function, its control-flow graph and its variables (`core/leave-ssa`). Output: per instruction, whether it is needed at
 * all and whether it is inlined. A value is inlined when one instruction of its block uses it and nothing in between changes what
 * it reads: no other value of the variables it is made of, no store before a load, no access at all around a call. Addresses of
 * elements may also be written at several places. Cost: linear.
 */

import type { Graph } from '../../core/graph.js';
import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import {
  type Block,
  type GlobalId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type Value,
} from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { regionBarriers } from '../../ir/region-barriers.js';
import { Aux, ConstantKind, OUT_OF_SSA_COPY, OUT_OF_SSA_FUNCTION, TypeKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { writtenOperandCount } from './decided.js';

/** Longest chain of operators in one expression, and most operators in one statement. */
const DEEPEST_EXPRESSION = 10;
const LARGEST_EXPRESSION = 12;
/** Most members that one compound literal sets. */
const LONGEST_LITERAL = 16;
/** Most places where one address is written out. */
const MOST_PLACES = 6;
/** Longest chain of addresses made of addresses in one expression. */
const DEEPEST_ADDRESS = 6;

/** What becomes of an instruction's value. */
export const Fate = { variable: 0, inline: 1, everywhere: 2 } as const;
export type Fate = (typeof Fate)[keyof typeof Fate];

/** Decisions for one function. */
export interface Plan {
  /** Per instruction: 1 when something needs it. */
  readonly isLive: Uint8Array;
  readonly fate: Uint8Array;
  /** Per instruction: 1 for an insertvalue that is part of a compound literal. */
  readonly isLiteral: Uint8Array;
  /** Per variable: how many instructions and moves write it. */
  readonly writes: Int32Array;
  /** Per variable: 1 when something reads it. */
  readonly isNeeded: Uint8Array;
  /** Per instruction: 1 when the barrier of a region stands before it; undefined when there is none. */
  readonly barriers: Uint8Array | undefined;
}

/** How an instruction touches memory. `writes` also stands for whatever must keep its place: calls, fences, volatile reads. */
export function memoryEffect(view: VirFunction, inst: Inst): 'none' | 'reads' | 'writes' {
  const opcode = view.opcode(inst);
  const { effects } = opcodeRow(opcode);
  if (effects.writes) return 'writes';
  if (opcode !== Opcode.load) return effects.reads ? 'reads' : 'none';
  return (view.aux(inst) & (Aux.volatile | Aux.orderingMask)) > 0 && view.aux(inst) > 0 ? 'writes' : 'reads';
}

/** The number of leading operands that are values and that the C form of the instruction holds. */
export function valueOperandCount(view: VirFunction, inst: Inst): number {
  switch (view.opcode(inst)) {
    case Opcode.br:
    case Opcode.phi:
      return 0;
    case Opcode.condbr:
    case Opcode.switch:
      return 1;
    default:
      return writtenOperandCount(view, inst);
  }
}

/** Decides for one function. */
export function planFunction(view: VirFunction, graph: Graph, variables: OutOfSsaResult): Plan {
  const planner = new Planner(view, graph, variables, regionBarriers(view));
  planner.markLive();
  planner.countUses();
  for (let index = graph.reachableCount - 1; index >= 0; index--)
    planner.decideBlock(graph.reversePostorder[index] as Block);
  return planner;
}

class Planner implements Plan {
  readonly isLive: Uint8Array;
  readonly fate: Uint8Array;
  readonly isLiteral: Uint8Array;
  readonly writes: Int32Array;
  readonly isNeeded: Uint8Array;
  readonly #blockOf: Int32Array;
  readonly #useCount: Int32Array;
  /** The only user, or the last one found. */
  readonly #user: Int32Array;
  /** Whether a phi, or an instruction of another block, uses the value. */
  readonly #usedAfar: Uint8Array;
  readonly #usedByPhi: Uint8Array;
  /** Whether every user takes the value as the address that it accesses or indexes. */
  readonly #usedAsAddress: Uint8Array;
  /** Last place in the block where the inlined value is evaluated, counted in instructions. */
  readonly #lastPlace: Int32Array;
  /** Before which place accesses that an inlined value makes must happen. */
  readonly #accessPlace: Int32Array;
  /** Whether the inlined value is evaluated only under a condition. */
  readonly #isConditional: Uint8Array;
  /** Last of the places where users in the same block are evaluated; and the longest chain of addresses on top. */
  readonly #latestUse: Int32Array;
  readonly #addressDepth: Uint8Array;
  readonly #depth: Uint8Array;
  readonly #size: Int32Array;
  /** For each variable, the next place in the block that writes it. */
  readonly #nextWrite: Float64Array;
  /** The next place in the block with a barrier before it. */
  #nextBarrier = Number.POSITIVE_INFINITY;

  constructor(
    readonly view: VirFunction,
    readonly graph: Graph,
    readonly variables: OutOfSsaResult,
    readonly barriers: Uint8Array | undefined,
  ) {
    const count = view.instructionCount;
    const variableCount = variables.variableCount(view.id);
    this.isLive = new Uint8Array(count);
    this.fate = new Uint8Array(count);
    this.isLiteral = new Uint8Array(count);
    this.writes = new Int32Array(variableCount);
    this.isNeeded = new Uint8Array(variableCount);
    this.#blockOf = new Int32Array(count).fill(NONE);
    this.#useCount = new Int32Array(count);
    this.#user = new Int32Array(count).fill(NONE);
    this.#usedAfar = new Uint8Array(count);
    this.#usedByPhi = new Uint8Array(count);
    this.#usedAsAddress = new Uint8Array(count).fill(1);
    this.#lastPlace = new Int32Array(count);
    this.#accessPlace = new Int32Array(count);
    this.#isConditional = new Uint8Array(count);
    this.#latestUse = new Int32Array(count);
    this.#addressDepth = new Uint8Array(count);
    this.#depth = new Uint8Array(count);
    this.#size = new Int32Array(count);
    this.#nextWrite = new Float64Array(variableCount).fill(Number.POSITIVE_INFINITY);
    for (let index = 0; index < graph.reachableCount; index++) {
      const block = graph.reversePostorder[index] as Block;
      for (let inst = view.blockStart(block); inst < view.blockEnd(block); inst++)
        this.#blockOf[inst] = block;
    }
  }

  #variable(inst: number): number {
    return this.variables.variable(this.view.id, inst as Inst);
  }

  /** From what has effects back to what it is made of; a variable that is read keeps all that is written to it. */
  markLive(): void {
    const { view } = this;
    const members = this.#membersOfVariables();
    const sources = this.#sourcesOfVariables();
    const work: number[] = [];
    const keep = (inst: number) => {
      if (this.isLive[inst] === 1) return;
      this.isLive[inst] = 1;
      work.push(inst);
    };
    const pending: number[] = [];
    const want = (variable: number) => {
      if (variable === NONE || this.isNeeded[variable] === 1) return;
      this.isNeeded[variable] = 1;
      pending.push(variable);
    };
    const need = (variable: number) => {
      want(variable);
      while (pending.length > 0) {
        const next = pending.pop() as number;
        for (let inst = members.first[next] as number; inst !== NONE; inst = members.next[inst] as number)
          keep(inst);
        for (let at = sources.first[next] as number; at !== NONE; at = sources.next[at] as number)
          want(sources.variable[at] as number);
      }
    };
    for (let inst = 0; inst < view.instructionCount; inst++) {
      if (this.#blockOf[inst] === NONE) continue;
      const { effects } = opcodeRow(view.opcode(inst as Inst));
      const isRoot = effects.terminator || effects.writes || memoryEffect(view, inst as Inst) === 'writes';
      if (isRoot || view.opcode(inst as Inst) === Opcode.assume) keep(inst);
    }
    while (work.length > 0) {
      const inst = work.pop() as Inst;
      if (view.opcode(inst) === Opcode.phi) need(this.#variable(inst));
      for (let index = valueOperandCount(view, inst) - 1; index >= 0; index--) {
        const operand = view.operand(inst, index);
        if (operand < 0) continue;
        keep(operand);
        need(this.#variable(operand));
      }
    }
  }

  /** For each variable the list of the instructions that it holds the results of. */
  #membersOfVariables(): { readonly first: Int32Array; readonly next: Int32Array } {
    const first = new Int32Array(this.writes.length).fill(NONE);
    const next = new Int32Array(this.view.instructionCount);
    for (let inst = this.view.instructionCount - 1; inst >= 0; inst--) {
      const variable = this.#variable(inst);
      if (variable === NONE || (this.#blockOf[inst] === NONE && inst >= this.view.parameterCount)) continue;
      next[inst] = first[variable] as number;
      first[variable] = inst;
    }
    return { first, next };
  }

  /** For each variable the list of the variables that moves bring into it; counts the moves as writes. */
  #sourcesOfVariables(): {
    readonly first: Int32Array;
    readonly next: Int32Array;
    readonly variable: Int32Array;
  } {
    const { functions, copies } = this.variables;
    const at = this.view.id * OUT_OF_SSA_FUNCTION.stride;
    const firstCopy = functions[at + OUT_OF_SSA_FUNCTION.firstCopy] as number;
    const count = functions[at + OUT_OF_SSA_FUNCTION.copyCount] as number;
    const first = new Int32Array(this.writes.length).fill(NONE);
    const next = new Int32Array(count);
    const variable = new Int32Array(count);
    for (let copy = 0; copy < count; copy++) {
      const row = (firstCopy + copy) * OUT_OF_SSA_COPY.stride;
      const destination = copies[row + OUT_OF_SSA_COPY.destination] as number;
      const source = copies[row + OUT_OF_SSA_COPY.source] as number;
      (this.writes[destination] as number)++;
      if (source < 0) continue;
      variable[copy] = source;
      next[copy] = first[destination] as number;
      first[destination] = copy;
    }
    return { first, next, variable };
  }

  countUses(): void {
    const { view } = this;
    for (let inst = 0; inst < view.instructionCount; inst++) {
      if (this.isLive[inst] === 0 && inst >= view.parameterCount) continue;
      const opcode = view.opcode(inst as Inst);
      const variable = this.#variable(inst);
      if (variable !== NONE && opcode !== Opcode.phi) (this.writes[variable] as number)++;
      if (opcode === Opcode.phi) this.#countPhi(inst as Inst);
      for (let index = valueOperandCount(view, inst as Inst) - 1; index >= 0; index--) {
        const operand = view.operand(inst as Inst, index);
        if (operand < 0) continue;
        (this.#useCount[operand] as number)++;
        this.#user[operand] = inst;
        if (this.#blockOf[operand] !== this.#blockOf[inst]) this.#usedAfar[operand] = 1;
        if (!isAddressUse(opcode, index)) this.#usedAsAddress[operand] = 0;
      }
    }
  }

  #countPhi(phi: Inst): void {
    for (let index = 0; index < this.view.operandCount(phi); index += 2) {
      const operand = this.view.operand(phi, index);
      if (operand < 0) continue;
      // Read by a move, or one variable with the phi: either way it must be in its variable.
      (this.#useCount[operand] as number) += 2;
      this.#usedAfar[operand] = 1;
      this.#usedByPhi[operand] = 1;
      this.#usedAsAddress[operand] = 0;
    }
  }

  /** From the last instruction to the first, so that the fate of a value's users is known. */
  decideBlock(block: Block): void {
    const { view } = this;
    const written: number[] = [];
    let nextAccess = Number.POSITIVE_INFINITY;
    let nextChange = Number.POSITIVE_INFINITY;
    this.#nextBarrier = Number.POSITIVE_INFINITY;
    for (let inst = view.blockEnd(block) - 1; inst >= view.blockStart(block); inst--) {
      if (this.isLive[inst] === 0) {
        if (this.barriers?.[inst] === 1) this.#nextBarrier = inst;
        continue;
      }
      const effect = memoryEffect(view, inst as Inst);
      this.fate[inst] = this.#decide(inst as Inst, effect, nextAccess, nextChange);
      if (this.fate[inst] === Fate.variable) {
        this.#lastPlace[inst] = inst;
        this.#accessPlace[inst] = inst;
        const variable = this.#variable(inst);
        if (variable !== NONE && view.opcode(inst as Inst) !== Opcode.phi) {
          this.#nextWrite[variable] = inst;
          written.push(variable);
        }
      }
      this.#tellOperands(inst as Inst);
      if (this.barriers?.[inst] === 1) this.#nextBarrier = inst;
      if (effect === 'writes') nextChange = inst;
      if (effect !== 'none') nextAccess = inst;
    }
    for (const variable of written) this.#nextWrite[variable] = Number.POSITIVE_INFINITY;
  }

  /** What an instruction's fate means for the values that it is made of. */
  #tellOperands(inst: Inst): void {
    const { view } = this;
    const isEverywhere = this.fate[inst] === Fate.everywhere;
    for (let index = valueOperandCount(view, inst) - 1; index >= 0; index--) {
      const operand = view.operand(inst, index);
      if (operand < 0) continue;
      const place = this.#lastPlace[inst] as number;
      if (place > (this.#latestUse[operand] as number)) this.#latestUse[operand] = place;
      if (!isEverywhere) continue;
      if (this.#usedAfar[inst] === 1) this.#usedAfar[operand] = 1;
      const depth = (this.#addressDepth[inst] as number) + 1;
      if (depth > (this.#addressDepth[operand] as number)) this.#addressDepth[operand] = depth;
    }
  }

  #decide(inst: Inst, effect: 'none' | 'reads' | 'writes', nextAccess: number, nextChange: number): Fate {
    const { view } = this;
    const opcode = view.opcode(inst);
    const row = opcodeRow(opcode);
    if (opcode === Opcode.alloca) return Fate.everywhere;
    if (opcode === Opcode.phi || row.effects.terminator || row.result === 'none') return Fate.variable;
    const { types } = view.tables;
    const type = view.instructionType(inst);
    if (types.kind(type) === TypeKind.void) return Fate.variable;
    if (opcode === Opcode.insertvalue) this.#markLiteral(inst);
    if (types.isAggregate(type) && !this.#mayInlineAggregate(inst)) return Fate.variable;
    const isRepeated = (this.#useCount[inst] as number) > 1 || this.#usedAfar[inst] === 1;
    if (opcode === Opcode.gep && isRepeated && this.#canRepeat(inst)) return Fate.everywhere;
    if (this.#useCount[inst] !== 1 || this.#usedAfar[inst] === 1) return Fate.variable;
    const user = this.#user[inst] as Inst;
    if (!this.#userTakes(inst, user, effect)) return Fate.variable;
    const userWrites = memoryEffect(view, user) === 'writes';
    const lastPlace = this.#lastPlace[user] as number;
    const accessPlace = userWrites ? user : (this.#accessPlace[user] as number);
    if (effect === 'reads' && nextChange < accessPlace) return Fate.variable;
    if (effect === 'writes' && nextAccess < accessPlace) return Fate.variable;
    // Nothing moves over the barrier of a region (005/L-36).
    if (this.#nextBarrier <= lastPlace) return Fate.variable;
    if (!this.#operandsLast(inst, lastPlace)) return Fate.variable;
    if (!this.#fits(inst, user)) return Fate.variable;
    this.#lastPlace[inst] = lastPlace;
    this.#accessPlace[inst] = accessPlace;
    return Fate.inline;
  }

  /** Whether an aggregate is written where it is used: a load, a call or a literal that is passed, returned or stored. */
  #mayInlineAggregate(inst: Inst): boolean {
    const { view } = this;
    const user = this.#user[inst] as Inst;
    if (this.#useCount[inst] !== 1 || this.#usedAfar[inst] === 1) return false;
    const opcode = view.opcode(inst);
    const userOpcode = view.opcode(user);
    if (this.isLiteral[inst] === 1 && userOpcode === Opcode.insertvalue)
      return this.isLiteral[user] === 1 && (view.operand(user, 0) as number) === inst;
    if (opcode !== Opcode.load && opcode !== Opcode.call && this.isLiteral[inst] === 0) return false;
    if (userOpcode === Opcode.ret || userOpcode === Opcode.call) return true;
    if (userOpcode !== Opcode.store) return false;
    // C forbids to assign an object to one that overlaps it in part.
    return opcode !== Opcode.load || this.#areApart(view.operand(inst, 0), view.operand(user, 1));
  }

  /** Whether two addresses are in different objects: one of them in a local object that the other is not made of. */
  #areApart(left: Value, right: Value): boolean {
    const first = rootOf(this.view, left);
    const second = rootOf(this.view, right);
    const isLocal = (value: Value) =>
      value >= 0 && this.view.opcode(value as number as Inst) === Opcode.alloca;
    return first !== second && (isLocal(first) || isLocal(second));
  }

  /** Marks a chain of insertvalues that sets members of zeros, one each, and that nothing else looks at. */
  #markLiteral(last: Inst): void {
    if (this.isLiteral[last] === 1) return;
    const { view } = this;
    const type = view.instructionType(last);
    if (view.tables.types.kind(type) === TypeKind.union) return;
    const chain: number[] = [];
    const members = new Set<number>();
    let at: Value = last as number as Value;
    while (!isConstantOperand(at)) {
      const inst = at as number as Inst;
      if (view.opcode(inst) !== Opcode.insertvalue || view.operandCount(inst) !== 3) return;
      // As a value an array is a struct, as a member it is not.
      if (view.tables.types.kind(view.valueType(view.operand(inst, 1))) === TypeKind.array) return;
      const isShared = this.#useCount[inst] !== 1 || this.#usedAfar[inst] === 1 || this.isLive[inst] === 0;
      if (inst !== last && isShared) return;
      const member = view.operand(inst, 2);
      if (members.has(member) || members.size >= LONGEST_LITERAL) return;
      members.add(member);
      chain.push(inst);
      at = view.operand(inst, 0);
    }
    const kind = view.tables.constants.kind(operandConstant(at));
    if (kind !== ConstantKind.zero && kind !== ConstantKind.undef) return;
    for (const inst of chain) this.isLiteral[inst] = 1;
  }

  /** Whether the user's C form evaluates this operand exactly once and where the instruction stands in the order of effects. */
  #userTakes(inst: Inst, user: Inst, effect: 'none' | 'reads' | 'writes'): boolean {
    const { view } = this;
    const opcode = view.opcode(user);
    if (opcode === Opcode.extractvalue || opcode === Opcode.cmpxchg) return false;
    if (opcode === Opcode.call && view.operand(user, 0) === (inst as number) && this.#isConstantObject(inst))
      return false;
    if (opcode === Opcode.insertvalue && this.isLiteral[user] === 0) return false;
    if (this.fate[user] === Fate.everywhere) return this.#usedAfar[user] === 0 && isCheapIndex(view, inst);
    const isConditional =
      opcode === Opcode.select ||
      opcode === Opcode.assume ||
      (this.fate[user] === Fate.inline && this.#isConditional[user] === 1);
    if (effect === 'writes' && isConditional) return false;
    this.#isConditional[inst] = isConditional ? 1 : 0;
    return true;
  }

  /**
   * Whether a value is what a constant global holds. GCC takes the name of one for its initializer, and refuses to call a library function
   * by other types than its header's; called through a variable it is a pointer like any other.
   */
  #isConstantObject(inst: Inst): boolean {
    const { tables } = this.view;
    if (this.view.opcode(inst) !== Opcode.load) return false;
    const address = this.view.operand(inst, 0);
    if (!isConstantOperand(address)) return false;
    const constant = operandConstant(address);
    const isGlobal = tables.constants.kind(constant) === ConstantKind.globalAddress;
    return isGlobal && tables.isConstantGlobal(tables.constants.addressee(constant) as GlobalId);
  }

  /** Whether the variables that the value is made of still hold it at the place. */
  #operandsLast(inst: Inst, place: number): boolean {
    for (let index = valueOperandCount(this.view, inst) - 1; index >= 0; index--) {
      const operand = this.view.operand(inst, index);
      if (operand < 0) continue;
      const variable = this.#variable(operand);
      if (variable !== NONE && (this.#nextWrite[variable] as number) < place) return false;
    }
    return true;
  }

  #fits(inst: Inst, user: Inst): boolean {
    // The links of one literal are no operators.
    if (this.isLiteral[inst] === 1 && this.view.opcode(user) === Opcode.insertvalue) return true;
    const isOperator = isWrittenAsOperator(this.view.opcode(inst));
    const depth = (this.fate[user] === Fate.variable ? 0 : (this.#depth[user] as number)) + 1;
    const root = this.#lastPlace[user] as number;
    if (depth > DEEPEST_EXPRESSION) return false;
    if (isOperator && (this.#size[root] as number) >= LARGEST_EXPRESSION) return false;
    this.#depth[inst] = depth;
    if (isOperator) (this.#size[root] as number)++;
    return true;
  }

  /**
   * Whether an address may be written at every use: `p->x` and `a[i]` instead of a variable that points there. Its operands must
   * be variables that are written once, before it (then no path from it to a use writes them again without passing it), or must
   * hold to the last use in its block.
   */
  #canRepeat(inst: Inst): boolean {
    const { view } = this;
    if (this.#usedByPhi[inst] === 1) return false;
    let isStable = true;
    let hasIndex = false;
    for (let index = 0; index < view.operandCount(inst); index++) {
      const operand = view.operand(inst, index);
      if (operand < 0 || view.opcode(operand as number as Inst) === Opcode.alloca) continue;
      const variable = this.#variable(operand);
      if (index > 0) hasIndex = true;
      if (variable === NONE || (this.writes[variable] as number) > 1) isStable = false;
    }
    if (hasIndex && this.#usedAsAddress[inst] === 0) return false;
    const isFew = (this.#useCount[inst] as number) <= MOST_PLACES || !hasIndex;
    if (!isFew) return false;
    if ((this.#addressDepth[inst] as number) > DEEPEST_ADDRESS) return false;
    const isAfar = this.#usedAfar[inst] === 1;
    const lastUse = Math.max(inst, this.#latestUse[inst] as number);
    if (!isStable && (isAfar || !this.#operandsLast(inst, lastUse))) return false;
    this.#lastPlace[inst] = isAfar ? view.instructionCount : lastUse;
    this.#accessPlace[inst] = this.#lastPlace[inst] as number;
    return true;
  }
}

/** Whether the instruction makes a statement longer to read; accesses and casts hardly do. */
function isWrittenAsOperator(opcode: number): boolean {
  const { class: kind } = opcodeRow(opcode);
  return kind !== 'address' && kind !== 'load' && kind !== 'cast';
}

/** What an address is made of: a local object, a constant, or a pointer. */
export function rootOf(view: VirFunction, value: Value): Value {
  let at = value;
  while (!isConstantOperand(at) && at >= 0) {
    const opcode = view.opcode(at as number as Inst);
    if (opcode !== Opcode.gep && opcode !== Opcode.bitcast) return at;
    at = view.operand(at as number as Inst, 0);
  }
  return at;
}

/** Whether the operand is the address that the instruction accesses, or that it indexes. */
function isAddressUse(opcode: number, index: number): boolean {
  if (opcode === Opcode.load || opcode === Opcode.gep) return index === 0;
  return opcode === Opcode.store && index === 1;
}

/** An index that costs nothing to write twice: a widened variable, or one with a constant added. */
function isCheapIndex(view: VirFunction, inst: Inst): boolean {
  const opcode = view.opcode(inst);
  if (opcode === Opcode.sext || opcode === Opcode.zext) return true;
  return (opcode === Opcode.add || opcode === Opcode.sub) && view.operand(inst, 1) < 0;
}
