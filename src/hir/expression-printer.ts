/** Writes expressions as `.hir` text, with a work list instead of recursion. */

import { type ConstantId, type FunctionId, NONE, type Node, type TypeId } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { auxFailureOrdering, auxOrdering } from '../ir/memory-rules.js';
import { NodeKind } from '../ir/node-kinds.js';
import { opcodeRow } from '../ir/opcodes.js';
import {
  ATOMIC_OPERATIONS,
  Aux,
  ConstantKind,
  FLOAT_PREDICATES,
  HIR_NODE,
  INTEGER_PREDICATES,
  POSITION,
} from '../ir/schema.js';
import type { ModulePrinter } from '../ir/text/module-printer.js';
import { quotedName } from '../types/type-table.js';
import { fitsPlace, logicalPlace, operandPlace, type PlaceType } from './text-forms.js';

/** What the bodies of one function are written with. */
export interface FunctionTexts {
  readonly hir: HirModule;
  readonly printer: ModulePrinter;
  /** The text of each variable without `%`, by its place among the function's. */
  readonly variables: readonly string[];
  readonly firstVariable: number;
}

/** An expression that is still to be written. */
interface Pending {
  readonly node: Node;
  readonly place: PlaceType;
  /** The position of what it stands in: the same one is not written again. */
  readonly outer: number;
}

/** An expression that stands where `place` says, within something at the position `outer`. */
export function expressionText(texts: FunctionTexts, node: Node, place: PlaceType, outer: number): string {
  const parts: string[] = [];
  const work: (Pending | string)[] = [{ node, place, outer }];
  while (work.length > 0) {
    const next = work.pop() as Pending | string;
    if (typeof next === 'string') parts.push(next);
    else pushPieces(texts, next, work);
  }
  return parts.join('');
}

/** The constants from that of `node` to `last`, as one item of a case that chooses by values of `type`. */
export function rangeText(
  texts: FunctionTexts,
  node: Node,
  last: ConstantId,
  type: TypeId,
  outer: number,
): string {
  const first = constantText(texts, { node, place: type, outer });
  const text = `${first}..${texts.printer.constant(last)}${nodeAnnotations(texts, node, outer)}`;
  // The position at the end of the line is that of the arm.
  return samePlace(texts, texts.hir.nodes.get(node, HIR_NODE.position), outer) ? text : `(${text})`;
}

/** ` as %name #[…] !12:5`: what may follow any node; the position only where it is not that of what surrounds it. */
export function nodeAnnotations(texts: FunctionTexts, node: Node, outer: number): string {
  const { hir } = texts;
  const name = hir.nodes.get(node, HIR_NODE.name);
  const named = name === NONE ? '' : ` as %${quotedName(hir.tables.names.text(name))}`;
  const position = hir.nodes.get(node, HIR_NODE.position);
  return named + traitsOfNode(texts, node) + positionText(texts, position, outer);
}

/** ` #[…]` of a node, or ` #stale[…]`; nothing for the empty set. */
export function traitsOfNode({ hir, printer }: FunctionTexts, node: Node): string {
  return printer.traits(hir.epochs.stated('node', node), hir.epochs.isStale('node', node));
}

/** A position that is written only where it differs from the one around it. */
export function positionText(texts: FunctionTexts, position: number, outer: number): string {
  if (samePlace(texts, position, outer)) return '';
  return position === NONE ? ' !none' : texts.printer.position(position);
}

function samePlace(texts: FunctionTexts, first: number, second: number): boolean {
  if (first === second) return true;
  if (first === NONE || second === NONE) return false;
  const { positions } = texts.hir.tables;
  return [POSITION.file, POSITION.line, POSITION.column].every(
    (column) => positions.get(first, column) === positions.get(second, column),
  );
}

/** The text of a variable, `%` included. */
export function variableText(texts: FunctionTexts, variable: number): string {
  return `%${texts.variables[variable - texts.firstVariable] ?? '0'}`;
}

/** Puts one level of an expression on the work list, last piece first. */
function pushPieces(texts: FunctionTexts, pending: Pending, work: (Pending | string)[]): void {
  const { hir } = texts;
  const { node, outer } = pending;
  const kind = hir.kind(node);
  const end = nodeAnnotations(texts, node, outer);
  if (kind === NodeKind.constant) work.push(constantText(texts, pending) + end);
  else if (kind === NodeKind.variable) work.push(variableText(texts, hir.a(node)) + end);
  else if (kind === NodeKind.address) work.push(`&${variableText(texts, hir.a(node))}${end}`);
  else pushChildren(texts, node, end, work);
}

function constantText(texts: FunctionTexts, pending: Pending): string {
  const { hir, printer } = texts;
  const { tables } = hir;
  const constant = hir.a(pending.node) as never;
  const value = printer.constant(constant);
  const type = tables.constants.type(constant);
  return fitsPlace(tables, type, pending.place) ? value : `const ${printer.type(type)} ${value}`;
}

