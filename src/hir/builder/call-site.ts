/**
 * Where in the author's own program the builder was called: the first stack frame outside libvct. Errors name it, and so
 * do the nodes of an author who gives no positions of his own.
 */

import type { DiagnosticPosition } from '../../diag/diagnostic.js';

/** The folder that holds libvct's own modules, `src/` or `dist/`, as stack frames spell it. */
const OWN_FOLDERS = ownFolders();

function ownFolders(): readonly string[] {
  const folder = import.meta.url.replace(/hir\/builder\/[^/]*$/, '');
  return [folder, pathOf(folder)];
}

/** What V8 tells about a frame. */
interface StackFrame {
  getFileName(): string | null | undefined;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

/** The parts of V8's `Error` and of the host that are used where they are there. */
interface StackHost {
  stackTraceLimit?: number;
  prepareStackTrace?: unknown;
}

/** Frames of libvct between the author's call and this one are never more. */
const FRAME_LIMIT = 16;

/** The author's line, or undefined where the engine gives no stack. */
export function callSite(): DiagnosticPosition | undefined {
  const host = Error as StackHost;
  const usual = host.stackTraceLimit;
  host.stackTraceLimit = FRAME_LIMIT;
  try {
    // Where the host maps lines to their TypeScript, only the text of the stack has the author's own.
    return isMapped(host) ? fromText() : fromFrames(host);
  } finally {
    if (usual !== undefined) host.stackTraceLimit = usual;
  }
}

function isMapped(host: StackHost): boolean {
  const { process } = globalThis as { process?: { sourceMapsEnabled?: boolean } };
  return host.prepareStackTrace !== undefined || process?.sourceMapsEnabled === true || !givesFrames();
}

/** Whether the engine is V8, which hands out frames. */
function givesFrames(): boolean {
  return (Error as { captureStackTrace?: unknown }).captureStackTrace !== undefined;
}

/** Asks for the frames themselves, which spares making the text of all of them. */
function fromFrames(host: StackHost): DiagnosticPosition | undefined {
  host.prepareStackTrace = (_: unknown, frames: readonly StackFrame[]) => frames;
  try {
    const frames = new Error().stack as unknown;
    if (!Array.isArray(frames)) return undefined;
    for (const frame of frames as readonly StackFrame[]) {
      const file = frame.getFileName();
      if (typeof file !== 'string' || isOwn(file)) continue;
      return position(file, frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1);
    }
    return undefined;
  } finally {
    host.prepareStackTrace = undefined;
  }
}

function fromText(): DiagnosticPosition | undefined {
  for (const line of (new Error().stack ?? '').split('\n')) {
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
  return position(place.slice(0, lineAt).replace(/^async /, ''), row, column);
}

function isOwn(file: string): boolean {
  return file.startsWith('node:') || OWN_FOLDERS.some((folder) => file.startsWith(folder));
}

function position(file: string, line: number, column: number): DiagnosticPosition {
  return { file: shownName(file), line, column };
}

const shownNames = new Map<string, string>();

/** The file as positions name it: below the working folder by its path from there, so that it reads the same on every machine. */
function shownName(file: string): string {
  let shown = shownNames.get(file);
  if (shown === undefined) {
    const { process } = globalThis as { process?: { cwd?: () => string } };
    const folder = process?.cwd === undefined ? '' : `${process.cwd()}/`;
    const path = pathOf(file);
    shown = folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path;
    shownNames.set(file, shown);
  }
  return shown;
}

function pathOf(file: string): string {
  return file.startsWith('file://') ? decodeURIComponent(file.slice('file://'.length)) : file;
}
