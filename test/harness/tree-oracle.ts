/**
 * An oracle for lowering: runs the HIR tree itself, without blocks, SSA or VIR. It shares no code with lowering or the interpreter
 * beyond the tables. It knows what random programs use: integers, floats, addressed variables, calls, and every structured construct.
 */

import { type ConstantId, type FunctionId, NONE, type Node, type TypeId } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NODE_KINDS } from '../../src/ir/node-kinds.js';
import { OPCODES } from '../../src/ir/opcodes.js';
import { ConstantKind, FLOAT_PREDICATES, INTEGER_PREDICATES } from '../../src/ir/schema.js';
import {
  clampedArithmetic,
  type Flagged,
  type Float,
  flaggedArithmetic,
  floatOperation,
} from './oracle-totals.js';

/** A variable's storage; a pointer is the cell itself. */
interface Cell {
  value: bigint | Float;
}
type OracleValue = bigint | Cell | FunctionId | Float | Flagged;

/** How a statement ended. */
type Ending =
  | { readonly kind: 'next' }
  | { readonly kind: 'break' | 'continue' | 'goto'; readonly target: number }
  | { readonly kind: 'return'; readonly value: bigint };
const NEXT: Ending = { kind: 'next' };

/** Runs `main` and gives what it prints, one line a call of printf. */
export function runTree(hir: HirModule): string {
  const oracle = new TreeOracle(hir);
  const main = hir.tables.findFunction(hir.tables.names.intern('main')) as FunctionId;
  oracle.call(main, []);
  return oracle.printed.join('');
}

class TreeOracle {
  readonly printed: string[] = [];
  /** Per label, the nodes that hold it. */
  readonly holders = new Map<number, ReadonlySet<Node>>();

  constructor(readonly hir: HirModule) {}

  call(id: FunctionId, values: readonly bigint[]): bigint {
    if (this.hir.tables.functionName(id) === 'printf') {
      this.printed.push(`${(values[0] as bigint).toString(16)}\n`);
      return 0n;
    }
    const cells = new Map<number, Cell>();
    const first = this.hir.firstVariable(id);
    values.forEach((value, index) => {
      cells.set(first + index, { value });
    });
    const ending = new Activation(this, cells).statement(this.hir.body(id));
    if (ending.kind !== 'return') throw new Error('control fell out of a function');
    return ending.value;
  }
}

class Activation {
  /** The label that control is on its way to: what does not hold it is passed over. */
  #sought: number = NONE;

  constructor(
    readonly oracle: TreeOracle,
    readonly cells: Map<number, Cell>,
  ) {}

  /** Whether a node holds the label that is sought, or is it. */
  #holdsSought(node: Node): boolean {
    const { holders } = this.oracle;
    const known = holders.get(this.#sought) ?? new Set(pathTo(this.#hir, this.#sought as Node));
    holders.set(this.#sought, known);
    return known.has(node);
  }

  /** Whether control goes on to a node: it seeks no label, or one in there. */
  #comesTo(node: Node): boolean {
    return this.#sought === NONE || this.#holdsSought(node);
  }

