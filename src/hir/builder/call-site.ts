/**
 * Where in the author's own program the builder was called: the first stack frame outside libvct. Errors name it, and so
 * do the nodes of an author who gives no positions of his own.
 */

import type { DiagnosticPosition } from '../../diag/diagnostic.js';

/** The folder that holds libvct's own modules, `src/` or `dist/`, as stack frames spell it. */
const OWN_FOLDERS = ownFolders();

function ownFolders(): readonly string[] {
  const folder = import.meta.url.replace(/hir\/builder\/[^/]*$/, '');
  const path = folder.startsWith('file://') ? decodeURIComponent(folder.slice('file://'.length)) : folder;
  return [folder, path];
}

/** The folder that the program runs in, so that positions read the same on every machine; '' in a browser. */
function workingFolder(): string {
  const host = globalThis as { process?: { cwd?: () => string } };
  return host.process?.cwd === undefined ? '' : `${host.process.cwd()}/`;
}

interface StackLimit {
  stackTraceLimit?: number;
}

/** The author's line, or undefined where the engine gives no stack. About 5 µs. */
export function callSite(): DiagnosticPosition | undefined {
  const limited = Error as StackLimit;
  const usual = limited.stackTraceLimit;
  limited.stackTraceLimit = 12;
  const stack = new Error().stack ?? '';
  if (usual !== undefined) limited.stackTraceLimit = usual;
  for (const line of stack.split('\n')) {
    if (OWN_FOLDERS.some((folder) => line.includes(folder))) continue;
    const frame = parseFrame(line);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

/** `    at name (file:line:column)` or `    at file:line:column`; undefined for any other line. */
function parseFrame(line: string): DiagnosticPosition | undefined {
  if (!line.startsWith('    at ')) return undefined;
  const open = line.lastIndexOf('(');
  const place = open >= 0 && line.endsWith(')') ? line.slice(open + 1, -1) : line.slice('    at '.length);
  const columnAt = place.lastIndexOf(':');
  const lineAt = place.lastIndexOf(':', columnAt - 1);
  if (lineAt < 0) return undefined;
  const row = Number(place.slice(lineAt + 1, columnAt));
  const column = Number(place.slice(columnAt + 1));
  if (!Number.isInteger(row) || !Number.isInteger(column)) return undefined;
  const file = place.slice(0, lineAt).replace(/^async /, '');
  const path = file.startsWith('file://') ? decodeURIComponent(file.slice('file://'.length)) : file;
  const folder = workingFolder();
  return {
    file: folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path,
    line: row,
    column,
  };
}
