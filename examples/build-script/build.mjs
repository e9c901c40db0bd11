// @ts-check
/**
 * A Node build step that makes an executable: it describes a program, builds it while showing how far it is, and runs it.
 *
 *     node examples/build-script/build.mjs [OUTPUT]
 */

import {
  build,
  createModule,
  DiagnosticError,
  fn,
  i8,
  i32,
  i64,
  param,
  ptr,
  renderDiagnostics,
} from 'libvct';

const output = process.argv[2] ?? 'collatz';

const m = createModule('collatz');
const printf = m.declare('printf', fn([ptr(i8)], i32, { varargs: true }));

// How many numbers a Collatz sequence has: n, then n / 2 or 3n + 1, down to 1.
const length = m.function('length', [param('n', i64)], i32, (f, n) => {
  const count = f.variable('count', i32, 1);
  f.while(n.ne(1), () => {
    n.set(f.conditional(n.rem(2).eq(0), n.div(2), n.mul(3).add(1)));
    count.set(count.add(1));
  });
  f.return(count);
});

m.function('main', [], i32, { linkage: 'export' }, (f) => {
  const best = f.variable('best', i64, 1);
  const longest = f.variable('longest', i32, 1);
  const n = f.variable('n', i64, 1);
  f.while(n.lt(1_000_000), () => {
    const steps = f.let('steps', f.call(length, n));
    f.if(steps.gt(longest), () => {
      best.set(n);
      longest.set(steps);
    });
    n.set(n.add(1));
  });
  f.evaluate(f.call(printf, m.string('%lld starts the longest sequence: %d numbers\n'), best, longest));
  f.return(0);
});

try {
  await build(m.finish(), output, {
    optimize: 3,
    onProgress: ({ phase, done, total }) => {
      const bar = '#'.repeat(done).padEnd(total, '.');
      process.stderr.write(`\r[${bar}] ${phase.padEnd(14)}${phase === 'finished' ? '\n' : ''}`);
    },
  });
  console.log(`built ${output}`);
} catch (error) {
  if (!(error instanceof DiagnosticError)) throw error;
  process.stderr.write(`\n${renderDiagnostics(error.diagnostics)}`);
  process.exitCode = 1;
}
