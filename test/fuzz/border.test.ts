/**
 * Forged, truncated, detached and garbage tables at the core's border: neither core crashes or hangs, both say the same in
 * the header, and both write the same where they say ok. The seed is in the names of the tests; VCT_SEED repeats a run.
 */

import { describe, expect, it, test } from 'vitest';
import { analyseGraph, graphInputCount, graphOutputCount } from '../../src/core/analyse-graph.js';
import { type CoreEntry, guarded } from '../../src/core/border.js';
import { lowerModule } from '../../src/core/index.js';
import { liveInputCount, liveOutputCount, liveSets } from '../../src/core/live-sets.js';
import { LowerOutput } from '../../src/core/lower.js';
import { lower } from '../../src/core/lower-threads.js';
import { coreEntry, type NativeEntries } from '../../src/core/native.js';
import { copiesInputCount, copiesOutputCount, orderCopies } from '../../src/core/order-copies.js';
import { outOfSsa, outOfSsaInputCount, outOfSsaOutputCount } from '../../src/core/out-of-ssa.js';
import { outOfSsaInputs } from '../../src/core/run-out-of-ssa.js';
import { LowerInput } from '../../src/core/validate-hir.js';
import { parseHir } from '../../src/hir/index.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import {
  CoreFaultNumber,
  CoreHeader,
  CoreStatus,
  HIR_NODE,
  SCHEMA,
  VIR_INSTRUCTION,
} from '../../src/ir/schema.js';
import { verifyVir } from '../../src/vir/verifier.js';
import { Random, runSeed } from '../harness/random.js';
import { randomHir } from '../harness/random-hir.js';

const seed = runSeed();

/** One entry of the core in both languages, and how to make good inputs for it. */
interface Subject {
  readonly name: keyof NativeEntries;
  readonly twin: CoreEntry;
  readonly outputCount: number;
  readonly strides: readonly number[];
  inputs(random: Random): Int32Array[];
}

function lowerInputs(hir: HirModule): Int32Array[] {
  const { tables } = hir;
  const views = [hir.nodes, hir.variables, hir.functions, tables.types.rows, tables.constants.rows];
  return [...views, tables.traitSets.rows, tables.functions].map((table) => new Int32Array(table.view()));
}

function stridesOf(...names: (keyof typeof SCHEMA)[]): number[] {
  return names.map((name) => SCHEMA[name].length);
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'lower',
    twin: guarded(lower, LowerInput.count, LowerOutput.count),
    outputCount: LowerOutput.count,
    strides: stridesOf('hirNode', 'hirVariable', 'hirFunction', 'type', 'constant', 'traitSet', 'function'),
    inputs: (random) => lowerInputs(randomHir(random, 2)),
  },
  {
    name: 'outOfSsa',
    twin: guarded(outOfSsa, outOfSsaInputCount, outOfSsaOutputCount),
    outputCount: outOfSsaOutputCount,
    strides: [...stridesOf('virInstruction'), 1, ...stridesOf('virBlock', 'virFunction')],
    inputs: (random) =>
      outOfSsaInputs(lowerModule(randomHir(random, 2), 'ts')).map((view) => new Int32Array(view)),
  },
  {
    name: 'analyseGraph',
    twin: guarded(analyseGraph, graphInputCount, graphOutputCount),
    outputCount: graphOutputCount,
    strides: [1, 1, 1],
    inputs: randomGraph,
  },
  {
    name: 'orderCopies',
    twin: guarded(orderCopies, copiesInputCount, copiesOutputCount),
    outputCount: copiesOutputCount,
    strides: [1, 1, 1],
    inputs: randomCopies,
  },
  {
    name: 'liveSets',
    twin: guarded(liveSets, liveInputCount, liveOutputCount),
    outputCount: liveOutputCount,
    strides: [1, 1, 1, 1, 1, 1],
    inputs: randomLiveValues,
  },
];

/** A graph of some blocks, and the request. */
function randomGraph(random: Random): Int32Array[] {
  const blocks = 16 + random.below(12);
  const start = new Int32Array(blocks + 1);
  for (let block = 0; block < blocks; block++) start[block + 1] = (start[block] as number) + random.below(4);
  const successors = Int32Array.from({ length: start[blocks] as number }, () => random.below(blocks));
  return [start, successors, Int32Array.of(random.below(blocks), random.below(2))];
}

/** A graph of some blocks, and values that its entry defines. */
function randomLiveValues(random: Random): Int32Array[] {
  const graph = randomGraph(random) as [Int32Array, Int32Array, Int32Array];
  const blocks = graph[0].length - 1;
  const definitions = new Int32Array(16).fill(graph[2][0] as number);
  const uses = Int32Array.from({ length: 32 }, () => random.below(2 * blocks) - blocks);
  return [...graph, definitions, Int32Array.from({ length: 17 }, (_, value) => 2 * value), uses];
}

/** Copies to some variables, and how many variables there are. */
function randomCopies(random: Random): Int32Array[] {
  const count = 16 + random.below(12);
  const destinations = Int32Array.from({ length: count }, (_, variable) => variable);
  return [destinations, destinations.map(() => random.below(count)), Int32Array.of(count)];
}

