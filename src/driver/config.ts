/** Completes a Config, and checks it against the option table (010 §3). */

import { DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { type Config, DEFAULT_CONFIG, OPTION_ROWS, type OptionRow } from '../ir/config.js';

/**
 * The given options over the defaults. Throws a DiagnosticError that names every unknown option (VCT0903) and every value that an
 * option cannot have (VCT0904). A field that is undefined counts as absent.
 */
export function completeConfig(given: Partial<Config>): Config {
  const sink = new DiagnosticSink();
  const result: Record<string, unknown> = { ...DEFAULT_CONFIG };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const row = OPTION_ROWS.find((candidate) => candidate.name === name);
    const expected = row === undefined ? undefined : optionFault(row, value);
    if (row === undefined) sink.add(diagnostic('VCT0903', { name: shown(name) }));
    else if (expected !== undefined) sink.add(diagnostic('VCT0904', { name, value: shown(value), expected }));
    else result[name] = value;
  }
  sink.throwIfErrors();
  return Object.freeze(result) as unknown as Config;
}

/** What an option wants, when the value is not that. */
export function optionFault(row: OptionRow, value: unknown): string | undefined {
  switch (row.kind) {
    case 'choice': {
      const choices = row.choices ?? [];
      return choices.includes(value as string) ? undefined : `it is one of ${choices.join(', ')}`;
    }
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = row;
      const fits =
        Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
      return fits ? undefined : `it is an integer from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'it is true or false';
    case 'string':
      return isPlainText(value) ? undefined : 'it is a text that is not empty';
    case 'list':
      return Array.isArray(value) && value.every(isPlainText) ? undefined : 'it is a list of texts';
  }
}

/** A NUL would end an argument of another program early. */
function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
