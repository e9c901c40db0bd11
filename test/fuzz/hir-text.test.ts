import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { parseHir, printHir, verifyHir } from '../../src/hir/index.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { verifyVir } from '../../src/vir/verifier.js';

const FOLDER = `${import.meta.dirname}/../cases/hir`;
const ROUNDS = Number(process.env.VCT_FUZZ_ROUNDS ?? 1500);

/** A text with a few words or characters exchanged, removed or doubled. */
function mutate(text: string, random: (below: number) => number): string {
  const words = text.split(/(\s+|[(),{}])/);
  for (let change = 0; change <= random(3); change++) {
    const at = random(words.length);
    const other = words[random(words.length)] as string;
    switch (random(4)) {
      case 0:
        words[at] = other;
        break;
      case 1:
        words.splice(at, 1);
        break;
      case 2:
        words.splice(at, 0, other);
        break;
      default: {
        const word = words[at] as string;
        const cut = random(word.length + 1);
        words[at] = word.slice(0, cut) + String.fromCharCode(32 + random(96)) + word.slice(cut);
      }
    }
  }
  return words.join('');
}

/** The module, or undefined when the text is refused with diagnostics. */
function accepted(text: string): HirModule | undefined {
  try {
    return parseHir(text, { file: 'mutant' });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw new Error(`${String(error)} for:\n${text}`);
    expect(error.diagnostics.length, text).toBeGreaterThan(0);
    return undefined;
  }
}

test('003/T-3 mutated programs are read, refused or lowered, and nothing else', () => {
  const programs = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.hir'))
    .sort()
    .map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8').split(';--- expect')[0] as string);
  let seed = 20_261_130;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let lowered = 0;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = mutate(programs[random(programs.length)] as string, random);
    const module = accepted(text);
    if (module === undefined || verifyHir(module).length > 0) refused++;
    if (module === undefined) continue;
    const printed = printHir(module);
    expect(printHir(parseHir(printed)), text).toBe(printed);
    if (verifyHir(module).length > 0) continue;
    expect(verifyVir(lowerModule(module, 'ts')), text).toEqual([]);
    lowered++;
  }
  expect(lowered).toBeGreaterThan(ROUNDS / 50);
  expect(refused).toBeGreaterThan(ROUNDS / 5);
});
