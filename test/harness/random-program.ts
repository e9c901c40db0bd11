/**
 * Random HIR modules that are right by construction: every loop ends, every variable is written before it is read, and no
 * operation is erroneous. All structured constructs occur; `counts` says how often, so that the generator cannot rot.
 */

import { type FunctionId, NONE, type Node, type TypeId, type Variable } from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NODE_KINDS, NodeKind } from '../../src/ir/node-kinds.js';
import { OPCODES, Opcode } from '../../src/ir/opcodes.js';
import { HIR_NODE, HIR_VARIABLE, INTEGER_PREDICATES, Linkage } from '../../src/ir/schema.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait } from '../../src/traits/trait-table.js';
import type { Random } from './random.js';
import { addGotos } from './random-gotos.js';
import {
  clamped,
  clampedConversion,
  type ExpressionSource,
  floatExpression,
  guardedDivision,
  overflowing,
} from './random-totals.js';

interface Local {
  readonly variable: Variable;
  readonly type: TypeId;
  readonly isAddressed: boolean;
}

interface Callee {
  readonly id: FunctionId;
  readonly type: TypeId;
}

const BINARY = [Opcode.add, Opcode.sub, Opcode.mul, Opcode.and, Opcode.or, Opcode.xor] as const;

/** Makes one module of `functionCount` functions and a `main` that prints what each returns. */
export function randomModule(random: Random, functionCount: number): HirModule {
  const hir = new HirModule(new ModuleTables('random'));
  const callees: Callee[] = [];
  for (let index = 0; index < functionCount; index++) {
    callees.push(new FunctionWriter(hir, random, callees.slice(-3)).write(`f${index}`));
  }
  writeMain(hir, random, callees);
  return hir;
}

/** How often each node kind and each operation occur in a module, by name. */
export function countKinds(hir: HirModule, counts: Map<string, number>): void {
  for (let node = 0; node < hir.nodes.length; node++) {
    const name = NODE_KINDS[hir.kind(node as Node)]?.name ?? '?';
    const counted = name === 'constant' && hir.b(node as Node) !== NONE ? 'range' : name;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
    const opcode = name === 'operation' ? (OPCODES[hir.a(node as Node)]?.name ?? '?') : '';
    if (opcode !== '') counts.set(opcode, (counts.get(opcode) ?? 0) + 1);
  }
}

class FunctionWriter {
  readonly #types: readonly TypeId[];
  /** What the expressions that answer for every operand are made of. */
  readonly #source: ExpressionSource;
  #locals: Local[] = [];
  /** Loops and switches around the place that is written, innermost last. */
  #frames: { readonly node: Node; readonly isLoop: boolean }[] = [];
  #id = NONE as FunctionId;
  #result = NONE as TypeId;
  #nodesLeft = 260;
  #isInDefer = false;
  /** Whether the function gets gotos. They may jump over declarations, so its variables live throughout, and begin with a value. */
  #hasGotos = false;
  readonly #undeclared: Local[] = [];

