/** The constructor of a row of the diagnostic table. */

import type { DiagnosticRow, Severity } from './catalogue.js';

/** A row; `severity` is error unless said otherwise. */
export function row(message: string, help: string, rule = '', severity: Severity = 'error'): DiagnosticRow {
  return { severity, message, help, rule };
}