/** What a call said and wrote. */
interface Answer {
  readonly header: readonly number[];
  readonly outputs: readonly Int32Array[];
}

/** Calls an entry with no room, and again with what it asks for, as `callCore` does. */
function ask(entry: CoreEntry, inputs: readonly Int32Array[], outputCount: number): Answer {
  const header = new Int32Array(CoreHeader.length);
  let outputs = Array.from({ length: outputCount }, () => new Int32Array(0));
  entry(inputs, outputs, header);
  if (header[CoreHeader.status] === CoreStatus.capacity) {
    outputs = outputs.map((_, at) => new Int32Array(header[CoreHeader.firstSize + at] as number));
    entry(inputs, outputs, header);
    expect(header[CoreHeader.status]).not.toBe(CoreStatus.capacity);
  }
  const isOk = header[CoreHeader.status] === CoreStatus.ok;
  return {
    header: [...header],
    outputs: isOk ? outputs.map((output, at) => output.subarray(0, header[CoreHeader.firstSize + at])) : [],
  };
}

function askBoth(subject: Subject, inputs: readonly Int32Array[]): Answer {
  const native = ask(coreEntry('native', subject.name, subject.twin), inputs, subject.outputCount);
  const typeScript = ask(subject.twin, inputs, subject.outputCount);
  expect(native.header).toEqual(typeScript.header);
  for (let at = 0; at < native.outputs.length; at++) {
    const [left, right] = [native.outputs[at] as Int32Array, typeScript.outputs[at] as Int32Array];
    expect(Buffer.compare(bytes(left), bytes(right)), `output ${at}`).toBe(0);
  }
  return native;
}

function bytes(view: Int32Array): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

/** A word that a forger would write: close to another, at a limit, or anything. */
function forgedWord(random: Random, old: number): number {
  switch (random.below(6)) {
    case 0:
      return old + random.below(5) - 2;
    case 1:
      return random.pick([-1, 0, 1, -2, 0x7fffffff, -0x80000000, 0x7ffffffe]);
    case 2:
      return random.word() | 0;
    default:
      return random.below(40) - 2;
  }
}

/** Damages one to four words or lengths of the inputs. */
function forge(random: Random, inputs: Int32Array[], strides: readonly number[]): void {
  for (let count = 1 + random.below(4); count > 0; count--) {
    const table = random.below(inputs.length);
    const words = inputs[table] as Int32Array;
    if (random.below(12) === 0) {
      const rows = Math.floor(words.length / (strides[table] as number));
      const isWhole = random.below(2) === 0;
      inputs[table] = words.slice(
        0,
        isWhole ? random.below(rows + 1) * (strides[table] as number) : random.below(words.length + 1),
      );
    } else if (words.length > 0) {
      const at = random.below(words.length);
      words[at] = forgedWord(random, words[at] as number);
    }
  }
}

