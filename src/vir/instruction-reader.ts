/** Reads one instruction of `.vir` text: one method a class of the opcode table. */

import { DiagnosticError, diagnostic } from '../diag/diagnostic.js';
import { constantOperand, type Inst, NONE, type TypeId } from '../ir/entities.js';
import type { ModuleTables } from '../ir/module-tables.js';
import { OPCODES, Opcode, type OpcodeClass, opcodeRow } from '../ir/opcodes.js';
import { operationResultType, pairWithFlag } from '../ir/operation-rules.js';
import {
  ATOMIC_OPERATIONS,
  Aux,
  FLOAT_PREDICATES,
  INTEGER_PREDICATES,
  ORDERINGS,
  TypeKind,
} from '../ir/schema.js';
import { parseChoice } from '../ir/text/annotations.js';
import type { TextCursor } from '../ir/text/cursor.js';
import { parseConstant } from '../ir/text/parse-constant.js';
import { parseType } from '../ir/text/parse-type.js';
import { TokenKind } from '../ir/text/tokens.js';
import type { VirBuilder } from './builder.js';
import type { EntityKey, NameScope } from './function-names.js';

/** An instruction that has been read and not yet appended. */
export interface InstructionDraft {
  readonly opcode: number;
  readonly type: TypeId;
  readonly operands: readonly number[];
  readonly aux: number;
}

/** An operand whose value is defined further down. */
interface PendingOperand {
  readonly inst: Inst;
  readonly index: number;
  readonly key: EntityKey;
  readonly token: number;
}

/** What the reader of a class gives back: the draft without its opcode. */
type Body = Omit<InstructionDraft, 'opcode'>;

const OPCODE_NUMBERS = new Map<string, number>(OPCODES.map((opcode, number) => [opcode.name, number]));
const MAXIMUM_NUMBER = 2 ** 31 - 1;
const INTEGER_TYPE = /^[iu][0-9]+$/;

/** Reads the instructions of one function. */
export class InstructionReader {
  readonly #pending: PendingOperand[] = [];
  #operands: number[] = [];
  #opcode = 0;

  constructor(
    readonly cursor: TextCursor,
    readonly tables: ModuleTables,
    readonly builder: VirBuilder,
    readonly values: NameScope,
    readonly blocks: NameScope,
  ) {}

  /** Reads an instruction from its mnemonic to its last operand. */
  read(): InstructionDraft {
    const token = this.cursor.at;
    const word = this.cursor.word('an instruction');
    const opcode = OPCODE_NUMBERS.get(word);
    if (opcode === undefined || opcode === Opcode.param) {
      this.cursor.fail('VCT0117', { name: this.cursor.excerpt(token) }, token);
    }
    this.#opcode = opcode;
    this.#operands = [];
    return { opcode, ...this.#readers[opcodeRow(opcode).class]() };
  }

  /** Reads `%name` or `%7`. */
  key(expected: string): EntityKey {
    const { cursor } = this;
    if (cursor.kind() !== TokenKind.localNumber) return cursor.localName(expected);
    const raw = cursor.tokens.raw(cursor.at);
    const number = Number(raw.slice(1));
    if (number > MAXIMUM_NUMBER) cursor.unexpected(expected);
    cursor.advance();
    return number;
  }

  /** Forgets what the instruction that is being read waits for. */
  dropPending(): void {
    const inst = this.builder.nextInstruction;
    while (this.#pending.length > 0 && (this.#pending.at(-1) as PendingOperand).inst >= inst) {
      this.#pending.pop();
    }
  }

  /** Fills in the operands that were used before their definition; gives back an error for each that has none. */
  resolvePending(): DiagnosticError[] {
    const errors: DiagnosticError[] = [];
    for (const { inst, index, key, token } of this.#pending) {
      const value = this.values.find(key);
      if (value !== undefined) this.builder.patchOperand(inst, index, value);
      else if (!this.values.isBroken(key)) {
        const position = this.cursor.position(token);
        errors.push(new DiagnosticError([diagnostic('VCT0119', { name: String(key) }, position)]));
      }
    }
    return errors;
  }

  readonly #readers: Readonly<Record<OpcodeClass, () => Body>> = {
    parameter: () => this.cursor.unexpected('an instruction'),
    integerBinary: () => this.#sameType(2),
    integerUnary: () => this.#sameType(1),
    integerTernary: () => this.#sameType(3),
    integerOverflow: () => this.#overflow(),
    floatBinary: () => this.#sameType(2),
    floatUnary: () => this.#sameType(1),
    integerCompare: () => this.#compare(INTEGER_PREDICATES),
    floatCompare: () => this.#compare(FLOAT_PREDICATES),
    cast: () => this.#cast(),
    select: () => this.#select(),
    phi: () => this.#phi(),
    alloca: () => this.#alloca(),
    load: () => this.#load(),
    store: () => this.#store(),
    address: () => this.#address(),
    extract: () => this.#extract(),
    insert: () => this.#insert(),
    call: () => this.#call(),
    compareExchange: () => this.#compareExchange(),
    atomicUpdate: () => this.#atomicUpdate(),
    fence: () => this.#body(this.#void, this.#ordering()),
    memoryCopy: () => this.#memory(),
    memorySet: () => this.#memory(),
    assume: () => {
      this.#operand(this.tables.types.i1);
      return this.#body(this.#void);
    },
    terminator: () => this.#terminator(),
  };

