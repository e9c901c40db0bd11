/** Time of one piece of work: the median of several samples after a warm-up, within a budget. */

/** A sample repeats work until it is at least this long, so that the clock's steps do not matter; in nanoseconds. */
const SHORTEST_SAMPLE = 1_000_000;

/**
 * Warms up for a third of `budget` milliseconds, then takes samples until there are `count` of them or the budget is used
 * up. Work that fills the budget in one run is timed by that run alone. Gives the median in nanoseconds, and the samples.
 */
export function measure(work, count, budget) {
  const end = performance.now() + budget;
  const warmEnd = performance.now() + budget / 3;
  let time = timeOf(work, 1);
  while (performance.now() < warmEnd) time = timeOf(work, 1);
  const repeats = Math.max(1, Math.ceil(SHORTEST_SAMPLE / time));
  const samples = [];
  while (samples.length < count && performance.now() + (time * repeats) / 1e6 < end) {
    samples.push(timeOf(work, repeats));
  }
  if (samples.length === 0) samples.push(time);
  return { nanoseconds: median(samples), samples: samples.length };
}

/** Nanoseconds of one run, on average over some. */
function timeOf(work, repeats) {
  const before = process.hrtime.bigint();
  for (let run = 0; run < repeats; run++) work();
  return Number(process.hrtime.bigint() - before) / repeats;
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
