import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests of the native core itself; they are left out where it could not be built, but never in CI. */
const NATIVE_TESTS = ['test/parity/**', 'test/fuzz/border.test.ts'];

function isNativeBuilt(): boolean {
  try {
    const { path } = createRequire(import.meta.url)('node-gyp-build') as { path(folder: string): string };
    return path(fileURLToPath(new URL('.', import.meta.url))) !== '';
  } catch {
    return false;
  }
}

const skipped = isNativeBuilt() || process.env.CI !== undefined ? [] : NATIVE_TESTS;
if (skipped.length > 0) console.warn(`The native core is not built: ${skipped.join(' and ')} are left out.`);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...skipped],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Forked processes, so that a crash of the addon is the failure of one file and not of the run.
    pool: 'forks',
    maxWorkers: 2,
  },
});
