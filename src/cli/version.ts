/** `vct --version`: which libVCT this is, which core runs, and why that one. */

import { readFileSync } from 'node:fs';

import { coreInfo } from '../core/index.js';
import type { CoreChoice } from '../ir/config.js';

/** The lines of the version. */
export function versionText(choice: CoreChoice = 'auto'): string {
  const info = coreInfo(choice);
  const where = info.path === undefined || info.active === 'ts' ? '' : `\naddon: ${info.path}`;
  const compiler = info.compiler === undefined ? '' : `, built by ${info.compiler}`;
  return (
    `libvct ${packageVersion()}\n` +
    `core: ${info.active} (${info.reason})${compiler}${where}\n` +
    `schema: ${info.schemaVersion}, layout ${info.layoutHash}\n` +
    `node: ${process.version} ${process.platform}-${process.arch}\n`
  );
}

/** The version in package.json, which is two folders above this file in `src` as in `dist`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