function pushChildren(texts: FunctionTexts, node: Node, end: string, work: (Pending | string)[]): void {
  const { hir } = texts;
  const { tables } = hir;
  const isOperation = hir.kind(node) === NodeKind.operation;
  const opcode = hir.a(node);
  const written = isOperation ? writtenType(hir, node) : hir.type(node);
  const outer = hir.nodes.get(node, HIR_NODE.position);
  const children = hir.children(node);
  const isDirect = isOperation && isDirectCall(hir, node);
  const head = isOperation ? operationHead(texts, node, written, isDirect) : logicalHead(texts, node);
  const first = isDirect ? 1 : 0;
  const hasList = !isOperation || opcodeRow(opcode).class !== 'fence';
  work.push((isOperation ? operationTail(texts, node) : '') + end);
  if (hasList) work.push(')');
  for (let index = children.length - 1; index >= first; index--) {
    const child = children[index] as Node;
    const place = isOperation
      ? operandPlace(tables, opcode, written, hir.b(node), index)
      : logicalPlace(tables, hir.kind(node), written, index);
    work.push({ node: child, place, outer });
    if (index > first) work.push(', ');
  }
  work.push(hasList ? `${head} (` : head);
}

function logicalHead(texts: FunctionTexts, node: Node): string {
  const { hir, printer } = texts;
  switch (hir.kind(node)) {
    case NodeKind.logicalAnd:
      return 'andalso';
    case NodeKind.logicalOr:
      return 'orelse';
    default:
      return `cond ${printer.type(hir.type(node))}`;
  }
}

/** The type before the operands, from which those of constant operands follow. */
function writtenType(hir: HirModule, node: Node): TypeId {
  const { class: opcodeClass } = opcodeRow(hir.a(node));
  const operand = (index: number) => {
    const child = hir.children(node)[index];
    return child === undefined ? hir.type(node) : hir.type(child);
  };
  switch (opcodeClass) {
    case 'integerOverflow':
    case 'integerCompare':
    case 'floatCompare':
    case 'store':
      return operand(0);
    case 'compareExchange':
    case 'atomicUpdate':
      return operand(1);
    case 'address':
      return hir.b(node) as TypeId;
    default:
      return hir.type(node);
  }
}

/** Whether the callee is a function of exactly the type that the call says. */
function isDirectCall(hir: HirModule, node: Node): boolean {
  if (opcodeRow(hir.a(node)).class !== 'call') return false;
  const { constants, types } = hir.tables;
  const callee = hir.firstChild(node);
  if (callee === NONE || hir.kind(callee) !== NodeKind.constant) return false;
  const constant = hir.a(callee) as never;
  if (constants.kind(constant) !== ConstantKind.functionAddress) return false;
  const type = constants.type(constant);
  const signature = hir.tables.functionType(constants.addressee(constant) as FunctionId);
  return signature === hir.b(node) && types.pointee(type) === signature;
}

function operationHead(texts: FunctionTexts, node: Node, written: TypeId, isDirect: boolean): string {
  const { hir, printer } = texts;
  const { name, class: opcodeClass } = opcodeRow(hir.a(node));
  const aux = hir.b(node);
  const type = written === NONE ? 'void' : printer.type(written);
  switch (opcodeClass) {
    case 'integerCompare':
      return `${name} ${INTEGER_PREDICATES[aux] ?? INTEGER_PREDICATES[0]} ${type}`;
    case 'floatCompare':
      return `${name} ${FLOAT_PREDICATES[aux] ?? FLOAT_PREDICATES[0]} ${type}`;
    case 'load':
    case 'store':
      return `${name}${accessFlags(aux)} ${type}`;
    case 'compareExchange':
      return `${name}${(aux & Aux.weak) !== 0 ? ' weak' : ''}${volatile(aux)} ${type}`;
    case 'atomicUpdate':
      return `${name}${volatile(aux)} ${ATOMIC_OPERATIONS[(aux >> Aux.operationShift) & 15] ?? ATOMIC_OPERATIONS[0]} ${type}`;
    case 'call':
      return isDirect ? directHead(texts, node) : `${name} ${printer.type(aux as TypeId)}`;
    case 'memoryCopy':
    case 'memorySet':
      return name + volatile(aux);
    case 'fence':
      return `${name} ${auxOrdering(aux) ?? 'not_atomic'}`;
    case 'cast':
    case 'extract':
    case 'insert':
    case 'assume':
      return name;
    default:
      return `${name} ${type}`;
  }
}

function directHead(texts: FunctionTexts, node: Node): string {
  const { hir, printer } = texts;
  const callee = hir.firstChild(node);
  const outer = hir.nodes.get(node, HIR_NODE.position);
  return `call ${printer.constant(hir.a(callee) as never)}${nodeAnnotations(texts, callee, outer)}`;
}

function operationTail(texts: FunctionTexts, node: Node): string {
  const { hir, printer } = texts;
  const aux = hir.b(node);
  switch (opcodeRow(hir.a(node)).class) {
    case 'cast':
      return ` to ${printer.type(hir.type(node))}`;
    case 'load':
    case 'store':
      return (aux & Aux.orderingMask) === 0 ? '' : ` ${auxOrdering(aux) ?? 'not_atomic'}`;
    case 'atomicUpdate':
      return ` ${auxOrdering(aux) ?? 'not_atomic'}`;
    case 'compareExchange':
      return ` ${auxOrdering(aux) ?? 'not_atomic'} ${auxFailureOrdering(aux) ?? 'not_atomic'}`;
    default:
      return '';
  }
}

function volatile(aux: number): string {
  return (aux & Aux.volatile) !== 0 && aux >= 0 ? ' volatile' : '';
}

function accessFlags(aux: number): string {
  return `${(aux & Aux.orderingMask) !== 0 ? ' atomic' : ''}${volatile(aux)}`;
}
