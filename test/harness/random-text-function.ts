/**
 * One random VIR function, right by construction. It is made with variables that are assigned and moved; every block gets a phi for
 * each. Floats reach an integer only after NaN has been replaced, for its bits are nobody's promise.
 */

import type { Random } from './random.js';
import { controlFlow, type Flow } from './random-text-flow.js';
import {
  FIELDS,
  FLOATS,
  INTEGERS,
  integerLiteral,
  isInteger,
  SIGNATURES,
  type Signature,
  VARIABLE_TYPES,
  width,
} from './random-text-shapes.js';

/** Writes one function. */
export class FunctionText {
  readonly lines: string[] = [];
  #names = 0;
  /** Values that may be read here, by type. */
  #pool = new Map<string, string[]>();
  #variables: string[] = [];
  #variableTypes: string[] = [];
  #calls = 0;
  #down = true;

  constructor(
    readonly random: Random,
    readonly name: string,
    readonly signature: Signature,
    readonly callees: readonly { name: string; kind: number }[],
    readonly tables: ReadonlySet<number>,
  ) {}

  text(): string {
    const { random, signature } = this;
    const types = ['i32', ...Array.from({ length: 2 + random.below(5) }, () => random.pick(VARIABLE_TYPES))];
    this.#variableTypes = types;
    const count = 1 + random.below(random.chance(20) ? 16 : 7);
    const plan = controlFlow(random, count);
    const predecessors = plan.map((_, block) =>
      plan.flatMap((other, from) => (other.targets.includes(block + 1) ? [from + 1] : [])),
    );
    const ends: string[][] = [];
    const texts: string[][] = [];
    for (let block = 0; block <= plan.length; block++) {
      const start = this.lines.length;
      this.#pool = new Map([...this.#entryPool].map(([type, values]) => [type, [...values]]));
      if (block === 0) {
        this.#entry(types);
        this.#entryPool = new Map([...this.#pool].map(([type, values]) => [type, [...values]]));
        this.#line(`br %b1`);
      } else {
        this.#variables = types.map((_, index) => `%v${index}.b${block}`);
        for (const [index, type] of types.entries()) this.#offer(type, this.#variables[index] as string);
        this.#body();
        this.#terminator(plan[block - 1] as Flow, block);
      }
      ends.push([...this.#variables]);
      texts.push(this.lines.splice(start));
    }
    const out = [
      `func @${this.name}(${signature.parameters.map((type, index) => `%p${index}: ${type}`).join(', ')}) -> ${signature.result}${random.chance(30) ? ' export' : ''} {`,
    ];
    texts.forEach((lines, block) => {
      out.push(block === 0 ? 'entry:' : `b${block}:`);
      if (block > 0) {
        const from = [...(predecessors[block - 1] as number[]), ...(block === 1 ? [0] : [])];
        types.forEach((type, index) => {
          if (from.length > 0)
            out.push(
              `  %v${index}.b${block} = phi ${type} ${from.map((other) => `[ ${(ends[other] as string[])[index]}, ${other === 0 ? '%entry' : `%b${other}`} ]`).join(', ')}`,
            );
          // A block that nothing reaches gets its variables by other means.
          else out.push(`  %v${index}.b${block} = ${unreachableDefinition(type)}`);
        });
      }
      out.push(...lines);
    });
    out.push('}');
    return out.join('\n');
  }

  #entryPool = new Map<string, string[]>();

  #entry(types: readonly string[]): void {
    const { random } = this;
    this.#line('%arr = alloca [8 x i32]');
    this.#line('%st = alloca %S');
    this.#line('%un = alloca %U');
    this.#line('%bytes = alloca [16 x u8]');
    this.#line('%fl = alloca [4 x f32]');
    this.#line('%w128 = alloca i128');
    if (random.chance(50)) this.#line('memcpy ptr<[8 x i32]> %arr, ptr<[8 x i32]> @seed, i64 32');
    else this.#line('store [8 x i32] zero, %arr');
    this.#line(random.chance(50) ? 'store %S zero, %st' : 'memmove ptr<%S> %st, ptr<%S> @gs, i64 56');
    this.#line('store %U zero, %un');
    this.#line(`memset ptr<[16 x u8]> %bytes, ${random.chance(50) ? 'i8 -1' : 'u8 7'}, i64 16`);
    this.#line('store [4 x f32] [ f32 1.0, f32 -2.5, f32 0.0, f32 inf ], %fl');
    this.#line('store i128 -1, %w128');
    for (const [index, type] of this.signature.parameters.entries()) this.#offer(type, `%p${index}`);
    this.#down = random.chance(50);
    this.#variables = types.map((type, index) =>
      index === 0 ? this.#define('i32', `and i32 ${this.value('i32')}, 7`) : this.value(type),
    );
  }

