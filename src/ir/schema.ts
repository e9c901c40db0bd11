/**
 * The one description of every table that TypeScript and C++ share (design: "The buffers").
 *
 * A table is an `Int32Array` over a `SharedArrayBuffer`, row after row; a row has one int32 a column, in
 * the order given here. The constants below, `native/generated/layout.h` and the layout hash that the
 * loader compares are all derived from these lists, so the two languages cannot disagree.
 *
 * Ids in a column are module-wide, except inside a VIR function: `virInstruction` operands, block
 * operands and `operandStart` count from the function's own first row. A function's rows can therefore
 * be moved as they are.
 */

/** Raised whenever the meaning of a column changes without its name changing. */
export const SCHEMA_VERSION = 1;

/** Column names of every table, in row order. */
export const SCHEMA = {
  /** Types: see `TypeKind` for what a…d hold. Size and alignment in bytes of a struct whose layout is pinned, else NONE. */
  type: ['kind', 'a', 'b', 'c', 'd', 'size', 'alignment'],
  /** Members of structs and unions, and parameters of functions. `offset` in bytes in a struct whose layout is pinned, else NONE. */
  typeMember: ['type', 'name', 'offset'],
  /** Constants: see `ConstantKind` for what a and b hold. */
  constant: ['kind', 'type', 'a', 'b'],
  /** `initializer` is a constant; flags are `GlobalFlag`. */
  global: ['name', 'type', 'linkage', 'initializer', 'flags', 'traits', 'position'],
  /** `type` is a function type; flags are `FunctionFlag`. Row n of hirFunction and virFunction belongs to row n. */
  function: ['name', 'type', 'linkage', 'flags', 'traits', 'position'],
  /** `file` is a name; line and column count from 1. */
  position: ['file', 'line', 'column'],
  /** `mask` has bit n set when the set holds the trait with mask bit n. */
  traitSet: ['mask', 'firstEntry', 'entryCount'],
  /** `strength` is `Strength`; a and b are the payload as its kind lays it out. */
  traitEntry: ['trait', 'a', 'b', 'strength'],

  /**
   * A relationship (002 §5), of HIR or of VIR: `kind` is a row of `RELATIONSHIPS`. The ends of its left side are the first `leftCount`
   * rows from `firstEnd` on, those of its right side the `rightCount` rows behind them.
   */
  relationship: ['kind', 'firstEnd', 'leftCount', 'rightCount', 'position'],
  /** An end of a relationship: see `EndKind` for what `row` is. `function` owns it, or is NONE for a global. */
  relationshipEnd: ['kind', 'function', 'row'],

  /**
   * A node of the tree: see `NodeKind` for its children and for what a and b hold. A rewrite raises `epoch`; the traits were stated
   * in `statedEpoch`, and are stale where the two differ (002 §4).
   */
  hirNode: [
    'kind',
    'type',
    'firstChild',
    'nextSibling',
    'a',
    'b',
    'position',
    'traits',
    'name',
    'epoch',
    'statedEpoch',
  ],
  /**
   * A variable. `access` is the aux word that its loads and stores get; `declaration` the node that declares it (NONE
   * for a parameter); `undef` the undef constant of its type; `owner` its function; `slotType` a pointer to its type.
   */
  hirVariable: [
    'name',
    'type',
    'traits',
    'position',
    'access',
    'declaration',
    'undef',
    'owner',
    'slotType',
    'epoch',
    'statedEpoch',
  ],
  /** `body` is a block node, or NONE for a declaration. The first `parameterCount` variables are the parameters. */
  hirFunction: ['body', 'firstVariable', 'variableCount', 'parameterCount', 'epoch', 'statedEpoch'],

  /**
   * An instruction; its result, if any, has the same number. The first word is as `OpcodeAndRegion` says; `node` is its source in the HIR
   * (the back map).
   */
  virInstruction: [
    'opcodeAndRegion',
    'type',
    'operandStart',
    'operandCount',
    'aux',
    'name',
    'position',
    'traits',
    'node',
  ],
  /** A block: its instructions are contiguous, phis first, a terminator last. */
  virBlock: ['firstInstruction', 'instructionCount', 'name', 'position', 'traits', 'node'],
  /** Where the function's rows are. The first `parameterCount` instructions are its `param`s and stand in no block. */
  virFunction: [
    'firstInstruction',
    'instructionCount',
    'firstBlock',
    'blockCount',
    'firstOperand',
    'operandCount',
    'parameterCount',
  ],

  /**
   * One move that leaving SSA needs (008/R6), in execution order. It runs on the edge from `block` to `successor`, or, when
   * `successor` is NONE, at the head of `block`. `destination` is a variable of the function; `source` is a variable when not
   * negative, else a constant operand.
   */
  outOfSsaCopy: ['block', 'successor', 'destination', 'source'],
  /**
   * What the analyses say of a block of a control-flow graph: its places in the preorder and the reverse postorder of the walk from the
   * entry; its immediate dominator, and the first and the last place of what it dominates in the preorder of the dominator tree; the header of
   * the innermost loop around it that it does not head, how many loops it is in, and `LoopFlag`. NONE in the first six where control does not come.
   */
  graphBlock: [
    'preorder',
    'reversePostorder',
    'dominator',
    'treeFirst',
    'treeLast',
    'loopHeader',
    'loopDepth',
    'loopFlags',
  ],
  /** Where the function's copies are, and how many variables its values share. */
  outOfSsaFunction: ['firstCopy', 'copyCount', 'variableCount'],
} as const;

