/**
 * Where the phis of minimal, pruned SSA stand, found by the definition and on no call of the core: Cytron 1991 with liveness. Sets of blocks,
 * quadratic, for small functions.
 */

/** A variable of a function: the blocks that write it, and those that read it before they write it. */
export interface Accesses {
  readonly writes: ReadonlySet<number>;
  readonly reads: ReadonlySet<number>;
}

/** The blocks in which each variable needs a phi. Block 0 is the entry; every block must be reachable. */
export function minimalPhis(
  successors: readonly (readonly number[])[],
  variables: readonly Accesses[],
): Set<number>[] {
  const frontiers = dominanceFrontiers(successors);
  return variables.map((variable) => {
    const live = liveIn(successors, variable);
    const phis = new Set<number>();
    // The entry gives every variable a value: undef, or that of the parameter.
    const work = [0, ...variable.writes];
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      for (const join of frontiers[block] ?? []) {
        if (phis.has(join) || !live.has(join)) continue;
        phis.add(join);
        work.push(join);
      }
    }
    return phis;
  });
}

/** Blocks that control reaches from the entry without passing `removed`. */
function reachedWithout(successors: readonly (readonly number[])[], removed: number): Set<number> {
  const reached = new Set<number>();
  const work = removed === 0 ? [] : [0];
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    if (block === removed || reached.has(block)) continue;
    reached.add(block);
    work.push(...(successors[block] ?? []));
  }
  return reached;
}

/** The joins at which the dominance of each block ends: it dominates a predecessor, and not strictly the join. */
function dominanceFrontiers(successors: readonly (readonly number[])[]): Set<number>[] {
  return successors.map((_, block) => {
    const others = reachedWithout(successors, block);
    const dominates = (other: number) => !others.has(other);
    const frontier = new Set<number>();
    for (const [from, targets] of successors.entries()) {
      if (!dominates(from)) continue;
      for (const join of targets) if (join === block || !dominates(join)) frontier.add(join);
    }
    return frontier;
  });
}

/** The blocks at whose beginning a variable is live. */
function liveIn(successors: readonly (readonly number[])[], variable: Accesses): Set<number> {
  const live = new Set(variable.reads);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [block, targets] of successors.entries()) {
      if (live.has(block) || variable.writes.has(block)) continue;
      if (!targets.some((target) => live.has(target))) continue;
      live.add(block);
      changed = true;
    }
  }
  return live;
}
