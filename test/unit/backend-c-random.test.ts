import { expect, test } from 'vitest';
import { emitC } from '../../src/backend/c/index.js';
import { parseVir } from '../../src/vir/parser.js';
import { runSeed } from '../harness/random.js';
import { randomFunction, runFunction } from '../harness/random-vir.js';
import { BUILDS, compileAndRun } from './c-tools.js';

const seed = runSeed();
const FUNCTIONS = 250;
const FUEL = 400;
const INPUTS: readonly (readonly bigint[])[] = [
  [0n, 0n, 0n],
  [1n, -1n, 5n],
  [2147483647n, 7n, -9223372036854775808n],
  [-5n, 100n, 1n << 40n],
];

/** Random control flow, irreducible too: every layout, jump and declaration must keep the meaning of SSA. */
test.each([3, 6, 12, 24])(
  `008/R6 008/R9 008/R10 008/I7: random control flow of up to %i blocks (seed ${seed})`,
  (blocks) => {
    const source = Array.from({ length: FUNCTIONS }, (_, index) =>
      randomFunction(`f${index}`, seed + index * 7 + blocks * 100_003, blocks),
    ).join('\n');
    const vir = parseVir(source);
    const calls: string[] = [];
    const expected: string[] = [];
    for (const view of vir.definedFunctions()) {
      for (const input of INPUTS) {
        const { result } = runFunction(view, input, FUEL);
        // What has not ended by now may never end.
        if (result === undefined) continue;
        const [a, b, c] = input.map((value) =>
          value === -9223372036854775808n ? 'INT64_MIN' : String(value),
        );
        calls.push(`    printf("%s %d\\n", "${view.name}", ${view.name}(${a}, ${b}, ${c}));`);
        expected.push(`${view.name} ${BigInt.asIntN(32, result)}`);
      }
    }
    expect(calls.length).toBeGreaterThan(FUNCTIONS / 4);
    const main = `\n#include <stdio.h>\nint main(void)\n{\n${calls.join('\n')}\n    return 0;\n}\n`;
    for (const { compiler, dialect, flags } of BUILDS.filter(
      ({ flags: list }, index) => index > 0 && list.length > 0,
    )) {
      const { text } = emitC(vir, { dialect, debug: false, core: 'ts' });
      const run = compileAndRun(text + main, compiler, flags);
      expect(run.messages, compiler).toBe('');
      expect(run.stdout.trim().split('\n')).toEqual(expected);
    }
  },
  240_000,
);
