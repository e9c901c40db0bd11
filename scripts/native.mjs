/**
 * Runs a build tool for the addon: `native.mjs node-gyp rebuild`, `native.mjs prebuildify --napi …`.
 *
 * node-gyp wants the headers of Node. Where they are installed beside Node itself, as by its own archives and by most
 * packages of it, nothing need be downloaded. With `--optional` in front a failure is a warning: the TypeScript core
 * does the same work, so a machine without C++ compiler or Python still gets a whole package.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const words = process.argv.slice(2);
const isOptional = words[0] === '--optional';
if (isOptional) words.shift();
const [tool, ...rest] = words;

const env = { ...process.env };
const nodeFolder = dirname(dirname(realpathSync(process.execPath)));
if (env.npm_config_nodedir === undefined && existsSync(join(nodeFolder, 'include', 'node', 'common.gypi'))) {
  env.npm_config_nodedir = nodeFolder;
}

const run = spawnSync(tool, rest, {
  stdio: isOptional ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  env,
  shell: process.platform === 'win32',
  encoding: 'utf8',
});
if (run.status !== 0) {
  const reason = run.error?.message ?? `${tool} ended with ${run.status ?? run.signal}`;
  if (isOptional) {
    const errors = `${run.stdout ?? ''}${run.stderr ?? ''}`
      .split('\n')
      .filter((line) => /ERR!|error/i.test(line));
    console.warn(errors.slice(0, 12).join('\n'));
    console.warn(`The native core was not built (${reason}); the TypeScript core is used instead.`);
  } else {
    console.error(reason);
    process.exit(1);
  }
}
