/**
 * The border check of lowering: every index, count and link of the HIR tables, once, before any algorithm reads them
 * (design: "The buffers"). Twin: native/core/validate-hir.cc.
 *
 * What then holds: every node has at most one parent or elder sibling, so that the children of a node and the tree of a function
 * are finite; every child stands where its kind may stand; every column that lowering uses as an index is in range; every trait set
 * that an entity bears was stated for what the entity now is, and does not contradict itself (005/L-1, L-4). Types of operands are
 * the verifier's business: lowering copies them. Linear in the tables.
 */

import { NONE } from '../ir/entities.js';
import { NODE_KINDS, NodeKind } from '../ir/node-kinds.js';
import { OPCODES, Opcode } from '../ir/opcodes.js';
import {
  Aux,
  CONSTANT,
  CoreFaultNumber,
  FUNCTION,
  HIR_FUNCTION,
  HIR_NODE,
  HIR_VARIABLE,
  TRAIT_SET,
  TYPE,
  TypeKind,
} from '../ir/schema.js';
import { CONTRADICTION_MASKS, Trait } from '../traits/trait-table.js';
import { reportFault } from './border.js';

/** The inputs of lowering, by their place in the list. */
export const LowerInput = {
  nodes: 0,
  variables: 1,
  functions: 2,
  types: 3,
  constants: 4,
  traitSets: 5,
  signatures: 6,
  count: 7,
} as const;

/** Row length of each input. */
const STRIDES = [
  HIR_NODE.stride,
  HIR_VARIABLE.stride,
  HIR_FUNCTION.stride,
  TYPE.stride,
  CONSTANT.stride,
  TRAIT_SET.stride,
  FUNCTION.stride,
];

/** The letters of `NodeKindRow.children`, each a bit. */
const LETTERS = 'esba';

function letterBit(letter: string): number {
  return 1 << LETTERS.indexOf(letter);
}

/** What a node of a kind may stand for. */
function lettersOf(kind: number): number {
  const category = NODE_KINDS[kind]?.category;
  if (category === 'expression') return letterBit('e') | letterBit('s');
  if (category === 'arm') return letterBit('a');
  return letterBit('s') | (kind === NodeKind.block ? letterBit('b') : 0);
}

/** Words of a pattern: the letters before the star, four bits each, the first lowest; how many; the starred letter, and the one behind it. */
const Pattern = { leading: 0, leadingCount: 1, starred: 2, last: 3, stride: 4 } as const;

/** For each kind, `NodeKindRow.children` as a pattern. At most seven letters stand before the starred one, and one behind it. */
function childPatterns(): Int32Array {
  const result = new Int32Array(NODE_KINDS.length * Pattern.stride);
  for (let kind = 0; kind < NODE_KINDS.length; kind++) {
    const text = NODE_KINDS[kind]?.children ?? '';
    const at = kind * Pattern.stride;
    const star = text.indexOf('*');
    const count = star < 0 ? text.length : star - 1;
    for (let index = 0; index < count; index++) {
      result[at + Pattern.leading] =
        (result[at + Pattern.leading] as number) | (letterBit(text.charAt(index)) << (4 * index));
    }
    result[at + Pattern.leadingCount] = count;
    if (star < 0) continue;
    result[at + Pattern.starred] = letterBit(text.charAt(star - 1));
    result[at + Pattern.last] = letterBit(text.charAt(star + 1 < text.length ? star + 1 : star - 1));
  }
  return result;
}

const PATTERNS = childPatterns();
const LETTERS_OF = Uint8Array.from(NODE_KINDS, (_, kind) => lettersOf(kind));
const MINIMUM_CHILDREN = Float64Array.from(NODE_KINDS, ({ minimumChildren }) => minimumChildren);
const MAXIMUM_CHILDREN = Float64Array.from(NODE_KINDS, ({ maximumChildren }) => maximumChildren);

/** Whether the opcode may stand in an operation: all but those that lowering itself makes. */
function isOperationOpcode(opcode: number): boolean {
  return (
    opcode >= 0 &&
    opcode < OPCODES.length &&
    opcode !== Opcode.param &&
    opcode !== Opcode.phi &&
    opcode !== Opcode.alloca &&
    opcode < Opcode.br
  );
}

function isIndex(value: number, count: number): boolean {
  return value >= 0 && value < count;
}

function isIndexOrNone(value: number, count: number): boolean {
  return value >= NONE && value < count;
}

