/**
 * Diagnostics as a SARIF 2.1.0 log (OASIS Standard, 2020), for code scanning of forges and editors (011 §4).
 *
 * One run with one result a diagnostic. The rules are the rows of the catalogue that occur, by code, so that a log stays small and
 * the same diagnostics give the same bytes. Numbers in comments are sections of the standard.
 */

import { CATALOGUE, type DiagnosticCode, type DiagnosticRow, type Severity } from './catalogue.js';
import type { Diagnostic, DiagnosticNote, DiagnosticPosition } from './diagnostic.js';

/** Where the schema of the log is published (3.13.3). */
export const SARIF_SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** What the log says about the tool; nothing by default, since the catalogue does not know the package. */
export interface SarifOptions {
  /** Version of libVCT. */
  readonly version?: string;
}

/** Levels of results (3.27.10): SARIF knows none for a fault of the tool itself, which is an error here. */
const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  internal: 'error',
  warning: 'warning',
  note: 'note',
};

/** The diagnostics as one SARIF log of one line. Without any it says that the run was clean. */
export function diagnosticsToSarif(items: readonly Diagnostic[], options: SarifOptions = {}): string {
  const codes = [...new Set(items.map((item) => item.code))].sort();
  const ruleIndex = new Map(codes.map((code, index) => [code, index]));
  const isInternal = items.some((item) => item.severity === 'internal');
  const driver = {
    name: 'libVCT',
    ...(options.version !== undefined && { version: options.version }),
    rules: codes.map(ruleOf),
  };
  const run = {
    tool: { driver },
    // 3.14.17: columns count as those of our diagnostics do (011/D-4).
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: !isInternal }],
    results: items.map((item) => resultOf(item, ruleIndex.get(item.code) as number)),
  };
  return JSON.stringify({ $schema: SARIF_SCHEMA, version: '2.1.0', runs: [run] });
}

/**
 * A row of the catalogue as a reportingDescriptor (3.49). The braces of a template are its own, so it is text and no message string.
 * There is no name, since 3.49.7 wants none that says the same as the id.
 */
function ruleOf(code: DiagnosticCode): object {
  const row: DiagnosticRow = CATALOGUE[code];
  return {
    id: code,
    shortDescription: { text: row.message },
    ...(row.help !== '' && { help: { text: row.help } }),
    defaultConfiguration: { level: LEVELS[row.severity] },
    properties: { severity: row.severity, ...(row.rule !== '' && { requirement: row.rule }) },
  };
}

function resultOf(item: Diagnostic, ruleIndex: number): object {
  return {
    ruleId: item.code,
    ruleIndex,
    level: LEVELS[item.severity],
    message: { text: messageOf(item) },
    locations: item.position === undefined ? [] : [{ physicalLocation: placeOf(item.position) }],
    ...(item.notes.length > 0 && { relatedLocations: item.notes.map(relatedOf) }),
    ...(item.attachment !== undefined && { properties: { output: item.attachment } }),
  };
}

/** Viewers show the message alone, so that what to do stands in it too. */
function messageOf(item: Diagnostic): string {
  return item.help === '' ? item.message : `${item.message}\n${item.help}`;
}

/** A note as a related location (3.27.22); one without a place of its own has only its words. */
function relatedOf(note: DiagnosticNote, index: number): object {
  return {
    id: index,
    message: { text: note.message },
    ...(note.position !== undefined && { physicalLocation: placeOf(note.position) }),
  };
}

/** A place as a physicalLocation (3.29). `endColumn` is one past the place (3.30.8). */
function placeOf(position: DiagnosticPosition): object {
  const { line, column, length = 1 } = position;
  return {
    artifactLocation: { uri: uriOf(position.file) },
    region: { startLine: line, startColumn: column, endColumn: column + Math.max(1, length) },
  };
}

/**
 * A file as the author named it, as a URI reference (3.4.3). Backslashes separate folders only where a drive begins the name.
 * A lone surrogate has no UTF-8 and becomes U+FFFD.
 */
function uriOf(file: string): string {
  const isDrive = /^[A-Za-z]:[\\/]/.test(file);
  const path = (isDrive ? `/${file.replaceAll('\\', '/')}` : file).replace(/\p{Surrogate}/gu, '\ufffd');
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  if (isDrive) return `file://${escaped.replace('%3A', ':')}`;
  // A reference that began with two slashes would name a host.
  return path.startsWith('/') ? `file:///${escaped.replace(/^\/+/, '')}` : escaped;
}