describe.each(SUBJECTS)('the border of $name', (subject) => {
  it(`gives one answer in both languages for 2000 forged modules (seed ${seed})`, () => {
    const random = new Random(seed);
    const seen = new Map<number, number>();
    for (let round = 0; round < 200; round++) {
      const good = subject.inputs(random);
      for (let variant = 0; variant < 10; variant++) {
        const inputs = good.map((words) => words.slice());
        forge(random, inputs, subject.strides);
        const status = askBoth(subject, inputs).header[CoreHeader.status] as number;
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    }
    // Some forgeries hurt and some do not; a test that sees one kind only tests nothing.
    expect(seen.get(CoreStatus.malformed)).toBeGreaterThan(200);
    expect(seen.get(CoreStatus.ok)).toBeGreaterThan(60);
  });

  it(`gives one answer for 300 inputs of pure noise (seed ${seed})`, () => {
    const random = new Random(seed ^ 0x5eed);
    for (let round = 0; round < 300; round++) {
      const inputs = subject.strides.map((stride) =>
        Int32Array.from({ length: stride * random.below(20) }, () => forgedWord(random, 0)),
      );
      askBoth(subject, inputs);
    }
  });

  it('reports wrong numbers and types of arrays', () => {
    const good = subject.inputs(new Random(1));
    const wrong: unknown[][] = [
      [],
      good.slice(1),
      [...good, new Int32Array(1)],
      good.map((words, at) => (at === 0 ? new Float64Array(words.length) : words)),
      good.map((words, at) => (at === 1 ? [...words] : words)),
      good.map((words, at) => (at === 0 ? new DataView(words.buffer) : words)),
      good.map(() => null),
      good.map(() => 7),
    ];
    for (const inputs of wrong) {
      const answer = askBoth(subject, inputs as Int32Array[]);
      expect(answer.header[CoreHeader.status]).toBe(CoreStatus.malformed);
      expect(answer.header[CoreHeader.fault]).toBe(CoreFaultNumber.wrongArrays);
    }
  });

  it('takes tables that are no list of tables for wrong arrays', () => {
    for (const inputs of [undefined, null, 7, 'tables', {}, new Int32Array(4)]) {
      const answer = askBoth(subject, inputs as unknown as Int32Array[]);
      expect(answer.header[CoreHeader.fault]).toBe(CoreFaultNumber.wrongArrays);
    }
  });

  it('reads a detached table as an empty one', () => {
    for (let table = 0; table < subject.strides.length; table++) {
      const inputs = subject.inputs(new Random(2));
      const words = inputs[table] as Int32Array<ArrayBuffer>;
      structuredClone(words.buffer, { transfer: [words.buffer] });
      expect(words.length).toBe(0);
      askBoth(subject, inputs);
    }
  });

  it('refuses an output that shares memory with an input, with another output or with the header', () => {
    const good = subject.inputs(new Random(3));
    const shared = new Int32Array(64);
    const input = good[0] as Int32Array;
    const spare = () => Array.from({ length: subject.outputCount }, () => new Int32Array(8));
    const cases: (readonly [Int32Array[], Int32Array])[] = [
      [[input.subarray(1, 3), ...spare().slice(1)], new Int32Array(16)],
      [[shared.subarray(0, 9), shared.subarray(8, 20), ...spare().slice(2)], new Int32Array(16)],
      [[shared.subarray(0, 9), ...spare().slice(1)], shared.subarray(8, 24)],
      [spare(), new Int32Array(input.buffer, 0, 16)],
    ];
    for (const [outputs, header] of cases) {
      const before = input.slice();
      const answers = [coreEntry('native', subject.name, subject.twin), subject.twin].map((entry) => {
        input.set(before);
        entry(good, outputs, header);
        return [...header.subarray(0, CoreHeader.length)];
      });
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.[CoreHeader.status]).toBe(CoreStatus.malformed);
      expect(answers[0]?.[CoreHeader.fault]).toBe(CoreFaultNumber.overlap);
    }
  });

  it('throws for a header that it cannot write, and for nothing else', () => {
    const good = subject.inputs(new Random(4));
    for (const entry of [coreEntry('native', subject.name, subject.twin), subject.twin]) {
      for (const header of [undefined, null, {}, new Int32Array(3), new Float64Array(16)]) {
        expect(() => entry(good, [], header as unknown as Int32Array)).toThrow(/header/);
      }
    }
  });

  it('does not read memory that a getter detaches during the call', () => {
    const good = subject.inputs(new Random(5));
    const first = good[0] as Int32Array<ArrayBuffer>;
    const inputs = good.slice();
    Object.defineProperty(inputs, good.length - 1, {
      get: () => {
        if (first.length > 0) structuredClone(first.buffer, { transfer: [first.buffer] });
        return good[good.length - 1];
      },
    });
    askBoth(subject, inputs);
  });
});

describe('jumps out of a defer', () => {
  it.each(['return', 'break'] as const)('%s is a fault of the tables, and no endless walk', (kind) => {
    for (let number = 1; number < 200; number++) {
      const hir = randomHir(new Random(number), 1);
      const defer = [...Array(hir.nodes.length).keys()].find(
        (node) => hir.kind(node as never) === NodeKind.defer,
      );
      if (defer === undefined) continue;
      const jump = hir.addNode(NodeKind[kind], hir.tables.types.void);
      hir.nodes.set(defer, HIR_NODE.firstChild, jump);
      const answer = askBoth(SUBJECTS[0] as Subject, lowerInputs(hir));
      if (answer.header[CoreHeader.status] === CoreStatus.ok) continue;
      expect(answer.header[CoreHeader.fault]).toBe(CoreFaultNumber.jumpTarget);
      expect(answer.header[CoreHeader.row]).toBe(jump);
      return;
    }
    expect.fail('no module with a defer that runs');
  });
});

test('an instruction without operands has its place among those of its function too', () => {
  const hir = parseHir('func @f() -> void {\n  return\n}');
  const vir = lowerModule(hir, 'ts');
  vir.instructions.set(0, VIR_INSTRUCTION.operandStart, 0x7ffffffe);
  // The verifier refuses it first, so that nobody is told of an internal error.
  expect(verifyVir(vir).map(({ code }) => code)).toEqual(['VCT0201']);
  const inputs = outOfSsaInputs(vir).map((view) => new Int32Array(view));
  const answer = askBoth(SUBJECTS[1] as Subject, inputs);
  expect(answer.header[CoreHeader.status]).toBe(CoreStatus.malformed);
  expect(answer.header[CoreHeader.fault]).toBe(CoreFaultNumber.arity);
});

test('a continue in the step of its own for is a fault of the tables: the edges into the step are made', () => {
  const hir = parseHir('func @f(%c: i1) -> void {\n  for { } while (%c) step {\n    continue\n  } do { }\n}');
  const answer = askBoth(SUBJECTS[0] as Subject, lowerInputs(hir));
  expect(answer.header[CoreHeader.status]).toBe(CoreStatus.malformed);
  expect(answer.header[CoreHeader.fault]).toBe(CoreFaultNumber.jumpTarget);
});