/** Checks that every table is a whole number of rows. */
function validateLengths(inputs: readonly Int32Array[], header: Int32Array): boolean {
  for (let table = 0; table < LowerInput.count; table++) {
    if ((inputs[table] as Int32Array).length % (STRIDES[table] as number) !== 0) {
      reportFault(header, CoreFaultNumber.partialRow, table);
      return false;
    }
  }
  return true;
}

/** Checks that there is one signature a function, of a function type whose result exists. */
function validateSignatures(inputs: readonly Int32Array[], header: Int32Array): boolean {
  const signatures = inputs[LowerInput.signatures] as Int32Array;
  const types = inputs[LowerInput.types] as Int32Array;
  const typeCount = types.length / TYPE.stride;
  const functionCount = (inputs[LowerInput.functions] as Int32Array).length / HIR_FUNCTION.stride;
  if (signatures.length / FUNCTION.stride !== functionCount) {
    reportFault(header, CoreFaultNumber.rowCount, LowerInput.signatures);
    return false;
  }
  const traitSetCount = (inputs[LowerInput.traitSets] as Int32Array).length / TRAIT_SET.stride;
  for (let id = 0; id < functionCount; id++) {
    const type = signatures[id * FUNCTION.stride + FUNCTION.type] as number;
    const isValid =
      isIndex(type, typeCount) &&
      types[type * TYPE.stride + TYPE.kind] === TypeKind.function &&
      isIndex(types[type * TYPE.stride + TYPE.c] as number, typeCount) &&
      isIndexOrNone(signatures[id * FUNCTION.stride + FUNCTION.traits] as number, traitSetCount);
    if (!isValid) {
      reportFault(header, CoreFaultNumber.index, LowerInput.signatures, id);
      return false;
    }
  }
  return true;
}

/** Checks the columns of every variable. */
function validateVariables(inputs: readonly Int32Array[], header: Int32Array): boolean {
  const variables = inputs[LowerInput.variables] as Int32Array;
  const functionCount = (inputs[LowerInput.functions] as Int32Array).length / HIR_FUNCTION.stride;
  const typeCount = (inputs[LowerInput.types] as Int32Array).length / TYPE.stride;
  const constantCount = (inputs[LowerInput.constants] as Int32Array).length / CONSTANT.stride;
  const traitSetCount = (inputs[LowerInput.traitSets] as Int32Array).length / TRAIT_SET.stride;
  const nodeCount = (inputs[LowerInput.nodes] as Int32Array).length / HIR_NODE.stride;
  for (let at = 0; at < variables.length; at += HIR_VARIABLE.stride) {
    const isValid =
      isIndex(variables[at + HIR_VARIABLE.type] as number, typeCount) &&
      isIndex(variables[at + HIR_VARIABLE.slotType] as number, typeCount) &&
      isIndex(variables[at + HIR_VARIABLE.undef] as number, constantCount) &&
      isIndex(variables[at + HIR_VARIABLE.traits] as number, traitSetCount) &&
      isIndex(variables[at + HIR_VARIABLE.owner] as number, functionCount) &&
      isIndexOrNone(variables[at + HIR_VARIABLE.declaration] as number, nodeCount);
    if (!isValid) {
      reportFault(header, CoreFaultNumber.index, LowerInput.variables, at / HIR_VARIABLE.stride);
      return false;
    }
  }
  return true;
}

/** How many rows the tables have that columns of nodes point into. */
interface RowCounts {
  readonly nodes: number;
  readonly variables: number;
  readonly types: number;
  readonly constants: number;
  readonly traitSets: number;
}

function countRows(inputs: readonly Int32Array[]): RowCounts {
  return {
    nodes: (inputs[LowerInput.nodes] as Int32Array).length / HIR_NODE.stride,
    variables: (inputs[LowerInput.variables] as Int32Array).length / HIR_VARIABLE.stride,
    types: (inputs[LowerInput.types] as Int32Array).length / TYPE.stride,
    constants: (inputs[LowerInput.constants] as Int32Array).length / CONSTANT.stride,
    traitSets: (inputs[LowerInput.traitSets] as Int32Array).length / TRAIT_SET.stride,
  };
}

/** What column a means for each kind, in the words of `NodeKindRow.a`. */
const MEANING_OF_A = NODE_KINDS.map((kind) => kind.a);