/** A table of the schema. */
export type TableName = keyof typeof SCHEMA;

type ColumnsOf<Name extends TableName> = (typeof SCHEMA)[Name][number];

/** Column name to offset in the row, with the row's length as `stride`. */
export type Layout<Name extends TableName> = { readonly [Column in ColumnsOf<Name>]: number } & {
  readonly stride: number;
};

function layoutOf<Name extends TableName>(name: Name): Layout<Name> {
  const layout: Record<string, number> = { stride: SCHEMA[name].length };
  SCHEMA[name].forEach((column, offset) => {
    layout[column] = offset;
  });
  return Object.freeze(layout) as Layout<Name>;
}

export const TYPE = layoutOf('type');
export const TYPE_MEMBER = layoutOf('typeMember');
export const CONSTANT = layoutOf('constant');
export const GLOBAL = layoutOf('global');
export const FUNCTION = layoutOf('function');
export const POSITION = layoutOf('position');
export const TRAIT_SET = layoutOf('traitSet');
export const TRAIT_ENTRY = layoutOf('traitEntry');
export const RELATIONSHIP = layoutOf('relationship');
export const RELATIONSHIP_END = layoutOf('relationshipEnd');
export const HIR_NODE = layoutOf('hirNode');
export const HIR_VARIABLE = layoutOf('hirVariable');
export const HIR_FUNCTION = layoutOf('hirFunction');
export const VIR_INSTRUCTION = layoutOf('virInstruction');
export const VIR_BLOCK = layoutOf('virBlock');
export const VIR_FUNCTION = layoutOf('virFunction');
export const GRAPH_BLOCK = layoutOf('graphBlock');
export const OUT_OF_SSA_COPY = layoutOf('outOfSsaCopy');
export const OUT_OF_SSA_FUNCTION = layoutOf('outOfSsaFunction');

/**
 * What a type row holds.
 * void: nothing. integer: a = width in bits, b = 1 when signed. float: a = width in bits. pointer: a = pointee.
 * array: a = element, b = count. struct, union: a = first member, b = member count, c = name or NONE, d = 1 once
 * the body is known. function: a = first member (its parameters), b = parameter count, c = result, d = 1 when varargs.
 */
export const TypeKind = {
  void: 0,
  integer: 1,
  float: 2,
  pointer: 3,
  array: 4,
  struct: 5,
  union: 6,
  function: 7,
} as const;
export type TypeKind = (typeof TypeKind)[keyof typeof TypeKind];

/**
 * What a constant row holds.
 * integer: up to 64 bits, a = low word, b = high word, zero-extended; wider, a = first word in the pool, b = word count.
 * float: f32 has its bits in a; f64 its low word in a and its high word in b.
 * null, undef, zero: nothing. globalAddress: a = global. functionAddress: a = function. The type of an address may
 * be any pointer type. elementAddress: a = global, b = where the pool has the length of a path and then its indices.
 * aggregate: a = first operand constant in the pool, b = count. bytes: a = offset in the byte
 * pool, b = length; the type is an array of i8 or u8.
 */
export const ConstantKind = {
  integer: 0,
  float: 1,
  null: 2,
  undef: 3,
  zero: 4,
  globalAddress: 5,
  functionAddress: 6,
  aggregate: 7,
  bytes: 8,
  elementAddress: 9,
} as const;
export type ConstantKind = (typeof ConstantKind)[keyof typeof ConstantKind];

/** What an end of a relationship is. variable: a row of hirVariable. value: an instruction, counted in its function. global: a global. */
export const EndKind = { variable: 0, value: 1, global: 2 } as const;
export type EndKind = (typeof EndKind)[keyof typeof EndKind];

/** Who can see a function or a global. `extern` has no definition here. */
export const Linkage = { internal: 0, export: 1, extern: 2, weak: 3 } as const;
export type Linkage = (typeof Linkage)[keyof typeof Linkage];

export const GlobalFlag = { constant: 1, threadLocal: 2 } as const;
export const FunctionFlag = { hasBody: 1 } as const;

