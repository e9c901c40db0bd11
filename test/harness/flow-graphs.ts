/** Control-flow graphs for tests: all small ones, and random ones. */

import type { Edges } from './graph-facts.js';
import type { Random } from './random.js';

/** Every graph of `size` blocks with at most two successors each, which may be the same. */
export function* allGraphs(size: number): Generator<Edges> {
  const choices: number[][] = [[]];
  for (let first = 0; first < size; first++) {
    choices.push([first]);
    for (let second = first; second < size; second++) choices.push([first, second]);
  }
  for (let number = 0; number < choices.length ** size; number++) {
    let rest = number;
    yield Array.from({ length: size }, () => {
      const choice = choices[rest % choices.length] as number[];
      rest = Math.floor(rest / choices.length);
      return choice;
    });
  }
}

/** A random graph: most of them of any edges, the others of edges forward, with some back. */
export function randomGraph(random: Random): Edges {
  const size = 1 + random.below(random.chance(10) ? 200 : 24);
  const isAny = random.chance(80);
  return Array.from({ length: size }, (_, block) =>
    Array.from({ length: isAny ? 1 + random.below(3) : random.below(4) }, () => {
      if (isAny || random.chance(15)) return random.below(size);
      return Math.min(size - 1, block + 1 + random.below(4));
    }),
  );
}
