/** Reads expressions of `.hir` text, with a stack of open parentheses instead of recursion. */

import { type ConstantId, NONE, type Node, type TypeId } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { isExpressionOpcode, NodeKind } from '../ir/node-kinds.js';
import { opcodeRow } from '../ir/opcodes.js';
import { operandCounts } from '../ir/operation-rules.js';
import { HIR_NODE, TypeKind } from '../ir/schema.js';
import { parsePosition } from '../ir/text/annotations.js';
import type { TextCursor } from '../ir/text/cursor.js';
import type { ModuleText } from '../ir/text/module-reader.js';
import { parseConstant } from '../ir/text/parse-constant.js';
import { parseType } from '../ir/text/parse-type.js';
import { TokenKind } from '../ir/text/tokens.js';
import { rangeColumns } from './case-values.js';
import { type OpenOperation, OperationReader } from './operation-reader.js';
import {
  LOGICAL_WORDS,
  logicalPlace,
  OPCODE_NUMBERS,
  operandPlace,
  type PlaceType,
  placeType,
  writesType,
} from './text-forms.js';

/** No position is written: the node has that of what it stands in. */
const INHERITED = -2;

/** Where the variables of the function are found, and where nodes are recorded. */
export interface ExpressionOwner {
  readonly hir: HirModule;
  readonly source: ModuleText;
  /** The variable called that, or a diagnostic. */
  variable(): { readonly row: number; readonly type: TypeId };
  /** Records where in the text a node stands. */
  place(node: Node, token: number): void;
  /** Reads the traits of a node where some are written. */
  readTraits(node: Node): void;
}

/** Reads the expressions of one function. */
export class ExpressionReader {
  readonly cursor: TextCursor;
  readonly #owner: ExpressionOwner;
  readonly #hir: HirModule;
  /** For each node since `#first`, its position as written and the node it stands in. */
  readonly #written: number[] = [];
  readonly #parents: number[] = [];
  #first = 0;
  readonly #operations: OperationReader;

  constructor(owner: ExpressionOwner) {
    this.#owner = owner;
    this.#hir = owner.hir;
    this.cursor = owner.source.cursor;
    this.#operations = new OperationReader(owner.source, owner.hir);
  }

  /**
   * Reads an expression at a place. `isLast`: a position right behind it belongs to the statement. The nodes get their
   * positions from `settle`, once that of the statement is known.
   */
  read(place: PlaceType, isLast = false): Node {
    const { cursor } = this;
    const open: OpenOperation[] = [];
    let wanted = place;
    for (;;) {
      let node = this.#leafOrOpen(open, wanted);
      for (;;) {
        if (node === undefined) break;
        const innermost = open[open.length - 1];
        if (innermost === undefined) {
          this.#annotate(node, isLast);
          return node;
        }
        if (innermost.kind !== NONE || innermost.children.length === 0) this.#annotate(node, false);
        innermost.children.push(node);
        if (innermost.kind !== NONE && cursor.accept(',')) {
          node = undefined;
          break;
        }
        cursor.expect(')');
        open.pop();
        node = this.#close(innermost);
        if (innermost.kind === NONE && open.length === 0) return node;
      }
      wanted = this.#nextPlace(open[open.length - 1] as OpenOperation);
    }
  }

  /** Reads one item of a case: an expression, or `low..high`, which a small range has a node for each value of. */
  readCase(type: TypeId): readonly Node[] {
    const { cursor } = this;
    const isBracketed = cursor.is('(') && cursor.is('..', 2);
    if (!isBracketed && !cursor.is('..', 1)) {
      const start = cursor.at;
      const node = this.read(type, true);
      if (cursor.is('..')) cursor.fail('VCT0344', { found: cursor.excerpt(start) }, start);
      return [node];
    }
    if (isBracketed) cursor.advance();
    const token = cursor.at;
    const { constants } = this.#owner.source.tables;
    const first = this.#bound(type);
    cursor.expect('..');
    const last = this.#bound(type);
    const [low, high] = [constants.integerValue(first), constants.integerValue(last)];
    if (low > high) cursor.fail('VCT0340', { range: `${low}..${high}` }, token);
    const nodes = rangeColumns(constants, first, last).map(({ a, b }) =>
      this.#add(NodeKind.constant, type, a, b, token),
    );
    this.#annotateAll(nodes, !isBracketed);
    if (isBracketed) cursor.expect(')');
    return nodes;
  }

