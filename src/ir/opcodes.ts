/**
 * The opcode table: the only list of VIR instructions (006 §3). Builder methods, the parser, the printer, the verifier's
 * rules, the generated C++ constants and the reference page of the spec all come from these rows.
 */

/**
 * How the result type follows from the operands.
 * none: no result. operand: the type of operand 0. boolean: i1. explicit: the type column, checked by the opcode's class.
 * overflow: {T, i1} for operand type T. result: the result type of the called function type.
 */
export type ResultRule = 'none' | 'operand' | 'boolean' | 'explicit' | 'overflow' | 'result';

/** What the operands are checked against, and how the instruction is written in `.vir`. */
export type OpcodeClass =
  | 'parameter'
  | 'integerBinary'
  | 'integerUnary'
  | 'integerTernary'
  | 'integerOverflow'
  | 'floatBinary'
  | 'floatUnary'
  | 'integerCompare'
  | 'floatCompare'
  | 'cast'
  | 'select'
  | 'phi'
  | 'alloca'
  | 'load'
  | 'store'
  | 'address'
  | 'extract'
  | 'insert'
  | 'call'
  | 'compareExchange'
  | 'atomicUpdate'
  | 'fence'
  | 'memoryCopy'
  | 'memorySet'
  | 'assume'
  | 'terminator';

/** What the aux column holds. memory: see `Aux`. type: a type. functionType: the type of the callee. */
export type AuxKind = 'none' | 'integerPredicate' | 'floatPredicate' | 'type' | 'functionType' | 'memory';

/** What executing the instruction can do. `traps`: some operands make it erroneous (006 §5). */
export interface Effects {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly traps: boolean;
  readonly terminator: boolean;
}

export interface OpcodeRow<Name extends string = string> {
  readonly name: Name;
  readonly class: OpcodeClass;
  readonly result: ResultRule;
  readonly aux: AuxKind;
  readonly effects: Effects;
  /** LLVM's mnemonic, or its intrinsic's name with `$` for the type suffix. */
  readonly llvm: string;
  /** One line for the reference page of 006. */
  readonly summary: string;
}

const PURE: Effects = { reads: false, writes: false, traps: false, terminator: false };
const TRAPS: Effects = { ...PURE, traps: true };
const READS: Effects = { ...PURE, reads: true, traps: true };
const WRITES: Effects = { ...PURE, writes: true, traps: true };
const READS_WRITES: Effects = { ...READS, writes: true };
const ORDERS: Effects = { ...PURE, reads: true, writes: true };
const TERMINATES: Effects = { ...PURE, terminator: true };
const TERMINATES_TRAPS: Effects = { ...TERMINATES, traps: true };

function row<const Name extends string>(
  name: Name,
  opcodeClass: OpcodeClass,
  result: ResultRule,
  aux: AuxKind,
  effects: Effects,
  llvm: string,
  summary: string,
): OpcodeRow<Name> {
  return { name, class: opcodeClass, result, aux, effects, llvm, summary };
}

function integerBinary<const Name extends string>(
  name: Name,
  effects: Effects,
  summary: string,
): OpcodeRow<Name> {
  return row(name, 'integerBinary', 'operand', 'none', effects, name, summary);
}

function floatBinary<const Name extends string>(name: Name, summary: string): OpcodeRow<Name> {
  return row(name, 'floatBinary', 'operand', 'none', PURE, name, summary);
}

function cast<const Name extends string>(name: Name, effects: Effects, summary: string): OpcodeRow<Name> {
  return row(name, 'cast', 'explicit', 'none', effects, name, summary);
}

function saturating<const Name extends string>(name: Name, llvm: string, summary: string): OpcodeRow<Name> {
  return row(name, 'integerBinary', 'operand', 'none', PURE, llvm, summary);
}

function overflowing<const Name extends string>(name: Name, llvm: string, summary: string): OpcodeRow<Name> {
  return row(name, 'integerOverflow', 'overflow', 'none', PURE, llvm, summary);
}

