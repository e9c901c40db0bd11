import { describe, expect, it } from 'vitest';
import {
  addonFault,
  coreInfo,
  decide,
  effectiveChoice,
  type NativeSearch,
  searchNative,
} from '../../src/core/native.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { layoutHash } from '../../src/ir/generate-layout.js';
import { SCHEMA_VERSION } from '../../src/ir/schema.js';

const entry = () => {};
const goodAddon = {
  schemaVersion: SCHEMA_VERSION,
  layoutHash: layoutHash(),
  compiler: 'test',
  lower: entry,
  outOfSsa: entry,
  analyseGraph: entry,
  orderCopies: entry,
  liveSets: entry,
};

/** A `require` that finds one addon at a fixed path. */
function requireOf(addon: unknown): (id: string) => unknown {
  return (id) => (id === 'node-gyp-build' ? { path: () => '/there/vct.node' } : addon);
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
  return 'none';
}

describe('finding the native core', () => {
  it('takes an addon whose version and hash are ours', () => {
    const found = searchNative(requireOf(goodAddon), '.');
    expect(found).toEqual({ addon: goodAddon, path: '/there/vct.node' });
    const info = decide('auto', () => found);
    expect(info).toMatchObject({ active: 'native', path: '/there/vct.node', compiler: 'test' });
  });

  it('refuses an addon with another layout hash, and says which', () => {
    const found = searchNative(requireOf({ ...goodAddon, layoutHash: 0xabc }), '.');
    const info = decide('auto', () => found);
    expect(info.active).toBe('ts');
    expect(info.path).toBe('/there/vct.node');
    expect(info.reason).toMatch(/layout hash is 00000abc, not [0-9a-f]{8}: rebuild it/);
  });

  it('refuses an addon of another schema version', () => {
    expect(addonFault({ ...goodAddon, schemaVersion: 99 })).toContain('schema version 99');
  });

  it.each([undefined, null, 7, 'addon', {}, []])('refuses %j as an addon', (exports) => {
    expect(addonFault(exports)).toBeTypeOf('string');
  });

  it('says why no addon was found, on one line', () => {
    const found = searchNative(() => {
      throw new Error('No native build was found\n  loaded from: x');
    }, '.');
    expect(decide('auto', () => found).reason).toBe('the addon does not load: No native build was found');
  });

  it('says so where nothing can be loaded, as in a browser', () => {
    const found = searchNative(undefined, '.');
    expect(decide('auto', () => found)).toMatchObject({
      active: 'ts',
      reason: 'no native addon can be loaded here',
    });
  });
});

describe('choosing the core', () => {
  const nothing: NativeSearch = { reason: 'it is a test' };

  it('does not even look for the addon when the core is set to ts', () => {
    const info = decide('ts', () => {
      throw new Error('looked');
    });
    expect(info).toMatchObject({ active: 'ts', reason: 'the core was set to ts' });
  });

  it('fails with VCT0501 when native is asked for and does not load', () => {
    expect(codeOf(() => decide('native', () => nothing))).toBe('VCT0501');
    expect(() => decide('native', () => nothing)).toThrow('it is a test');
  });

  it('lets VCT_CORE count only where the Config says auto', () => {
    expect(effectiveChoice('auto', 'ts')).toBe('ts');
    expect(effectiveChoice('auto', 'native')).toBe('native');
    expect(effectiveChoice('auto', '')).toBe('auto');
    expect(effectiveChoice('auto', undefined)).toBe('auto');
    expect(effectiveChoice('native', 'ts')).toBe('native');
    expect(effectiveChoice('ts', 'rubbish')).toBe('ts');
  });

  it('fails with VCT0502 for any other VCT_CORE', () => {
    expect(codeOf(() => effectiveChoice('auto', 'rubbish'))).toBe('VCT0502');
  });

  it('reads VCT_CORE from the environment at each call', () => {
    const before = process.env.VCT_CORE;
    try {
      process.env.VCT_CORE = 'ts';
      expect(coreInfo().reason).toBe('the core was set to ts');
      process.env.VCT_CORE = 'no';
      expect(codeOf(() => coreInfo('auto'))).toBe('VCT0502');
    } finally {
      if (before === undefined) delete process.env.VCT_CORE;
      else process.env.VCT_CORE = before;
    }
  });
});
