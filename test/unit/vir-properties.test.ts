import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRAIT_ROWS } from '../../src/diag/catalogue/traits.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import {
  type ConstantId,
  constantOperand,
  type NameId,
  NONE,
  type TypeId,
  type Value,
} from '../../src/ir/entities.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { OPCODES, Opcode, opcodeRow } from '../../src/ir/opcodes.js';
import { castAllows, pairWithFlag } from '../../src/ir/operation-rules.js';
import { ATOMIC_OPERATIONS, Aux, Linkage, TypeKind } from '../../src/ir/schema.js';
import { VirModule } from '../../src/ir/vir-module.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { TRAITS, traitRow } from '../../src/traits/trait-table.js';
import { VirBuilder } from '../../src/vir/builder.js';
import { parseVir } from '../../src/vir/parser.js';
import { printVir } from '../../src/vir/printer.js';
import { verifyVir } from '../../src/vir/verifier.js';

/** Makes random parts of one module out of a stream of numbers that fast-check shrinks. */
class RandomModule {
  readonly tables = new ModuleTables('random "module"');
  readonly #choices: readonly number[];
  #at = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  /** A number below the limit. */
  pick(limit: number): number {
    const choice = this.#choices[this.#at++ % this.#choices.length] as number;
    // Mixed with the place, so that a short list does not repeat itself.
    return Math.abs(Math.imul(choice ^ (this.#at * 0x9e3779b1), 0x85ebca6b) >>> 3) % limit;
  }

  name(): string {
    const names = ['a', 'b', 'loop.header', 'x y', '"', 'é', '1', 'a.1', '-', 'region', ''];
    return names[this.pick(names.length)] as string;
  }

  integer(): TypeId {
    const widths = [1, 7, 8, 16, 24, 32, 33, 64, 65, 128, 1024];
    return this.tables.types.integer(widths[this.pick(widths.length)] as number, this.pick(2) === 0);
  }

  float(): TypeId {
    return this.tables.types.float(this.pick(2) === 0 ? 32 : 64);
  }

  machine(): TypeId {
    const { types } = this.tables;
    return types.integer([8, 16, 32, 64][this.pick(4)] as number, this.pick(2) === 0);
  }

  /** A type that has values. */
  type(depth = 3): TypeId {
    const { types } = this.tables;
    switch (this.pick(depth === 0 ? 3 : 7)) {
      case 0:
        return this.integer();
      case 1:
        return this.float();
      case 2:
        return types.pointer(depth === 0 ? types.void : this.type(depth - 1));
      case 3:
        return types.array(this.type(depth - 1), 1 + this.pick(3));
      case 4:
        return types.struct(this.#members(depth));
      case 5:
        return types.union(this.#members(depth));
      default:
        return types.pointer(types.function([this.type(depth - 1)], types.void, this.pick(2) === 0));
    }
  }

  #members(depth: number) {
    const result: { type: TypeId; name: NameId }[] = [];
    for (let count = 1 + this.pick(3); count > 0; count--) {
      const name = this.pick(2) === 0 ? (NONE as NameId) : this.tables.names.intern(`m${count} x`);
      result.push({ type: this.type(depth - 1), name });
    }
    return result;
  }

  constant(type: TypeId): ConstantId {
    const { constants, types } = this.tables;
    const choice = this.pick(6);
    if (choice === 0) return constants.undef(type);
    if (choice === 1) return constants.zero(type);
    switch (types.kind(type)) {
      case TypeKind.integer:
        return constants.integer(
          type,
          (BigInt(this.pick(1 << 29)) << BigInt(this.pick(70))) - BigInt(this.pick(9)),
        );
      case TypeKind.float: {
        const bits =
          (BigInt(this.pick(1 << 29)) << 35n) ^ BigInt(this.pick(1 << 29)) ^ (BigInt(this.pick(64)) << 58n);
        return constants.floatFromBits(type, BigInt.asUintN(types.width(type), bits));
      }
      case TypeKind.pointer:
        return constants.null(type);
      case TypeKind.array: {
        if (types.element(type) === types.i8) {
          const content = Uint8Array.from({ length: types.count(type) }, () => this.pick(256));
          return constants.byteString(type, content);
        }
        const count = types.count(type);
        return constants.aggregate(
          type,
          Array.from({ length: count }, () => this.constant(types.element(type))),
        );
      }
      default: {
        const count = types.kind(type) === TypeKind.union ? 1 : types.memberCount(type);
        const members = Array.from({ length: count }, (_, at) => this.constant(types.memberType(type, at)));
        return constants.aggregate(type, members);
      }
    }
  }

  traits(): number {
    if (this.pick(4) > 0) return 0;
    const plain = TRAITS.map((_, number) => number).filter(
      (number) => traitRow(number).payload === 'none' && traitRow(number).contradicts.length === 0,
    );
    return this.tables.traitSets.intern([traitEntry(plain[this.pick(plain.length)] as number)]);
  }
}

/** A function whose entry block holds one instruction of each of the opcodes, in a random order with random types. */
function randomModule(choices: readonly number[]): VirModule {
  const random = new RandomModule(choices);
  const { tables } = random;
  const { types, names } = tables;
  for (let count = random.pick(4); count > 0; count--) {
    const type = random.type();
    tables.addGlobal(names.intern(`g${count} x`), type, Linkage.internal, random.constant(type));
  }
  const parameters = [random.type(), types.i32, random.type()];
  const id = tables.addFunction(names.intern('f'), types.function(parameters, types.void), Linkage.export);
  const builder = new VirBuilder(new VirModule(tables));
  const known: { readonly value: Value; readonly type: TypeId }[] = [];
  builder.beginFunction(id);
  const annotations = () => ({
    name: random.pick(3) === 0 ? NONE : names.intern(random.name() || 'z'),
    traits: random.traits(),
    position:
      random.pick(3) === 0
        ? tables.addPosition(names.intern(`s${random.pick(3)}`), 1 + random.pick(9), 1)
        : NONE,
    region: random.pick(9) === 0 ? random.pick(4) : NONE,
  });
  for (const type of parameters) known.push({ value: builder.parameter(type, annotations()), type });
  builder.block(annotations());
  const operand = (type: TypeId): Value => {
    const fitting = known.filter((item) => item.type === type);
    const chosen = fitting[random.pick(fitting.length + 1)];
    return chosen?.value ?? constantOperand(random.constant(type));
  };
  const add = (opcode: number, type: TypeId, operands: readonly number[], aux = NONE) => {
    const value = builder.instruction(opcode, type, operands, aux, annotations());
    if (type !== types.void) known.push({ value, type });
  };
  for (let count = 40; count > 0; count--) addRandom(random, random.pick(OPCODES.length), add, operand);
  const exit = 1 + random.pick(3);
  const merged = operand(types.f32);
  add(Opcode.switch, types.void, [operand(types.i32), 1, builder.integer(types.i32, -5), exit]);
  for (let block = 1; block < 4; block++) {
    builder.block(annotations());
    if (block === 1 || block === exit) add(Opcode.phi, types.f32, [merged, 0]);
    add(Opcode.ret, types.void, []);
  }
  builder.endFunction();
  return builder.finish();
}

type Add = (opcode: number, type: TypeId, operands: readonly number[], aux?: number) => unknown;

function addRandom(
  random: RandomModule,
  opcode: number,
  add: Add,
  operand: (type: TypeId) => Value,
): unknown {
  const { types, constants } = random.tables;
  const row = opcodeRow(opcode);
  const many = (count: number, type: TypeId) => Array.from({ length: count }, () => operand(type));
  const index = (value: number) => constantOperand(constants.integer(types.i32, BigInt(value)));
  const integer = random.integer();
  const float = random.float();
  const any = random.type();
  switch (row.class) {
    case 'integerBinary':
      return add(opcode, integer, many(2, integer));
    case 'integerUnary':
      return add(opcode, integer, many(1, integer));
    case 'integerTernary':
      return add(opcode, integer, many(3, integer));
    case 'integerOverflow':
      return add(opcode, pairWithFlag(random.tables, integer), many(2, integer));
    case 'floatBinary':
      return add(opcode, float, many(2, float));
    case 'floatUnary':
      return add(opcode, float, many(1, float));
    case 'integerCompare':
      return add(opcode, types.i1, many(2, integer), random.pick(10));
    case 'floatCompare':
      return add(opcode, types.i1, many(2, float), random.pick(14));
    case 'cast':
      return addCast(random, opcode, add, operand);
    case 'select':
      return add(opcode, any, [operand(types.i1), ...many(2, any)]);
    case 'alloca':
      return add(opcode, types.pointer(any), [], any);
    case 'load':
      return add(opcode, any, [operand(types.pointer(any))], random.pick(2) * Aux.volatile);
    case 'store':
      return add(
        opcode,
        types.void,
        [operand(any), operand(types.pointer(any))],
        random.pick(2) * Aux.volatile,
      );
    case 'address': {
      const array = types.array(any, 4);
      const place = random.pick(2) === 0 ? index(random.pick(4)) : operand(types.i64);
      return add(opcode, types.pointer(any), [operand(types.pointer(array)), operand(integer), place], array);
    }
    case 'extract': {
      const pair = pairWithFlag(random.tables, any);
      return add(opcode, any, [operand(pair), index(0)]);
    }
    case 'insert': {
      const pair = pairWithFlag(random.tables, any);
      return add(opcode, pair, [operand(pair), operand(any), index(0)]);
    }
    case 'call': {
      const signature = types.function(
        [any],
        random.pick(2) === 0 ? types.void : integer,
        random.pick(2) === 0,
      );
      const rest = types.isVarargs(signature) ? [operand(types.f64)] : [];
      const callee = operand(types.pointer(signature));
      return add(opcode, types.result(signature), [callee, operand(any), ...rest], signature);
    }
    case 'compareExchange': {
      const machine = random.machine();
      const aux =
        6 | (2 << Aux.failureOrderingShift) | (random.pick(2) * Aux.weak) | (random.pick(2) * Aux.volatile);
      const type = pairWithFlag(random.tables, machine);
      return add(opcode, type, [operand(types.pointer(machine)), ...many(2, machine)], aux);
    }
    case 'atomicUpdate': {
      const machine = random.machine();
      const aux = (2 + random.pick(5)) | (random.pick(ATOMIC_OPERATIONS.length) << Aux.operationShift);
      return add(opcode, machine, [operand(types.pointer(machine)), operand(machine)], aux);
    }
    case 'fence':
      return add(opcode, types.void, [], 3 + random.pick(4));
    case 'memoryCopy':
      return add(opcode, types.void, [...many(2, types.pointer(any)), operand(types.u64)], 0);
    case 'memorySet':
      return add(opcode, types.void, [operand(types.pointer(any)), operand(types.i8), operand(types.i64)], 0);
    case 'assume':
      return add(opcode, types.void, [operand(types.i1)]);
    default:
      return undefined;
  }
}

function addCast(random: RandomModule, opcode: number, add: Add, operand: (type: TypeId) => Value): unknown {
  for (let attempt = 0; attempt < 20; attempt++) {
    const from = random.type(1);
    const to = random.type(1);
    if (castAllows(random.tables, opcode, from, to)) return add(opcode, to, [operand(from)]);
  }
  return undefined;
}

/** What is wrong but for the places of traits, which are random here. */
const faults = (module: VirModule) =>
  verifyVir(module).filter(({ code }) => !Object.hasOwn(TRAIT_ROWS, code));

const CHOICES = fc.array(fc.integer(), { minLength: 1, maxLength: 30 });

describe('VIR text and verifier, on random modules', () => {
  it('006/§2 005/§5.6 random modules are well-formed, and print to a text that parses to the same text', () => {
    fc.assert(
      fc.property(CHOICES, (choices) => {
        const module = randomModule(choices);
        expect(faults(module)).toEqual([]);
        const text = printVir(module);
        const again = parseVir(text);
        expect(faults(again)).toEqual([]);
        expect(printVir(again)).toBe(text);
      }),
      { numRuns: 80, seed: 1 },
    );
  });

  it('006/WF-1 no change of one number in the tables makes the verifier or the printer crash', () => {
    fc.assert(
      fc.property(CHOICES, fc.nat(), fc.integer({ min: -3, max: 60 }), (choices, place, value) => {
        const module = randomModule(choices);
        const { tables } = module;
        const all = [
          module.instructions,
          module.operands,
          module.blocks,
          module.functions,
          tables.types.rows,
          tables.types.members,
          tables.constants.rows,
          tables.constants.pool,
          tables.globals,
          tables.functions,
          tables.traitSets.rows,
          tables.traitSets.entries,
          tables.positions,
        ];
        const table = all[place % all.length];
        const view = table?.view();
        if (view === undefined || view.length === 0) return;
        view[Math.floor(place / all.length) % view.length] = value;
        const faults = verifyVir(module);
        for (const fault of faults) expect(fault.code).toMatch(/^VCT0/);
        if (faults.length === 0) printVir(module);
        else ignoreDiagnostics(() => printVir(module));
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it('no change of the text makes the parser crash', () => {
    const text = printVir(randomModule([1, 2, 3]));
    const pieces = [
      '',
      '%',
      '@',
      '"',
      '}',
      '{',
      '[',
      ']',
      '0',
      'i32',
      '\n',
      ',',
      '#[',
      '!',
      'func',
      '-',
      'ptr<',
      '\\',
    ];
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(12), fc.constantFrom(...pieces), (at, length, piece) => {
        ignoreDiagnostics(() => verifyVir(parseVir(text.slice(0, at) + piece + text.slice(at + length))));
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});

function ignoreDiagnostics(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
  }
}
