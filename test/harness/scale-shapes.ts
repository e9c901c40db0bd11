/** Functions of a size that nobody writes by hand: what lowering must do in linear time and without recursion, on both cores. */

import { type FunctionId, NONE, type Node } from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { HIR_NODE, Linkage } from '../../src/ir/schema.js';

/** Makes the nodes of one function, whose variables are i32 but for the last one, an i1. */
class ShapeWriter {
  readonly hir = new HirModule(new ModuleTables('scale'));
  readonly #condition: number;

  constructor(readonly variableCount: number) {
    const { tables } = this.hir;
    const { types, names } = tables;
    const id = tables.addFunction(names.intern('f'), types.function([], types.void), Linkage.export);
    for (let count = 0; count < variableCount; count++)
      this.hir.addVariable(id as FunctionId, names.intern('x'), types.i32);
    this.hir.addVariable(id as FunctionId, names.intern('c'), types.i1);
    this.#condition = variableCount;
  }

  node(kind: number, children: readonly Node[], a = NONE): Node {
    const { types } = this.hir.tables;
    const made = this.hir.addNode(kind, kind >= NodeKind.block ? types.void : types.i32, a);
    this.hir.setChildren(made, children);
    return made;
  }

  constant(value: number): Node {
    const { types, constants } = this.hir.tables;
    return this.node(NodeKind.constant, [], constants.integer(types.i32, BigInt(value)));
  }

  read(variable = 0): Node {
    return this.node(NodeKind.variable, [], variable);
  }

  write(value: Node, variable = 0): Node {
    return this.node(NodeKind.assign, [value], variable);
  }

  increment(variable = 0): Node {
    return this.write(
      this.node(NodeKind.operation, [this.read(variable), this.constant(1)], Opcode.add),
      variable,
    );
  }

  condition(): Node {
    return this.hir.addNode(NodeKind.variable, this.hir.tables.types.i1, this.#condition);
  }

  block(...statements: readonly Node[]): Node {
    return this.node(NodeKind.block, statements);
  }

  label(name: string): Node {
    const label = this.node(NodeKind.label, []);
    this.hir.nodes.set(label, HIR_NODE.name, this.hir.tables.names.intern(name));
    return label;
  }

  /** `if (c) goto label` */
  jump(label: Node): Node {
    return this.node(NodeKind.if, [this.condition(), this.block(this.node(NodeKind.goto, [], label))]);
  }

  finish(statements: readonly Node[]): HirModule {
    this.hir.defineFunction(
      0 as FunctionId,
      this.node(NodeKind.block, statements),
      0,
      this.variableCount + 1,
      0,
    );
    return this.hir;
  }
}

/** A nest of one construct around an assignment. */
function nest(depth: number, around: (writer: ShapeWriter, body: Node) => Node): HirModule {
  const writer = new ShapeWriter(1);
  let body = writer.block(writer.increment());
  for (let level = 0; level < depth; level++) body = writer.block(around(writer, body));
  return writer.finish([body]);
}

/** A function of statements in a row. */
function row(count: number, statements: (writer: ShapeWriter, index: number) => readonly Node[]): HirModule {
  const writer = new ShapeWriter(1);
  const all: Node[] = [];
  for (let index = 0; index < count; index++) for (const one of statements(writer, index)) all.push(one);
  return writer.finish(all);
}

function sum(depth: number): HirModule {
  const writer = new ShapeWriter(1);
  let value = writer.read();
  for (let level = 0; level < depth; level++)
    value = writer.node(NodeKind.operation, [value, writer.read()], Opcode.add);
  return writer.finish([writer.write(value)]);
}

/** All variables are written before the joins and read behind them, and each join has one that needs a phi. */
function liveThroughJoins(variableCount: number, joinCount: number): HirModule {
  const writer = new ShapeWriter(variableCount);
  const all: Node[] = [];
  for (let variable = 0; variable < variableCount; variable++)
    all.push(writer.write(writer.constant(variable), variable));
  for (let join = 0; join < joinCount; join++)
    all.push(writer.node(NodeKind.if, [writer.condition(), writer.block(writer.increment(join))]));
  for (let variable = 0; variable < variableCount; variable++) all.push(writer.increment(variable));
  return writer.finish(all);
}

function wideSwitch(armCount: number): HirModule {
  const writer = new ShapeWriter(1);
  const arms = Array.from({ length: armCount }, (_, value) =>
    writer.node(
      NodeKind.case,
      [writer.constant(value), writer.block(writer.write(writer.constant(value)))],
      0,
    ),
  );
  return writer.finish([writer.node(NodeKind.switch, [writer.read(), ...arms]), writer.increment()]);
}

/** Labels in a row, then gotos to each, from the first or from the last one on: all phis but the first become redundant together. */
function jumpsBack(count: number, isReversed: boolean): HirModule {
  const writer = new ShapeWriter(1);
  const labels = Array.from({ length: count }, (_, index) => writer.label(`l${index}`));
  const jumps = (isReversed ? [...labels].reverse() : labels).map((label) => writer.jump(label));
  return writer.finish([...labels.flatMap((label) => [label, writer.increment()]), ...jumps]);
}

/** Each label is entered from the one before, the one behind it and that behind the next: no part of it is a loop with one entry. */
function irreducibleChain(count: number): HirModule {
  const writer = new ShapeWriter(1);
  const labels = Array.from({ length: count }, (_, index) => writer.label(`l${index}`));
  const at = (index: number) => labels[Math.min(Math.max(index, 0), count - 1)] as Node;
  return writer.finish([
    writer.jump(at(1)),
    ...labels.flatMap((label, index) => [
      label,
      ...(index % 3 === 0 ? [writer.increment()] : []),
      writer.jump(at(index - 1)),
      writer.jump(at(index + 2)),
    ]),
  ]);
}

/** A long chain of phis, from the end of which jumps lead to as many joins: dominators of such a comb must not climb it each time. */
function comb(count: number): HirModule {
  const writer = new ShapeWriter(1);
  const chain = Array.from({ length: count }, (_, index) => writer.label(`l${index}`));
  const teeth = Array.from({ length: count }, (_, index) => writer.label(`o${index}`));
  return writer.finish([
    ...chain,
    ...chain.map((label) => writer.jump(label)),
    ...teeth.map((label) => writer.jump(label)),
    ...teeth.flatMap((label) => [writer.increment(), label]),
    writer.increment(),
  ]);
}

/** Each shape by what it is. */
export const SCALE_SHAPES: Readonly<Record<string, () => HirModule>> = {
  'a nest of 1,000,000 ifs': () =>
    nest(1_000_000, (writer, body) => writer.node(NodeKind.if, [writer.condition(), body])),
  'a nest of 1,000,000 loops': () =>
    nest(1_000_000, (writer, body) => writer.node(NodeKind.while, [writer.condition(), body])),
  'an expression 1,000,000 deep': () => sum(1_000_000),
  '1,000,000 statements': () => row(1_000_000, (writer) => [writer.increment()]),
  '100,000 variables live through 1,000 joins': () => liveThroughJoins(100_000, 1000),
  'a switch of 65,536 arms': () => wideSwitch(65_536),
  'a chain of 100,000 loops': () =>
    row(100_000, (writer) => [
      writer.node(NodeKind.while, [writer.condition(), writer.block(writer.increment())]),
    ]),
  '100,000 gotos back to a chain of labels': () => jumpsBack(100_000, false),
  'the same in reverse': () => jumpsBack(100_000, true),
  'an irreducible chain of 100,000 labels': () => irreducibleChain(100_000),
  'a comb of 100,000 gotos': () => comb(100_000),
};
