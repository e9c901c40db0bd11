/** The option table as a section of spec/010. */

import { cell } from '../diag/reference.js';
import { DEFAULT_CONFIG, OPTION_ROWS } from '../ir/config.js';

/** One row an option, in the order of `vct --help`. */
export function optionReference(): string {
  const lines = OPTION_ROWS.map((row) => {
    const flag = row.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const range =
      row.kind === 'choice'
        ? (row.choices ?? []).join(', ')
        : row.kind === 'integer'
          ? `${row.minimum} to ${row.maximum}`
          : row.kind;
    const value = DEFAULT_CONFIG[row.name];
    const initial = Array.isArray(value) ? 'none' : String(value);
    return `| \`${row.name}\` | \`--${flag}\` | ${cell(range)} | ${cell(initial)} | ${cell(row.help)} |`;
  });
  return ['| field | option | values | default | what it does |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}