/** Checks the columns of a node that do not depend on other nodes. */
function validateNodeColumns(
  nodes: Int32Array,
  counts: RowCounts,
  header: Int32Array,
  node: number,
): boolean {
  const at = node * HIR_NODE.stride;
  const kind = nodes[at + HIR_NODE.kind] as number;
  if (!isIndex(kind, NODE_KINDS.length)) {
    reportFault(header, CoreFaultNumber.kind, LowerInput.nodes, node);
    return false;
  }
  const a = nodes[at + HIR_NODE.a] as number;
  let isValid =
    isIndex(nodes[at + HIR_NODE.type] as number, counts.types) &&
    isIndexOrNone(nodes[at + HIR_NODE.firstChild] as number, counts.nodes) &&
    isIndexOrNone(nodes[at + HIR_NODE.nextSibling] as number, counts.nodes) &&
    isIndexOrNone(nodes[at + HIR_NODE.traits] as number, counts.traitSets);
  const meaning = MEANING_OF_A[kind];
  if (meaning === 'constant') {
    const b = nodes[at + HIR_NODE.b] as number;
    isValid &&= isIndex(a, counts.constants) && isIndexOrNone(b, counts.constants);
  } else if (meaning === 'variable') {
    isValid &&= isIndex(a, counts.variables);
  } else if (meaning === 'target') {
    isValid &&= isIndexOrNone(a, counts.nodes);
  }
  if (!isValid) {
    reportFault(header, CoreFaultNumber.index, LowerInput.nodes, node);
    return false;
  }
  if (meaning === 'opcode' && !isOperationOpcode(a)) {
    reportFault(header, CoreFaultNumber.opcode, LowerInput.nodes, node);
    return false;
  }
  return true;
}

/** Counts a use of a node as child, sibling or body; a second one means a shared or cyclic tree. */
function markUsed(used: Uint8Array, header: Int32Array, node: number): boolean {
  if (node === NONE) return true;
  if (used[node] !== 0) {
    reportFault(header, CoreFaultNumber.shape, LowerInput.nodes, node);
    return false;
  }
  used[node] = 1;
  return true;
}

/** Checks every function's body and range of variables, and marks the bodies as used. */
function validateFunctions(inputs: readonly Int32Array[], header: Int32Array, used: Uint8Array): boolean {
  const functions = inputs[LowerInput.functions] as Int32Array;
  const nodes = inputs[LowerInput.nodes] as Int32Array;
  const variables = inputs[LowerInput.variables] as Int32Array;
  const variableTotal = variables.length / HIR_VARIABLE.stride;
  for (let id = 0; id * HIR_FUNCTION.stride < functions.length; id++) {
    const at = id * HIR_FUNCTION.stride;
    const body = functions[at + HIR_FUNCTION.body] as number;
    const first = functions[at + HIR_FUNCTION.firstVariable] as number;
    const count = functions[at + HIR_FUNCTION.variableCount] as number;
    const parameterCount = functions[at + HIR_FUNCTION.parameterCount] as number;
    const isInRange =
      isIndexOrNone(body, nodes.length / HIR_NODE.stride) &&
      first >= 0 &&
      count >= 0 &&
      count <= variableTotal - first &&
      parameterCount >= 0 &&
      parameterCount <= count;
    if (!isInRange) {
      reportFault(header, CoreFaultNumber.index, LowerInput.functions, id);
      return false;
    }
    if (body !== NONE && nodes[body * HIR_NODE.stride + HIR_NODE.kind] !== NodeKind.block) {
      reportFault(header, CoreFaultNumber.category, LowerInput.functions, id);
      return false;
    }
    for (let variable = first; variable < first + count; variable++) {
      if (variables[variable * HIR_VARIABLE.stride + HIR_VARIABLE.owner] !== id) {
        reportFault(header, CoreFaultNumber.owner, LowerInput.variables, variable);
        return false;
      }
    }
    if (!markUsed(used, header, body)) return false;
  }
  return true;
}

/** How many children a node has. Requires that links form chains without a cycle. */
function countChildren(nodes: Int32Array, node: number): number {
  let count = 0;
  let child = nodes[node * HIR_NODE.stride + HIR_NODE.firstChild] as number;
  while (child !== NONE) {
    count++;
    child = nodes[child * HIR_NODE.stride + HIR_NODE.nextSibling] as number;
  }
  return count;
}