  get #hir(): HirModule {
    return this.oracle.hir;
  }

  #kind(node: Node): string {
    return NODE_KINDS[this.#hir.kind(node)]?.name ?? '?';
  }

  #cell(node: Node): Cell {
    const variable = this.#hir.a(node);
    let cell = this.cells.get(variable);
    if (cell === undefined) {
      cell = { value: 0n };
      this.cells.set(variable, cell);
    }
    return cell;
  }

  /** Statements in order; the defers that were met run at the end, however it is reached, last first. */
  #block(children: readonly Node[]): Ending {
    const defers: Node[] = [];
    for (let index = 0; index < children.length; index++) {
      const child = children[index] as Node;
      // Who goes to a label behind a defer has passed the defer before (003/H-13), in this run of the block.
      if (this.#kind(child) === 'defer') defers.push(this.#hir.firstChild(child));
      else if (this.#comesTo(child)) {
        const ending = this.statement(child);
        if (ending.kind === 'next') continue;
        const place = ending.kind === 'goto' ? this.#placeOf(ending.target, children) : NONE;
        // What stands between the label and here is left.
        const kept =
          place === NONE ? 0 : children.slice(0, place).filter((one) => this.#kind(one) === 'defer').length;
        while (defers.length > kept) this.statement(defers.pop() as Node);
        if (place === NONE) return ending;
        this.#sought = (ending as { readonly target: number }).target;
        index = place - 1;
      }
    }
    for (const deferred of defers.reverse()) this.statement(deferred);
    return NEXT;
  }

  /** Which of some statements holds a label, or NONE. */
  #placeOf(label: number, statements: readonly Node[]): number {
    this.#sought = label;
    const place = statements.findIndex((statement) => this.#holdsSought(statement));
    this.#sought = NONE;
    return place;
  }

  statement(node: Node): Ending {
    const children = this.#hir.children(node);
    switch (this.#kind(node)) {
      case 'block':
        return this.#block(children);
      case 'label':
        this.#sought = NONE;
        return NEXT;
      case 'goto':
        return { kind: 'goto', target: this.#hir.a(node) };
      case 'declare':
      case 'assign':
        this.#cell(node).value = this.#value(children[0] as Node) as bigint | Float;
        return NEXT;
      case 'if': {
        const isSeeking = this.#sought !== NONE;
        const isTrue = isSeeking
          ? this.#holdsSought(children[1] as Node)
          : this.#integer(children[0] as Node) === 1n;
        const chosen = isTrue ? children[1] : children[2];
        return chosen === undefined ? NEXT : this.statement(chosen);
      }
      case 'while':
        return this.#loop(node, children[0] as Node, children[1] as Node, undefined, true);
      case 'doWhile':
        return this.#loop(node, children[1] as Node, children[0] as Node, undefined, false);
      case 'for':
        if (this.#sought === NONE) this.#block(this.#hir.children(children[0] as Node));
        return this.#loop(node, children[1] as Node, children[3] as Node, children[2], true);
      case 'switch':
        return this.#switch(node, children);
      case 'break':
        return { kind: 'break', target: this.#hir.a(node) };
      case 'continue':
        return { kind: 'continue', target: this.#hir.a(node) };
      case 'return':
        return { kind: 'return', value: this.#integer(children[0] as Node) };
      default:
        this.#value(node);
        return NEXT;
    }
  }

  #loop(node: Node, condition: Node, body: Node, step: Node | undefined, testsFirst: boolean): Ending {
    let isFirst = true;
    for (;;) {
      const isEntered = this.#sought !== NONE;
      if (!isEntered && (testsFirst || !isFirst) && this.#integer(condition) === 0n) return NEXT;
      isFirst = false;
      const ending = this.statement(body);
      if (ending.kind === 'return' || ending.kind === 'goto') return ending;
      const isMine = ending.kind === 'next' || ending.target === NONE || ending.target === node;
      if (!isMine) return ending;
      if (ending.kind === 'break') return NEXT;
      if (step !== undefined) this.statement(step);
    }
  }

  #switch(node: Node, children: readonly Node[]): Ending {
    const [valueNode, ...arms] = children as [Node, ...Node[]];
    const isEntered = this.#sought !== NONE;
    const value = isEntered ? 0n : this.#integer(valueNode);
    let arm = arms.findIndex((item) =>
      isEntered
        ? this.#holdsSought(item)
        : this.#hir
            .children(item)
            .some((child) => this.#kind(child) === 'constant' && this.#isInCase(child, value)),
    );
    if (arm < 0) arm = arms.findIndex((item) => this.#kind(item) === 'default');
    while (arm >= 0 && arm < arms.length) {
      const ending = this.statement(this.#hir.children(arms[arm] as Node).at(-1) as Node);
      if (ending.kind === 'break' && (ending.target === NONE || ending.target === node)) return NEXT;
      if (ending.kind !== 'next') return ending;
      if (this.#hir.a(arms[arm] as Node) !== 1) return NEXT;
      arm++;
    }
    return NEXT;
  }

  /** Whether a value or range of a case holds the value. */
  #isInCase(node: Node, value: bigint): boolean {
    const signed = (bits: bigint) => {
      const type = this.#hir.type(node);
      return this.#hir.tables.types.isSigned(type) ? BigInt.asIntN(this.#width(type), bits) : bits;
    };
    const low = signed(this.#integer(node));
    const last = this.#hir.b(node);
    const high = last === NONE ? low : signed(this.#constant(last as ConstantId) as bigint);
    return low <= signed(value) && signed(value) <= high;
  }

  #integer(node: Node): bigint {
    return this.#value(node) as bigint;
  }

  /** The value of an expression; integers are kept zero-extended. */
  #value(node: Node): OracleValue {
    const children = this.#hir.children(node);
    switch (this.#kind(node)) {
      case 'constant':
        return this.#constant(this.#hir.a(node) as ConstantId);
      case 'variable':
        return this.#cell(node).value;
      case 'address':
        return this.#cell(node);
      case 'logicalAnd':
        return this.#integer(children[0] as Node) === 0n ? 0n : this.#integer(children[1] as Node);
      case 'logicalOr':
        return this.#integer(children[0] as Node) === 1n ? 1n : this.#integer(children[1] as Node);
      case 'conditional':
        return this.#value((this.#integer(children[0] as Node) === 1n ? children[1] : children[2]) as Node);
      default:
        return this.#operation(node, children);
    }
  }

  #constant(constant: ConstantId): OracleValue {
    const { constants } = this.#hir.tables;
    if (constants.kind(constant) === ConstantKind.integer) return constants.integerBits(constant);
    if (constants.kind(constant) === ConstantKind.float) return { float: constants.floatValue(constant) };
    return constants.addressee(constant) as FunctionId;
  }

  #operation(node: Node, children: readonly Node[]): OracleValue {
    const values = children.map((child) => this.#value(child));
    const opcode = OPCODES[this.#hir.a(node)]?.name;
    if (opcode === 'call') return this.#call(values);
    if (opcode === 'load') return (values[0] as Cell).value;
    if (opcode === 'store') {
      (values[1] as Cell).value = values[0] as bigint | Float;
      return 0n;
    }
    const [a, b, c] = values as [bigint, bigint, bigint];
    if (opcode === 'select') return a === 1n ? b : c;
    if (opcode === 'extractvalue') {
      const { result, flag } = values[0] as Flagged;
      return b === 0n ? result : flag;
    }
    const from = this.#width(this.#hir.type(children[0] as Node));
    const predicate = FLOAT_PREDICATES[this.#hir.b(node)] ?? '';
    const float = floatOperation(opcode ?? '', values as (bigint | Float)[], from, predicate);
    if (typeof float === 'bigint') return BigInt.asUintN(this.#width(this.#hir.type(node)), float);
    if (float !== undefined) return float;
    const flagged = flaggedArithmetic(opcode ?? '', a, b, from);
    if (flagged !== undefined) return flagged;
    if (opcode === 'icmp') return compare(INTEGER_PREDICATES[this.#hir.b(node)] ?? '', a, b, from) ? 1n : 0n;
    const exact = clampedArithmetic(opcode ?? '', a, b, from) ?? arithmetic(opcode ?? '', a, b, from);
    return BigInt.asUintN(this.#width(this.#hir.type(node)), exact);
  }

  #call(values: readonly OracleValue[]): bigint {
    const callee = values[0] as FunctionId;
    const isPrintf = this.#hir.tables.functionName(callee) === 'printf';
    return this.oracle.call(callee, values.slice(isPrintf ? 2 : 1) as bigint[]);
  }

  #width(type: TypeId): number {
    return this.#hir.tables.types.width(type);
  }
}

function compare(predicate: string, a: bigint, b: bigint, width: number): boolean {
  if (predicate.startsWith('s')) [a, b] = [BigInt.asIntN(width, a), BigInt.asIntN(width, b)];
  switch (predicate.replace(/^[su]/, '')) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    case 'gt':
      return a > b;
    default:
      return a >= b;
  }
}

/** The result before it is cut to the width of the type; `width` is that of the operands. */
function arithmetic(opcode: string, a: bigint, b: bigint, width: number): bigint {
  const signed = (value: bigint) => BigInt.asIntN(width, value);
  switch (opcode) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return a << b;
    case 'lshr':
      return a >> b;
    case 'ashr':
      return signed(a) >> b;
    case 'udiv':
      return a / b;
    case 'urem':
      return a % b;
    case 'sdiv':
      return signed(a) / signed(b);
    case 'srem':
      return signed(a) % signed(b);
    case 'sext':
      return signed(a);
    case 'zext':
    case 'trunc':
    case 'bitcast':
      return a;
    default:
      throw new Error(`the oracle does not know ${opcode}`);
  }
}

/** The nodes from the root of a tree down to one of its nodes, found by looking at every node. */
function pathTo(hir: HirModule, node: Node): Node[] {
  const parents = new Map<Node, Node>();
  for (let row = 0; row < hir.nodes.length; row++)
    for (const child of hir.children(row as Node)) parents.set(child, row as Node);
  const path: Node[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = parents.get(at)) path.push(at);
  return path;
}
