/** A seeded source of random numbers, so that every failure can be had again. */

import { execFileSync } from 'node:child_process';

/**
 * The seed of this run: `VCT_SEED`, or one made from the commit that is checked out, or else from the clock. Every commit tries other
 * programs than the one before, and whoever runs the tests of a commit again gets the same. Print it where it is used.
 */
export function runSeed(): number {
  const given = process.env.VCT_SEED;
  if (given !== undefined) return Number(given);
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return Date.now() % 1_000_000_007;
  }
}

/** Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= result < 2^32. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** 0 <= result < limit. */
  below(limit: number): number {
    return this.word() % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
