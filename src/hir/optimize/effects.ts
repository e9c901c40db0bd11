/**
 * What calling each function can do that its caller sees (004 §3): reads and writes of memory, and whether it comes back.
 *
 * The functions are taken from callees to callers, those that call each other in a circle at once (Tarjan 1972, with a stack of its
 * own). Memory that a function's own variables occupy and whose address does not escape is nobody else's.
 */

import { type ConstantId, type FunctionId, NONE, type Node, type TraitSetId } from '../../ir/entities.js';
import type { HirModule } from '../../ir/hir-module.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { Aux, ConstantKind, HIR_VARIABLE, Linkage } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import type { VariableUses } from './uses.js';

/** What a function may do, as bits. */
export const Effect = { reads: 1, writes: 2, mayNotReturn: 4, mayThrow: 8, all: 15 } as const;

/** Traits of a function whose body is not to be looked into. */
const CLOSED = [Trait.complex, Trait.NoOptimize];

/** Kinds of nodes that do nothing of their own that a caller sees. Whoever adds a kind says here what it does; until then it does everything. */
const QUIET: readonly number[] = [
  NodeKind.constant,
  NodeKind.address,
  NodeKind.logicalAnd,
  NodeKind.logicalOr,
  NodeKind.conditional,
  NodeKind.block,
  NodeKind.if,
  NodeKind.switch,
  NodeKind.case,
  NodeKind.default,
  NodeKind.break,
  NodeKind.continue,
  NodeKind.return,
  NodeKind.defer,
];

/** Traits of a variable that make each access of it one that others see. */
const SEEN = [Trait.isVolatile, Trait.isAtomic, Trait.isRuntimeMutable, Trait.escapes];

/** What one body does itself, and whom it calls by name. */
interface OwnEffects {
  /** Whether they come from the body, and not from what its author says. */
  readonly isKnown: boolean;
  readonly effects: number;
  readonly callees: readonly FunctionId[];
}

/** The effects of every function of a module, by its number. Linear in the nodes and calls. */
export function findEffects(module: HirModule, usesOf: (id: FunctionId) => VariableUses): Uint8Array {
  const count = module.functionCount;
  const own = Array.from({ length: count }, (_, id) => ownEffects(module, id as FunctionId, usesOf));
  const effects = Uint8Array.from(own, (item) => item.effects);
  for (const component of components(own)) {
    let all = component.length > 1 ? Effect.mayNotReturn : 0;
    for (const id of component) {
      const { callees } = own[id] as OwnEffects;
      all |= effects[id] as number;
      for (const callee of callees) all |= callee === id ? Effect.mayNotReturn : (effects[callee] as number);
    }
    // What the author says beyond that holds too (002/T-7).
    for (const id of component)
      if ((own[id] as OwnEffects).isKnown) effects[id] = all & declaredEffects(module, id as FunctionId);
  }
  return effects;
}

/** What the author says of a function that is not here, or that may be another one when the program is linked. */
function declaredEffects(module: HirModule, id: FunctionId): number {
  const { tables } = module;
  const { traitSets } = tables;
  const traits = tables.functionTraits(id);
  const bit = (trait: number, effect: number) => (traitSets.has(traits, trait) ? 0 : effect);
  return (
    (traitSets.has(traits, Trait.NoReturn) ? Effect.mayNotReturn : 0) |
    bit(Trait.NoRead, Effect.reads) |
    bit(Trait.NoWrite, Effect.writes) |
    bit(Trait.WillReturn, Effect.mayNotReturn) |
    bit(Trait.NoThrow, Effect.mayThrow)
  );
}

function ownEffects(module: HirModule, id: FunctionId, usesOf: (id: FunctionId) => VariableUses): OwnEffects {
  const { tables } = module;
  const isElsewhere = !module.hasBody(id) || tables.functionLinkage(id) === Linkage.weak;
  const isClosed = CLOSED.some((trait) => tables.traitSets.has(tables.functionTraits(id), trait));
  if (isElsewhere || isClosed) return { isKnown: false, effects: declaredEffects(module, id), callees: [] };
  const uses = usesOf(id);
  const first = module.firstVariable(id);
  const callees: FunctionId[] = [];
  let effects = 0;
  const work: Node[] = [module.body(id)];
  while (work.length > 0) {
    const node = work.pop() as Node;
    effects |= effectOf(module, node, uses, first, callees);
    for (let child = module.firstChild(node); child !== NONE; child = module.nextSibling(child))
      work.push(child);
  }
  return { isKnown: true, effects, callees };
}

