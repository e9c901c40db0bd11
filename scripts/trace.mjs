/**
 * Traceability: every requirement of `spec/` with the tests that name it. `npm run trace [-- 005]`
 *
 * A requirement is a row of a table of `spec/NNN-*.md` whose first cell is an id (`| L-8 | ... |`), or a list entry that begins with one
 * (`- **G-1.** ...`, `- **X1. Title.** ...`). It is open when the last cell of its row begins with `open` or is the number of a document
 * that comes later, or when its entry says `(open)`. A test names a requirement in a string of a `test/**.test.ts`, a case on its `; rule:`
 * lines, and a table of the spec headed `| requirement | test |` names the files for those that a whole file proves.
 *
 * Fails on a requirement that is not open and has no test, on a name of a requirement that does not exist, and on an id given twice.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ID = String.raw`[A-Z]{1,2}-?\d+`;

/** Invariant n of 005 is cited as `005/§5.n`, its section in the paper that 005 tells again. */
const INVARIANT = /005\/§5\.([1-8])\b/g;

/** @typedef {{ id: string, isOpen: boolean, state: string, proofs: Set<string> }} Requirement */

/** The requirements of all documents, by id, and what is wrong with them. */
function readRequirements(faults) {
  /** @type {Map<string, Requirement>} */
  const requirements = new Map();
  for (const name of readdirSync(join(ROOT, 'spec')).sort()) {
    const [number] = name.match(/^\d{3}(?=-.*\.md$)/) ?? [];
    if (number === undefined) continue;
    for (const line of readFileSync(join(ROOT, 'spec', name), 'utf8').split('\n')) {
      const found = requirementOf(line);
      if (found === undefined) continue;
      const id = `${number}/${found.id}`;
      if (requirements.has(id)) faults.push(`${id} is given twice in spec/${name}`);
      requirements.set(id, { ...found, id, proofs: new Set() });
    }
  }
  return requirements;
}

function requirementOf(line) {
  const [, entry, text] = line.match(new RegExp(String.raw`^- \*\*(${ID})\.(?:\*\*)? (.*)`)) ?? [];
  if (entry !== undefined) {
    const isOpen = text.includes('(open)');
    return { id: entry, isOpen, state: isOpen ? 'open' : '' };
  }
  const cells = line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
  if (cells.length < 3 || !new RegExp(`^${ID}$`).test(cells[0])) return undefined;
  const last = cells.at(-1);
  const isState = /^(done|open|\d{3})\b/.test(last);
  return { id: cells[0], isOpen: /^(open|\d{3}$)/.test(last), state: isState ? last : '' };
}

/** The requirements that a text names: `005/L-28`, `005/L-28, L-29`, `001/A-12 – A-16`. */
function namedIn(text) {
  const names = [];
  for (const [, number] of text.matchAll(INVARIANT)) names.push(`005/I-${number}`);
  const list = new RegExp(String.raw`\b(\d{3})\/(${ID}(?:(?:, | and | to | [–-] )${ID})*)`, 'g');
  for (const [, document, ids] of text.matchAll(list)) {
    for (const part of ids.split(/, | and /)) {
      for (const id of range(part)) names.push(`${document}/${id}`);
    }
  }
  return names;
}

/** `A-12 – A-16` as five ids. */
function range(part) {
  const [first, last] = part.split(/ to | [–-] /);
  if (last === undefined) return [first];
  const [, prefix, from] = first.match(/^(\D+)(\d+)$/);
  const to = Number(last.match(/\d+$/)[0]);
  return Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${Number(from) + index}`);
}

/** The strings of a TypeScript text; comments name requirements without proving them. */
function stringsOf(text) {
  const tokens = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return [...text.matchAll(tokens)].map(([token]) => token).filter((token) => !token.startsWith('/'));
}

/** Every pair of a requirement and what names it. */
function* proofs() {
  for (const name of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    const file = name.replaceAll('\\', '/');
    const isCase = /\.[hv]ir$/.test(file);
    if (!isCase && !file.endsWith('.test.ts')) continue;
    const text = readFileSync(join(ROOT, 'test', name), 'utf8');
    const lines = isCase ? (text.match(/^; rule: .*$/gm) ?? []) : stringsOf(text);
    for (const line of lines) {
      for (const id of namedIn(line)) yield [id, file];
    }
  }
  for (const name of readdirSync(join(ROOT, 'spec')).sort()) yield* proofTable(name);
}

/** The rows of the tables `| requirement | test |` of a document. */
function* proofTable(name) {
  let isTable = false;
  for (const line of readFileSync(join(ROOT, 'spec', name), 'utf8').split('\n')) {
    isTable = line === '| requirement | test |' || (isTable && line.startsWith('|'));
    if (!isTable) continue;
    const [, ids, places = ''] = line.split('|');
    for (const [, place] of places.matchAll(/`([^`]+)`/g)) {
      const file = existsSync(join(ROOT, place)) ? place.replace(/^test\//, '') : undefined;
      for (const id of namedIn(`${name.slice(0, 3)}/${ids.trim()}`))
        yield [id, file ?? place, file === undefined];
    }
  }
}

function main(filter = '') {
  const faults = [];
  const requirements = readRequirements(faults);
  const documents = new Set([...requirements.keys()].map((id) => id.slice(0, 3)));
  for (const [id, file, isMissing] of proofs()) {
    const requirement = requirements.get(id);
    if (isMissing) faults.push(`${id} names ${file}, which is not there`);
    else if (requirement !== undefined) requirement.proofs.add(file);
    // A document that is not written yet can be named.
    else if (documents.has(id.slice(0, 3))) faults.push(`${file} names ${id}, which no document has`);
  }
  for (const { id, isOpen, state, proofs: files } of requirements.values()) {
    if (!isOpen && files.size === 0) faults.push(`${id} has no test`);
    if (!id.startsWith(filter)) continue;
    const [first = isOpen ? '' : 'NO TEST', second, ...rest] = files;
    const shown = [first, second, rest.length > 0 ? `and ${rest.length} more` : undefined];
    console.log(
      `${id.padEnd(10)} ${(isOpen ? 'open' : 'done').padEnd(5)} ${shown.filter(Boolean).join(', ')}${isOpen && state !== 'open' ? `  (${state})` : ''}`,
    );
  }
  const all = [...requirements.values()];
  const open = all.filter(({ isOpen }) => isOpen).length;
  const proved = all.filter(({ isOpen, proofs: files }) => !isOpen && files.size > 0).length;
  console.log(
    `\n${all.length} requirements: ${proved} with tests, ${open} open, ${all.length - proved - open} without a test`,
  );
  for (const fault of new Set(faults)) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

main(process.argv[2]);
