/** Each file of the C++ core has the functions of its TypeScript twin, by name and in order, so that they can be read side by side. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const nativeFolder = new URL('../../native/core/', import.meta.url);
const sourceFolder = new URL('../../src/core/', import.meta.url);

/** The names of functions defined at the left margin of a TypeScript file, in order. */
function typeScriptFunctions(text: string): string[] {
  return [...text.matchAll(/^(?:export )?function (\w+)/gm)].map((match) => match[1] as string);
}

/** The names of functions defined at the left margin of a C++ file, in order; declarations do not count. */
function cppFunctions(text: string): string[] {
  const code = text.replace(/\/\*.*?\*\//gs, '').replace(/\/\/[^\n]*/g, '');
  const heads = code.matchAll(
    /^(?!namespace|struct|#|using|template)[A-Za-z][\w:<>*&, ]*?[ *&](\w+)\(([^;{]*)\)\s*(?:const )?\{/gm,
  );
  return [...heads].map((match) => match[1] as string);
}

const twins = readdirSync(nativeFolder)
  .filter((name) => name.endsWith('.cc'))
  .map((name) => name.slice(0, -3));

describe('the two languages of the core', () => {
  it('reads C++ heads as intended', () => {
    const text =
      'static void one(int a);\nvoid two(Table& t,\n         int b) {\n  if (x) {\n  }\n}\nstatic int32_t* three() {\n}\n';
    expect(cppFunctions(text)).toEqual(['two', 'three']);
  });

  it('covers lowering', () => {
    expect(twins).toContain('lower');
    expect(twins).toContain('ssa');
  });

  it.each(twins)('%s has the same functions in the same order', (name) => {
    const cpp = cppFunctions(readFileSync(new URL(`${name}.cc`, nativeFolder), 'utf8'));
    const typeScript = typeScriptFunctions(readFileSync(new URL(`${name}.ts`, sourceFolder), 'utf8'));
    // What must be inline stands in the header.
    const inline = cppFunctions(readFileSync(new URL(`${name}.h`, nativeFolder), 'utf8'));
    expect(cpp.length).toBeGreaterThan(0);
    expect(inline.filter((item) => !typeScript.includes(item))).toEqual([]);
    expect(cpp).toEqual(typeScript.filter((item) => !inline.includes(item)));
  });
});
