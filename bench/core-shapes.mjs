/**
 * Functions that grow, for what the core does: SSA construction and leaving it. Each is made straight in the tables, in registers or, for
 * compilers that build SSA from memory, with every variable in a slot.
 */

import { NONE } from '../dist/ir/entities.js';
import { HirModule } from '../dist/ir/hir-module.js';
import { ModuleTables } from '../dist/ir/module-tables.js';
import { NodeKind } from '../dist/ir/node-kinds.js';
import { Opcode } from '../dist/ir/opcodes.js';
import { INTEGER_PREDICATES, Linkage } from '../dist/ir/schema.js';
import { Trait } from '../dist/traits/trait-table.js';

/** Makes the nodes of one function after the other. */
class TreeWriter {
  hir = new HirModule(new ModuleTables('bench'));

  constructor(inMemory) {
    const { types, traitSets, names } = this.hir.tables;
    this.traits = inMemory
      ? traitSets.intern([{ trait: Trait.isAddressed, a: NONE, b: NONE, strength: 0 }])
      : 0;
    this.signature = types.function([types.i32, types.i32], types.i32);
    this.name = (text) => names.intern(text);
    this.literals = new Map();
  }

  /** A function of two parameters, which are its first variables. `body` gives its statements. */
  function(variableCount, body) {
    const { hir } = this;
    const { tables } = hir;
    const { i32 } = tables.types;
    const index = tables.functions.length;
    const id = tables.addFunction(this.name(`f${index}`), this.signature, Linkage.export);
    this.first = hir.variables.length;
    for (let at = 0; at < variableCount + 2; at++)
      hir.addVariable(id, this.name(at < 2 ? 'ab'[at] : 'v'), i32, this.traits);
    const result = this.read(0);
    const statements = [...body(), this.node(NodeKind.return, [result])];
    hir.defineFunction(id, this.block(...statements), this.first, variableCount + 2, 2);
  }

  node(kind, children, a = NONE, b = NONE, type = undefined) {
    const { types } = this.hir.tables;
    const made = this.hir.addNode(kind, type ?? (kind >= NodeKind.block ? types.void : types.i32), a, b);
    this.hir.setChildren(made, children);
    return made;
  }

  constant(value) {
    const { types, constants } = this.hir.tables;
    let literal = this.literals.get(value);
    if (literal === undefined) {
      literal = constants.integer(types.i32, BigInt(value));
      this.literals.set(value, literal);
    }
    return this.node(NodeKind.constant, [], literal);
  }

  read(variable) {
    return this.node(NodeKind.variable, [], this.first + variable);
  }

  write(variable, value) {
    return this.node(NodeKind.assign, [value], this.first + variable);
  }

  operation(opcode, left, right) {
    return this.node(NodeKind.operation, [left, right], opcode);
  }

  add(variable, value) {
    return this.write(variable, this.operation(Opcode.add, this.read(variable), this.constant(value)));
  }

  less(variable, other) {
    const { i1 } = this.hir.tables.types;
    return this.node(
      NodeKind.operation,
      [this.read(variable), other],
      Opcode.icmp,
      INTEGER_PREDICATES.indexOf('slt'),
      i1,
    );
  }

  block(...statements) {
    return this.node(NodeKind.block, statements);
  }

  if(condition, then, ...otherwise) {
    return this.node(NodeKind.if, [condition, this.block(then), ...otherwise.map((one) => this.block(one))]);
  }

  while(condition, ...body) {
    return this.node(NodeKind.while, [condition, this.block(...body)]);
  }
}

const range = (count, make) =>
  Array.from({ length: Math.max(1, Math.round(count)) }, (_, index) => make(index));

/** Chains of arithmetic on eight variables. */
const straight = (w, size) => [
  8,
  () =>
    range(size / 2, (at) =>
      w.write(
        2 + (at % 8),
        w.operation(
          Opcode.xor,
          w.operation(Opcode.mul, w.read(at % 10), w.constant(3)),
          w.read((at * 3) % 10),
        ),
      ),
    ),
];

/** Loop nests three deep, one after the other. */
const nestedLoops = (w, size) => {
  const loop = (depth) =>
    w.while(
      w.less(2 + depth, w.read(0)),
      ...(depth < 2 ? [w.write(3 + depth, w.constant(0)), loop(depth + 1)] : []),
      w.write(5, w.operation(Opcode.add, w.read(5), w.read(2 + depth))),
      w.add(2 + depth, 1),
    );
  return [4, () => range(size / 30, () => [w.write(2, w.constant(0)), loop(0)]).flat()];
};

/** Ifs with two arms, one after the other, each of which changes one of eight variables. */
const ladder = (w, size) => [
  8,
  () =>
    range(size / 7, (at) => w.if(w.less(at % 10, w.read(1)), w.add(2 + (at % 8), 1), w.add(2 + (at % 8), 2))),
];

