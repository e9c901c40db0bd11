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

/** One line a (shape, size). */
export function memoryTable(memory) {
  const head = ['shape', 'instructions', 'a HIR node', 'a VIR instruction'];
  const rows = memory.map(({ shape, instructions, bytesANode, bytesAnInstruction }) => [
    shape,
    String(instructions),
    bytesANode.toFixed(1),
    bytesAnInstruction.toFixed(1),
  ]);
  return layOut([head, ...rows]);
}

/** Nanoseconds with three digits, or a dash for what was not measured. */
export function time(nanoseconds) {
  if (nanoseconds === undefined) return '–';
  return nanoseconds >= 100 ? nanoseconds.toFixed(0) : nanoseconds.toPrecision(3);
}

/** Columns of one width each: words to the left, numbers to the right. */
export function layOut(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isWord = (column) => !/^[\d.–]/.test(rows[1]?.[column] ?? '');
  return rows
    .map((row) =>
      row
        .map((cell, column) => (isWord(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