  #line(text: string): void {
    this.lines.push(`  ${text}`);
  }

  #define(type: string, text: string): string {
    const name = `%t${this.#names++}`;
    this.#line(`${name} = ${text}`);
    this.#offer(type, name);
    return name;
  }

  #offer(type: string, value: string): void {
    const list = this.#pool.get(type);
    if (list === undefined) this.#pool.set(type, [value]);
    else list.push(value);
  }

  /** A value of a type: at hand, a constant, or made from another. */
  value(type: string): string {
    const { random } = this;
    const list = this.#pool.get(type);
    if (list !== undefined && random.chance(75))
      return list[Math.max(random.below(list.length), random.below(list.length))] as string;
    if (isInteger(type)) return random.chance(50) ? integerLiteral(random, type) : this.#converted(type);
    if (FLOATS.includes(type)) {
      if (random.chance(40))
        return random.pick(
          ['0.0', '-0.0', '1.0', '0.1', '-3.5', 'inf', '1e+30', 'nan', '7.0'].map((text) =>
            text === '0.1' && type === 'f32' ? '0.5' : text === '1e+30' && type === 'f32' ? '1024.0' : text,
          ),
        );
      if (random.chance(50)) {
        const from = random.pick(['i32', 'u64', 'i8', 'i128', 'u16', 'i1']);
        return this.#define(
          type,
          `${from.startsWith('i') ? 'sitofp' : 'uitofp'} ${from} ${this.value(from)} to ${type}`,
        );
      }
      return type === 'f32'
        ? this.#define('f32', `fptrunc f64 ${this.value('f64')} to f32`)
        : this.#define('f64', `fpext f32 ${this.value('f32')} to f64`);
    }
    if (type === 'ptr<i32>') {
      const [source, base] = random.pick([
        ['[8 x i32]', '%arr'],
        ['[8 x i32]', '@ga'],
      ]);
      return this.#define(type, `gep ${source} ${base}, 0, ${this.#index(8)}`);
    }
    if (type === 'ptr<%S>') return random.pick(['%st', '@gs']);
    if (type === '%S') return this.#structure();
    if (type === '%T')
      return this.#define('%T', `insertvalue %T { u16 1, f64 2.0 }, u16 ${this.value('u16')}, 0`);
    if (type === '[3 x i16]')
      return random.chance(30)
        ? '[ i16 1, i16 -2, i16 3 ]'
        : this.#define(type, `insertvalue [3 x i16] zero, i16 ${this.value('i16')}, ${random.below(3)}`);
    if (type === '[2 x i64]')
      return this.#define(type, `insertvalue [2 x i64] zero, i64 ${this.value('i64')}, ${random.below(2)}`);
    throw new Error(type);
  }

  #structure(): string {
    if (this.random.chance(40)) return this.#define('%S', `load %S ${this.value('ptr<%S>')}`);
    let current = 'undef';
    for (const [path, type] of FIELDS.slice(0, 8)) {
      const value = FLOATS.includes(type) ? this.#canonical(type, this.value(type)) : this.value(type);
      const last = current;
      current = `%t${this.#names++}`;
      this.#line(`${current} = insertvalue %S ${last}, ${type} ${value}, ${path}`);
    }
    this.#offer('%S', current);
    return current;
  }

  /** An integer of one type from one of another. */
  #converted(type: string): string {
    const from = this.random.pick(INTEGERS.filter((other) => this.#pool.has(other)));
    if (from === undefined) return integerLiteral(this.random, type);
    return this.convert(from, this.random.pick(this.#pool.get(from) as string[]), type);
  }

  convert(from: string, value: string, type: string): string {
    if (from === type) return value;
    const [before, after] = [width(from), width(type)];
    if (before === after) return this.#define(type, `bitcast ${from} ${value} to ${type}`);
    if (before > after) return this.#define(type, `trunc ${from} ${value} to ${type}`);
    return this.#define(type, `${this.random.chance(50) ? 'zext' : 'sext'} ${from} ${value} to ${type}`);
  }

  /** The value with any NaN replaced by zero. */
  #canonical(type: string, value: string): string {
    const name = `%t${this.#names++}`;
    this.#line(`${name}.n = fcmp uno ${type} ${value}, ${value}`);
    this.#line(`${name} = select ${type} ${name}.n, 0.0, ${value}`);
    return name;
  }

  /** An index below a power of two. */
  #index(limit: number): string {
    const type = this.random.pick(['i32', 'i64']);
    if (this.random.chance(30))
      return type === 'i32' ? `${this.random.below(limit)}` : `i64 ${this.random.below(limit)}`;
    const name = `%t${this.#names++}`;
    const value = this.value(type);
    this.#line(`${name} = and ${type} ${value}, ${limit - 1}`);
    return name;
  }

  #body(): void {
    for (let count = this.random.below(9); count > 0; count--) {
      this.#statement();
      if (this.random.chance(50)) {
        const variable = 1 + this.random.below(this.#variableTypes.length - 1);
        this.#variables[variable] = this.value(this.#variableTypes[variable] as string);
      }
      if (this.random.chance(15)) {
        const [a, b] = [
          1 + this.random.below(this.#variableTypes.length - 1),
          1 + this.random.below(this.#variableTypes.length - 1),
        ];
        if (this.#variableTypes[a] === this.#variableTypes[b])
          [this.#variables[a], this.#variables[b]] = [
            this.#variables[b] as string,
            this.#variables[a] as string,
          ];
      }
    }
  }

  #statement(): void {
    const choices = [
      () => this.#integerOperation(),
      () => this.#integerOperation(),
      () => this.#floatOperation(),
      () => this.#memoryOperation(),
      () => this.#memoryOperation(),
      () => this.#aggregateOperation(),
      () => this.#aggregateOperation(),
      () => this.#comparison(),
      () => this.#atomic(),
      () => this.#call(),
      () => this.#call(),
      () => this.#select(),
    ];
    this.random.pick(choices)();
  }

  #integerOperation(): void {
    const { random } = this;
    const type = random.pick(INTEGERS);
    const [a, b] = [this.value(type), this.value(type)];
    const kind = random.below(8);
    if (kind < 3)
      this.#define(type, `${random.pick(['add', 'sub', 'mul', 'and', 'or', 'xor'])} ${type} ${a}, ${b}`);
    else if (type === 'i1') this.#define(type, `xor i1 ${a}, ${b}`);
    else if (kind === 3) {
      const divisor = this.#define(type, `or ${type} ${b}, 1`);
      if (random.chance(50)) this.#define(type, `${random.pick(['udiv', 'urem'])} ${type} ${a}, ${divisor}`);
      else {
        const small = this.#define(type, `and ${type} ${divisor}, 7`);
        this.#define(type, `${random.pick(['sdiv', 'srem'])} ${type} ${a}, ${small}`);
      }
    } else if (kind === 4) {
      const amount = random.chance(40)
        ? `${random.below(width(type))}`
        : this.#define(type, `and ${type} ${b}, ${2 ** Math.floor(Math.log2(width(type) - 0.5)) - 1 || 1}`);
      this.#define(type, `${random.pick(['shl', 'lshr', 'ashr'])} ${type} ${a}, ${amount}`);
    } else if (kind === 5)
      this.#define(
        type,
        `${random.pick(['sadd_sat', 'uadd_sat', 'ssub_sat', 'usub_sat'])} ${type} ${a}, ${b}`,
      );
    else if (kind === 6) {
      const operation = random.pick(['sadd', 'uadd', 'ssub', 'usub', 'smul', 'umul']);
      const pair = `%t${this.#names++}`;
      this.#line(`${pair} = ${operation}_overflow ${type} ${a}, ${b}`);
      this.#define(type, `extractvalue { ${type}, i1 } ${pair}, 0`);
      if (random.chance(80)) this.#define('i1', `extractvalue { ${type}, i1 } ${pair}, 1`);
    } else if (random.chance(50)) this.#define(type, `ctpop ${type} ${a}`);
    else this.#define(type, `fshl ${type} ${a}, ${b}, ${this.value(type)}`);
  }

  #floatOperation(): void {
    const { random } = this;
    const type = random.pick(FLOATS);
    const kind = random.below(8);
    const a = this.value(type);
    if (kind < 4)
      this.#define(
        type,
        `${random.pick(['fadd', 'fsub', 'fmul', 'fdiv', 'frem'])} ${type} ${a}, ${this.value(type)}`,
      );
    else if (kind === 4) this.#define(type, `${random.pick(['fneg', 'sqrt', 'fabs'])} ${type} ${a}`);
    else if (kind === 5) {
      const integer = type === 'f32' ? random.pick(['i32', 'u32']) : random.pick(['i64', 'u64']);
      this.#define(integer, `bitcast ${type} ${this.#canonical(type, a)} to ${integer}`);
    } else if (kind === 6) {
      const to = random.pick(['i32', 'i8', 'u16', 'i64', 'u64', 'i128', 'u32']);
      const unsigned = random.chance(40);
      const [low, high] = unsigned ? ['-0.5', '60.0'] : ['-60.0', '60.0'];
      const name = `%t${this.#names++}`;
      this.#line(`${name}.a = fcmp ogt ${type} ${a}, ${low}`);
      this.#line(`${name}.b = fcmp olt ${type} ${a}, ${high}`);
      this.#line(`${name}.c = and i1 ${name}.a, ${name}.b`);
      this.#line(`${name}.d = select ${type} ${name}.c, ${a}, 3.0`);
      this.#define(to, `${unsigned ? 'fptoui' : 'fptosi'} ${type} ${name}.d to ${to}`);
    } else this.#comparison();
  }

  #memoryOperation(): void {
    const { random } = this;
    switch (random.below(11)) {
      case 0: {
        const pointer = this.value('ptr<i32>');
        if (random.chance(50))
          this.#define('i32', `load ${random.chance(10) ? 'volatile ' : ''}i32 ${pointer}`);
        else this.#line(`store i32 ${this.value('i32')}, ${pointer}`);
        return;
      }
      case 1: {
        const [path, type] = random.pick(FIELDS);
        const base = this.value('ptr<%S>');
        const full = path.startsWith('2, ') && random.chance(50) ? `2, ${this.#index(2)}` : path;
        const place = `%t${this.#names++}`;
        this.#line(`${place} = gep %S ${base}, 0, ${full}`);
        if (random.chance(50)) this.#define(type, `load ${type} ${place}`);
        else
          this.#line(
            `store ${type} ${FLOATS.includes(type) ? this.#canonical(type, this.value(type)) : this.value(type)}, ${place}`,
          );
        return;
      }
      case 2: {
        const [field, type] = random.pick([
          ['0', 'u8'],
          ['1', 'i16'],
          ['2', 'u32'],
          ['3', 'u64'],
        ]);
        const base = random.pick(['%un', '@gu']);
        const place = `%t${this.#names++}`;
        this.#line(`${place} = gep %U ${base}, 0, ${field}`);
        if (random.chance(60)) this.#define(type as string, `load ${type} ${place}`);
        else this.#line(`store ${type} ${this.value(type as string)}, ${place}`);
        if (random.chance(20)) {
          this.#line(`${place}.w = load %U %un`);
          this.#line(`store %U ${place}.w, @gu`);
        }
        return;
      }
      case 3: {
        const type = random.pick(['u8', 'i16', 'u32', 'u64']);
        const slots = 128 / width(type);
        const place = `%t${this.#names++}`;
        this.#line(`${place}.p = bitcast ptr<[16 x u8]> %bytes to ptr<${type}>`);
        this.#line(`${place} = gep ${type} ${place}.p, ${this.#index(slots)}`);
        if (type !== 'u8') {
          // The array is aligned as bytes are, so each access says so.
          if (random.chance(50)) this.#define(type, `load ${type} ${place} #[Align(1)]`);
          else this.#line(`store ${type} ${this.value(type)}, ${place} #[Align(1)]`);
        } else if (random.chance(50)) this.#define(type, `load ${type} ${place}`);
        else this.#line(`store ${type} ${this.value(type)}, ${place}`);
        return;
      }
      case 4: {
        // A view of other type on the same four bytes.
        const pointer = this.value('ptr<i32>');
        const [type, count] = random.pick([
          ['u8', 4],
          ['u16', 2],
          ['f32', 1],
          ['u32', 1],
        ] as const);
        const place = `%t${this.#names++}`;
        this.#line(`${place}.p = bitcast ptr<i32> ${pointer} to ptr<${type}>`);
        this.#line(`${place} = gep ${type} ${place}.p, ${random.below(count)}`);
        if (random.chance(50)) this.#define(type, `load ${type} ${place}`);
        else
          this.#line(
            `store ${type} ${type === 'f32' ? this.#canonical(type, this.value(type)) : this.value(type)}, ${place}`,
          );
        return;
      }
      case 5: {
        const place = `%t${this.#names++}`;
        this.#line(`${place} = gep [4 x f32] %fl, 0, ${this.#index(4)}`);
        if (random.chance(50)) this.#define('f32', `load f32 ${place}`);
        else this.#line(`store f32 ${this.value('f32')}, ${place}`);
        return;
      }
      case 6:
        if (random.chance(50)) this.#define('i128', 'load i128 %w128');
        else this.#line(`store i128 ${this.value('i128')}, %w128`);
        return;
      case 7: {
        const a = this.value('ptr<i32>');
        // Both ranges stay inside: one element each.
        this.#line(
          `memmove ptr<i32> ${a}, ptr<i32> ${this.value('ptr<i32>')}, ${random.pick(['i64 4', 'u64 4', 'i64 3', 'i64 0'])}`,
        );
        return;
      }
      case 8: {
        const length = this.#define('i64', `and i64 ${this.value('i64')}, 15`);
        this.#line(`memset ptr<[16 x u8]> %bytes, u8 ${this.value('u8')}, i64 ${length}`);
        return;
      }
      case 9: {
        const a = `%t${this.#names++}`;
        this.#line(`${a} = load [8 x i32] ${random.pick(['%arr', '@ga', '@seed'])}`);
        this.#define('i32', `extractvalue [8 x i32] ${a}, ${random.below(8)}`);
        if (random.chance(50)) this.#line(`store [8 x i32] ${a}, ${random.pick(['%arr', '@ga'])}`);
        return;
      }
      default:
        this.#line(`store %S ${this.value('%S')}, ${this.value('ptr<%S>')}`);
    }
  }

  #aggregateOperation(): void {
    const { random } = this;
    if (random.chance(25)) {
      const array = this.value('[3 x i16]');
      if (random.chance(50)) this.#define('i16', `extractvalue [3 x i16] ${array}, ${random.below(3)}`);
      else
        this.#define(
          '[3 x i16]',
          `insertvalue [3 x i16] ${array}, i16 ${this.value('i16')}, ${random.below(3)}`,
        );
      return;
    }
    const structure = this.value('%S');
    const [path, type] = random.pick(FIELDS);
    if (random.chance(50)) this.#define(type, `extractvalue %S ${structure}, ${path}`);
    else {
      const value = FLOATS.includes(type) ? this.#canonical(type, this.value(type)) : this.value(type);
      this.#define('%S', `insertvalue %S ${structure}, ${type} ${value}, ${path}`);
    }
  }

  #comparison(): void {
    const { random } = this;
    if (random.chance(30)) {
      const type = random.pick(FLOATS);
      this.#define(
        'i1',
        `fcmp ${random.pick(['oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord', 'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno'])} ${type} ${this.value(type)}, ${this.value(type)}`,
      );
    } else {
      const type = random.pick([...INTEGERS, 'ptr<i32>']);
      const predicates =
        type === 'ptr<i32>'
          ? ['eq', 'ne']
          : ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'];
      this.#define('i1', `icmp ${random.pick(predicates)} ${type} ${this.value(type)}, ${this.value(type)}`);
    }
  }

  #select(): void {
    const type = this.random.pick(this.#variableTypes);
    this.#define(type, `select ${type} ${this.value('i1')}, ${this.value(type)}, ${this.value(type)}`);
  }

  #atomic(): void {
    const { random } = this;
    const [type, place] = random.pick([
      ['i32', '@cell'],
      ['i64', '@wide'],
    ] as const);
    switch (random.below(4)) {
      case 0:
        this.#define(
          type,
          `atomicrmw ${random.pick(['xchg', 'add', 'sub', 'and', 'nand', 'or', 'xor', 'max', 'min', 'umax', 'umin'])} ${type} ${place}, ${this.value(type)} ${random.pick(['monotonic', 'seq_cst', 'acq_rel'])}`,
        );
        return;
      case 1: {
        const pair = `%t${this.#names++}`;
        this.#line(
          `${pair} = cmpxchg ${type} ${place}, ${this.value(type)}, ${this.value(type)} seq_cst monotonic`,
        );
        this.#define(type, `extractvalue { ${type}, i1 } ${pair}, 0`);
        this.#define('i1', `extractvalue { ${type}, i1 } ${pair}, 1`);
        return;
      }
      case 2:
        this.#define(
          type,
          `load ${random.pick(['volatile', 'atomic'])} ${type} ${place}`.replace(
            /^load atomic (.*)$/,
            'load atomic $1 seq_cst',
          ),
        );
        return;
      default:
        this.#line(
          random.chance(50)
            ? `store volatile ${type} ${this.value(type)}, ${place}`
            : `store atomic ${type} ${this.value(type)}, ${place} release`,
        );
    }
  }

  #call(): void {
    const { random } = this;
    if (this.callees.length === 0 || this.#calls >= 3) return;
    this.#calls++;
    const callee = random.pick(this.callees);
    const signature = SIGNATURES[callee.kind] as Signature;
    const values = signature.parameters.map((type) => `${type} ${this.value(type)}`).join(', ');
    let target = `@${callee.name}`;
    let spelled = signature.result;
    if (this.tables.has(callee.kind) && random.chance(30)) {
      const type = `fn(${signature.parameters.join(', ')}) -> ${signature.result}`;
      const place = `%t${this.#names++}`;
      this.#line(`${place} = gep [2 x ptr<${type}>] @table${callee.kind}, 0, ${this.#index(2)}`);
      target = `%t${this.#names++}`;
      this.#line(`${target} = load ptr<${type}> ${place}`);
      spelled = type;
    }
    if (signature.result === 'void') this.#line(`call ${spelled} ${target}(${values})`);
    else this.#define(signature.result, `call ${spelled} ${target}(${values})`);
  }

  #terminator(flow: Flow, block: number): void {
    const { random } = this;
    const fuel = `%v0.b${block}`;
    const [first, second] = flow.targets;
    if (flow.kind === 'return') {
      this.#return();
    } else if (flow.kind === 'jump') this.#line(`br %b${first}`);
    else if (flow.kind === 'fuel') {
      // The first variable counts what is left, and the loop ends with it.
      const left = `%f${this.#names++}`;
      this.#line(
        `${left} = ${this.#down ? random.pick([`sub i32 ${fuel}, 1`, `add i32 ${fuel}, -1`]) : `add i32 ${fuel}, 1`}`,
      );
      const tested = random.chance(70) ? left : fuel;
      this.#line(
        `${left}.c = icmp ${this.#down ? `sgt i32 ${tested}, 0` : `${random.pick(['slt', 'ult'])} i32 ${tested}, 9`}`,
      );
      this.#variables[0] = left;
      if (flow.swapped) this.#line(`${left}.x = xor i1 ${left}.c, true`);
      this.#line(
        flow.swapped
          ? `condbr ${left}.x, %b${second}, %b${first}`
          : `condbr ${left}.c, %b${first}, %b${second}`,
      );
    } else if (flow.kind === 'choice') {
      const condition = this.value('i1');
      this.#line(`condbr ${condition}, %b${first}, %b${second}`);
    } else {
      const type = random.pick(['i32', 'i8', 'u64', 'i128', 'u16']);
      const value = this.value(type);
      const cases = new Map<string, number>();
      for (const target of flow.targets.slice(1)) {
        cases.set(random.chance(40) ? integerLiteral(random, type) : `${random.below(8)}`, target);
      }
      const missing = flow.targets.filter(
        (target, index) => index > 0 && ![...cases.values()].includes(target) && target !== first,
      );
      let next = 50;
      for (const target of missing) cases.set(`${next++}`, target);
      this.#line(
        `switch ${type} ${value}, %b${first} [ ${[...cases].map(([key, target]) => `${key}: %b${target}`).join(', ')} ]`,
      );
    }
  }

  #return(): void {
    const { result } = this.signature;
    if (result === 'void') this.#line('ret void');
    else this.#line(`ret ${result} ${this.value(result)}`);
  }
}
/** How a variable is defined in a block that nothing reaches. */
export function unreachableDefinition(type: string): string {
  return `select ${type} true, ${type.startsWith('ptr') ? 'null, null' : /^[f]/.test(type) ? '1.0, 2.0' : type === 'i1' ? 'true, false' : /^[iu]/.test(type) ? '1, 2' : 'zero, zero'}`;
}
