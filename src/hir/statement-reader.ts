/** Reads statements of `.hir` text: what is open is kept on a stack, and each `}` says how its construct goes on. */

import { NONE, type Node, type TypeId } from '../ir/entities.js';
import { NodeKind } from '../ir/node-kinds.js';
import { HIR_NODE, HIR_VARIABLE } from '../ir/schema.js';
import type { TextCursor } from '../ir/text/cursor.js';
import { TokenKind } from '../ir/text/tokens.js';
import { LabelReader } from './label-reader.js';
import type { FunctionReader } from './parser.js';
import { isBreakable, isLoop, LOGICAL_WORDS, OPCODE_NUMBERS } from './text-forms.js';

/** A construct whose parts are being read. */
export interface OpenConstruct {
  readonly node: Node;
  readonly kind: number;
  /** The block that statements go to; NONE between the arms of a switch. */
  block: Node;
  last: Node;
  readonly children: Node[];
  /** For a switch, the type of its value. */
  readonly type: TypeId;
}

/** Reads the statements of one function. */
export class StatementReader {
  readonly #owner: FunctionReader;
  readonly #open: OpenConstruct[] = [];
  /** Open loops and switches by name, innermost last. */
  readonly #named = new Map<number, Node[]>();
  readonly #breakable: Node[] = [];
  /** A defer that waits for its child. */
  #deferred = NONE as Node;

  readonly #labels: LabelReader;

  constructor(owner: FunctionReader) {
    this.#owner = owner;
    this.#labels = new LabelReader(owner);
  }

  /** Reads the statements of a body and the `}` behind them. */
  read(body: Node): void {
    const { cursor } = this.#owner.source;
    this.#push(body, body, []);
    while (this.#open.length > 0) {
      if (this.#owner.isTruncated) this.#owner.truncated();
      if (cursor.accept('}')) this.#closeBlock();
      else {
        this.#statement();
        if (!cursor.is('}')) cursor.expectLineEnd();
      }
    }
    this.#labels.resolve();
  }

  get #top(): OpenConstruct {
    return this.#open[this.#open.length - 1] as OpenConstruct;
  }

