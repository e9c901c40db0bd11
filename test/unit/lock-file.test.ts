import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, LockedPackage>> };

/** Whether Node finds the package from the one at `path`: in its own node_modules, or in one further out. */
function isLocked(path: string, name: string): boolean {
  const folders = path.split('/node_modules/');
  return (
    packages[`node_modules/${name}`] !== undefined ||
    folders.some((_, index) => {
      const folder = folders.slice(0, index + 1).join('/node_modules/');
      return packages[`${folder}/node_modules/${name}`] !== undefined;
    })
  );
}

describe('package-lock.json', () => {
  // `npm ci` refuses the whole lock when a package that one of its packages names is missing, optional ones included.
  it('locks every package that a locked one needs, so that npm ci installs', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(Object.keys(packages).length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });
});

describe('package.json', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  // npm runs `prebuild` before `build`: the build then failed where there is no C++ compiler.
  it('has no script that npm runs before or after another without being asked', () => {
    const hooks = Object.keys(scripts).filter((name) => /^(pre|post)/.test(name) && name !== 'prepack');
    expect(hooks.filter((name) => scripts[name.replace(/^(pre|post)/, '')] !== undefined)).toEqual([]);
    expect(scripts.build).toContain('--optional');
  });
});
