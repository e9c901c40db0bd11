/**
 * Checks labels and gotos (003/H-12, H-13). A jump out of a scope runs its defers; one into the scope of a defer is refused. Linear:
 * defers are numbered as the walk meets them, so that whether the innermost one at a label is active at a goto too is one comparison,
 * whichever of the two comes first.
 */

import type { DiagnosticCode } from '../diag/catalogue.js';
import type { DiagnosticArguments } from '../diag/diagnostic.js';
import { NONE, type Node } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind } from '../ir/node-kinds.js';
import { HIR_NODE } from '../ir/schema.js';

/** Where a label stands: the innermost defer that is active there, or NONE, and how many are. */
interface LabelPlace {
  readonly defer: number;
  readonly deferCount: number;
}

type Report = (code: DiagnosticCode, values: DiagnosticArguments, node: Node) => void;

/** The labels and gotos of one function, in the order of the text. */
export class JumpVerifier {
  readonly #labels = new Map<number, LabelPlace>();
  readonly #names = new Set<number>();
  /** Gotos whose label is still to come, with the number of the next defer when they were met. */
  readonly #waiting: { readonly node: Node; readonly clock: number }[] = [];
  /** The numbers of the defers that are active, innermost last. */
  readonly #defers: number[] = [];
  #clock = 0;

  constructor(
    readonly module: HirModule,
    readonly report: Report,
  ) {}

  /** Makes ready for the next function. */
  begin(): void {
    this.#labels.clear();
    this.#names.clear();
    this.#waiting.length = 0;
    this.#defers.length = 0;
    this.#clock = 0;
  }

  /** How many defers are active, for `leaveScope`. */
  get deferCount(): number {
    return this.#defers.length;
  }

  /** A defer is active from here to the end of its scope. */
  defer(): void {
    this.#defers.push(this.#clock++);
  }

  leaveScope(deferCount: number): void {
    this.#defers.length = deferCount;
  }

  label(node: Node): void {
    const name = this.module.nodes.get(node, HIR_NODE.name);
    if (name === NONE) this.report('VCT0334', {}, node);
    else if (this.#names.has(name)) this.report('VCT0332', { name: this.#name(node) }, node);
    this.#names.add(name);
    this.#labels.set(node, {
      defer: this.#defers.at(-1) ?? NONE,
      deferCount: this.#defers.length,
    });
  }

  goto(node: Node): void {
    const label = this.#labels.get(this.module.a(node));
    if (label === undefined) {
      this.#waiting.push({ node, clock: this.#clock });
      return;
    }
    this.#check(node, label.defer === NONE || this.#defers[label.deferCount - 1] === label.defer);
  }

  /** Checks the gotos that went forward. What is active at the label and was numbered before the goto was active there too. */
  end(): void {
    for (const { node, clock } of this.#waiting) {
      const label = this.#labels.get(this.module.a(node));
      if (label === undefined) this.report('VCT0331', { name: this.#targetName(node) }, node);
      else this.#check(node, label.defer < clock);
    }
  }

  #check(node: Node, isPassed: boolean): void {
    if (!isPassed) this.report('VCT0333', { name: this.#targetName(node) }, node);
  }

  #targetName(node: Node): string {
    const target = this.module.a(node);
    return target === NONE || this.module.kind(target as Node) !== NodeKind.label ? '' : this.#name(target);
  }

  #name(node: number): string {
    const name = this.module.nodes.get(node, HIR_NODE.name);
    return name === NONE ? '' : this.module.tables.names.text(name);
  }
}
