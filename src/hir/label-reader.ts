/** Reads `label name` and `goto name` of `.hir` text: a goto may stand before its label, so names are resolved at the end of the body. */

import { NONE, type Node } from '../ir/entities.js';
import { HIR_NODE } from '../ir/schema.js';
import type { FunctionReader } from './parser.js';

/** The labels of one function, and the gotos that wait for one. */
export class LabelReader {
  readonly #owner: FunctionReader;
  readonly #labels = new Map<number, Node>();
  readonly #gotos: { readonly node: Node; readonly name: number; readonly token: number }[] = [];

  constructor(owner: FunctionReader) {
    this.#owner = owner;
  }

  /** Reads the name of a label and gives it to its node. */
  label(node: Node): void {
    const { cursor } = this.#owner.source;
    const token = cursor.at;
    const name = this.#name();
    if (this.#labels.has(name)) cursor.fail('VCT0332', { name: this.#text(name) }, token);
    this.#labels.set(name, node);
    this.#owner.hir.nodes.set(node, HIR_NODE.name, name);
  }

  /** Reads the name of the label that a goto goes to. */
  goto(node: Node): void {
    const token = this.#owner.source.cursor.at;
    this.#gotos.push({ node, name: this.#name(), token });
  }

  /** Leads each goto of the body to its label. */
  resolve(): void {
    const { hir, source } = this.#owner;
    for (const { node, name, token } of this.#gotos) {
      const label = this.#labels.get(name) ?? NONE;
      if (label === NONE) source.cursor.fail('VCT0331', { name: this.#text(name) }, token);
      hir.nodes.set(node, HIR_NODE.a, label);
    }
  }

  #name(): number {
    const { cursor, tables } = this.#owner.source;
    if (cursor.startsLine)
      cursor.fail('VCT0100', { found: 'the end of the line', expected: 'a label' }, cursor.at - 1);
    return tables.names.intern(cursor.plainName('a label'));
  }

  #text(name: number): string {
    return this.#owner.source.tables.names.text(name);
  }
}
