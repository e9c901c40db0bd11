/** Diagnostics: what libVCT says about an input (011). Imports nothing of ours but the catalogue. */

import { CATALOGUE, type DiagnosticCode, type Severity } from './catalogue.js';

/** A place in a source text. `line` and `column` count from 1; `file` is as the author named it. */
export interface DiagnosticPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many columns the place covers; 1 when absent. */
  readonly length?: number;
}

/** A remark that belongs to a diagnostic. */
export interface DiagnosticNote {
  readonly message: string;
  readonly position?: DiagnosticPosition;
}

/** One message with its stable code. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly help: string;
  readonly position?: DiagnosticPosition;
  readonly notes: readonly DiagnosticNote[];
  /** Output of another program that belongs to it, such as a C compiler's. */
  readonly attachment?: string;
}

/** Values for the `{name}` places of the message and the help. */
export type DiagnosticArguments = Readonly<Record<string, string | number | bigint>>;

/** Makes a diagnostic from its row of the catalogue. Every `{name}` of the template must have a value. */
export function diagnostic(
  code: DiagnosticCode,
  values: DiagnosticArguments = {},
  position?: DiagnosticPosition,
  notes: readonly DiagnosticNote[] = [],
  attachment?: string,
): Diagnostic {
  const row = CATALOGUE[code];
  const filled = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`));
  return {
    code,
    severity: row.severity,
    message: filled(row.message),
    help: filled(row.help),
    notes,
    ...(position !== undefined && { position }),
    ...(attachment !== undefined && { attachment }),
  };
}

/** Thrown by every call of the API that cannot give a result. Holds at least one diagnostic of severity error. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(summary).join('\n'));
  }

  /** The first code, for callers that handle one kind of error. */
  get code(): DiagnosticCode {
    return (this.diagnostics[0] as Diagnostic).code;
  }
}

/** A diagnostic on one line: `file:3:5: error VCT0101: message`. */
export function summary(item: Diagnostic): string {
  const place = item.position ? `${item.position.file}:${item.position.line}:${item.position.column}: ` : '';
  return `${place}${item.severity} ${item.code}: ${item.message}`;
}

/** Throws the one diagnostic. */
export function fail(
  code: DiagnosticCode,
  values: DiagnosticArguments = {},
  position?: DiagnosticPosition,
  notes: readonly DiagnosticNote[] = [],
  attachment?: string,
): never {
  throw new DiagnosticError([diagnostic(code, values, position, notes, attachment)]);
}

/** Collects diagnostics until there are too many, so that a bad input of any size ends soon. */
export class DiagnosticSink {
  readonly diagnostics: Diagnostic[] = [];

  /** Collects at most `limit` diagnostics. */
  constructor(readonly limit = 100) {}

  /** Adds one; says false when the sink is full and the caller should stop. */
  add(item: Diagnostic): boolean {
    if (this.diagnostics.length < this.limit) this.diagnostics.push(item);
    return this.diagnostics.length < this.limit;
  }

  get hasErrors(): boolean {
    return this.diagnostics.some((item) => item.severity === 'error' || item.severity === 'internal');
  }

  /** Throws what was collected when it holds an error. */
  throwIfErrors(): void {
    if (this.hasErrors) throw new DiagnosticError(this.diagnostics);
  }
}