/** Every opcode; its number is its place in this list. */
export const OPCODES = [
  row(
    'param',
    'parameter',
    'explicit',
    'none',
    PURE,
    '',
    'A parameter of the function; stands before the first block.',
  ),

  integerBinary('add', PURE, 'Sum, wrapping.'),
  integerBinary('sub', PURE, 'Difference, wrapping.'),
  integerBinary('mul', PURE, 'Product, wrapping.'),
  integerBinary('sdiv', TRAPS, 'Signed quotient, rounded to zero. Erroneous: divisor 0; lowest value / -1.'),
  integerBinary('udiv', TRAPS, 'Unsigned quotient. Erroneous: divisor 0.'),
  integerBinary('srem', TRAPS, 'Signed remainder, with the sign of the dividend. Erroneous as sdiv.'),
  integerBinary('urem', TRAPS, 'Unsigned remainder. Erroneous: divisor 0.'),
  integerBinary('and', PURE, 'Bitwise and.'),
  integerBinary('or', PURE, 'Bitwise or.'),
  integerBinary('xor', PURE, 'Bitwise exclusive or.'),
  integerBinary('shl', TRAPS, 'Shift left. Erroneous: amount >= width.'),
  integerBinary('lshr', TRAPS, 'Shift right, zeros in. Erroneous: amount >= width.'),
  integerBinary('ashr', TRAPS, 'Shift right, copies of the sign bit in. Erroneous: amount >= width.'),

  floatBinary('fadd', 'Sum, rounded to nearest even.'),
  floatBinary('fsub', 'Difference, rounded to nearest even.'),
  floatBinary('fmul', 'Product, rounded to nearest even.'),
  floatBinary('fdiv', 'Quotient, rounded to nearest even; x / 0 is an infinity or NaN.'),
  floatBinary('frem', 'Remainder as of fmod: exact, with the sign of the dividend.'),
  row('fneg', 'floatUnary', 'operand', 'none', PURE, 'fneg', 'The sign bit flipped, of NaN too.'),

  row(
    'icmp',
    'integerCompare',
    'boolean',
    'integerPredicate',
    PURE,
    'icmp',
    'Compares two integers or two pointers.',
  ),
  row('fcmp', 'floatCompare', 'boolean', 'floatPredicate', PURE, 'fcmp', 'Compares two floats.'),

  cast('trunc', PURE, 'The low bits of an integer, to a narrower one.'),
  cast('zext', PURE, 'An integer widened with zeros.'),
  cast('sext', PURE, 'An integer widened with copies of its sign bit.'),
  cast('fptrunc', PURE, 'f64 to f32, rounded to nearest even.'),
  cast('fpext', PURE, 'f32 to f64, exact.'),
  cast('fptosi', TRAPS, 'Float to signed integer, rounded to zero. Erroneous: NaN or out of range.'),
  cast('fptoui', TRAPS, 'Float to unsigned integer, rounded to zero. Erroneous: NaN or out of range.'),
  cast('sitofp', PURE, 'Signed integer to float, rounded to nearest even.'),
  cast('uitofp', PURE, 'Unsigned integer to float, rounded to nearest even.'),
  cast('ptrtoint', PURE, 'The address of a pointer as an integer.'),
  cast('inttoptr', PURE, 'A pointer with that address; it may access the object that ptrtoint took it from.'),
  cast(
    'bitcast',
    PURE,
    'The same bits as another type of the same width: iN and uN, integer and float, pointer and pointer.',
  ),

  row(
    'select',
    'select',
    'explicit',
    'none',
    PURE,
    'select',
    'Operand 1 when operand 0 is true, else operand 2.',
  ),
  row(
    'phi',
    'phi',
    'explicit',
    'none',
    PURE,
    'phi',
    'The value that belongs to the predecessor from which control came.',
  ),

  row(
    'alloca',
    'alloca',
    'explicit',
    'type',
    PURE,
    'alloca',
    'A new object of the aux type, alive until the function returns. Only in the entry block.',
  ),
  row(
    'load',
    'load',
    'explicit',
    'memory',
    READS,
    'load',
    'Reads a value of the result type. Erroneous: null, misaligned, outside or after the life of an object.',
  ),
  row(
    'store',
    'store',
    'none',
    'memory',
    WRITES,
    'store',
    'Writes operand 0 to pointer operand 1. Erroneous as load, and into a constant.',
  ),
  row(
    'gep',
    'address',
    'explicit',
    'type',
    TRAPS,
    'getelementptr',
    'The address of an element, by index and field index. Erroneous: outside the object or one past its end.',
  ),
  row(
    'extractvalue',
    'extract',
    'explicit',
    'none',
    PURE,
    'extractvalue',
    'A member of an aggregate value; the indices are constants.',
  ),
  row(
    'insertvalue',
    'insert',
    'operand',
    'none',
    PURE,
    'insertvalue',
    'An aggregate value with one member replaced; the indices are constants.',
  ),
  row(
    'call',
    'call',
    'result',
    'functionType',
    READS_WRITES,
    'call',
    'Calls operand 0 with the other operands.',
  ),
  row(
    'cmpxchg',
    'compareExchange',
    'explicit',
    'memory',
    READS_WRITES,
    'cmpxchg',
    'Atomic compare and exchange; {T, i1} of the old value and success.',
  ),
  row(
    'atomicrmw',
    'atomicUpdate',
    'explicit',
    'memory',
    READS_WRITES,
    'atomicrmw',
    'Atomic update; the old value.',
  ),
  row('fence', 'fence', 'none', 'memory', ORDERS, 'fence', 'Orders memory accesses.'),

  row(
    'memcpy',
    'memoryCopy',
    'none',
    'memory',
    READS_WRITES,
    'llvm.memcpy.p0.p0.i64',
    'Copies bytes between objects that do not overlap.',
  ),
  row(
    'memmove',
    'memoryCopy',
    'none',
    'memory',
    READS_WRITES,
    'llvm.memmove.p0.p0.i64',
    'Copies bytes; the ranges may overlap.',
  ),
  row(
    'memset',
    'memorySet',
    'none',
    'memory',
    WRITES,
    'llvm.memset.p0.i64',
    'Sets bytes to one 8-bit value.',
  ),
  row(
    'sqrt',
    'floatUnary',
    'operand',
    'none',
    PURE,
    'llvm.sqrt.$',
    'Square root, rounded to nearest even; NaN below zero.',
  ),
  row('fabs', 'floatUnary', 'operand', 'none', PURE, 'llvm.fabs.$', 'The sign bit cleared, of NaN too.'),
  row('ctpop', 'integerUnary', 'operand', 'none', PURE, 'llvm.ctpop.$', 'The number of one bits.'),
  row(
    'fshl',
    'integerTernary',
    'operand',
    'none',
    PURE,
    'llvm.fshl.$',
    'The high half of (operand 0 : operand 1) shifted left by operand 2 modulo width.',
  ),
  saturating('sadd_sat', 'llvm.sadd.sat.$', 'Signed sum, clamped.'),
  saturating('uadd_sat', 'llvm.uadd.sat.$', 'Unsigned sum, clamped.'),
  saturating('ssub_sat', 'llvm.ssub.sat.$', 'Signed difference, clamped.'),
  saturating('usub_sat', 'llvm.usub.sat.$', 'Unsigned difference, clamped.'),
  overflowing('sadd_overflow', 'llvm.sadd.with.overflow.$', 'Wrapped signed sum, and whether it overflowed.'),
  overflowing(
    'uadd_overflow',
    'llvm.uadd.with.overflow.$',
    'Wrapped unsigned sum, and whether it overflowed.',
  ),
  overflowing(
    'ssub_overflow',
    'llvm.ssub.with.overflow.$',
    'Wrapped signed difference, and whether it overflowed.',
  ),
  overflowing(
    'usub_overflow',
    'llvm.usub.with.overflow.$',
    'Wrapped unsigned difference, and whether it overflowed.',
  ),
  overflowing(
    'smul_overflow',
    'llvm.smul.with.overflow.$',
    'Wrapped signed product, and whether it overflowed.',
  ),
  overflowing(
    'umul_overflow',
    'llvm.umul.with.overflow.$',
    'Wrapped unsigned product, and whether it overflowed.',
  ),
  row(
    'assume',
    'assume',
    'none',
    'none',
    TRAPS,
    'llvm.assume',
    'States that operand 0 is true. Erroneous when it is false.',
  ),

  row('br', 'terminator', 'none', 'none', TERMINATES, 'br', 'Goes to a block.'),
  row(
    'condbr',
    'terminator',
    'none',
    'none',
    TERMINATES,
    'br',
    'Goes to the first block when operand 0 is true, else to the second.',
  ),
  row(
    'switch',
    'terminator',
    'none',
    'none',
    TERMINATES,
    'switch',
    'Goes to the block of the case that equals operand 0, else to the default.',
  ),
  row('ret', 'terminator', 'none', 'none', TERMINATES, 'ret', 'Returns from the function.'),
  row(
    'unreachable',
    'terminator',
    'none',
    'none',
    TERMINATES_TRAPS,
    'unreachable',
    'Erroneous when control comes here.',
  ),
] as const;

/** The name of an opcode, as written in `.vir`. */
export type OpcodeName = (typeof OPCODES)[number]['name'];

/** Opcode numbers by name. */
export const Opcode = Object.freeze(
  Object.fromEntries(OPCODES.map((opcode, number) => [opcode.name, number])),
) as { readonly [Name in OpcodeName]: number };

/** The row of an opcode number, with its name widened. Requires 0 <= opcode < OPCODES.length. */
export function opcodeRow(opcode: number): OpcodeRow<OpcodeName> {
  return OPCODES[opcode] as OpcodeRow<OpcodeName>;
}

/** Whether the opcode ends a block. */
export function isTerminator(opcode: number): boolean {
  return opcode >= Opcode.br && opcode <= Opcode.unreachable;
}
