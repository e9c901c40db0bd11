/** Control flow of random VIR functions: any shape, and every run ends. */

import type { Random } from './random.js';

export interface Flow {
  readonly kind: 'return' | 'jump' | 'choice' | 'switch' | 'fuel';
  readonly targets: readonly number[];
  readonly swapped?: boolean;
}

/**
 * Blocks 1 to `count`. Edges go forward, save those back to a header that counts and leaves past the latch, and those that count
 * themselves; so every run ends.
 */
export function controlFlow(random: Random, count: number): Flow[] {
  const flows: (Flow | undefined)[] = Array.from({ length: count }, () => undefined);
  const forward = (from: number, least = from + 1) =>
    least + Math.min(random.below(count - least + 1), random.below(count - least + 1));
  for (let header = 1; header < count - 2; header++) {
    if (flows[header - 1] !== undefined || !random.chance(35)) continue;
    const latch = header + 1 + random.below(Math.min(4, count - header - 2));
    if (flows[latch - 1] !== undefined) continue;
    flows[header - 1] = { kind: 'fuel', targets: [header + 1, latch + 1], swapped: random.chance(30) };
    flows[latch - 1] = { kind: 'jump', targets: [header] };
  }
  return flows.map((flow, index) => {
    const block = index + 1;
    if (flow !== undefined) return flow;
    if (block === count || random.chance(4)) return { kind: 'return', targets: [] };
    const kind = random.below(10);
    if (kind < 3) return { kind: 'jump', targets: [random.chance(70) ? block + 1 : forward(block)] };
    if (kind < 6)
      return { kind: 'choice', targets: [random.chance(60) ? block + 1 : forward(block), forward(block)] };
    if (kind < 8)
      return { kind: 'switch', targets: Array.from({ length: 1 + random.below(5) }, () => forward(block)) };
    return { kind: 'fuel', targets: [1 + random.below(block), forward(block)], swapped: random.chance(30) };
  });
}
