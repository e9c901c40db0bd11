/**
 * Case files: one file a case, input and expected output side by side.
 *
 *   ; test: run emit=c        what is done with it, any of: parse verify optimize lower run interpret emit=c emit=llvm
 *   ; rule: 005/L-16          requirements that it proves
 *   ; stdin: "text"           a JSON string that the program reads
 *   ; args: a b               arguments of main
 *   ; without: c              ways that cannot run it: c (no C type of that width) or llvm; `warnings` where C compilers rightly
 *                             warn of the program itself, a read of a literal null pointer say
 *   ...
 *   ;--- expect run           what comes out; `VCT_UPDATE=1` rewrites it, and somebody reads every rewritten line
 *
 * A `bad-*` file, or one that the interpreter must stop, carries `; error: CODE` on each offending line; in the head of
 * the file, before the first line of text, it stands for a diagnostic of any position.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A diagnostic that a case must cause; no line means any. */
export interface ExpectedError {
  readonly code: string;
  readonly line: number | undefined;
}

export interface CaseFile {
  readonly path: string;
  /** Path below test/cases, with `/`. */
  readonly name: string;
  readonly format: 'hir' | 'vir';
  readonly tests: readonly string[];
  readonly rules: readonly string[];
  readonly stdin: string;
  readonly programArguments: readonly string[];
  readonly without: readonly string[];
  /** The program: everything before the first expectation. */
  readonly text: string;
  readonly errors: readonly ExpectedError[];
  /** What must come out, by the name of the test. */
  readonly expected: ReadonlyMap<string, string>;
}

const EXPECT = /^;--- expect ([\w=]+)\n/m;

/** Reads one case. */
export function readCase(root: string, path: string): CaseFile {
  const content = readFileSync(path, 'utf8');
  const [text = '', ...sections] = content.split(EXPECT);
  const expected = new Map<string, string>();
  for (let index = 0; index < sections.length; index += 2) {
    expected.set(sections[index] as string, sections[index + 1] as string);
  }
  const head = (name: string) =>
    [...text.matchAll(new RegExp(`^; ${name}: (.*)$`, 'gm'))].map((match) => match[1] as string);
  const words = (name: string) =>
    head(name).flatMap((line) => line.split(/\s+/).filter((word) => word !== ''));
  const stdin = head('stdin')[0];
  return {
    path,
    name: relative(root, path).replaceAll('\\', '/'),
    format: path.endsWith('.hir') ? 'hir' : 'vir',
    tests: words('test'),
    rules: words('rule'),
    stdin: stdin === undefined ? '' : (JSON.parse(stdin) as string),
    programArguments: words('args'),
    without: words('without'),
    text,
    errors: expectedErrors(text),
    expected,
  };
}

function expectedErrors(text: string): ExpectedError[] {
  const lines = text.split('\n');
  const firstLine = lines.findIndex((line) => line.trim() !== '' && !line.startsWith(';'));
  return lines.flatMap((line, index) =>
    [...line.matchAll(/; error: (VCT\d{4})/g)].map((match) => ({
      code: match[1] as string,
      line: firstLine < 0 || index < firstLine ? undefined : index + 1,
    })),
  );
}

/** Every case below a folder, in the order of their names. */
export function readCases(root: string): CaseFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[hv]ir$/.test(name))
    .sort()
    .map((name) => readCase(root, join(root, name)));
}

/** Puts another expectation into the file of a case. */
export function rewriteExpectation(item: CaseFile, test: string, output: string): void {
  const content = readFileSync(item.path, 'utf8');
  const marker = `;--- expect ${test}\n`;
  const start = content.indexOf(marker);
  if (start < 0) {
    writeFileSync(item.path, `${content.trimEnd()}\n${marker}${output}`);
    return;
  }
  const after = content.indexOf('\n;--- expect ', start + marker.length);
  const tail = after < 0 ? '' : content.slice(after + 1);
  writeFileSync(item.path, content.slice(0, start + marker.length) + output + tail);
}
