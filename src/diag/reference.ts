/** The reference pages that are made from tables: their sections, and how a section is put into a page. */

import { CATALOGUE, type DiagnosticRow } from './catalogue.js';

/**
 * The page with the content between `<!-- generated: name -->` and `<!-- end: name -->` replaced. A page without these two lines is
 * a fault of whoever wrote it.
 */
export function withSection(page: string, name: string, content: string): string {
  const head = `<!-- generated: ${name} -->`;
  const tail = `<!-- end: ${name} -->`;
  const from = page.indexOf(head);
  const to = page.indexOf(tail);
  if (from < 0 || to < from) throw new Error(`the page has no section ${name}`);
  return `${page.slice(0, from + head.length)}\n${content}\n${page.slice(to)}`;
}

/** One row a diagnostic, by code: the page of 011. */
export function diagnosticReference(): string {
  const rows = Object.entries<DiagnosticRow>(CATALOGUE).sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = rows.map(([code, row]) => {
    const rule = row.rule === '' ? '' : `\`${row.rule}\``;
    return `| ${code} | ${row.severity} | ${cell(row.message)} | ${cell(row.help)} | ${rule} |`;
  });
  return ['| code | severity | message | what to do | enforces |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}

/** A text as one cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
