/**
 * Random structured functions as HIR tables: every statement and expression kind, variables in registers and in memory,
 * jumps to outer loops, fallthrough, defers, code after jumps. Valid for lowering; not meant to be run.
 */

import { type FunctionId, NONE, type Node, type TypeId } from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { Linkage } from '../../src/ir/schema.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait } from '../../src/traits/trait-table.js';
import type { Random } from './random.js';

const BINARY = [Opcode.add, Opcode.sub, Opcode.mul, Opcode.and, Opcode.xor];

/** Builds one random function at a time. */
class RandomFunction {
  /** Loops and switches around the place, innermost last. */
  readonly #targets: { readonly node: Node; readonly isLoop: boolean }[] = [];
  readonly #addressed: number[] = [];
  #isInDefer = false;

  constructor(
    readonly hir: HirModule,
    readonly random: Random,
    readonly id: FunctionId,
    readonly firstVariable: number,
    readonly variableCount: number,
    readonly returnsValue: boolean,
  ) {}

  /** Notes that a variable has an address. */
  addAddressed(variable: number): void {
    this.#addressed.push(variable);
  }

  block(depth: number): Node {
    const count = this.random.below(depth > 3 ? 2 : 5);
    return this.#node(
      NodeKind.block,
      Array.from({ length: count }, () => this.#statement(depth + 1)),
    );
  }

