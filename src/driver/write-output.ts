/** Output files are whole or not there: written beside their place and then renamed to it (010 §5). */

import { chmodSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { fail } from '../diag/diagnostic.js';
import { Scratch } from './scratch.js';

/** Where output goes in the end: symbolic links are followed, so that the link stays. */
export interface OutputPlace {
  /** Absolute path of the file itself. */
  readonly path: string;
  /** file: it may be replaced by a rename. other: a device or a pipe, which can only be written to. */
  readonly kind: 'file' | 'other';
  /** Permissions of the file that is there. */
  readonly mode?: number;
}

/** Finds where `target` is. Fails with VCT0901 when it is a folder, or in none. */
export function outputPlace(target: string): OutputPlace {
  if (target === '' || target.includes('\0'))
    return fail('VCT0901', { file: JSON.stringify(target), reason: 'this is no path' });
  const path = resolvedPath(target);
  try {
    const known = statSync(path);
    if (known.isDirectory()) fail('VCT0901', { file: target, reason: 'it is a folder' });
    return { path, kind: known.isFile() ? 'file' : 'other', mode: known.mode };
  } catch (error) {
    if (reasonCode(error) === 'ENOENT') return { path, kind: 'file' };
    if (reasonCode(error) === undefined) throw error;
    return fail('VCT0901', { file: target, reason: reasonText(error) });
  }
}

/** Writes a file. Fails with VCT0901, and then what was there before is as it was. */
export function writeOutput(target: string, content: string | Uint8Array): void {
  const place = outputPlace(target);
  const scratch = new Scratch();
  try {
    if (place.kind === 'other') {
      writeFileSync(place.path, content);
      return;
    }
    const temporary = scratch.beside(place.path);
    writeFileSync(temporary, content, { flag: 'wx' });
    if (place.mode !== undefined) chmodSync(temporary, place.mode & 0o7777);
    renameSync(temporary, place.path);
  } catch (error) {
    fail('VCT0901', { file: target, reason: reasonText(error) });
  } finally {
    scratch.release();
  }
}

/** The path without symbolic links. Of a file that is not there yet, its folder's. */
function resolvedPath(target: string): string {
  const absolute = resolve(target);
  for (const attempt of [
    () => realpathSync(absolute),
    () => join(realpathSync(dirname(absolute)), basename(absolute)),
  ]) {
    try {
      return attempt();
    } catch {
      // The next attempt, or the plain path, whose use then says what is wrong.
    }
  }
  return absolute;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENOSPC: 'no space is left',
  EROFS: 'the file system is read-only',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ETXTBSY: 'it is running',
  EFBIG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
  ERR_STRING_TOO_LONG: 'it is too large',
};

/** The system's error in words. */
export function reasonText(error: unknown): string {
  const code = reasonCode(error);
  return (code && REASONS[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The system's name of an error, such as ENOENT. */
export function reasonCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && !code.startsWith('VCT') ? code : undefined;
}