  #push(node: Node, block: Node, children: Node[], type = NONE as TypeId): void {
    const kind = this.#owner.hir.kind(node);
    this.#open.push({ node, kind, block, last: NONE as Node, children, type });
    if (!isBreakable(kind)) return;
    this.#breakable.push(node);
    const name = this.#owner.hir.nodes.get(node, HIR_NODE.name);
    if (name === NONE) return;
    const named = this.#named.get(name);
    if (named === undefined) this.#named.set(name, [node]);
    else named.push(node);
  }

  #finish(): void {
    const { node, kind, children } = this.#open.pop() as OpenConstruct;
    const { hir } = this.#owner;
    if (kind !== NodeKind.block) hir.setChildren(node, children);
    if (isBreakable(kind)) {
      this.#breakable.pop();
      this.#named.get(hir.nodes.get(node, HIR_NODE.name))?.pop();
    }
    if (kind === NodeKind.case || kind === NodeKind.default) this.#top.children.push(node);
  }

  #append(node: Node): void {
    const { hir } = this.#owner;
    if (this.#deferred !== NONE) {
      hir.setChildren(this.#deferred, [node]);
      this.#deferred = NONE as Node;
      return;
    }
    const top = this.#top;
    if (top.last === NONE) hir.nodes.set(top.block, HIR_NODE.firstChild, node);
    else hir.nodes.set(top.last, HIR_NODE.nextSibling, node);
    top.last = node;
  }

  #node(kind: number, token: number, a: number = NONE): Node {
    const { hir, source } = this.#owner;
    const node = hir.addNode(kind, source.tables.types.void, a);
    this.#owner.place(node, token);
    this.#owner.expressions.skip();
    return node;
  }

  #position(node: Node): number {
    return this.#owner.hir.nodes.get(node, HIR_NODE.position);
  }

  /** Reads `{` and opens a block whose position is that of the construct unless it is written. */
  #block(node: Node): Node {
    const { cursor } = this.#owner.source;
    const token = cursor.at;
    cursor.expect('{');
    const block = this.#node(NodeKind.block, token);
    this.#owner.blockAnnotations(block, this.#position(node));
    return block;
  }

  /** `(condition)`. */
  #test(node: Node): Node {
    const { expressions, source } = this.#owner;
    source.cursor.expect('(');
    expressions.skip();
    const test = expressions.read(source.tables.types.i1);
    source.cursor.expect(')');
    expressions.settle(this.#position(node));
    return test;
  }

  #closeBlock(): void {
    const top = this.#top;
    const { cursor } = this.#owner.source;
    if (top.block !== NONE && top.kind !== NodeKind.block) top.children.push(top.block);
    const isElse = top.kind === NodeKind.if && top.children.length === 2 && cursor.accept('else');
    if (isElse) this.#continueWith(top);
    else if (top.kind === NodeKind.for && top.children.length < 4) this.#continueFor(top);
    else {
      if (top.kind === NodeKind.doWhile) {
        cursor.expect('while');
        top.children.push(this.#test(top.node));
      }
      this.#finish();
      if (this.#open.length > 0 && !cursor.is('}')) cursor.expectLineEnd();
    }
  }

  #continueWith(top: OpenConstruct): void {
    top.block = this.#block(top.node);
    top.last = NONE as Node;
  }

  /** `} while (condition) step {`, then `} do {`. */
  #continueFor(top: OpenConstruct): void {
    const { cursor } = this.#owner.source;
    if (top.children.length === 1) {
      cursor.expect('while');
      top.children.push(this.#test(top.node));
      cursor.expect('step');
    } else cursor.expect('do');
    this.#continueWith(top);
  }

  #statement(): void {
    const { cursor } = this.#owner.source;
    if (this.#top.kind === NodeKind.switch) {
      this.#arm();
      return;
    }
    const token = cursor.at;
    const label = this.#label();
    const kind = cursor.kind();
    const word = kind === TokenKind.word ? cursor.tokens.raw(cursor.at) : '';
    const construct = cursor.is('{') ? NodeKind.block : CONSTRUCTS.get(word);
    if (construct !== undefined) this.#construct(construct, token, label);
    else if (label !== NONE) cursor.unexpected('a construct that may have a label');
    else this.#simple(word, token);
  }

  /** Reads `name:` where one stands. */
  #label(): number {
    const { cursor, tables } = this.#owner.source;
    const kind = cursor.kind();
    const isName = kind === TokenKind.word || kind === TokenKind.string;
    if (!isName || !cursor.is(':', 1)) return NONE;
    const name = tables.names.intern(cursor.plainName('a label'));
    cursor.expect(':');
    return name;
  }

  #construct(kind: number, token: number, label: number): void {
    const { hir, source, expressions } = this.#owner;
    const { cursor } = source;
    cursor.advance();
    const node = this.#node(kind, token);
    if (label !== NONE) hir.nodes.set(node, HIR_NODE.name, label);
    this.#append(node);
    switch (kind) {
      case NodeKind.block:
        this.#owner.annotations(node);
        this.#push(node, node, []);
        return;
      case NodeKind.if:
      case NodeKind.while: {
        cursor.expect('(');
        const test = expressions.read(source.tables.types.i1);
        cursor.expect(')');
        expressions.settle(this.#owner.annotations(node));
        this.#push(node, this.#block(node), [test]);
        return;
      }
      case NodeKind.switch: {
        cursor.expect('(');
        const value = expressions.read(NONE);
        cursor.expect(')');
        expressions.settle(this.#owner.annotations(node));
        cursor.expect('{');
        this.#push(node, NONE as Node, [value], hir.type(value));
        return;
      }
      case NodeKind.defer:
        this.#owner.annotations(node);
        if (cursor.is('{')) this.#push(node, this.#block(node), []);
        else {
          this.#deferred = node;
          this.#statement();
        }
        return;
      default:
        this.#owner.annotations(node);
        this.#push(node, this.#block(node), []);
    }
  }

  /** `case 1, 5..9 fallthrough {`, `case 1 with #[ColdPath] {` or `default {`. */
  #arm(): void {
    const { hir, source, expressions } = this.#owner;
    const { cursor } = source;
    const token = cursor.at;
    const isCase = cursor.accept('case');
    if (!isCase && !cursor.accept('default')) cursor.unexpected('case or default');
    const node = this.#node(isCase ? NodeKind.case : NodeKind.default, token);
    const values: Node[] = [];
    if (isCase) {
      do values.push(...expressions.readCase(this.#top.type));
      while (cursor.accept(','));
    }
    if (cursor.accept('fallthrough')) hir.nodes.set(node, HIR_NODE.a, 1);
    this.#with();
    expressions.settle(this.#owner.annotations(node));
    this.#push(node, this.#block(node), values);
  }

  #simple(word: string, token: number): void {
    const { cursor } = this.#owner.source;
    switch (word) {
      case 'var':
        cursor.advance();
        this.#declare(token);
        return;
      case 'break':
      case 'continue':
        cursor.advance();
        this.#jump(word, token);
        return;
      case 'label':
      case 'goto': {
        cursor.advance();
        const node = this.#node(NodeKind[word], token);
        this.#append(node);
        this.#labels[word](node);
        this.#owner.annotations(node);
        return;
      }
      case 'return': {
        cursor.advance();
        const node = this.#node(NodeKind.return, token);
        const { types } = this.#owner.source.tables;
        const result = types.result(this.#owner.source.tables.functionType(this.#owner.item.id));
        this.#ending(node, this.#endsHere ? undefined : result);
        return;
      }
      case 'unreachable': {
        cursor.advance();
        const node = this.#node(NodeKind.unreachable, token);
        this.#append(node);
        this.#owner.annotations(node);
        return;
      }
      default:
    }
    const kind = cursor.kind();
    const isVariable = kind === TokenKind.local || kind === TokenKind.localNumber;
    if (isVariable && cursor.is('=', 1)) this.#assign(token);
    else this.#evaluate(word);
  }

  /** Whether nothing but annotations follows on the line. */
  get #endsHere(): boolean {
    const { cursor } = this.#owner.source;
    return cursor.startsLine || cursor.is('}') || cursor.is('!') || cursor.is('with');
  }

  #declare(token: number): void {
    const { hir, source } = this.#owner;
    const node = this.#node(NodeKind.declare, token);
    const { row, isPlaced } = this.#owner.declaration(node);
    hir.nodes.set(node, HIR_NODE.a, row);
    const hasValue = source.cursor.accept('=');
    const type = hir.variables.get(row, HIR_VARIABLE.type) as TypeId;
    const position = this.#ending(node, hasValue ? type : undefined);
    if (!isPlaced) hir.variables.set(row, HIR_VARIABLE.position, position);
  }

  #assign(token: number): void {
    const { source } = this.#owner;
    const { row, type } = this.#owner.variable();
    source.cursor.expect('=');
    this.#ending(this.#node(NodeKind.assign, token, row), type);
  }

  /** Appends a statement and reads its last part: an expression at a place of that type, traits and position. */
  #ending(node: Node, type: TypeId | undefined): number {
    const { hir, source, expressions } = this.#owner;
    this.#append(node);
    expressions.skip();
    if (type !== undefined) {
      const isVoid = type === source.tables.types.void;
      hir.setChildren(node, [expressions.read(isVoid ? NONE : type, true)]);
    }
    this.#with();
    const position = this.#owner.annotations(node);
    expressions.settle(position);
    return position;
  }

  /** The `with` before traits of what may end in an expression: those right behind the expression are its own. */
  #with(): void {
    const { cursor } = this.#owner.source;
    const hasTraits = cursor.accept('with');
    if (hasTraits && !cursor.is('#')) cursor.unexpected('traits');
    if (!hasTraits && cursor.is('#')) cursor.unexpected('with');
  }

  #jump(word: 'break' | 'continue', token: number): void {
    const { tables } = this.#owner.source;
    const cursor: TextCursor = this.#owner.source.cursor;
    const node = this.#node(NodeKind[word], token);
    this.#append(node);
    const { nodes } = this.#owner.hir;
    const isLevel = cursor.accept('^');
    const isName = cursor.kind() === TokenKind.word || cursor.kind() === TokenKind.string;
    if (isLevel) {
      const level = cursor.integer('a level', 0, 2 ** 31 - 1);
      const target = this.#breakable[this.#breakable.length - 1 - level];
      if (target === undefined) cursor.fail('VCT0406', { name: `^${level}` }, cursor.at - 1);
      nodes.set(node, HIR_NODE.a, target);
    } else if (isName && !cursor.startsLine) {
      const label = cursor.at;
      const name = cursor.plainName('a label');
      const target = this.#named.get(tables.names.intern(name))?.at(-1);
      if (target === undefined) cursor.fail('VCT0406', { name }, label);
      nodes.set(node, HIR_NODE.a, target);
    }
    const target = nodes.get(node, HIR_NODE.a);
    if (word === 'continue' && target !== NONE && !isLoop(this.#owner.hir.kind(target as Node)))
      cursor.fail('VCT0407', {}, token);
    this.#owner.annotations(node);
  }

  #evaluate(word: string): void {
    const { expressions, source } = this.#owner;
    const { cursor } = source;
    const kind = cursor.kind();
    const isExpression =
      word === 'const' || kind === TokenKind.local || kind === TokenKind.localNumber || cursor.is('(');
    if (!isExpression && !cursor.is('&') && !OPCODE_NUMBERS.has(word) && !LOGICAL_WORDS.has(word)) {
      if (word === '') cursor.unexpected('a statement');
      cursor.fail('VCT0408', { name: cursor.excerpt(cursor.at) });
    }
    expressions.skip();
    const node = expressions.read(NONE);
    expressions.settle(NONE);
    this.#append(node);
  }
}

const CONSTRUCTS: ReadonlyMap<string, number> = new Map([
  ['if', NodeKind.if],
  ['while', NodeKind.while],
  ['do', NodeKind.doWhile],
  ['for', NodeKind.for],
  ['switch', NodeKind.switch],
  ['defer', NodeKind.defer],
]);
