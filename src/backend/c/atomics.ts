/** Atomic accesses, by the `__atomic` builtins that GCC and Clang share. Plain C17 has none for objects that are not `_Atomic`. */

import { fail } from '../../diag/diagnostic.js';
import type { Inst, TypeId } from '../../ir/entities.js';
import { ATOMIC_OPERATIONS, type AtomicOperation, Aux, ORDERINGS, type Ordering } from '../../ir/schema.js';
import { at, type Expression, Level } from './expression.js';
import { signedType, unsignedType } from './integers.js';
import type { ValueWriter } from './value-writer.js';

const NAMES: Readonly<Record<Ordering, string>> = {
  not_atomic: '__ATOMIC_RELAXED',
  unordered: '__ATOMIC_RELAXED',
  monotonic: '__ATOMIC_RELAXED',
  acquire: '__ATOMIC_ACQUIRE',
  release: '__ATOMIC_RELEASE',
  acq_rel: '__ATOMIC_ACQ_REL',
  seq_cst: '__ATOMIC_SEQ_CST',
};

function ordering(aux: number, shift = 0): Ordering {
  return ORDERINGS[(aux >> shift) & Aux.orderingMask] ?? 'seq_cst';
}

function requireAtomics(writer: ValueWriter, inst: Inst): void {
  if (writer.dialect !== 'c17') return;
  fail('VCT0702', { feature: 'an atomic access' }, writer.view.module.positionOf(writer.view.id, inst));
}

/** The address of an atomic access, volatile where the access is. */
function address(writer: ValueWriter, inst: Inst, index: number, type: TypeId): Expression {
  const pointer = writer.pointer(writer.view.operand(inst, index));
  if ((writer.view.aux(inst) & Aux.volatile) === 0) return pointer;
  return {
    ...pointer,
    text: `(volatile ${writer.memoryName(type)} *)${at(pointer, Level.unary)}`,
    level: Level.unary,
  };
}

/** An atomic load. The `_n` builtins take integers and pointers; a float is read as the integer of its width. */
export function atomicLoad(writer: ValueWriter, inst: Inst): Expression {
  requireAtomics(writer, inst);
  const type = writer.view.instructionType(inst);
  const order = NAMES[ordering(writer.view.aux(inst))];
  const pointer = address(writer, inst, 0, type);
  if (!writer.tables.types.isFloat(type))
    return {
      text: `__atomic_load_n(${pointer.text}, ${order})`,
      level: Level.postfix,
      type,
      hasEffect: true,
      isCall: true,
    };
  const name = writer.typeName(type);
  const helper = `vct_atomic_load_${writer.module.symbols.typeNames.mangled(type)}${order.slice(8).toLowerCase()}`;
  writer.unit.helpers.set(
    helper,
    `static inline ${name} ${helper}(const volatile ${name} *place)\n{\n    ${name} value;\n    __atomic_load(place, &value, ${order});\n    return value;\n}`,
  );
  return { text: `${helper}(${pointer.text})`, level: Level.postfix, type, hasEffect: true, isCall: true };
}

/** An atomic store, as a statement without its semicolon. */
export function atomicStore(writer: ValueWriter, inst: Inst): string {
  requireAtomics(writer, inst);
  const type = writer.view.valueType(writer.view.operand(inst, 0));
  const order = NAMES[ordering(writer.view.aux(inst))];
  const pointer = address(writer, inst, 1, type);
  const value = writer.assignable(writer.operand(inst, 0), type);
  if (!writer.tables.types.isFloat(type)) return `__atomic_store_n(${pointer.text}, ${value.text}, ${order})`;
  const name = writer.typeName(type);
  const helper = `vct_atomic_store_${writer.module.symbols.typeNames.mangled(type)}${order.slice(8).toLowerCase()}`;
  writer.unit.helpers.set(
    helper,
    `static inline void ${helper}(volatile ${name} *place, ${name} value)\n{\n    __atomic_store(place, &value, ${order});\n}`,
  );
  return `${helper}(${pointer.text}, ${value.text})`;
}