  get #void(): TypeId {
    return this.tables.types.void;
  }

  #body(type: TypeId, aux: number = NONE): Body {
    return { type, aux, operands: this.#operands };
  }

  #type(): TypeId {
    return parseType(this.cursor, this.tables.types);
  }

  /** Reads a value of that type as the next operand. */
  #operand(type: TypeId): void {
    const kind = this.cursor.kind();
    if (kind !== TokenKind.local && kind !== TokenKind.localNumber) {
      this.#operands.push(constantOperand(parseConstant(this.cursor, this.tables, type)));
      return;
    }
    const token = this.cursor.at;
    const key = this.key('a value');
    this.#pushValue(key, token);
  }

  #pushValue(key: EntityKey, token: number): void {
    const value = this.values.find(key);
    if (value === undefined) {
      const inst = this.builder.nextInstruction;
      this.#pending.push({ inst, index: this.#operands.length, key, token });
    }
    this.#operands.push(value ?? NONE);
  }

  #typedOperand(): TypeId {
    const type = this.#type();
    this.#operand(type);
    return type;
  }

  #comma(): void {
    this.cursor.expect(',');
  }

  #block(): number {
    const token = this.cursor.at;
    const key = this.key('a block');
    const block = this.blocks.find(key);
    if (block === undefined) this.cursor.fail('VCT0121', { name: String(key) }, token);
    return block;
  }

  /** `T a, b`: that many operands of one type. */
  #operandsOf(type: TypeId, count: number): void {
    for (let index = 0; index < count; index++) {
      if (index > 0) this.#comma();
      this.#operand(type);
    }
  }

  #sameType(count: number): Body {
    const type = this.#type();
    this.#operandsOf(type, count);
    return this.#body(type);
  }

  #overflow(): Body {
    const type = this.#type();
    this.#operandsOf(type, 2);
    return this.#body(pairWithFlag(this.tables, type));
  }

  #compare(predicates: readonly string[]): Body {
    const predicate = parseChoice(this.cursor, 'predicate', predicates);
    this.#operandsOf(this.#type(), 2);
    return this.#body(this.tables.types.i1, predicate);
  }

  #cast(): Body {
    this.#typedOperand();
    this.cursor.expect('to');
    return this.#body(this.#type());
  }

  #select(): Body {
    const type = this.#type();
    this.#operand(this.tables.types.i1);
    this.#comma();
    this.#operandsOf(type, 2);
    return this.#body(type);
  }

  /** `phi T [ a, %b ], …`: the pairs are put in ascending order of their blocks. */
  #phi(): Body {
    const type = this.#type();
    const pairs: { readonly key: EntityKey | undefined; token: number; operand: number; block: number }[] =
      [];
    while (this.cursor.is('[') || (pairs.length > 0 && this.cursor.is(','))) {
      if (pairs.length > 0) this.#comma();
      this.cursor.expect('[');
      const token = this.cursor.at;
      const kind = this.cursor.kind();
      const isLocal = kind === TokenKind.local || kind === TokenKind.localNumber;
      const key = isLocal ? this.key('a value') : undefined;
      const operand = isLocal ? NONE : constantOperand(parseConstant(this.cursor, this.tables, type));
      this.#comma();
      pairs.push({ key, token, operand, block: this.#block() });
      this.cursor.expect(']');
    }
    pairs.sort((left, right) => left.block - right.block);
    for (const { key, token, operand, block } of pairs) {
      if (key === undefined) this.#operands.push(operand);
      else this.#pushValue(key, token);
      this.#operands.push(block);
    }
    return this.#body(type);
  }

  #alloca(): Body {
    const type = this.#type();
    return this.#body(this.tables.types.pointer(type), type);
  }

  /** Reads `atomic` and `volatile`, in any order. */
  #flags(): { isAtomic: boolean; aux: number } {
    let isAtomic = false;
    let aux = 0;
    for (;;) {
      if (this.cursor.accept('volatile')) aux |= Aux.volatile;
      else if (this.cursor.accept('atomic')) isAtomic = true;
      else return { isAtomic, aux };
    }
  }

  #ordering(): number {
    return parseChoice(this.cursor, 'ordering', ORDERINGS);
  }

  #load(): Body {
    const { isAtomic, aux } = this.#flags();
    const type = this.#type();
    this.#operand(this.tables.types.pointer(type));
    return this.#body(type, aux | (isAtomic ? this.#ordering() : 0));
  }

  #store(): Body {
    const { isAtomic, aux } = this.#flags();
    const type = this.#typedOperand();
    this.#comma();
    this.#operand(this.tables.types.pointer(type));
    return this.#body(this.#void, aux | (isAtomic ? this.#ordering() : 0));
  }

  #address(): Body {
    const source = this.#type();
    this.#operand(this.tables.types.pointer(source));
    this.#indices(1);
    return this.#body(this.#derivedType(source, source), source);
  }

  #extract(): Body {
    const whole = this.#typedOperand();
    this.#indices(1);
    return this.#body(this.#derivedType(whole, NONE));
  }

  #insert(): Body {
    const whole = this.#typedOperand();
    this.#comma();
    this.#typedOperand();
    this.#indices(1);
    return this.#body(whole);
  }

  /** `, i, i…`: i32 unless a type stands in front. */
  #indices(minimum: number): void {
    const { cursor } = this;
    for (let count = 0; count < minimum || cursor.is(','); count++) {
      this.#comma();
      const isTyped = cursor.kind() === TokenKind.word && INTEGER_TYPE.test(cursor.tokens.raw(cursor.at));
      this.#operand(isTyped ? this.#type() : this.tables.types.i32);
    }
  }

  /** The result type that the indices lead to; what they cannot reach is left to the verifier. */
  #derivedType(whole: TypeId, aux: number): TypeId {
    const operands = this.#operands;
    return operationResultType(this.tables, {
      opcode: this.#opcode,
      aux,
      operandCount: operands.length,
      operandType: (index) => (index === 0 ? whole : this.tables.types.i32),
      operandConstant: (index) => {
        const operand = operands[index] as number;
        return (operand < NONE ? -2 - operand : NONE) as never;
      },
    });
  }

  /** `call R callee(T a, …)`, or with the whole function type in place of R. */
  #call(): Body {
    const { cursor } = this;
    const { types } = this.tables;
    const written = this.#type();
    const callee = cursor.at;
    const isLocal = cursor.kind() === TokenKind.local || cursor.kind() === TokenKind.localNumber;
    if (isLocal) this.#operand(this.#void);
    else {
      cursor.advance();
      this.#operands.push(NONE);
    }
    const given = this.#arguments();
    const isWhole = types.kind(written) === TypeKind.function;
    const signature = isWhole ? written : types.function(given, written);
    if (!isLocal) {
      const end = cursor.at;
      cursor.at = callee;
      this.#operands[0] = constantOperand(parseConstant(cursor, this.tables, types.pointer(signature)));
      cursor.at = end;
    }
    return this.#body(types.result(signature), signature);
  }

  #arguments(): TypeId[] {
    const given: TypeId[] = [];
    this.cursor.expect('(');
    if (this.cursor.accept(')')) return given;
    do given.push(this.#typedOperand());
    while (this.cursor.accept(','));
    this.cursor.expect(')');
    return given;
  }

  #compareExchange(): Body {
    const weak = this.cursor.accept('weak') ? Aux.weak : 0;
    const { aux } = this.#flags();
    const type = this.#type();
    this.#operand(this.tables.types.pointer(type));
    this.#comma();
    this.#operandsOf(type, 2);
    const success = this.#ordering();
    const failure = this.#ordering() << Aux.failureOrderingShift;
    return this.#body(pairWithFlag(this.tables, type), weak | aux | success | failure);
  }

  #atomicUpdate(): Body {
    const { aux } = this.#flags();
    const operation = parseChoice(this.cursor, 'operation', ATOMIC_OPERATIONS);
    const type = this.#type();
    this.#operand(this.tables.types.pointer(type));
    this.#comma();
    this.#operand(type);
    return this.#body(type, aux | this.#ordering() | (operation << Aux.operationShift));
  }

  #memory(): Body {
    const { aux } = this.#flags();
    for (let index = 0; index < 3; index++) {
      if (index > 0) this.#comma();
      this.#typedOperand();
    }
    return this.#body(this.#void, aux);
  }

  #terminator(): Body {
    switch (this.#opcode) {
      case Opcode.br:
        this.#operands.push(this.#block());
        break;
      case Opcode.condbr:
        this.#operand(this.tables.types.i1);
        for (let index = 0; index < 2; index++) {
          this.#comma();
          this.#operands.push(this.#block());
        }
        break;
      case Opcode.switch:
        this.#switch();
        break;
      case Opcode.ret: {
        if (this.cursor.accept('void')) break;
        this.#typedOperand();
        break;
      }
      default:
    }
    return this.#body(this.#void);
  }

  /** `switch T v, %default [ 0: %a, 1: %b ]`; the brackets may span lines. */
  #switch(): void {
    const type = this.#typedOperand();
    this.#comma();
    this.#operands.push(this.#block());
    this.cursor.expect('[');
    if (this.cursor.accept(']')) return;
    do {
      this.#operands.push(constantOperand(parseConstant(this.cursor, this.tables, type)));
      this.cursor.expect(':');
      this.#operands.push(this.#block());
    } while (this.cursor.accept(','));
    this.cursor.expect(']');
  }
}