/** How strong a request is (002): a weak one may be denied, a strong one may not. A fact is always a fact. */
export const Strength = { fact: 0, weak: 1, strong: 2 } as const;
export type Strength = (typeof Strength)[keyof typeof Strength];

/**
 * The first word of an instruction: its opcode in the low bits, and above them one more than the number of the optimization barrier that
 * it stands in (005/L-35), 0 for none. Few programs have barriers, so a word of their own would be a tenth of all memory for nothing.
 */
export const OpcodeAndRegion = {
  opcodeMask: 0xff,
  regionShift: 8,
  /** How many regions a function may have. */
  regionCount: 0x7ffffe,
} as const;

/**
 * The aux word of memory instructions: bits 0-2 ordering (of success for cmpxchg), bit 3 volatile; cmpxchg: bits 4-6
 * ordering of failure, bit 7 weak; atomicrmw: bits 8-11 operation.
 */
export const Aux = {
  orderingMask: 7,
  volatile: 8,
  failureOrderingShift: 4,
  weak: 128,
  operationShift: 8,
} as const;

/** What a block is to its loop: it heads one, and that can also be entered elsewhere. */
export const LoopFlag = { header: 1, irreducible: 2 } as const;

/** Memory orderings, in the numbers that the aux word stores. */
export const ORDERINGS = [
  'not_atomic',
  'unordered',
  'monotonic',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** Integer predicates, in the numbers that the aux word of icmp stores. */
export const INTEGER_PREDICATES = [
  'eq',
  'ne',
  'slt',
  'sle',
  'sgt',
  'sge',
  'ult',
  'ule',
  'ugt',
  'uge',
] as const;
export type IntegerPredicate = (typeof INTEGER_PREDICATES)[number];

/** Float predicates, in the numbers that the aux word of fcmp stores. */
export const FLOAT_PREDICATES = [
  'oeq',
  'ogt',
  'oge',
  'olt',
  'ole',
  'one',
  'ord',
  'ueq',
  'ugt',
  'uge',
  'ult',
  'ule',
  'une',
  'uno',
] as const;
export type FloatPredicate = (typeof FLOAT_PREDICATES)[number];

/** Operations of atomicrmw, in the numbers that its aux word stores. */
export const ATOMIC_OPERATIONS = [
  'xchg',
  'add',
  'sub',
  'and',
  'nand',
  'or',
  'xor',
  'max',
  'min',
  'umax',
  'umin',
] as const;
export type AtomicOperation = (typeof ATOMIC_OPERATIONS)[number];

/** Names that have the same id in every module: those that lowering gives to blocks (005 §4.2). */
export const WELL_KNOWN_NAMES = [
  'entry',
  'then',
  'else',
  'join',
  'loop.header',
  'loop.body',
  'loop.latch',
  'loop.exit',
  'for.init',
  'for.header',
  'for.body',
  'for.step',
  'for.exit',
  'case',
  'default',
  'switch.exit',
  'rhs',
  'dead',
  'range',
] as const;

/** Constants that have the same id in every module, so that the core can use them without making any. */
export const WellKnownConstant = { false: 0, true: 1 } as const;

/** What an entry of the core reports in the first word of its header (001 §5). */
export const CoreStatus = { ok: 0, capacity: 1, malformed: 2, outOfMemory: 3 } as const;
export type CoreStatus = (typeof CoreStatus)[keyof typeof CoreStatus];

/**
 * The words of the header that every entry of the core is given. malformed: `table` is the number of the input at fault,
 * `row` its row (each NONE where there is none) and `fault` an index of `CORE_FAULTS`. ok and capacity: word
 * `firstSize + n` is how many int32s of output n are used or needed; words after those of the outputs are the entry's own.
 */
export const CoreHeader = {
  status: 0,
  table: 1,
  row: 2,
  fault: 3,
  firstSize: 4,
  threads: 15,
  length: 16,
} as const;

/** What can be wrong with the tables that an entry is given; the index is the word that the header holds. */
export const CORE_FAULTS = [
  'wrongArrays',
  'overlap',
  'partialRow',
  'rowCount',
  'index',
  'arity',
  'shape',
  'opcode',
  'kind',
  'tooLarge',
  'category',
  'owner',
  'addressOfRegister',
  'jumpTarget',
  'staleTraits',
  'contradictoryTraits',
  'accessAgainstTraits',
] as const;
export type CoreFault = (typeof CORE_FAULTS)[number];

/** Numbers of `CORE_FAULTS` by name. */
export const CoreFaultNumber = Object.freeze(
  Object.fromEntries(CORE_FAULTS.map((name, number) => [name, number])),
) as { readonly [Name in CoreFault]: number };