/** Checks the number and the categories of a node's children. Requires what `countChildren` does. */
function validateChildren(nodes: Int32Array, header: Int32Array, node: number): boolean {
  const kind = nodes[node * HIR_NODE.stride + HIR_NODE.kind] as number;
  const pattern = kind * Pattern.stride;
  let leading = PATTERNS[pattern + Pattern.leading] as number;
  const starred = PATTERNS[pattern + Pattern.starred] as number;
  let child = nodes[node * HIR_NODE.stride + HIR_NODE.firstChild] as number;
  let misplaced = NONE;
  let count = 0;
  while (child !== NONE) {
    const next = nodes[child * HIR_NODE.stride + HIR_NODE.nextSibling] as number;
    let allowed = leading & 15;
    if (count >= (PATTERNS[pattern + Pattern.leadingCount] as number))
      allowed = next === NONE ? (PATTERNS[pattern + Pattern.last] as number) : starred;
    const letters = LETTERS_OF[nodes[child * HIR_NODE.stride + HIR_NODE.kind] as number] as number;
    if ((letters & allowed) === 0) {
      misplaced = child;
      break;
    }
    leading >>>= 4;
    count++;
    child = next;
  }
  if (misplaced !== NONE) count = countChildren(nodes, node);
  if (count < (MINIMUM_CHILDREN[kind] as number) || count > (MAXIMUM_CHILDREN[kind] as number)) {
    reportFault(header, CoreFaultNumber.arity, LowerInput.nodes, node);
    return false;
  }
  if (misplaced === NONE) return true;
  reportFault(header, CoreFaultNumber.category, LowerInput.nodes, misplaced);
  return false;
}

/** Per trait set, 1 where two of its traits with a bit in the mask contradict each other. */
function contradictorySets(inputs: readonly Int32Array[]): Uint8Array {
  const sets = inputs[LowerInput.traitSets] as Int32Array;
  const result = new Uint8Array(sets.length / TRAIT_SET.stride);
  for (let set = 0; set < result.length; set++) {
    const mask = sets[set * TRAIT_SET.stride + TRAIT_SET.mask] as number;
    for (let trait = 0; trait < CONTRADICTION_MASKS.length; trait++) {
      const isHeld = ((mask >>> trait) & 1) !== 0;
      if (isHeld && (mask & (CONTRADICTION_MASKS[trait] as number)) !== 0) result[set] = 1;
    }
  }
  return result;
}

/** Checks that the traits of a row are fresh and free of contradiction. `set` may be NONE. */
function validateTraitsOf(
  header: Int32Array,
  table: number,
  row: number,
  isFresh: boolean,
  contradictory: Uint8Array,
  set: number,
): boolean {
  if (!isFresh) {
    reportFault(header, CoreFaultNumber.staleTraits, table, row);
    return false;
  }
  if (set !== NONE && contradictory[set] !== 0) {
    reportFault(header, CoreFaultNumber.contradictoryTraits, table, row);
    return false;
  }
  return true;
}

/** Whether a variable is accessed as its traits say: volatile where it is, atomic where it is. */
function isAccessedAsStated(inputs: readonly Int32Array[], at: number): boolean {
  const variables = inputs[LowerInput.variables] as Int32Array;
  const set = variables[at + HIR_VARIABLE.traits] as number;
  const mask = (inputs[LowerInput.traitSets] as Int32Array)[
    set * TRAIT_SET.stride + TRAIT_SET.mask
  ] as number;
  const access = variables[at + HIR_VARIABLE.access] as number;
  const isVolatile = (mask & (1 << Trait.isVolatile)) !== 0;
  const isAtomic = (mask & (1 << Trait.isAtomic)) !== 0;
  return isVolatile === ((access & Aux.volatile) !== 0) && isAtomic === ((access & Aux.orderingMask) !== 0);
}

/** Per node, 1 where it stands in the body of a function. Requires that links form trees. */
function reachedNodes(inputs: readonly Int32Array[]): Uint8Array {
  const nodes = inputs[LowerInput.nodes] as Int32Array;
  const functions = inputs[LowerInput.functions] as Int32Array;
  const reached = new Uint8Array(nodes.length / HIR_NODE.stride);
  const stack: number[] = [];
  for (let at = 0; at < functions.length; at += HIR_FUNCTION.stride) {
    const body = functions[at + HIR_FUNCTION.body] as number;
    if (body === NONE) continue;
    // What stands beside a body stands in no function.
    reached[body] = 1;
    const first = nodes[body * HIR_NODE.stride + HIR_NODE.firstChild] as number;
    if (first !== NONE) stack.push(first);
  }
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    reached[node] = 1;
    const first = nodes[node * HIR_NODE.stride + HIR_NODE.firstChild] as number;
    const next = nodes[node * HIR_NODE.stride + HIR_NODE.nextSibling] as number;
    if (first !== NONE) stack.push(first);
    if (next !== NONE) stack.push(next);
  }
  return reached;
}

