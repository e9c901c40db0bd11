/**
 * How much lowering makes of deferred statements (003/H-11). A deferred statement is lowered once for each exit that runs it, and
 * what is deferred may itself defer: a text of a few lines can ask for more code than any memory holds. What would be made is
 * counted here without making it, in linear time: what all active defers up to a place cost is the difference of two sums.
 */

import { type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { type FunctionId, NONE, type Node } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind } from '../ir/node-kinds.js';

/** How many nodes more than the module has may be lowered because deferred statements run at several exits. */
export const DEFERRED_NODE_LIMIT = 1 << 22;

const ENTER = 0;
const LEAVE = 1;

/** Counts the functions of a well-formed module one after the other. */
export class DeferredSize {
  readonly #limit: number;
  /** Pairs of a node and what to do with it. */
  readonly #work: number[] = [];
  /** Nodes lowered so far: of the module first, then of each deferred statement around the place. */
  readonly #sizes = [0];
  /** What the active defers cost, each with those before it. */
  readonly #sums = [0];
  /** How many defers were active where each scope around the place began. */
  readonly #scopes: number[] = [];
  /** How many defers were active where each loop or switch around the place began. */
  readonly #heights = new Map<number, number>();
  /** Loops and switches around the place, and loops alone. */
  readonly #constructs: number[] = [];
  readonly #loops: number[] = [];
  /** What is active at each label costs, and per label still to come, how many gotos lead there and what was active at them. */
  readonly #atLabels = new Map<number, number>();
  readonly #waiting = new Map<number, { count: number; size: number }>();

  constructor(
    readonly module: HirModule,
    readonly sink: DiagnosticSink,
  ) {
    this.#limit = module.nodes.length + DEFERRED_NODE_LIMIT;
  }

  /** Reports the place in a function where there is too much; says false then, and no more can be counted. */
  count(id: FunctionId): boolean {
    const { module } = this;
    const body = module.body(id);
    if (body === NONE) return true;
    this.#work.push(body, ENTER);
    while (this.#work.length > 0) {
      const step = this.#work.pop() as number;
      const node = this.#work.pop() as Node;
      if (step === ENTER) this.#enter(node);
      else this.#leave(node);
      if ((this.#sizes.at(-1) as number) <= this.#limit) continue;
      const name = module.tables.functionName(id);
      this.sink.add(diagnostic('VCT0504', { name, limit: DEFERRED_NODE_LIMIT }, module.positionOf(node)));
      return false;
    }
    return true;
  }

  #add(size: number): void {
    this.#sizes[this.#sizes.length - 1] = (this.#sizes.at(-1) as number) + size;
  }

  /** Control leaves everything down to a height of the active defers. */
  #run(height: number): void {
    this.#add((this.#sums.at(-1) as number) - (this.#sums[height] as number));
  }

  #enter(node: Node): void {
    const { module } = this;
    const active = this.#sums.length - 1;
    this.#add(1);
    switch (module.kind(node)) {
      case NodeKind.return:
        this.#run(0);
        this.#push(node, false);
        return;
      case NodeKind.break:
        this.#run(this.#heightOf(node, this.#constructs));
        return;
      case NodeKind.continue:
        this.#run(this.#heightOf(node, this.#loops));
        return;
      case NodeKind.goto:
        this.#goto(node);
        return;
      case NodeKind.label:
        this.#label(node);
        return;
      case NodeKind.defer:
        this.#sizes.push(0);
        this.#scopes.push(active);
        break;
      case NodeKind.block:
        this.#scopes.push(active);
        break;
      case NodeKind.for:
        this.#scopes.push(active);
        this.#surround(node, active, true);
        this.#pushFor(node);
        return;
      case NodeKind.while:
      case NodeKind.doWhile:
        this.#surround(node, active, true);
        break;
      case NodeKind.switch:
        this.#surround(node, active, false);
        break;
      default:
        this.#push(node, false);
        return;
    }
    this.#push(node, true);
  }

  #leave(node: Node): void {
    switch (this.module.kind(node)) {
      case NodeKind.block:
        this.#endScope(!isJump(this.module.kind(this.module.children(node).at(-1) ?? node)));
        return;
      case NodeKind.defer: {
        this.#endScope(true);
        const size = this.#sizes.pop() as number;
        this.#sums.push((this.#sums.at(-1) as number) + size);
        return;
      }
      case NodeKind.for:
        this.#endScope(true);
        break;
    }
    this.#constructs.pop();
    if (this.#loops.at(-1) === node) this.#loops.pop();
    this.#heights.delete(node);
  }

  #endScope(isReached: boolean): void {
    const height = this.#scopes.pop() as number;
    if (isReached) this.#run(height);
    this.#sums.length = height + 1;
  }

  /** What is active at the label is active at the goto too (003/H-13), so the rest is the difference. */
  #goto(node: Node): void {
    const label = this.module.a(node);
    const size = this.#sums.at(-1) as number;
    const known = this.#atLabels.get(label);
    if (known !== undefined) {
      this.#add(size - known);
      return;
    }
    const waiting = this.#waiting.get(label);
    if (waiting === undefined) this.#waiting.set(label, { count: 1, size });
    else {
      waiting.count++;
      waiting.size += size;
    }
  }

  #label(node: Node): void {
    const active = this.#sums.at(-1) as number;
    this.#atLabels.set(node, active);
    const waiting = this.#waiting.get(node);
    if (waiting !== undefined) this.#add(waiting.size - waiting.count * active);
  }

  #surround(node: Node, active: number, isLoop: boolean): void {
    this.#heights.set(node, active);
    this.#constructs.push(node);
    if (isLoop) this.#loops.push(node);
  }

  /** How many defers are active where the target of a jump began. */
  #heightOf(node: Node, around: readonly number[]): number {
    const target = this.module.a(node);
    return this.#heights.get(target === NONE ? (around.at(-1) as number) : target) as number;
  }

  #push(node: Node, leaves: boolean): void {
    if (leaves) this.#work.push(node, LEAVE);
    this.#pushAll(this.module.children(node));
  }

  /** What init defers stays active in the condition, the body and the step. */
  #pushFor(node: Node): void {
    const [init, condition, step, body] = this.module.children(node) as [Node, Node, Node, Node];
    this.#work.push(node, LEAVE);
    this.#pushAll([...this.module.children(init), condition, body, step]);
  }

  #pushAll(nodes: readonly Node[]): void {
    for (let index = nodes.length - 1; index >= 0; index--) this.#work.push(nodes[index] as Node, ENTER);
  }
}

function isJump(kind: number): boolean {
  return (
    kind === NodeKind.return ||
    kind === NodeKind.break ||
    kind === NodeKind.continue ||
    kind === NodeKind.goto
  );
}