/** A switch, each arm of which gives a variable another value. */
const hugeSwitch = (w, size) => [
  1,
  () => [
    w.node(NodeKind.switch, [
      w.read(1),
      ...range(size / 2, (at) => w.node(NodeKind.case, [w.constant(at), w.block(w.add(0, at + 1))], 0)),
    ]),
  ],
];

/** Ifs in ifs. */
const deepNest = (w, size) => [
  1,
  () => {
    let body = w.add(0, 1);
    for (let depth = 0; depth < size / 5; depth++)
      body = w.block(w.if(w.less(0, w.read(1)), body), w.add(0, 1));
    return [body];
  },
];

/** Loops, one after the other. */
const loopChain = (w, size) => [1, () => range(size / 7, () => w.while(w.less(0, w.read(1)), w.add(0, 1)))];

/** Variables that live across as many joins; `changed` says which of them the join with its number changes. */
const liveAcross = (changed) => (w, size) => {
  const count = Math.max(1, Math.round(size / 8));
  return [
    count + 1,
    () => [
      ...range(count, (at) => w.write(3 + at, w.operation(Opcode.mul, w.read(0), w.constant(at)))),
      ...range(count, (at) => w.if(w.less(0, w.read(1)), w.add(changed(at) ? 3 + at : 2, 1))),
      ...range(count, (at) => w.write(0, w.operation(Opcode.add, w.read(0), w.read(3 + at)))),
    ],
  ];
};

/** Loops that swap two variables by way of a third. */
const swaps = (w, size) => [
  3,
  () =>
    range(size / 9, () =>
      w.while(
        w.less(2, w.read(1)),
        w.write(4, w.read(0)),
        w.write(0, w.read(3)),
        w.write(3, w.read(4)),
        w.add(2, 1),
      ),
    ),
];

/** One loop that may be left at many places. */
const breaks = (w, size) => [
  1,
  () => [
    w.while(
      w.less(0, w.read(1)),
      ...range(size / 4, (at) => [
        w.if(w.less(0, w.constant(at)), w.node(NodeKind.break, [])),
        w.add(0, 1),
      ]).flat(),
    ),
  ],
];

/** Returns, each from an if. */
const returns = (w, size) => [
  1,
  () =>
    range(size / 4, (at) => [
      w.if(w.less(0, w.constant(at)), w.node(NodeKind.return, [w.read(2)])),
      w.write(2, w.operation(Opcode.add, w.read(0), w.read(2))),
    ]).flat(),
];

/** What programs look like: 50 to 100 instructions and 12 to 20 blocks a function, three or four of a hundred of them phis. */
const mixed = (w) => [
  5,
  () => {
    const work = (target, from) =>
      w.write(
        target,
        w.operation(
          Opcode.xor,
          w.operation(Opcode.add, w.operation(Opcode.mul, w.read(from), w.constant(31)), w.read(1)),
          w.operation(Opcode.lshr, w.read(from), w.constant(3)),
        ),
      );
    return [
      work(2, 0),
      work(3, 2),
      w.write(4, w.constant(0)),
      w.if(w.less(3, w.read(2)), w.node(NodeKind.return, [w.read(3)])),
      w.while(
        w.less(4, w.read(1)),
        work(5, 4),
        w.if(w.less(5, w.read(3)), w.node(NodeKind.break, [])),
        work(6, 5),
        w.if(w.less(6, w.constant(9)), w.block(work(5, 6), work(6, 5))),
        w.if(w.less(5, w.read(2)), w.node(NodeKind.return, [w.read(6)])),
        w.add(4, 1),
      ),
      work(5, 2),
      work(6, 5),
      w.if(w.less(6, w.read(5)), w.node(NodeKind.return, [w.read(5)])),
      work(0, 6),
      work(0, 0),
    ];
  },
];

/** Every shape by its name; `maximum` is the largest size that makes sense. */
export const CORE_SHAPES = [
  { name: 'straight', make: straight },
  { name: 'nested loops', make: nestedLoops },
  { name: 'ladder', make: ladder },
  { name: 'switch', make: hugeSwitch },
  { name: 'deep nest', make: deepNest, maximum: 500_000 },
  { name: 'loop chain', make: loopChain },
  { name: 'live, none changed', make: liveAcross(() => false), maximum: 100_000 },
  { name: 'live, half changed', make: liveAcross((at) => at % 2 === 0), maximum: 100_000 },
  { name: 'swaps', make: swaps },
  { name: 'breaks', make: breaks, maximum: 400_000 },
  { name: 'returns', make: returns, maximum: 400_000 },
  { name: 'mixed', make: mixed, maximum: 100 },
];

/** A module of `copies` functions of a shape, each of about `size` instructions. */
export function coreModule(shape, size, copies = 1, inMemory = false) {
  const writer = new TreeWriter(inMemory);
  for (let copy = 0; copy < copies; copy++) {
    const [variableCount, body] = shape.make(writer, size);
    writer.function(variableCount, body);
  }
  return writer.hir;
}