/** Checks the traits of all functions and variables (005/L-4). */
function validateTraits(
  inputs: readonly Int32Array[],
  header: Int32Array,
  contradictory: Uint8Array,
): boolean {
  const functions = inputs[LowerInput.functions] as Int32Array;
  const signatures = inputs[LowerInput.signatures] as Int32Array;
  const variables = inputs[LowerInput.variables] as Int32Array;
  for (let id = 0; id * HIR_FUNCTION.stride < functions.length; id++) {
    const at = id * HIR_FUNCTION.stride;
    const isFresh = functions[at + HIR_FUNCTION.epoch] === functions[at + HIR_FUNCTION.statedEpoch];
    const set = signatures[id * FUNCTION.stride + FUNCTION.traits] as number;
    if (!validateTraitsOf(header, LowerInput.functions, id, isFresh, contradictory, set)) return false;
  }
  for (let row = 0; row * HIR_VARIABLE.stride < variables.length; row++) {
    const at = row * HIR_VARIABLE.stride;
    const isFresh = variables[at + HIR_VARIABLE.epoch] === variables[at + HIR_VARIABLE.statedEpoch];
    const set = variables[at + HIR_VARIABLE.traits] as number;
    if (!validateTraitsOf(header, LowerInput.variables, row, isFresh, contradictory, set)) return false;
    if (!isAccessedAsStated(inputs, at)) {
      reportFault(header, CoreFaultNumber.accessAgainstTraits, LowerInput.variables, row);
      return false;
    }
  }
  return true;
}

/** Whether the traits of a node are fresh and free of contradiction. */
function hasSoundTraits(nodes: Int32Array, node: number, contradictory: Uint8Array): boolean {
  const at = node * HIR_NODE.stride;
  const set = nodes[at + HIR_NODE.traits] as number;
  return (
    nodes[at + HIR_NODE.epoch] === nodes[at + HIR_NODE.statedEpoch] &&
    (set === NONE || contradictory[set] === 0)
  );
}

/** Checks the traits of the nodes that are reached: what a rewrite has cut off is nobody's. */
function validateNodeTraits(
  inputs: readonly Int32Array[],
  header: Int32Array,
  contradictory: Uint8Array,
): boolean {
  const nodes = inputs[LowerInput.nodes] as Int32Array;
  const reached = reachedNodes(inputs);
  for (let node = 0; node < reached.length; node++) {
    if (reached[node] === 0 || hasSoundTraits(nodes, node, contradictory)) continue;
    const at = node * HIR_NODE.stride;
    const isFresh = nodes[at + HIR_NODE.epoch] === nodes[at + HIR_NODE.statedEpoch];
    const set = nodes[at + HIR_NODE.traits] as number;
    return validateTraitsOf(header, LowerInput.nodes, node, isFresh, contradictory, set);
  }
  return true;
}

/** Checks all inputs of lowering and reports the first fault in the header. */
export function validateHir(inputs: readonly Int32Array[], header: Int32Array): boolean {
  if (!validateLengths(inputs, header) || !validateSignatures(inputs, header)) return false;
  if (!validateVariables(inputs, header)) return false;
  const nodes = inputs[LowerInput.nodes] as Int32Array;
  const counts = countRows(inputs);
  const used = new Uint8Array(counts.nodes);
  if (!validateFunctions(inputs, header, used)) return false;
  for (let node = 0; node < counts.nodes; node++) {
    if (!validateNodeColumns(nodes, counts, header, node)) return false;
    if (!markUsed(used, header, nodes[node * HIR_NODE.stride + HIR_NODE.firstChild] as number)) return false;
    if (!markUsed(used, header, nodes[node * HIR_NODE.stride + HIR_NODE.nextSibling] as number)) return false;
  }
  const contradictory = contradictorySets(inputs);
  let isSound = true;
  for (let node = 0; node < counts.nodes; node++) {
    if (!validateChildren(nodes, header, node)) return false;
    if (!hasSoundTraits(nodes, node, contradictory)) isSound = false;
  }
  if (!validateTraits(inputs, header, contradictory)) return false;
  return isSound || validateNodeTraits(inputs, header, contradictory);
}
