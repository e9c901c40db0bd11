/** The labels of one function under construction, and the gotos to them, which may come first. */

import { DiagnosticError, type DiagnosticPosition, diagnostic, fail } from '../../diag/diagnostic.js';
import { NONE, type Node } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { HIR_NODE } from '../../ir/schema.js';
import { callSite } from './call-site.js';
import type { FunctionBody } from './function-body.js';
import { requireText } from './given.js';

/** A goto whose label may still be to come. */
interface PendingGoto {
  readonly node: Node;
  readonly name: string;
  readonly site: DiagnosticPosition | undefined;
}

/** Joins gotos and labels by name. */
export class LabelTable {
  readonly #owner: FunctionBody;
  readonly #labels = new Map<string, Node>();
  readonly #gotos: PendingGoto[] = [];

  constructor(owner: FunctionBody) {
    this.#owner = owner;
  }

  /** Places a label as a statement. */
  place(name: string): void {
    requireText(name, 'the name of a label');
    if (this.#labels.has(name)) fail('VCT0332', { name }, callSite());
    const node = this.#owner.statement(NodeKind.label, []);
    const { hir, tables } = this.#owner.maker;
    hir.nodes.set(node, HIR_NODE.name, tables.names.intern(name));
    this.#labels.set(name, node);
  }

  /** Places a goto as a statement. */
  goto(name: string): void {
    requireText(name, 'the label of a goto');
    const node = this.#owner.statement(NodeKind.goto, []);
    this.#gotos.push({ node, name, site: callSite() });
  }

  /** Leads every goto to its label. */
  finish(): void {
    const { hir, tables } = this.#owner.maker;
    for (const { node, name, site } of this.#gotos) {
      const label = this.#labels.get(name) ?? NONE;
      if (label === NONE) {
        const position = tables.position(hir.nodes.get(node, HIR_NODE.position)) ?? site;
        throw new DiagnosticError([diagnostic('VCT0331', { name }, position)]);
      }
      hir.nodes.set(node, HIR_NODE.a, label);
    }
  }
}
