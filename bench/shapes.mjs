/** The programs that are measured, written as a language author would: through the public builder. */

import { createModule, i32, param } from '../dist/index.js';

/** Statements a function: past that a new one begins, except in the shapes of one function. */
const STATEMENTS_A_FUNCTION = 40;

/** A module; `positions` are off, since finding the author's line is no work of the compiler. */
function moduleOf(build) {
  const module = createModule('bench', { positions: 'none' });
  build(module);
  return module.finish();
}

/** One function without a branch: chains of arithmetic on eight variables. */
function straight(statements) {
  return moduleOf((module) => {
    module.function(
      'straight',
      [param('n', i32)],
      i32,
      (f, n) => {
        const variables = Array.from({ length: 8 }, (_, index) => f.variable(`v${index}`, i32, n));
        for (let at = 0; at < statements; at++) {
          const target = variables[at % 8];
          target.set(
            target
              .mul(3)
              .add(variables[(at + 3) % 8])
              .xor(at % 97),
          );
        }
        f.return(variables[0].add(variables[7]));
      },
      { linkage: 'export' },
    );
  });
}

/** One function of ifs, one after the other, each of which joins two values of a variable. */
function diamonds(statements) {
  return moduleOf((module) => {
    module.function(
      'diamonds',
      [param('n', i32)],
      i32,
      (f, n) => {
        const variables = Array.from({ length: 8 }, (_, index) => f.variable(`v${index}`, i32, n));
        for (let at = 0; at < statements; at++) {
          const target = variables[at % 8];
          f.if(
            target.lt(variables[(at + 1) % 8]),
            () => target.set(target.add(at % 89)),
            () => target.set(target.sub(variables[(at + 5) % 8])),
          );
        }
        f.return(variables[0]);
      },
      { linkage: 'export' },
    );
  });
}

/** One function of loop nests three deep, one after the other, that carry four variables. */
function loops(statements) {
  return moduleOf((module) => {
    module.function(
      'loops',
      [param('n', i32)],
      i32,
      (f, n) => {
        const sums = Array.from({ length: 4 }, (_, index) => f.variable(`s${index}`, i32, 0));
        const counters = ['i', 'j', 'k'].map((name) => f.variable(name, i32, 0));
        const nest = (depth, at) => {
          const counter = counters[depth];
          f.for(
            {
              init: () => counter.set(0),
              condition: () => counter.lt(n),
              step: () => counter.set(counter.add(1)),
            },
            () => {
              sums[depth].set(sums[depth].add(counter.mul(at % 7)));
              if (depth < 2) nest(depth + 1, at);
              else sums[3].set(sums[3].xor(counters[0].add(counters[1]).mul(counters[2])));
            },
          );
        };
        for (let at = 0; at < statements; at++) nest(0, at);
        f.return(sums[0].add(sums[3]));
      },
      { linkage: 'export' },
    );
  });
}

/** Many small functions that loop, branch and call one another: what programs look like. */
function functions(statements) {
  return moduleOf((module) => {
    let previous;
    for (let at = 0; at * STATEMENTS_A_FUNCTION < Math.max(statements, 1); at++) {
      const count = Math.min(STATEMENTS_A_FUNCTION, statements - at * STATEMENTS_A_FUNCTION);
      const callee = previous;
      previous = module.function(
        `f${at}`,
        [param('n', i32)],
        i32,
        (f, n) => {
          const sum = f.variable('sum', i32, n);
          const i = f.variable('i', i32, 0);
          f.while(
            () => i.lt(n),
            () => {
              for (let statement = 0; statement < count; statement++) {
                if (statement % 4 === 0) f.if(sum.gt(i), () => sum.set(sum.sub(statement)));
                else sum.set(sum.add(i.mul(statement)));
              }
              i.set(i.add(1));
            },
          );
          if (callee !== undefined) sum.set(sum.add(f.call(callee, n)));
          f.return(sum);
        },
        { linkage: 'export' },
      );
    }
  });
}

/** Every shape: what makes it, and about how many instructions a statement becomes. */
export const SHAPES = [
  { name: 'straight', build: straight, instructionsAStatement: 3 },
  { name: 'diamonds', build: diamonds, instructionsAStatement: 7 },
  { name: 'loops', build: loops, instructionsAStatement: 36 },
  { name: 'functions', build: functions, instructionsAStatement: 4 },
];
