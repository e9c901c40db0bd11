/** Reads the program that a command is about, from a file or standard input. */

import { isUtf8 } from 'node:buffer';
import { readFileSync, readSync } from 'node:fs';

import { fail } from '../diag/diagnostic.js';
import type { AnyModule } from '../driver/prepare.js';
import type { ReproInput } from '../driver/repro.js';
import { reasonText } from '../driver/write-output.js';
import { parseHir } from '../hir/parser.js';
import { parseVir } from '../vir/parser.js';
import { UsageError } from './usage.js';

/** Sources that were read, by the name that diagnostics give them. */
export const sources = new Map<string, string>();

/** The programs that were read, the last one last. */
export const inputs: ReproInput[] = [];

/** The module of `file`, where `-` is standard input. Throws a DiagnosticError for what cannot be read or parsed. */
export function readModule(file: string, format: string | undefined): AnyModule {
  if (format !== undefined && format !== 'hir' && format !== 'vir')
    throw new UsageError(`--format is hir or vir, not ${JSON.stringify(format)}`);
  const { name, text } = readText(file);
  const kind = format ?? formatOfName(file) ?? formatOfText(text);
  inputs.push({ file: name, format: kind, text });
  return kind === 'hir' ? parseHir(text, { file: name }) : parseVir(text, { file: name });
}

/** The text of a file, where `-` is standard input, and the name that diagnostics give it. */
export function readText(file: string): { readonly name: string; readonly text: string } {
  const name = file === '-' ? '<stdin>' : file;
  const text = decoded(file === '-' ? standardInput() : content(file), name);
  sources.set(name, text);
  return { name, text };
}

function content(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    return fail('VCT0900', { file, reason: reasonText(error) });
  }
}

/** All of standard input; `readFileSync(0)` fails where a terminal or a pipe has nothing to give yet. */
export function standardInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let chunk = readStandardInput(); chunk !== undefined; chunk = readStandardInput()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** The next piece of standard input; undefined at its end. */
export function readStandardInput(): Uint8Array | undefined {
  const buffer = Buffer.allocUnsafe(1 << 16);
  for (;;) {
    try {
      const length = readSync(0, buffer);
      return length === 0 ? undefined : buffer.subarray(0, length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return undefined;
      if (code !== 'EAGAIN') return fail('VCT0900', { file: '<stdin>', reason: reasonText(error) });
      // A terminal that was set not to wait: try again in a moment.
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  if (!isUtf8(bytes)) return notUtf8(bytes, file);
  try {
    return new TextDecoder().decode(bytes);
  } catch (error) {
    return fail('VCT0900', { file, reason: reasonText(error) });
  }
}

/** Says where the first byte is that fits no character. */
function notUtf8(bytes: Uint8Array, file: string): never {
  let line = 1;
  let start = 0;
  for (
    let end = bytes.indexOf(10);
    end >= 0 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(10, start)
  ) {
    start = end + 1;
    line++;
  }
  let at = start;
  for (let length = characterLength(bytes, at); length > 0; length = characterLength(bytes, at)) at += length;
  const column = new TextDecoder().decode(bytes.subarray(start, at)).length + 1;
  return fail('VCT0902', { file, offset: at }, { file, line, column });
}

/** Bytes of the character at a place; 0 when there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}

function formatOfName(file: string): 'hir' | 'vir' | undefined {
  if (file.endsWith('.hir')) return 'hir';
  return file.endsWith('.vir') ? 'vir' : undefined;
}

/** A line that begins as only a .vir body does (1), or only a .hir body (2). */
const BODY_WORDS =
  /^[ \t]*(?:((?:br|condbr|ret)\b|[\w.$-]+:[ \t]*(?:[;#!]|$))|((?:return|var|if|while|for|do|break|continue|defer)\b))/m;

/** The first instruction or statement that only one of the two has. A module without bodies is the same in both. */
function formatOfText(text: string): 'hir' | 'vir' {
  const found = BODY_WORDS.exec(text);
  return found?.[2] !== undefined ? 'hir' : 'vir';
}
