/** Time of one piece of work: the median of several runs after a warm-up, within a budget. */

/**
 * Runs `work` at least once and then until `runs` are timed or `budget` milliseconds are used up. The first run warms up and
 * counts only when it is the only one. Gives the median in nanoseconds, and how many runs it is of.
 */
export function measure(work, runs, budget) {
  const times = [];
  const start = performance.now();
  let first = 0;
  for (let run = 0; run <= runs; run++) {
    const before = process.hrtime.bigint();
    work();
    const time = Number(process.hrtime.bigint() - before);
    if (run === 0) first = time;
    else times.push(time);
    const used = performance.now() - start;
    // Another run of the same length must fit.
    if (run > 0 || used > budget / 2) if (used + time / 1e6 > budget) break;
  }
  if (times.length === 0) return { nanoseconds: first, runs: 1 };
  times.sort((left, right) => left - right);
  const middle = times.length >> 1;
  const median = times.length % 2 === 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
  return { nanoseconds: median, runs: times.length };
}
