/** Facts of small control-flow graphs by their definitions, and on no line of the core: sets and recursion, for tests. */

export type Edges = readonly (readonly number[])[];

/** The blocks that control reaches from `entry` without passing `removed`. */
export function reachedFrom(edges: Edges, entry: number, removed = -1): ReadonlySet<number> {
  const reached = new Set<number>();
  const work = entry === removed ? [] : [entry];
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    if (block === removed || reached.has(block)) continue;
    reached.add(block);
    work.push(...(edges[block] as readonly number[]));
  }
  return reached;
}

/** For each block those that it dominates; empty for unreachable ones. */
export function dominatedBy(edges: Edges, entry: number): ReadonlySet<number>[] {
  const all = reachedFrom(edges, entry);
  return edges.map((_, above) => {
    const others = reachedFrom(edges, entry, above);
    return new Set(all.has(above) ? [...all].filter((block) => !others.has(block)) : []);
  });
}

/** For each block its frontier, ascending. */
export function frontiersOf(edges: Edges, entry: number): number[][] {
  const dominated = dominatedBy(edges, entry);
  return edges.map((_, above) => {
    const below = dominated[above] as ReadonlySet<number>;
    const isStrict = (block: number) => block !== above && below.has(block);
    const joins = [...below].flatMap((block) => edges[block] as readonly number[]);
    return [...new Set(joins)].filter((join) => !isStrict(join)).sort((left, right) => left - right);
  });
}

/** The order in which a depth-first walk meets the reachable blocks. */
export function preorderOf(edges: Edges, entry: number): number[] {
  const order: number[] = [];
  const visit = (block: number): void => {
    order.push(block);
    for (const target of edges[block] as readonly number[]) if (!order.includes(target)) visit(target);
  };
  visit(entry);
  return order;
}

/** The strongly connected parts of some blocks that have an edge within. */
function cyclesOf(edges: Edges, blocks: ReadonlySet<number>): Set<number>[] {
  const within = edges.map((targets, block) =>
    blocks.has(block) ? targets.filter((target) => blocks.has(target)) : [],
  );
  const reach = edges.map((_, block) => (blocks.has(block) ? reachedFrom(within, block) : new Set<number>()));
  const parts: Set<number>[] = [];
  for (const block of blocks) {
    if (parts.some((part) => part.has(block))) continue;
    const part = new Set(
      [...(reach[block] as ReadonlySet<number>)].filter((other) => reach[other]?.has(block)),
    );
    const hasEdge = [...part].some((from) => (within[from] as readonly number[]).some((to) => part.has(to)));
    if (hasEdge) parts.push(part);
  }
  return parts;
}

/** The loops of a graph, each with its header and whether it has another entry. */
export interface LoopFacts {
  readonly header: number;
  readonly blocks: ReadonlySet<number>;
  readonly isIrreducible: boolean;
}

/** Loops in loops: each strongly connected part, and then what is left of it without its header. */
export function loopsOf(edges: Edges, entry: number): LoopFacts[] {
  const order = preorderOf(edges, entry);
  const all = reachedFrom(edges, entry);
  const loops: LoopFacts[] = [];
  const find = (blocks: ReadonlySet<number>): void => {
    for (const part of cyclesOf(edges, blocks)) {
      const header = order.find((block) => part.has(block)) as number;
      const entries = new Set(
        [...all]
          .filter((from) => !part.has(from))
          .flatMap((from) => (edges[from] as readonly number[]).filter((to) => part.has(to))),
      );
      const isIrreducible = [...entries].some((block) => block !== header);
      loops.push({ header, blocks: part, isIrreducible });
      find(new Set([...part].filter((block) => block !== header)));
    }
  };
  find(all);
  return loops;
}

/** A value: the block of its definition, the blocks that use it, and those at whose end it is used. */
export interface ValueFacts {
  readonly definition: number;
  readonly uses: readonly number[];
  readonly endUses: readonly number[];
}

/** Whether a value is alive where a block begins: a way leads to a use of it, and not through its definition. */
export function isAliveBefore(edges: Edges, value: ValueFacts, block: number): boolean {
  const reached = reachedFrom(edges, block, value.definition);
  return [...value.uses, ...value.endUses].some((use) => reached.has(use));
}

/** Whether a value is alive where a block ends. */
export function isAliveAfter(edges: Edges, value: ValueFacts, block: number): boolean {
  const targets = edges[block] as readonly number[];
  return value.endUses.includes(block) || targets.some((target) => isAliveBefore(edges, value, target));
}
