/** Reads what surrounds the operands of an operation in `.hir` text: predicates, flags, orderings and result types. */

import { type FunctionId, NONE, type Node, type TypeId } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import type { ModuleTables } from '../ir/module-tables.js';
import { NodeKind } from '../ir/node-kinds.js';
import { Opcode, opcodeRow } from '../ir/opcodes.js';
import { operationResultType, pairWithFlag } from '../ir/operation-rules.js';
import { ATOMIC_OPERATIONS, Aux, FLOAT_PREDICATES, INTEGER_PREDICATES, ORDERINGS } from '../ir/schema.js';
import { parseChoice } from '../ir/text/annotations.js';
import type { TextCursor } from '../ir/text/cursor.js';
import type { ModuleText } from '../ir/text/module-reader.js';
import { parseType } from '../ir/text/parse-type.js';
import type { PlaceType } from './text-forms.js';

/** An operation whose operands are being read; `kind` NONE for a pair of parentheses. */
export interface OpenOperation {
  readonly kind: number;
  readonly opcode: number;
  readonly written: TypeId;
  aux: number;
  readonly children: Node[];
  readonly token: number;
  readonly place: PlaceType;
}

/** Reads the heads and tails of operations. */
export class OperationReader {
  readonly cursor: TextCursor;
  readonly tables: ModuleTables;

  constructor(
    source: ModuleText,
    readonly hir: HirModule,
  ) {
    this.cursor = source.cursor;
    this.tables = source.tables;
  }

  /** The type of the function that a symbol names. */
  signatureOf(token: number): TypeId {
    const { cursor } = this;
    const { tables } = this;
    const text = cursor.nameOf(token);
    const name = tables.names.find(text);
    const callee = name === undefined ? undefined : tables.findFunction(name);
    if (callee === undefined) {
      if (name !== undefined && tables.findGlobal(name) !== undefined)
        cursor.fail('VCT0403', { name: text }, token);
      cursor.fail('VCT0110', { name: text }, token);
    }
    return tables.functionType(callee as FunctionId);
  }

  /** Predicates, flags and operations that stand before the type. */
  auxBefore(opcode: number): number {
    const { cursor } = this;
    switch (opcodeRow(opcode).class) {
      case 'integerCompare':
        return parseChoice(cursor, 'predicate', INTEGER_PREDICATES);
      case 'floatCompare':
        return parseChoice(cursor, 'predicate', FLOAT_PREDICATES);
      case 'load':
      case 'store': {
        // The ordering itself comes behind the operands: until then it is marked as awaited.
        const isAtomic = cursor.accept('atomic');
        return (isAtomic ? AWAITED : 0) | this.#volatile();
      }
      case 'compareExchange':
        return (cursor.accept('weak') ? Aux.weak : 0) | this.#volatile();
      case 'atomicUpdate': {
        const volatile = this.#volatile();
        const operation = parseChoice(cursor, 'operation', ATOMIC_OPERATIONS);
        return volatile | (operation << Aux.operationShift);
      }
      case 'memoryCopy':
      case 'memorySet':
        return this.#volatile();
      case 'fence':
        return parseChoice(cursor, 'ordering', ORDERINGS);
      default:
        return NONE;
    }
  }

  #volatile(): number {
    return this.cursor.accept('volatile') ? Aux.volatile : 0;
  }

  /** Reads the orderings that stand behind the operands. */
  readOrderings(open: OpenOperation): void {
    const { cursor } = this;
    switch (opcodeRow(open.opcode).class) {
      case 'load':
      case 'store':
        if ((open.aux & AWAITED) === 0) return;
        open.aux = (open.aux & ~AWAITED) | parseChoice(cursor, 'ordering', ORDERINGS);
        return;
      case 'atomicUpdate':
        open.aux |= parseChoice(cursor, 'ordering', ORDERINGS);
        return;
      case 'compareExchange':
        open.aux |= parseChoice(cursor, 'ordering', ORDERINGS);
        open.aux |= parseChoice(cursor, 'ordering', ORDERINGS) << Aux.failureOrderingShift;
        return;
      default:
    }
  }

  /** The type of the result; reads that of a cast. */
  resultType(open: OpenOperation): TypeId {
    const { types } = this.tables;
    const row = opcodeRow(open.opcode);
    switch (row.class) {
      case 'cast':
        this.cursor.expect('to');
        return parseType(this.cursor, types);
      case 'integerOverflow':
      case 'compareExchange':
        return pairWithFlag(this.tables, open.written);
      case 'integerCompare':
      case 'floatCompare':
        return types.i1;
      case 'store':
      case 'memoryCopy':
      case 'memorySet':
      case 'assume':
        return types.void;
      case 'call':
        return types.result(open.aux as TypeId);
      case 'address':
      case 'extract':
      case 'insert':
        return this.#derivedType(open);
      default:
        return open.written;
    }
  }

  /** The result type that the operands lead to; what they cannot reach is left to the verifier. */
  #derivedType(open: OpenOperation): TypeId {
    const hir = this.hir;
    const { children } = open;
    const kind = (index: number) => hir.kind(children[index] as Node);
    const type = operationResultType(this.tables, {
      opcode: open.opcode,
      aux: open.aux,
      operandCount: children.length,
      operandType: (index) => hir.type(children[index] as Node),
      operandConstant: (index) =>
        (kind(index) === NodeKind.constant ? hir.a(children[index] as Node) : NONE) as never,
    });
    return open.opcode === Opcode.insertvalue ? hir.type(children[0] as Node) : type;
  }
}

/** A bit of no aux word: an atomic access whose ordering is still to come. */
const AWAITED = 1 << 30;
