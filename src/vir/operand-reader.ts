/** Reads the operands of one instruction of `.vir` text, and keeps those whose values are defined further down. */

import { DiagnosticError, diagnostic } from '../diag/diagnostic.js';
import { constantOperand, type Inst, NONE, type TypeId, type Value } from '../ir/entities.js';
import type { ModuleTables } from '../ir/module-tables.js';
import { typeText } from '../ir/operation-rules.js';
import type { TextCursor } from '../ir/text/cursor.js';
import { parseConstant } from '../ir/text/parse-constant.js';
import { parseType } from '../ir/text/parse-type.js';
import { TokenKind } from '../ir/text/tokens.js';
import type { VirBuilder } from './builder.js';
import type { EntityKey, NameScope } from './function-names.js';

/** What the reader of an opcode class gives back. */
export interface InstructionBody {
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
  readonly written: TypeId | undefined;
}

const MAXIMUM_NUMBER = 2 ** 31 - 1;
const INTEGER_TYPE = /^[iu][0-9]+$/;

/** Reads operands for the instructions of one function. */
export class OperandReader {
  /** The operands of the instruction that is being read. */
  operands: number[] = [];
  /** Its opcode. */
  opcode = 0;
  readonly #pending: PendingOperand[] = [];

  constructor(
    readonly cursor: TextCursor,
    readonly tables: ModuleTables,
    readonly builder: VirBuilder,
    readonly valueNames: NameScope,
    readonly blockNames: NameScope,
  ) {}

  /** Begins the next instruction. */
  begin(opcode: number): void {
    this.opcode = opcode;
    this.operands = [];
  }

  get voidType(): TypeId {
    return this.tables.types.void;
  }

  /** The instruction with the operands read so far. */
  body(type: TypeId, aux: number = NONE): InstructionBody {
    return { type, aux, operands: this.operands };
  }

  /** Reads a type. */
  type(): TypeId {
    return parseType(this.cursor, this.tables.types);
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
    for (const { inst, index, key, token, written } of this.#pending) {
      const value = this.valueNames.find(key);
      if (value !== undefined) {
        this.builder.patchOperand(inst, index, value);
        const wrong = this.#writtenFault(written, key, value, token);
        if (wrong !== undefined) errors.push(wrong);
      } else if (!this.valueNames.isBroken(key)) {
        const position = this.cursor.position(token);
        errors.push(new DiagnosticError([diagnostic('VCT0119', { name: String(key) }, position)]));
      }
    }
    return errors;
  }

  /** Reads a value of that type as the next operand; `written` when the type stands before it in the text. */
  value(type: TypeId, written?: TypeId): void {
    const kind = this.cursor.kind();
    if (kind !== TokenKind.local && kind !== TokenKind.localNumber) {
      this.operands.push(constantOperand(parseConstant(this.cursor, this.tables, type)));
      return;
    }
    const token = this.cursor.at;
    const key = this.key('a value');
    this.pushValue(key, token, written);
  }

  /** Adds the value of that name; where it is not known yet, `resolvePending` fills it in. */
  pushValue(key: EntityKey, token: number, written?: TypeId): void {
    const value = this.valueNames.find(key);
    if (value === undefined) {
      const inst = this.builder.nextInstruction;
      this.#pending.push({ inst, index: this.operands.length, key, token, written });
    } else {
      const wrong = this.#writtenFault(written, key, value, token);
      if (wrong !== undefined) throw wrong;
    }
    this.operands.push(value ?? NONE);
  }

  /** What is wrong when the type in front of a name is not that of its value. */
  #writtenFault(
    written: TypeId | undefined,
    key: EntityKey,
    value: number,
    token: number,
  ): DiagnosticError | undefined {
    const found = this.builder.resultType(value as Value);
    if (written === undefined || written === found) return undefined;
    const text = (type: TypeId) => typeText(this.tables, type);
    const values = { name: String(key), found: text(found), written: text(written) };
    return new DiagnosticError([diagnostic('VCT0131', values, this.cursor.position(token))]);
  }

  /** Reads a type and a value of it, and returns the type. */
  typedValue(): TypeId {
    const type = this.type();
    this.value(type, type);
    return type;
  }

  /** `T a, b`: that many operands of one type. */
  values(type: TypeId, count: number): void {
    for (let index = 0; index < count; index++) {
      if (index > 0) this.comma();
      this.value(type, type);
    }
  }

  /** Reads a comma. */
  comma(): void {
    this.cursor.expect(',');
  }

  /** Reads the name of a block and returns its number. */
  block(): number {
    const token = this.cursor.at;
    const key = this.key('a block');
    const block = this.blockNames.find(key);
    if (block === undefined) this.cursor.fail('VCT0121', { name: String(key) }, token);
    return block;
  }

  /** `, i, i…`: i32 unless a type stands in front. */
  indices(minimum: number): void {
    const { cursor } = this;
    for (let count = 0; count < minimum || cursor.is(','); count++) {
      this.comma();
      const isTyped = cursor.kind() === TokenKind.word && INTEGER_TYPE.test(cursor.tokens.raw(cursor.at));
      if (isTyped) this.typedValue();
      else this.value(this.tables.types.i32);
    }
  }
}
