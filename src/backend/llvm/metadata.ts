/** The numbered metadata nodes of a module, in the order in which they are first used (009/R21). */

/** Metadata nodes; equal content is one node unless it is distinct. */
export class Metadata {
  readonly #nodes: string[] = [];
  readonly #known = new Map<string, number>();

  /** `!n` of a node such as `!{i32 0, i32 100}`. */
  node(content: string): string {
    let number = this.#known.get(content);
    if (number === undefined) {
      number = this.#nodes.push(content) - 1;
      this.#known.set(content, number);
    }
    return `!${number}`;
  }

  /** `!n` of a node that is equal to no other: its first operand is itself, as LLVM wants it for loops. */
  distinct(operands: readonly string[]): string {
    const number = this.#nodes.length;
    this.#nodes.push('');
    this.#nodes[number] = `distinct !{${[`!${number}`, ...operands].join(', ')}}`;
    return `!${number}`;
  }

  /** The definitions, one a line. */
  lines(): string[] {
    return this.#nodes.map((content, number) => `!${number} = ${content}`);
  }
}