  #bound(type: TypeId): ConstantId {
    const { cursor } = this;
    const { types, constants } = this.#owner.source.tables;
    const token = cursor.at;
    if (!types.isInteger(type) || cursor.kind() !== TokenKind.integer)
      cursor.fail('VCT0344', { found: cursor.excerpt(token) });
    const value = cursor.bigInteger('an integer');
    const width = types.width(type);
    if (BigInt.asUintN(width, value) !== value && BigInt.asIntN(width, value) !== value)
      cursor.fail('VCT0342', { value, type: types.text(type) }, token);
    return constants.integer(type, value);
  }

  /** Reads what follows a range and gives it to each of its nodes. */
  #annotateAll(nodes: readonly Node[], isLast: boolean): void {
    const { nodes: table } = this.#hir;
    const [first, ...others] = nodes as [Node, ...Node[]];
    this.#annotate(first, isLast);
    for (const node of others) {
      for (const column of [HIR_NODE.name, HIR_NODE.traits, HIR_NODE.epoch, HIR_NODE.statedEpoch])
        table.set(node, column, table.get(first, column));
      this.#setWritten(node, this.#written[first - this.#first] as number);
    }
  }

  /** Gives the nodes since the last call their positions; `outer` is that of the statement they stand in. */
  settle(outer: number): void {
    const { nodes } = this.#hir;
    // A node stands behind its operands in the table, so that its own position is known before theirs.
    for (let index = this.#written.length - 1; index >= 0; index--) {
      const written = this.#written[index] as number;
      const parent = this.#parents[index] as number;
      const inherited = parent === NONE ? outer : nodes.get(parent, HIR_NODE.position);
      nodes.set(this.#first + index, HIR_NODE.position, written === INHERITED ? inherited : written);
    }
    this.skip();
  }

  /** Starts anew behind nodes that are no expressions. */
  skip(): void {
    this.#written.length = 0;
    this.#parents.length = 0;
    this.#first = this.#hir.nodes.length;
  }

  /** Reads `!line:column` or `!none` where one stands; INHERITED where none does. */
  position(): number {
    const { cursor, source } = { cursor: this.cursor, source: this.#owner.source };
    if (cursor.is('!') && cursor.is('none', 1)) {
      cursor.advance();
      cursor.advance();
      return NONE;
    }
    const position = parsePosition(cursor, source.tables, source.sources);
    return position === NONE ? INHERITED : position;
  }

  /** Reads ` as %name` where it stands, and gives the name to the node. */
  name(node: Node): void {
    if (!this.cursor.accept('as')) return;
    const name = this.#owner.source.tables.names.intern(this.cursor.localName('a name'));
    this.#hir.nodes.set(node, HIR_NODE.name, name);
  }

  /** Whether a position that `position` gave is one. */
  static isWritten(position: number): boolean {
    return position !== INHERITED;
  }

  #annotate(node: Node, isLast: boolean): void {
    this.name(node);
    this.#owner.readTraits(node);
    if (!isLast) this.#setWritten(node, this.position());
  }

  #setWritten(node: Node, position: number): void {
    if (position !== INHERITED) this.#written[node - this.#first] = position;
  }

  #add(kind: number, type: TypeId, a: number, b: number, token: number): Node {
    const node = this.#hir.addNode(kind, type, a, b);
    this.#written.push(INHERITED);
    this.#parents.push(NONE);
    this.#owner.place(node, token);
    return node;
  }

  /** Reads a leaf, or the head of an operation and says that its operands follow (undefined). */
  #leafOrOpen(open: OpenOperation[], place: PlaceType): Node | undefined {
    const { cursor } = this;
    const token = cursor.at;
    const kind = cursor.kind();
    if (cursor.accept('(')) {
      open.push({ kind: NONE, opcode: NONE, written: NONE as TypeId, aux: NONE, children: [], token, place });
      return undefined;
    }
    if (cursor.accept('&')) {
      const { row, type } = this.#owner.variable();
      const pointer = this.#owner.source.tables.types.pointer(type);
      return this.#add(NodeKind.address, pointer, row, NONE, token);
    }
    if (kind === TokenKind.local || kind === TokenKind.localNumber) {
      const { row, type } = this.#owner.variable();
      return this.#add(NodeKind.variable, type, row, NONE, token);
    }
    if (kind === TokenKind.word && !cursor.is('const')) {
      const word = cursor.tokens.raw(token);
      const logical = LOGICAL_WORDS.get(word);
      if (logical !== undefined) return this.#openLogical(open, logical);
      const opcode = OPCODE_NUMBERS.get(word);
      if (opcode !== undefined) return this.#openOperation(open, opcode);
    }
    return this.#constant(place, token);
  }

  #constant(place: PlaceType, token: number): Node {
    const { cursor } = this;
    const { tables } = this.#owner.source;
    if (cursor.accept('const')) {
      const type = parseType(cursor, tables.types);
      return this.#add(NodeKind.constant, type, parseConstant(cursor, tables, type), NONE, token);
    }
    const type = placeType(tables, place);
    if (type === NONE) {
      const isOther = cursor.kind() === TokenKind.word && !CONSTANT_WORDS.has(cursor.tokens.raw(token));
      if (isOther || cursor.isAtEnd) cursor.unexpected('an expression');
      cursor.fail('VCT0401', { found: cursor.excerpt(token) }, token);
    }
    if (cursor.kind() === TokenKind.word && !CONSTANT_WORDS.has(cursor.tokens.raw(token)))
      cursor.unexpected('an expression');
    return this.#add(NodeKind.constant, type, parseConstant(cursor, tables, type), NONE, token);
  }

  #openLogical(open: OpenOperation[], kind: number): undefined {
    const token = this.cursor.advance();
    const { types } = this.#owner.source.tables;
    const written = kind === NodeKind.conditional ? parseType(this.cursor, types) : types.i1;
    this.cursor.expect('(');
    open.push({ kind, opcode: NONE, written, aux: NONE, children: [], token, place: NONE });
  }

  #openOperation(open: OpenOperation[], opcode: number): Node | undefined {
    const { cursor } = this;
    const token = cursor.advance();
    const row = opcodeRow(opcode);
    if (!isExpressionOpcode(opcode)) cursor.fail('VCT0402', { name: row.name }, token);
    const aux = this.#operations.auxBefore(opcode);
    if (row.class === 'fence') {
      return this.#add(NodeKind.operation, this.#owner.source.tables.types.void, opcode, aux, token);
    }
    if (row.class === 'call') return this.#openCall(open, opcode, token);
    const { types } = this.#owner.source.tables;
    const written = writesType(row.class) ? parseType(cursor, types) : (NONE as TypeId);
    const operation = {
      kind: NodeKind.operation,
      opcode,
      written,
      aux: row.class === 'address' ? written : aux,
      children: [],
      token,
      place: NONE,
    };
    cursor.expect('(');
    if (cursor.accept(')')) return this.#close(operation);
    open.push(operation);
    return undefined;
  }

  /** `call @f (…)`, or `call fn(…) -> R (callee, …)`. */
  #openCall(open: OpenOperation[], opcode: number, token: number): Node | undefined {
    const { cursor } = this;
    const { tables } = this.#owner.source;
    const children: Node[] = [];
    let signature: TypeId;
    if (cursor.kind() === TokenKind.symbol) {
      const calleeToken = cursor.at;
      signature = this.#operations.signatureOf(calleeToken);
      const constant = parseConstant(cursor, tables, tables.types.pointer(signature));
      const callee = this.#add(
        NodeKind.constant,
        tables.constants.type(constant),
        constant,
        NONE,
        calleeToken,
      );
      this.#annotate(callee, false);
      children.push(callee);
    } else {
      const typeToken = cursor.at;
      signature = parseType(cursor, tables.types);
      if (tables.types.kind(signature) !== TypeKind.function)
        cursor.fail(
          'VCT0128',
          { type: tables.types.text(signature), expected: 'a function type' },
          typeToken,
        );
    }
    const call = {
      kind: NodeKind.operation,
      opcode,
      written: NONE as TypeId,
      aux: signature as number,
      children,
      token,
      place: NONE,
    };
    cursor.expect('(');
    if (children.length > 0 && cursor.accept(')')) return this.#close(call);
    open.push(call);
    return undefined;
  }

  #nextPlace(open: OpenOperation): PlaceType {
    if (open.kind === NONE) return open.place;
    const { tables } = this.#owner.source;
    const index = open.children.length;
    return open.kind === NodeKind.operation
      ? operandPlace(tables, open.opcode, open.written, open.aux, index)
      : logicalPlace(tables, open.kind, open.written, index);
  }

  /** Makes the node of an operation whose operands are complete; reads what stands behind them. */
  #close(open: OpenOperation): Node {
    if (open.kind === NONE) return open.children[0] as Node;
    if (open.kind !== NodeKind.operation) return this.#closeLogical(open);
    const { cursor } = this;
    const row = opcodeRow(open.opcode);
    const { minimum, maximum } = operandCounts(open.opcode);
    const count = open.children.length;
    if (count < minimum || count > maximum) {
      const expected = minimum === maximum ? `${minimum} operands` : `at least ${minimum} operands`;
      cursor.fail('VCT0125', { what: row.name, expected, found: count }, open.token);
    }
    this.#operations.readOrderings(open);
    const type = this.#operations.resultType(open);
    return this.#link(this.#add(NodeKind.operation, type, open.opcode, open.aux, open.token), open.children);
  }

  #closeLogical(open: OpenOperation): Node {
    const count = open.kind === NodeKind.conditional ? 3 : 2;
    if (open.children.length !== count) {
      const [word] = [...LOGICAL_WORDS].find(([, kind]) => kind === open.kind) as [string, number];
      const values = { what: word, expected: `${count} operands`, found: open.children.length };
      this.cursor.fail('VCT0125', values, open.token);
    }
    return this.#link(this.#add(open.kind, open.written, NONE, NONE, open.token), open.children);
  }

  #link(node: Node, children: readonly Node[]): Node {
    this.#hir.setChildren(node, children);
    for (const child of children) this.#parents[child - this.#first] = node;
    return node;
  }
}

const CONSTANT_WORDS = new Set(['true', 'false', 'null', 'undef', 'zero', 'inf', '-inf', 'nan']);