  constructor(
    readonly hir: HirModule,
    readonly random: Random,
    readonly callees: readonly Callee[],
  ) {
    const { types } = hir.tables;
    this.#source = {
      hir,
      random,
      node: (kind, type, children, a, b) => this.#node(kind, type, children, a, b),
      expression: (type, depth) => this.#expression(type, depth),
      reader: (type) => this.#reader(type),
    };
    this.#types = [types.i32, types.u32, types.i64, types.u64, types.i16, types.u16, types.i8, types.u8];
  }

  #reader(type: TypeId): (() => Node) | undefined {
    const locals = this.#locals.filter((local) => local.type === type);
    if (locals.length === 0) return undefined;
    const local = this.random.pick(locals);
    return () => this.#read(local);
  }

  write(name: string): Callee {
    const { hir, random } = this;
    const { tables } = hir;
    const parameters = Array.from({ length: random.below(4) }, () => random.pick(this.#types));
    this.#result = random.pick(this.#types);
    const type = tables.types.function(parameters, this.#result);
    this.#id = tables.addFunction(tables.names.intern(name), type, Linkage.internal);
    const first = hir.variables.length;
    for (const parameter of parameters) this.#addLocal(parameter, random.chance(20));
    this.#hasGotos = random.chance(30);
    const body = this.#block(0, true);
    if (this.#hasGotos) this.#addGotos(body);
    hir.defineFunction(this.#id, body, first, hir.variables.length - first, parameters.length);
    return { id: this.#id, type };
  }

  #addGotos(body: Node): void {
    const { hir, random } = this;
    const { types, constants } = hir.tables;
    const fuel = this.#addLocal(types.i32, false);
    const start = ({ type, variable }: Local, value: number) => {
      const isFloat = type === types.f64;
      const constant = isFloat ? constants.float(type, value) : constants.integer(type, BigInt(value));
      return this.#node(
        NodeKind.assign,
        this.#void,
        [this.#node(NodeKind.constant, type, [], constant)],
        variable,
      );
    };
    addGotos(hir, random, body, fuel.variable);
    const starts = this.#undeclared.map((local) => start(local, random.below(3)));
    hir.setChildren(body, [start(fuel, 1 + random.below(9)), ...starts, ...hir.children(body)]);
  }

  #addLocal(type: TypeId, isAddressed: boolean): Local {
    const { tables } = this.hir;
    const traits = isAddressed ? tables.traitSets.intern([traitEntry(Trait.isAddressed)]) : 0;
    const name = tables.names.intern(this.random.pick(['a', 'b', 'c', 'i', 'sum', 'x']));
    const local = { variable: this.hir.addVariable(this.#id, name, type, traits), type, isAddressed };
    this.#locals.push(local);
    return local;
  }

  #node(kind: number, type: TypeId, children: readonly Node[], a = NONE, b = NONE): Node {
    const node = this.hir.addNode(kind, type, a, b);
    this.hir.setChildren(node, children);
    this.#nodesLeft--;
    return node;
  }

  get #void(): TypeId {
    return this.hir.tables.types.void;
  }

  #block(depth: number, isBody = false): Node {
    const outer = this.#locals.length;
    const statements: Node[] = [];
    const count = 1 + this.random.below(depth === 0 ? 7 : 4);
    for (let index = 0; index < count; index++) statements.push(...this.#statement(depth));
    if (isBody) statements.push(this.#return());
    this.#locals.length = outer;
    return this.#node(NodeKind.block, this.#void, statements);
  }

  #statement(depth: number): Node[] {
    const isDeep = depth > 3 || this.#nodesLeft < 0;
    const choice = this.random.below(isDeep ? 50 : 100);
    if (choice < 3) return [this.#declare(this.hir.tables.types.f64)];
    if (choice < 14) return [this.#declare(this.random.pick(this.#types))];
    if (choice < 30) return [this.#assign()];
    if (choice < 34) return [this.#store()];
    if (choice < 38) return [this.#expression(this.random.pick(this.#types), 2)];
    if (choice < 44) return this.#isInDefer ? [this.#assign()] : [this.#jump()];
    if (choice < 48) return [this.#defer(depth)];
    if (choice < 50) return [this.#block(depth + 1)];
    if (choice < 70) return [this.#if(depth)];
    if (choice < 80) return this.#while(depth);
    if (choice < 85) return this.#doWhile(depth);
    if (choice < 92) return [this.#for(depth)];
    return [this.#switch(depth)];
  }

  #declare(type: TypeId, value = this.#expression(type, 2)): Node {
    const local = this.#addLocal(type, this.random.chance(15));
    if (this.#hasGotos) {
      this.#undeclared.push(local);
      return this.#node(NodeKind.assign, this.#void, [value], local.variable);
    }
    const node = this.#node(NodeKind.declare, this.#void, [value], local.variable);
    this.hir.variables.set(local.variable, HIR_VARIABLE.declaration, node);
    return node;
  }

  #assign(): Node {
    if (this.#locals.length === 0) return this.#declare(this.random.pick(this.#types));
    const local = this.random.pick(this.#locals);
    return this.#node(NodeKind.assign, this.#void, [this.#expression(local.type, 3)], local.variable);
  }

  #addressOf(local: Local): Node {
    return this.#node(NodeKind.address, this.hir.tables.types.pointer(local.type), [], local.variable);
  }

  #store(): Node {
    const addressed = this.#locals.filter((local) => local.isAddressed);
    if (addressed.length === 0) return this.#assign();
    const local = this.random.pick(addressed);
    const value = this.#expression(local.type, 2);
    return this.#node(NodeKind.operation, this.#void, [value, this.#addressOf(local)], Opcode.store, 0);
  }

  #return(): Node {
    return this.#node(NodeKind.return, this.#void, [this.#expression(this.#result, 3)]);
  }

  /** A jump, in an `if` so that what follows it is reached. */
  #jump(): Node {
    const loops = this.#frames.filter((frame) => frame.isLoop);
    const choice = this.random.below(3);
    let jump: Node;
    if (choice === 0 && loops.length > 0) {
      const target = this.random.chance(50) ? NONE : this.random.pick(loops).node;
      jump = this.#node(NodeKind.continue, this.#void, [], target);
    } else if (choice === 1 && this.#frames.length > 0) {
      const target = this.random.chance(50) ? NONE : this.random.pick(this.#frames).node;
      jump = this.#node(NodeKind.break, this.#void, [], target);
    } else {
      jump = this.#return();
    }
    const then = this.#node(NodeKind.block, this.#void, [jump]);
    return this.#node(NodeKind.if, this.#void, [this.#condition(2), then]);
  }

  #defer(depth: number): Node {
    const { hir, random } = this;
    if (this.#locals.length === 0) return this.#declare(random.pick(this.#types));
    const [wasInDefer, frames] = [this.#isInDefer, this.#frames];
    this.#isInDefer = true;
    this.#frames = [];
    const body = random.chance(70) || depth > 2 ? this.#assign() : this.#if(depth + 1);
    this.#isInDefer = wasInDefer;
    this.#frames = frames;
    return hir.kind(body) === NodeKind.declare ? body : this.#node(NodeKind.defer, this.#void, [body]);
  }

  #if(depth: number): Node {
    const children = [this.#condition(3), this.#block(depth + 1)];
    if (this.random.chance(50)) children.push(this.#block(depth + 1));
    return this.#node(NodeKind.if, this.#void, children);
  }

  /** A counter that only its loop writes, so that the loop ends; returns its declaration, and nodes that use it. */
  #counter(): { readonly declare: Node; readonly less: () => Node; readonly count: () => Node } {
    const { types, constants } = this.hir.tables;
    const number = (value: number) =>
      this.#node(NodeKind.constant, types.i32, [], constants.integer(types.i32, BigInt(value)));
    const declare = this.#declare(types.i32, number(0));
    const { variable } = this.#locals.pop() as Local;
    const read = () => this.#node(NodeKind.variable, types.i32, [], variable);
    const limit = 1 + this.random.below(4);
    return {
      declare,
      less: () =>
        this.#node(
          NodeKind.operation,
          types.i1,
          [read(), number(limit)],
          Opcode.icmp,
          INTEGER_PREDICATES.indexOf('slt'),
        ),
      count: () => {
        const sum = this.#node(NodeKind.operation, types.i32, [read(), number(1)], Opcode.add);
        return this.#node(NodeKind.assign, this.#void, [sum], variable);
      },
    };
  }

  /** The body of the loop `node`, which begins with `first`. */
  #loopBody(node: Node, depth: number, first: readonly Node[]): Node {
    this.#frames.push({ node, isLoop: true });
    const inner = this.#block(depth + 1);
    this.#frames.pop();
    return this.#node(NodeKind.block, this.#void, [...first, inner]);
  }

  #while(depth: number): Node[] {
    const counter = this.#counter();
    const node = this.#node(NodeKind.while, this.#void, []);
    const condition = this.random.chance(60)
      ? counter.less()
      : this.#node(NodeKind.logicalAnd, this.hir.tables.types.i1, [counter.less(), this.#condition(1)]);
    this.hir.setChildren(node, [condition, this.#loopBody(node, depth, [counter.count()])]);
    return [counter.declare, node];
  }

  #doWhile(depth: number): Node[] {
    const counter = this.#counter();
    const node = this.#node(NodeKind.doWhile, this.#void, []);
    this.hir.setChildren(node, [this.#loopBody(node, depth, [counter.count()]), counter.less()]);
    return [counter.declare, node];
  }

  #for(depth: number): Node {
    const counter = this.#counter();
    const node = this.#node(NodeKind.for, this.#void, []);
    const init = this.#node(NodeKind.block, this.#void, [counter.declare]);
    const step = this.#node(NodeKind.block, this.#void, [counter.count()]);
    this.hir.setChildren(node, [init, counter.less(), step, this.#loopBody(node, depth, [])]);
    return node;
  }

  #switch(depth: number): Node {
    const { hir, random } = this;
    const type = random.pick(this.#types);
    const node = this.#node(NodeKind.switch, this.#void, []);
    this.#frames.push({ node, isLoop: false });
    const arms: Node[] = [];
    let next = 0;
    for (let arm = random.below(4); arm >= 0; arm--) {
      const constants: Node[] = [];
      const constant = (value: number) => hir.tables.constants.integer(type, BigInt(value));
      for (let count = random.below(3); count >= 0; count--) {
        const isRange = next < 20 && random.chance(20);
        const last = isRange ? next + 64 + random.below(20) : next;
        constants.push(
          this.#node(NodeKind.constant, type, [], constant(next), isRange ? constant(last) : NONE),
        );
        next = last + 1;
      }
      const body = this.#block(depth + 1);
      arms.push(this.#node(NodeKind.case, this.#void, [...constants, body], random.chance(25) ? 1 : 0));
    }
    if (random.chance(60)) {
      const place = random.below(arms.length + 1);
      arms.splice(
        place,
        0,
        this.#node(NodeKind.default, this.#void, [this.#block(depth + 1)], random.chance(25) ? 1 : 0),
      );
    }
    // Nothing falls through out of the last arm.
    hir.nodes.set(arms[arms.length - 1] as number, HIR_NODE.a, 0);
    this.#frames.pop();
    const highest = next > 20 ? 127n : 7n;
    const mask = this.#node(NodeKind.constant, type, [], hir.tables.constants.integer(type, highest));
    const value = this.#node(NodeKind.operation, type, [this.#expression(type, 2), mask], Opcode.and);
    hir.setChildren(node, [value, ...arms]);
    return node;
  }

  #condition(depth: number): Node {
    const { random } = this;
    const { types } = this.hir.tables;
    if (depth > 0 && random.chance(25)) {
      const kind = random.chance(50) ? NodeKind.logicalAnd : NodeKind.logicalOr;
      return this.#node(kind, types.i1, [this.#condition(depth - 1), this.#condition(depth - 1)]);
    }
    const type = random.pick(this.#types);
    const operands = [this.#expression(type, depth), this.#expression(type, depth)];
    return this.#node(
      NodeKind.operation,
      types.i1,
      operands,
      Opcode.icmp,
      random.below(INTEGER_PREDICATES.length),
    );
  }

  #constant(type: TypeId): Node {
    const { random } = this;
    const wide = (BigInt(random.word()) << 32n) | BigInt(random.word());
    const value = random.pick([
      0n,
      1n,
      -1n,
      BigInt(random.below(10)),
      wide,
      1n << 31n,
      (1n << 63n) - 1n,
      127n,
    ]);
    return this.#node(NodeKind.constant, type, [], this.hir.tables.constants.integer(type, value));
  }

  #expression(type: TypeId, depth: number): Node {
    const { random, hir } = this;
    if (type === hir.tables.types.f64) return floatExpression(this.#source, depth);
    const locals = this.#locals.filter((local) => local.type === type);
    const choice = random.below(depth > 0 && this.#nodesLeft > -400 ? 100 : 30);
    if (choice < 20 && locals.length > 0) return this.#read(random.pick(locals));
    if (choice < 30) return this.#constant(type);
    if (choice < 34) return overflowing(this.#source, type, depth);
    if (choice < 37) return clamped(this.#source, type, depth);
    if (choice < 40) return clampedConversion(this.#source, type) ?? this.#constant(type);
    if (choice < 62) {
      const operands = [this.#expression(type, depth - 1), this.#expression(type, depth - 1)];
      return this.#node(NodeKind.operation, type, operands, random.pick(BINARY));
    }
    if (choice < 70) return this.#shift(type, depth);
    if (choice < 73) return this.#divide(type, depth);
    if (choice < 76) return guardedDivision(this.#source, type, depth) ?? this.#divide(type, depth);
    if (choice < 85) return this.#cast(type, depth);
    if (choice < 90) {
      const children = [
        this.#condition(1),
        this.#expression(type, depth - 1),
        this.#expression(type, depth - 1),
      ];
      return this.#node(NodeKind.conditional, type, children);
    }
    if (choice < 93) {
      const children = [
        this.#condition(0),
        this.#expression(type, depth - 1),
        this.#expression(type, depth - 1),
      ];
      return this.#node(NodeKind.operation, type, children, Opcode.select);
    }
    if (choice < 96) {
      const condition = this.#condition(1);
      const narrow = this.#node(NodeKind.operation, type, [condition], Opcode.zext);
      return narrow;
    }
    const callee = this.callees.filter((item) => hir.tables.types.result(item.type) === type)[0];
    return callee === undefined ? this.#constant(type) : this.#call(callee, depth);
  }

  #read(local: Local): Node {
    if (!local.isAddressed || this.random.chance(50)) {
      return this.#node(NodeKind.variable, local.type, [], local.variable);
    }
    return this.#node(NodeKind.operation, local.type, [this.#addressOf(local)], Opcode.load, 0);
  }

  /** A shift whose amount is masked to be below the width. */
  #shift(type: TypeId, depth: number): Node {
    const { constants, types } = this.hir.tables;
    const mask = this.#node(
      NodeKind.constant,
      type,
      [],
      constants.integer(type, BigInt(types.width(type) - 1)),
    );
    const amount = this.#node(
      NodeKind.operation,
      type,
      [this.#expression(type, depth - 1), mask],
      Opcode.and,
    );
    const opcode = this.random.pick([Opcode.shl, Opcode.lshr, Opcode.ashr]);
    return this.#node(NodeKind.operation, type, [this.#expression(type, depth - 1), amount], opcode);
  }

  /** A division whose divisor is odd and positive, so that it is neither 0 nor -1. */
  #divide(type: TypeId, depth: number): Node {
    const { constants } = this.hir.tables;
    const constant = (value: bigint) =>
      this.#node(NodeKind.constant, type, [], constants.integer(type, value));
    const low = this.#node(
      NodeKind.operation,
      type,
      [this.#expression(type, depth - 1), constant(62n)],
      Opcode.and,
    );
    const divisor = this.#node(NodeKind.operation, type, [low, constant(1n)], Opcode.or);
    const opcode = this.random.pick([Opcode.sdiv, Opcode.udiv, Opcode.srem, Opcode.urem]);
    return this.#node(NodeKind.operation, type, [this.#expression(type, depth - 1), divisor], opcode);
  }

  #cast(type: TypeId, depth: number): Node {
    const { types } = this.hir.tables;
    const from = this.random.pick(this.#types);
    const value = this.#expression(from, depth - 1);
    if (from === type) return value;
    const [fromWidth, toWidth] = [types.width(from), types.width(type)];
    if (fromWidth === toWidth) return this.#node(NodeKind.operation, type, [value], Opcode.bitcast);
    if (fromWidth > toWidth) return this.#node(NodeKind.operation, type, [value], Opcode.trunc);
    return this.#node(NodeKind.operation, type, [value], types.isSigned(from) ? Opcode.sext : Opcode.zext);
  }

  #call(callee: Callee, depth: number): Node {
    const { types, constants } = this.hir.tables;
    const address = constants.functionAddress(types.pointer(callee.type), callee.id);
    const children = [this.#node(NodeKind.constant, types.pointer(callee.type), [], address)];
    for (let index = 0; index < types.memberCount(callee.type); index++) {
      children.push(this.#expression(types.memberType(callee.type, index), depth - 1));
    }
    return this.#node(NodeKind.operation, types.result(callee.type), children, Opcode.call, callee.type);
  }
}

/** `main` calls each function with constants and prints its result as a hexadecimal 64-bit number. */
function writeMain(hir: HirModule, random: Random, callees: readonly Callee[]): void {
  const { types, constants, names } = hir.tables;
  const bytePointer = types.pointer(types.i8);
  const printfType = types.function([bytePointer], types.i32, true);
  const printf = hir.tables.addFunction(names.intern('printf'), printfType, Linkage.extern);
  const format = new TextEncoder().encode('%llx\n\0');
  const formatType = types.array(types.i8, format.length);
  const text = hir.tables.addGlobal(
    names.intern('format'),
    formatType,
    Linkage.internal,
    constants.byteString(formatType, format),
    1,
  );
  const node = (kind: number, type: TypeId, a: number, b: number, children: readonly Node[]) => {
    const made = hir.addNode(kind, type, a, b);
    hir.setChildren(made, children);
    return made;
  };
  const id = hir.tables.addFunction(names.intern('main'), types.function([], types.i32), Linkage.export);
  const statements = callees.map((callee) => {
    const calleePointer = types.pointer(callee.type);
    const children = [
      node(NodeKind.constant, calleePointer, constants.functionAddress(calleePointer, callee.id), NONE, []),
    ];
    for (let index = 0; index < types.memberCount(callee.type); index++) {
      const type = types.memberType(callee.type, index);
      children.push(node(NodeKind.constant, type, constants.integer(type, BigInt(random.word())), NONE, []));
    }
    const result = types.result(callee.type);
    let value = node(NodeKind.operation, result, Opcode.call, callee.type, children);
    if (types.width(result) < 64) value = node(NodeKind.operation, types.u64, Opcode.zext, NONE, [value]);
    const printfPointer = types.pointer(printfType);
    return node(NodeKind.operation, types.i32, Opcode.call, printfType, [
      node(NodeKind.constant, printfPointer, constants.functionAddress(printfPointer, printf), NONE, []),
      node(NodeKind.constant, bytePointer, constants.globalAddress(bytePointer, text), NONE, []),
      value,
    ]);
  });
  const zero = node(NodeKind.constant, types.i32, constants.integer(types.i32, 0n), NONE, []);
  statements.push(node(NodeKind.return, types.void, NONE, NONE, [zero]));
  const first = hir.variables.length;
  hir.defineFunction(id, node(NodeKind.block, types.void, NONE, NONE, statements), first, 0, 0);
}