function effectOf(
  module: HirModule,
  node: Node,
  uses: VariableUses,
  firstVariable: number,
  callees: FunctionId[],
): number {
  switch (module.kind(node)) {
    case NodeKind.while:
    case NodeKind.doWhile:
    case NodeKind.for:
    case NodeKind.goto:
    case NodeKind.unreachable:
      return Effect.mayNotReturn;
    case NodeKind.variable:
    case NodeKind.declare:
    case NodeKind.assign:
      return variableEffect(module, module.a(node), uses, firstVariable);
    case NodeKind.operation:
      return operationEffect(module, node, uses, firstVariable, callees);
    default:
      return QUIET.includes(module.kind(node)) ? 0 : Effect.all;
  }
}

/** A volatile access is an effect; a variable that escapes is memory like any other. */
function variableEffect(
  { tables, variables }: HirModule,
  variable: number,
  uses: VariableUses,
  firstVariable: number,
): number {
  const traits = variables.get(variable, HIR_VARIABLE.traits) as TraitSetId;
  const isSeen = SEEN.some((trait) => tables.traitSets.has(traits, trait));
  return isSeen || uses.escapes[variable - firstVariable] === 1 ? Effect.reads | Effect.writes : 0;
}

function operationEffect(
  module: HirModule,
  node: Node,
  uses: VariableUses,
  firstVariable: number,
  callees: FunctionId[],
): number {
  const opcode = module.a(node);
  if (opcode === Opcode.call) {
    const callee = namedCallee(module, module.firstChild(node));
    if (callee === NONE) return Effect.all;
    callees.push(callee);
    return 0;
  }
  const { reads, writes } = opcodeRow(opcode).effects;
  if (!reads && !writes) return 0;
  const isOrdered =
    opcodeRow(opcode).aux === 'memory' &&
    (Math.max(0, module.b(node)) & (Aux.volatile | Aux.orderingMask)) !== 0;
  if (isOrdered || opcode === Opcode.fence) return Effect.reads | Effect.writes;
  const children = module.children(node);
  const places =
    opcode === Opcode.store ? children.slice(1) : children.slice(0, opcode === Opcode.memset ? 1 : 2);
  const pointers = opcode === Opcode.load ? children.slice(0, 1) : places;
  const isOwn = pointers.every((pointer) => isOwnObject(module, pointer, uses, firstVariable));
  return isOwn ? 0 : (reads ? Effect.reads : 0) | (writes ? Effect.writes : 0);
}

/** Whether an address leads into a variable of the function that nobody else knows. */
function isOwnObject(module: HirModule, pointer: Node, uses: VariableUses, firstVariable: number): boolean {
  let node = pointer;
  while (
    module.kind(node) === NodeKind.operation &&
    (module.a(node) === Opcode.gep || module.a(node) === Opcode.bitcast)
  )
    node = module.firstChild(node);
  return module.kind(node) === NodeKind.address && uses.escapes[module.a(node) - firstVariable] !== 1;
}

/** The function that a callee names, or NONE. */
function namedCallee(module: HirModule, node: Node): FunctionId {
  const { constants } = module.tables;
  if (module.kind(node) !== NodeKind.constant) return NONE as FunctionId;
  const constant = module.a(node) as ConstantId;
  if (constants.kind(constant) !== ConstantKind.functionAddress) return NONE as FunctionId;
  return constants.addressee(constant) as FunctionId;
}

/** Functions that call each other, callees first. */
function components(own: readonly OwnEffects[]): number[][] {
  const order = new Int32Array(own.length).fill(NONE);
  const low = new Int32Array(own.length);
  const isOpen = new Uint8Array(own.length);
  const open: number[] = [];
  const result: number[][] = [];
  let count = 0;
  for (let root = 0; root < own.length; root++) {
    if (order[root] !== NONE) continue;
    const path: { readonly id: number; next: number }[] = [{ id: root, next: 0 }];
    while (path.length > 0) {
      const step = path[path.length - 1] as { readonly id: number; next: number };
      const { id } = step;
      if (step.next === 0) {
        order[id] = low[id] = count++;
        isOpen[id] = 1;
        open.push(id);
      }
      const callee = (own[id] as OwnEffects).callees[step.next++];
      if (callee === undefined) {
        path.pop();
        const caller = path[path.length - 1]?.id;
        if (caller !== undefined) low[caller] = Math.min(low[caller] as number, low[id] as number);
        if (low[id] === order[id]) result.push(closeComponent(open, isOpen, id));
      } else if (order[callee] === NONE) {
        path.push({ id: callee, next: 0 });
      } else if (isOpen[callee] === 1) {
        low[id] = Math.min(low[id] as number, order[callee] as number);
      }
    }
  }
  return result;
}

function closeComponent(open: number[], isOpen: Uint8Array, root: number): number[] {
  const component: number[] = [];
  for (;;) {
    const id = open.pop() as number;
    isOpen[id] = 0;
    component.push(id);
    if (id === root) return component;
  }
}
