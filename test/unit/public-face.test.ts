import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as libvct from '../../src/index.js';

/** Every file that loads with a file, and what they import from Node. A dynamic import loads nothing. */
function loadedWith(start: URL): { readonly files: Set<string>; readonly fromNode: string[] } {
  const files = new Set<string>();
  const fromNode: string[] = [];
  const work = [start];
  for (let file = work.pop(); file !== undefined; file = work.pop()) {
    if (files.has(file.href)) continue;
    files.add(file.href);
    const text = readFileSync(file, 'utf8');
    for (const [, isType, place] of text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';/gm)) {
      if (isType !== undefined) continue;
      if (place?.startsWith('.')) work.push(new URL(place.replace(/\.js$/, '.ts'), file));
      else fromNode.push(`${file.pathname.split('/src/')[1]}: ${place}`);
    }
  }
  return { files, fromNode };
}

describe('the public face', () => {
  test('loads where there is no Node: no module of it is imported before it is needed', () => {
    const { files, fromNode } = loadedWith(new URL('../../src/index.ts', import.meta.url));
    expect(files.size).toBeGreaterThan(50);
    expect(fromNode).toEqual([]);
  });

  test('has the calls that the README shows', () => {
    for (const name of ['createModule', 'compile', 'build', 'run', 'emitC', 'emitLlvm', 'lower', 'interpret'])
      expect(libvct).toHaveProperty(name);
    for (const name of [
      'parseHir',
      'printHir',
      'parseVir',
      'printVir',
      'verifyVir',
      'coreInfo',
      'DiagnosticError',
    ])
      expect(libvct).toHaveProperty(name);
  });
});
