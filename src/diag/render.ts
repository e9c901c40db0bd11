/**
 * Diagnostics for people and for tools (011): text with the source line and a caret under the place, or JSON.
 *
 * What comes from an input (names, source lines, a compiler's output) is made harmless for a terminal before it is shown.
 */

import { CATALOGUE, type Severity } from './catalogue.js';
import { type Diagnostic, type DiagnosticPosition, summary } from './diagnostic.js';

/** How diagnostics are rendered. */
export interface RenderOptions {
  /** The text of a source file by its name, for excerpts; undefined when it is not at hand. */
  readonly source?: (file: string) => string | undefined;
  /** Whether to colour with terminal escapes. */
  readonly colour?: boolean;
}

/** Columns of a source line that are shown at most. */
const EXCERPT_WIDTH = 100;

/** Terminal colours; the package also runs where there is no `node:util`. */
const COLOURS: Readonly<Record<Severity, number>> = { error: 31, internal: 35, warning: 33, note: 36 };

/** The diagnostics one after the other, each with its excerpt, notes and help; ends with a line break unless empty. */
export function renderDiagnostics(items: readonly Diagnostic[], options: RenderOptions = {}): string {
  const excerpts = new Excerpts(options.source);
  return items.map((item) => renderOne(item, excerpts, options.colour ?? false)).join('');
}

/** The diagnostics as one JSON object: `{"diagnostics":[{code, severity, message, help, rule, position, notes}]}`. */
export function diagnosticsToJson(items: readonly Diagnostic[]): string {
  const rows = items.map((item) => ({
    code: item.code,
    severity: item.severity,
    message: item.message,
    help: item.help,
    rule: CATALOGUE[item.code].rule,
    ...(item.position !== undefined && { position: item.position }),
    notes: item.notes,
    ...(item.attachment !== undefined && { attachment: item.attachment }),
  }));
  return JSON.stringify({ diagnostics: rows });
}

function renderOne(item: Diagnostic, excerpts: Excerpts, colour: boolean): string {
  const paint = (severity: Severity, text: string) =>
    colour ? `\u001b[${COLOURS[severity]}m${text}\u001b[39m` : text;
  const lines: string[] = [];
  const [first, ...rest] = harmless(summary(item)).split('\n') as [string, ...string[]];
  const label = `${item.severity} ${item.code}`;
  lines.push(
    first.replace(label, () => paint(item.severity, label)),
    ...rest,
  );
  if (item.position !== undefined)
    lines.push(...excerpts.lines(item.position, (text) => paint(item.severity, text)));
  for (const note of item.notes) {
    const place = note.position === undefined ? '' : `${placeText(note.position)}: `;
    lines.push(`  ${paint('note', 'note')}: ${harmless(place + note.message)}`);
    if (note.position !== undefined)
      lines.push(...excerpts.lines(note.position, (text) => paint('note', text)));
  }
  if (item.help !== '') lines.push(`  help: ${harmless(item.help)}`);
  if (item.attachment !== undefined && item.attachment !== '') {
    const attached = harmless(item.attachment).trimEnd().split('\n');
    lines.push(...attached.map((line) => `  | ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** `file:3:5`. */
export function placeText(position: DiagnosticPosition): string {
  return `${position.file}:${position.line}:${position.column}`;
}

/** Control characters would steer the terminal, so they are shown as `\u{1b}`; line breaks and tabs stay. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return character === '\r' ? '' : `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
}

/** Source lines by number; the line starts of a file are found once. */
class Excerpts {
  readonly #files = new Map<
    string,
    { readonly text: string; readonly starts: readonly number[] } | undefined
  >();

  constructor(readonly source: RenderOptions['source']) {}

  /** The line of a position and a line of carets under it; nothing when the text is not at hand. */
  lines(position: DiagnosticPosition, paint: (text: string) => string): string[] {
    const line = this.#line(position.file, position.line);
    if (line === undefined || position.column < 1 || position.column > line.length + 1) return [];
    const at = position.column - 1;
    const from = at > EXCERPT_WIDTH - 20 ? at - (EXCERPT_WIDTH >> 1) : 0;
    const shown = line.slice(from, from + EXCERPT_WIDTH);
    const before = (from > 0 ? '…' : '') + blank(shown.slice(0, at - from));
    const length = Math.max(1, Math.min(position.length ?? 1, shown.length - (at - from)));
    const number = String(position.line);
    const text = `${from > 0 ? '…' : ''}${oneCell(shown)}${from + EXCERPT_WIDTH < line.length ? '…' : ''}`;
    return [
      `  ${number} | ${text}`,
      `  ${' '.repeat(number.length)} | ${before.replace('…', ' ')}${paint('^'.repeat(length))}`,
    ];
  }

  #line(file: string, number: number): string | undefined {
    if (!this.#files.has(file)) this.#files.set(file, indexed(this.source?.(file)));
    const known = this.#files.get(file);
    const start = known?.starts[number - 1];
    if (known === undefined || start === undefined) return undefined;
    const end = known.starts[number] ?? known.text.length + 1;
    return known.text.slice(start, end - 1).replace(/\r$/, '');
  }
}

function indexed(text: string | undefined) {
  if (text === undefined) return undefined;
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return { text, starts };
}

/** Every character in one cell, so that the caret stands where it should. */
function oneCell(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

/** As many spaces as the text has characters: a surrogate pair is one. */
function blank(text: string): string {
  return ' '.repeat([...text].length);
}
