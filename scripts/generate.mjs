/** Writes the files that are made from the tables of `src/`; `npm run generate` builds `dist` first. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateLayout } from '../dist/ir/generate-layout.js';

/** Every generated file, with the function that gives its text. */
const FILES = [['../native/generated/layout.h', generateLayout]];

for (const [place, generate] of FILES) {
  const path = fileURLToPath(new URL(place, import.meta.url));
  const text = generate();
  const old = readOrEmpty(path);
  if (old === text) continue;
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
