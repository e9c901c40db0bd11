/** Instructions that touch memory: allocas, loads, stores, atomics, and the block copies of 009 Table 4. */

import { fail } from '../../diag/diagnostic.js';
import type { Inst, TypeId } from '../../ir/entities.js';
import { opcodeRow } from '../../ir/opcodes.js';
import { ATOMIC_OPERATIONS, Aux, ORDERINGS } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import type { FunctionWriter } from './function-writer.js';
import { alignmentOf, loadMetadata } from './traits.js';

/** Writes an alloca. */
export function writeAlloca(writer: FunctionWriter, inst: Inst): void {
  const type = writer.code.aux(inst) as TypeId;
  writer.define(inst, `alloca ${writer.typeText(type)}, align ${alignment(writer, inst, type)}`);
}

/** Writes a load, plain or atomic. */
export function writeLoad(writer: FunctionWriter, inst: Inst): void {
  const { code, state } = writer;
  const type = code.instructionType(inst);
  const access = accessWords(writer, inst, type);
  const metadata =
    loadMetadata(state, type, code.instructionTraits(inst)) + writer.scopes.metadata(code.operand(inst, 0));
  writer.define(
    inst,
    `load${access.before} ${writer.typeText(type)}, ${writer.typedOperand(inst, 0)}${access.after}${metadata}`,
  );
}

/** Writes a store, plain or atomic. */
export function writeStore(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const access = accessWords(writer, inst, code.valueType(code.operand(inst, 0)));
  const metadata = writer.scopes.metadata(code.operand(inst, 1));
  writer.write(
    `store${access.before} ${writer.typedOperand(inst, 0)}, ${writer.typedOperand(inst, 1)}${access.after}${metadata}`,
  );
}

/** Writes a cmpxchg. */
export function writeCompareExchange(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const aux = code.aux(inst);
  const type = code.valueType(code.operand(inst, 1));
  requireAtomic(writer, type);
  const weak = aux & Aux.weak ? ' weak' : '';
  const orderings = `${ordering(aux)} ${ordering(aux >> Aux.failureOrderingShift)}`;
  const operands = [0, 1, 2].map((index) => writer.typedOperand(inst, index)).join(', ');
  writer.define(
    inst,
    `cmpxchg${weak}${volatileWord(aux)} ${operands} ${orderings}, align ${alignment(writer, inst, type)}`,
  );
}

/** Writes an atomicrmw. */
export function writeAtomicUpdate(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const aux = code.aux(inst);
  const type = code.instructionType(inst);
  requireAtomic(writer, type);
  const operation = ATOMIC_OPERATIONS[(aux >> Aux.operationShift) & 15];
  const operands = `${writer.typedOperand(inst, 0)}, ${writer.typedOperand(inst, 1)}`;
  writer.define(
    inst,
    `atomicrmw${volatileWord(aux)} ${operation} ${operands} ${ordering(aux)}, align ${alignment(writer, inst, type)}`,
  );
}

/** Writes a fence. */
export function writeFence(writer: FunctionWriter, inst: Inst): void {
  writer.write(`fence ${ordering(writer.code.aux(inst))}`);
}

/** Writes memcpy and memmove. */
export function writeMemoryCopy(writer: FunctionWriter, inst: Inst): void {
  const align = blockAlignment(writer, inst);
  const name = opcodeRow(writer.code.opcode(inst)).llvm;
  const symbol = writer.state.intrinsic(name, 'void', [
    name.includes('memcpy') ? 'ptr noalias nocapture writeonly' : 'ptr nocapture writeonly',
    name.includes('memcpy') ? 'ptr noalias nocapture readonly' : 'ptr nocapture readonly',
    'i64',
    'i1 immarg',
  ]);
  writer.write(
    `call void ${symbol}(ptr ${align}${writer.operand(inst, 0)}, ptr ${align}${writer.operand(inst, 1)}, ` +
      `${writer.typedOperand(inst, 2)}, i1 ${isVolatile(writer, inst)})`,
  );
}

/** Writes memset. */
export function writeMemorySet(writer: FunctionWriter, inst: Inst): void {
  const parameters = ['ptr nocapture writeonly', 'i8', 'i64', 'i1 immarg'];
  const symbol = writer.state.intrinsic('llvm.memset.p0.i64', 'void', parameters);
  writer.write(
    `call void ${symbol}(ptr ${blockAlignment(writer, inst)}${writer.operand(inst, 0)}, ` +
      `${writer.typedOperand(inst, 1)}, ${writer.typedOperand(inst, 2)}, i1 ${isVolatile(writer, inst)})`,
  );
}

/** The words around the operands of a load or store. */
function accessWords(
  writer: FunctionWriter,
  inst: Inst,
  type: TypeId,
): { readonly before: string; readonly after: string } {
  const aux = writer.code.aux(inst);
  const isAtomic = (aux & Aux.orderingMask) !== 0;
  if (isAtomic) requireAtomic(writer, type);
  return {
    before: `${isAtomic ? ' atomic' : ''}${volatileWord(aux)}`,
    after: `${isAtomic ? ` ${ordering(aux)}` : ''}, align ${alignment(writer, inst, type)}`,
  };
}

function requireAtomic(writer: FunctionWriter, type: TypeId): void {
  const { types } = writer.tables;
  const width = types.isPointer(type) ? 64 : types.isScalar(type) ? types.width(type) : 0;
  if (![8, 16, 32, 64, 128].includes(width)) fail('VCT0804', { type: types.text(type) });
}

function alignment(writer: FunctionWriter, inst: Inst, type: TypeId): number {
  return alignmentOf(writer.state, type, writer.code.instructionTraits(inst));
}

/** Of the pointers of a block copy nothing is known but what a trait says. */
function blockAlignment(writer: FunctionWriter, inst: Inst): string {
  const entry = writer.tables.traitSets.find(writer.code.instructionTraits(inst), Trait.Align);
  return entry === undefined ? '' : `align ${entry.a} `;
}

function ordering(aux: number): string {
  return ORDERINGS[aux & Aux.orderingMask] as string;
}

function volatileWord(aux: number): string {
  return aux & Aux.volatile ? ' volatile' : '';
}

function isVolatile(writer: FunctionWriter, inst: Inst): boolean {
  return (writer.code.aux(inst) & Aux.volatile) !== 0;
}
