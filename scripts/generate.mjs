/** Writes the files that are made from the tables of `src/`; `npm run generate` builds `dist` first. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnosticReference, withSection } from '../dist/diag/reference.js';
import { optionReference } from '../dist/driver/reference.js';
import { nodeKindReference } from '../dist/hir/reference.js';
import { generateLayout } from '../dist/ir/generate-layout.js';
import { erroneousReference, opcodeReference } from '../dist/vir/reference.js';

/** Every generated file, with the function that gives its text. */
const FILES = [['../native/generated/layout.h', generateLayout]];

/** Every generated section of a page: between `<!-- generated: name -->` and `<!-- end: name -->`. */
const SECTIONS = [
  ['../spec/003-hir.md', 'node-kinds', nodeKindReference],
  ['../spec/006-vir.md', 'instructions', opcodeReference],
  ['../spec/006-vir.md', 'erroneous', erroneousReference],
  ['../spec/010-driver-cli.md', 'options', optionReference],
  ['../spec/011-diagnostics.md', 'diagnostics', diagnosticReference],
];

for (const [place, generate] of FILES) write(place, generate());
for (const [place, name, generate] of SECTIONS) {
  write(place, withSection(readOrEmpty(pathOf(place)), name, generate()));
}

function pathOf(place) {
  return fileURLToPath(new URL(place, import.meta.url));
}

function write(place, text) {
  const path = pathOf(place);
  if (readOrEmpty(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${place.slice(3)}`);
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