  #node(kind: number, children: readonly Node[], a = NONE, type?: TypeId): Node {
    const { hir, random } = this;
    const position =
      random.below(3) === 0 ? NONE : hir.tables.addPosition(0 as never, 1 + random.below(99), 1);
    const name = random.below(4) === 0 ? hir.tables.names.intern(`n${random.below(5)}`) : NONE;
    const node = hir.addNode(kind, type ?? hir.tables.types.void, a, NONE, position, 0, name);
    hir.setChildren(node, children);
    return node;
  }

  #variable(): number {
    return this.firstVariable + this.random.below(this.variableCount);
  }

  #constant(): Node {
    const { constants, types } = this.hir.tables;
    const value = constants.integer(types.i32, BigInt(this.random.below(9)));
    return this.#node(NodeKind.constant, [], value, types.i32);
  }

  #expression(depth: number): Node {
    const { types } = this.hir.tables;
    switch (this.random.below(depth > 5 ? 3 : 8)) {
      case 0:
        return this.#constant();
      case 1:
      case 2:
        return this.#node(NodeKind.variable, [], this.#variable(), types.i32);
      case 3:
        return this.#node(
          NodeKind.conditional,
          [this.#condition(depth + 1), this.#expression(depth + 1), this.#expression(depth + 1)],
          NONE,
          types.i32,
        );
      case 4:
        return this.#load();
      default:
        return this.#node(
          NodeKind.operation,
          [this.#expression(depth + 1), this.#expression(depth + 1)],
          this.random.pick(BINARY),
          types.i32,
        );
    }
  }

  #load(): Node {
    const { types } = this.hir.tables;
    if (this.#addressed.length === 0) return this.#constant();
    const address = this.#node(
      NodeKind.address,
      [],
      this.random.pick(this.#addressed),
      types.pointer(types.i32),
    );
    return this.#node(NodeKind.operation, [address], Opcode.load, types.i32);
  }

  #condition(depth: number): Node {
    const { types } = this.hir.tables;
    const choice = this.random.below(depth > 5 ? 2 : 5);
    if (choice < 3) {
      const operands = [this.#expression(depth + 1), this.#expression(depth + 1)];
      return this.#node(NodeKind.operation, operands, Opcode.icmp, types.i1);
    }
    const kind = choice === 3 ? NodeKind.logicalAnd : NodeKind.logicalOr;
    return this.#node(kind, [this.#condition(depth + 1), this.#condition(depth + 1)], NONE, types.i1);
  }

  #statement(depth: number): Node {
    const { random } = this;
    switch (random.below(depth > 5 ? 5 : 18)) {
      case 0:
        return this.#node(
          NodeKind.declare,
          random.below(4) === 0 ? [] : [this.#expression(depth)],
          this.#variable(),
        );
      case 1:
      case 2:
      case 3:
        return this.#node(NodeKind.assign, [this.#expression(depth)], this.#variable());
      case 4:
        return this.#expression(depth);
      case 5:
      case 6:
        return this.#if(depth);
      case 7:
      case 8:
      case 9:
      case 10:
        return this.#loop(depth);
      case 11:
      case 12:
        return this.#switch(depth);
      case 13:
        return this.#defer(depth);
      case 14:
        return this.#jump(depth);
      case 15:
        return random.below(4) === 0 ? this.#node(NodeKind.unreachable, []) : this.#return(depth);
      default:
        return this.block(depth);
    }
  }

  #if(depth: number): Node {
    const children = [this.#condition(depth), this.block(depth)];
    if (this.random.below(2) === 0) children.push(this.block(depth));
    return this.#node(NodeKind.if, children);
  }

  #loop(depth: number): Node {
    const kind = this.random.pick([NodeKind.while, NodeKind.doWhile, NodeKind.for]);
    const loop = this.#node(kind, []);
    const condition = this.#condition(depth);
    const init = kind === NodeKind.for ? this.block(depth) : NONE;
    this.#targets.push({ node: loop, isLoop: true });
    const body = this.block(depth);
    this.#targets.pop();
    if (kind === NodeKind.while) this.hir.setChildren(loop, [condition, body]);
    else if (kind === NodeKind.doWhile) this.hir.setChildren(loop, [body, condition]);
    else {
      const step = this.#node(NodeKind.block, [
        this.#node(NodeKind.assign, [this.#constant()], this.#variable()),
      ]);
      this.hir.setChildren(loop, [init as Node, condition, step, body]);
    }
    return loop;
  }

  #switch(depth: number): Node {
    const { constants, types } = this.hir.tables;
    const node = this.#node(NodeKind.switch, []);
    const children = [this.#expression(depth)];
    const armCount = this.random.below(4);
    const defaultArm = this.random.below(armCount + 1);
    this.#targets.push({ node, isLoop: false });
    for (let arm = 0; arm < armCount; arm++) {
      const fallsThrough = this.random.below(2);
      if (arm === defaultArm) {
        children.push(this.#node(NodeKind.default, [this.block(depth)], fallsThrough));
        continue;
      }
      const labels = Array.from({ length: 1 + this.random.below(2) }, (_, label) =>
        this.#node(NodeKind.constant, [], constants.integer(types.i32, BigInt(arm * 2 + label)), types.i32),
      );
      children.push(this.#node(NodeKind.case, [...labels, this.block(depth)], fallsThrough));
    }
    this.#targets.pop();
    this.hir.setChildren(node, children);
    return node;
  }

  /** What a defer runs may loop, but neither return nor jump out. */
  #defer(depth: number): Node {
    const outerTargets = this.#targets.splice(0);
    const wasInDefer = this.#isInDefer;
    this.#isInDefer = true;
    const child = this.block(depth + 1);
    this.#isInDefer = wasInDefer;
    this.#targets.push(...outerTargets);
    return this.#node(NodeKind.defer, [child]);
  }

  #jump(depth: number): Node {
    const isBreak = this.random.below(2) === 0;
    const targets = this.#targets.filter((target) => isBreak || target.isLoop);
    if (targets.length === 0) return this.#return(depth);
    const target = this.random.below(2) === 0 ? NONE : this.random.pick(targets).node;
    return this.#node(isBreak ? NodeKind.break : NodeKind.continue, [], target);
  }

  #return(depth: number): Node {
    if (this.#isInDefer) return this.block(depth + 1);
    return this.#node(NodeKind.return, this.returnsValue ? [this.#expression(depth)] : []);
  }
}

/** A module of a few random functions, one of them only declared. */
export function randomHir(random: Random, functionCount = 3): HirModule {
  const tables = new ModuleTables('random');
  const hir = new HirModule(tables);
  const { types, names, traitSets } = tables;
  const addressed = traitSets.intern([traitEntry(Trait.isAddressed)]);
  for (let index = 0; index < functionCount; index++) {
    const parameterCount = random.below(3);
    const returnsValue = random.below(2) === 0;
    const type = types.function(
      new Array<TypeId>(parameterCount).fill(types.i32),
      returnsValue ? types.i32 : types.void,
    );
    const id = tables.addFunction(names.intern(`f${index}`), type, Linkage.export);
    if (index === 1) continue;
    const firstVariable = hir.variables.length;
    const variableCount = parameterCount + 1 + random.below(5);
    const builder = new RandomFunction(hir, random, id, firstVariable, variableCount, returnsValue);
    for (let variable = 0; variable < variableCount; variable++) {
      const isAddressed = random.below(4) === 0;
      const row = hir.addVariable(id, names.intern(`v${variable}`), types.i32, isAddressed ? addressed : 0);
      if (isAddressed) builder.addAddressed(row);
    }
    hir.defineFunction(id, builder.block(0), firstVariable, variableCount, parameterCount);
  }
  hir.completeFunctions();
  return hir;
}
