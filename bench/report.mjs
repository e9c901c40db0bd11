/** The results as a table for people. */

const HEAD = ['shape', 'instructions', 'phase', 'native', 'ts', 'ts / native'];

/** One line a (shape, size, phase); a phase that no core is part of has one time for both. */
export function table(results) {
  const lines = new Map();
  for (const result of results) {
    const key = `${result.shape} ${result.instructions} ${result.phase}`;
    if (!lines.has(key)) lines.set(key, { ...result, times: {} });
    lines.get(key).times[result.core] = result.nanosecondsPerInstruction;
  }
  const rows = [...lines.values()].map((line) => {
    const { native = line.times.either, ts = line.times.either } = line.times;
    const ratio =
      line.times.native !== undefined && line.times.ts !== undefined
        ? `${(line.times.ts / line.times.native).toFixed(1)}×`
        : '';
    return [line.shape, String(line.instructions), line.phase, time(native), time(ts), ratio];
  });
  return layOut([HEAD, ...rows]);
}

/** Nanoseconds with three digits, or a dash for what was not measured. */
function time(nanoseconds) {
  if (nanoseconds === undefined) return '–';
  return nanoseconds >= 100 ? nanoseconds.toFixed(0) : nanoseconds.toPrecision(3);
}

/** Columns of one width each: words to the left, numbers to the right. */
function layOut(rows) {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isWord = (column) => column === 0 || column === 2;
  return rows
    .map((row) =>
      row
        .map((cell, column) => (isWord(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