const FETCH: Partial<Record<AtomicOperation, string>> = {
  xchg: '__atomic_exchange_n',
  add: '__atomic_fetch_add',
  sub: '__atomic_fetch_sub',
  and: '__atomic_fetch_and',
  nand: '__atomic_fetch_nand',
  or: '__atomic_fetch_or',
  xor: '__atomic_fetch_xor',
};

/** atomicrmw: the old value. Minimum and maximum have no builtin in C and are loops around a compare and exchange. */
export function atomicUpdate(writer: ValueWriter, inst: Inst): Expression {
  requireAtomics(writer, inst);
  const { view } = writer;
  const aux = view.aux(inst);
  const type = view.instructionType(inst);
  const operation = ATOMIC_OPERATIONS[(aux >> Aux.operationShift) & 15] as AtomicOperation;
  const order = NAMES[ordering(aux)];
  const pointer = address(writer, inst, 0, type);
  const value = writer.sized(writer.operand(inst, 1), type);
  const make = (text: string): Expression => ({
    text,
    level: Level.postfix,
    type,
    hasEffect: true,
    isCall: true,
  });
  const builtin = FETCH[operation];
  if (builtin !== undefined) return make(`${builtin}(${pointer.text}, ${value.text}, ${order})`);
  const helper = extremeHelper(writer, type, operation, order);
  return make(`${helper}(${pointer.text}, ${value.text})`);
}

function extremeHelper(writer: ValueWriter, type: TypeId, operation: AtomicOperation, order: string): string {
  const name = writer.typeName(type);
  const isUnsigned = operation.startsWith('u');
  const compared = writer.typeName(isUnsigned ? unsignedType(writer, type) : signedType(writer, type));
  const comparison = operation.endsWith('max') ? '>' : '<';
  const helper = `vct_atomic_${operation}_${writer.module.symbols.typeNames.mangled(type)}${order.slice(8).toLowerCase()}`;
  writer.unit.helpers.set(
    helper,
    `static inline ${name} ${helper}(volatile ${writer.memoryName(type)} *place, ${name} value)
{
    ${name} old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (1) {
        ${name} chosen = (${compared})old ${comparison} (${compared})value ? old : value;
        if (__atomic_compare_exchange_n(place, &old, chosen, 0, ${order}, __ATOMIC_RELAXED))
            return old;
    }
}`,
  );
  return helper;
}

/** cmpxchg into the variable that holds its result: two statements without semicolons, and the variables that each reads. */
export function compareExchange(
  writer: ValueWriter,
  inst: Inst,
  result: string,
): readonly { readonly text: string; readonly reads: readonly number[] }[] {
  requireAtomics(writer, inst);
  const { view } = writer;
  const aux = view.aux(inst);
  const type = view.valueType(view.operand(inst, 1));
  const success = ordering(aux);
  const failure = ordering(aux, Aux.failureOrderingShift);
  const [old, done] = writer.unit.definitions.memberNames(view.instructionType(inst)) as readonly [
    string,
    string,
  ];
  const expected = writer.assignable(writer.operand(inst, 1), type);
  const first = { text: `${result}.${old} = ${expected.text}`, reads: writer.takeReads() };
  const pointer = address(writer, inst, 0, type);
  const wanted = writer.sized(writer.operand(inst, 2), type);
  const isWeak = (aux & Aux.weak) !== 0 ? '1' : '0';
  const orders = `${NAMES[strengthened(success, failure)]}, ${NAMES[failure]}`;
  const exchange = `__atomic_compare_exchange_n(${pointer.text}, &${result}.${old}, ${wanted.text}, ${isWeak}, ${orders})`;
  return [first, { text: `${result}.${done} = ${exchange}`, reads: writer.takeReads() }];
}

/** The builtins want success to be at least as strong as failure. */
function strengthened(success: Ordering, failure: Ordering): Ordering {
  if (failure === 'seq_cst') return 'seq_cst';
  if (failure !== 'acquire') return success;
  if (success === 'monotonic') return 'acquire';
  return success === 'release' ? 'acq_rel' : success;
}

/** fence. */
export function fenceStatement(writer: ValueWriter, inst: Inst): string {
  requireAtomics(writer, inst);
  return `__atomic_thread_fence(${NAMES[ordering(writer.view.aux(inst))]})`;
}
