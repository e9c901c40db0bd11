/**
 * The trait table: the only list of traits (002). What a trait becomes in C (008 Table 1) and in LLVM (009 Table 3)
 * stands here and nowhere else.
 */

/** attribute: a fact. request: a wish that may be denied. relationship: joins two entities. */
export type TraitKind = 'attribute' | 'request' | 'relationship';

/**
 * What columns a and b of an entry hold. none: nothing. count: a is a positive integer. range: a and b are i64
 * constants, lo <= value < hi. ordering: a is an index of `ORDERINGS`.
 */
export type TraitPayload = 'none' | 'count' | 'range' | 'ordering';

/** What a trait may sit on. */
export type TraitHost =
  | 'function'
  | 'parameter'
  | 'variable'
  | 'global'
  | 'access'
  | 'call'
  | 'value'
  | 'branch'
  | 'loop'
  | 'region';

export interface TraitRow<Name extends string = string> {
  readonly name: Name;
  readonly kind: TraitKind;
  readonly payload: TraitPayload;
  readonly hosts: readonly TraitHost[];
  /** Traits that cannot be true together with this one. */
  readonly contradicts: readonly string[];
  /** The C construct (008 Table 1); '' when there is none. */
  readonly c: string;
  /** The LLVM attribute or metadata (009 Table 3); '' when there is none. */
  readonly llvm: string;
  readonly summary: string;
}

interface TraitOptions {
  readonly payload?: TraitPayload;
  readonly contradicts?: readonly string[];
  readonly c?: string;
  readonly llvm?: string;
}

function row<const Name extends string>(
  name: Name,
  kind: TraitKind,
  hosts: readonly TraitHost[],
  summary: string,
  options: TraitOptions = {},
): TraitRow<Name> {
  const { payload = 'none', contradicts = [], c = '', llvm = '' } = options;
  return { name, kind, payload, hosts, contradicts, c, llvm, summary };
}

/** The kind is part of the row's type, so that only a request can be asked for with strength. */
function attribute<const Name extends string>(
  name: Name,
  hosts: readonly TraitHost[],
  summary: string,
  options?: TraitOptions,
): TraitRow<Name> & { readonly kind: 'attribute' } {
  return { ...row(name, 'attribute', hosts, summary, options), kind: 'attribute' };
}

function request<const Name extends string>(
  name: Name,
  hosts: readonly TraitHost[],
  summary: string,
  options?: TraitOptions,
): TraitRow<Name> & { readonly kind: 'request' } {
  return { ...row(name, 'request', hosts, summary, options), kind: 'request' };
}

/**
 * Every trait; its number is its place in this list. The first 32 also have a bit in the mask of a trait set, which is
 * what the core reads: keep those that decide a representation (005 §4.5) or make a region (005/L-35) in front.
 */
export const TRAITS = [
  attribute('isAddressed', ['variable', 'parameter'], 'The address of the variable is taken.'),
  attribute(
    'escapes',
    ['variable', 'parameter'],
    'The address of the variable outlives the function or leaves it.',
  ),
  attribute(
    'isRuntimeMutable',
    ['variable', 'parameter'],
    'The storage is written at run time by something other than assignments to the name.',
    { contradicts: ['comptime'] },
  ),
  attribute('isVolatile', ['variable', 'global'], 'Every access is observable, in number and order.', {
    contradicts: ['comptime'],
    c: 'volatile',
    llvm: 'volatile',
  }),
  attribute('isAtomic', ['variable', 'global'], 'Every access is atomic with this ordering.', {
    payload: 'ordering',
    contradicts: ['comptime'],
    c: '__atomic builtins',
    llvm: 'atomic',
  }),
  attribute(
    'mayChangeAtRuntime',
    ['variable', 'global'],
    'Two reads may differ because of state outside the program.',
    { contradicts: ['comptime'] },
  ),
  attribute('comptime', ['value', 'variable'], 'The value is known when the program is compiled.', {
    contradicts: ['isRuntimeMutable', 'isVolatile', 'isAtomic', 'mayChangeAtRuntime'],
  }),
  attribute(
    'complex',
    ['region', 'function'],
    'The region is not to be analysed: an optimization barrier surrounds it.',
    { c: 'barrier (R14)', llvm: 'barrier' },
  ),
  request('NoOptimize', ['region', 'function'], 'An optimization barrier surrounds the region.', {
    c: 'barrier (R14)',
    llvm: 'barrier',
  }),

  attribute('Restrict', ['parameter'], 'What the pointer reaches is reached through it alone.', {
    c: 'restrict',
    llvm: 'noalias',
  }),
  attribute('NoAlias', ['parameter'], 'What the pointer reaches is reached through it alone.', {
    c: 'restrict',
    llvm: 'noalias',
  }),
  attribute('ReadOnly', ['parameter'], 'The function does not write through the pointer.', {
    contradicts: ['WriteOnly'],
    c: 'const',
    llvm: 'readonly',
  }),
  attribute('WriteOnly', ['parameter'], 'The function does not read through the pointer.', {
    contradicts: ['ReadOnly'],
    llvm: 'writeonly',
  }),
  attribute('NoRead', ['function', 'parameter'], 'Reads no memory that a caller can see.', {
    c: '__attribute__((const)) with NoWrite',
    llvm: 'memory(write)',
  }),
  attribute('NoWrite', ['function', 'parameter'], 'Writes no memory that a caller can see.', {
    c: '__attribute__((pure))',
    llvm: 'memory(read)',
  }),
  attribute('NonNull', ['parameter', 'value'], 'The pointer is not null.', {
    c: '__attribute__((nonnull))',
    llvm: 'nonnull',
  }),
  attribute(
    'Align',
    ['parameter', 'variable', 'global', 'access', 'value'],
    'The address is a multiple of n, a power of two.',
    { payload: 'count', c: '_Alignas, __builtin_assume_aligned', llvm: 'align' },
  ),
  attribute('Range', ['access', 'call', 'value', 'parameter'], 'lo <= value < hi.', {
    payload: 'range',
    llvm: '!range',
  }),
  attribute('NoReturn', ['function', 'call'], 'Control does not come back.', {
    contradicts: ['WillReturn'],
    c: '_Noreturn',
    llvm: 'noreturn',
  }),
  attribute('WillReturn', ['function', 'call'], 'Control comes back after a finite time.', {
    contradicts: ['NoReturn'],
    llvm: 'willreturn',
  }),
  attribute('NoThrow', ['function', 'call'], 'The call does not unwind.', {
    c: '__attribute__((nothrow))',
    llvm: 'nounwind',
  }),
  attribute('NoUndef', ['parameter', 'value'], 'The value is not undef.', { llvm: 'noundef' }),

  request('Inline', ['function', 'call'], 'Worth inlining.', {
    contradicts: ['NoInline'],
    c: 'inline',
    llvm: 'inlinehint',
  }),
  request('AlwaysInline', ['function', 'call'], 'To be inlined wherever it is called.', {
    contradicts: ['NoInline'],
    c: 'static inline __attribute__((always_inline))',
    llvm: 'alwaysinline',
  }),
  request('NoInline', ['function', 'call'], 'Not to be inlined.', {
    contradicts: ['Inline', 'AlwaysInline'],
    c: '__attribute__((noinline))',
    llvm: 'noinline',
  }),
  request('TailCall', ['call'], 'Worth making a tail call.', { contradicts: ['NoTail'], llvm: 'tail' }),
  request('MustTail', ['call'], 'To be a tail call, whatever it takes.', {
    contradicts: ['NoTail'],
    c: '[[clang::musttail]]',
    llvm: 'musttail',
  }),
  request('NoTail', ['call'], 'Not to be a tail call.', {
    contradicts: ['TailCall', 'MustTail'],
    llvm: 'notail',
  }),
  request('ColdCall', ['call', 'branch'], 'Rarely reached.', {
    contradicts: ['LikelyCall'],
    c: '__builtin_expect(cond, 0)',
    llvm: 'cold',
  }),
  request('LikelyCall', ['call', 'branch'], 'The condition is usually true.', {
    contradicts: ['UnlikelyCall', 'ColdCall'],
    c: '__builtin_expect(cond, 1)',
    llvm: '!prof',
  }),
  request('UnlikelyCall', ['call', 'branch'], 'The condition is usually false.', {
    contradicts: ['LikelyCall'],
    c: '__builtin_expect(cond, 0)',
    llvm: '!prof',
  }),
  request('HotPath', ['function', 'branch'], 'Often executed.', {
    contradicts: ['ColdPath'],
    c: '__attribute__((hot))',
    llvm: '!prof',
  }),
  request('ColdPath', ['function', 'branch'], 'Rarely executed.', {
    contradicts: ['HotPath'],
    c: '__attribute__((cold))',
    llvm: '!prof',
  }),
  request('Vectorize', ['loop'], 'Worth vectorizing.', {
    c: '#pragma clang loop vectorize(enable)',
    llvm: '!llvm.loop.vectorize.enable',
  }),
  request('Unroll', ['loop'], 'Worth unrolling n times.', {
    payload: 'count',
    c: '#pragma GCC unroll n, #pragma clang loop unroll_count(n)',
    llvm: '!llvm.loop.unroll.count',
  }),
] as const;

/** A trait that every entity of its kind has, or that is a row of its own: it stands in no trait set, and is written where it stands. */
export interface StructuralTrait {
  readonly name: string;
  /** Where it stands in the tables, and how the text forms write it. */
  readonly stands: string;
  readonly c: string;
  readonly llvm: string;
  readonly summary: string;
}

/** The traits that stand in no set (002 §5). Together with `TRAITS` these are all that there are. */
export const STRUCTURAL_TRAITS: readonly StructuralTrait[] = [
  {
    name: 'ty',
    stands: 'the type column of every node, variable, global and instruction: `%x: i32`',
    c: 'the C type (008 Table 2)',
    llvm: 'the LLVM type (009 Table 2)',
    summary: 'The type. It is authoritative: nothing recomputes it.',
  },
  {
    name: 'layout',
    stands: 'the row of a named struct: `layout(size 16, align 8, at 0, 8)`',
    c: 'padding members, _Alignas and _Static_assert (008/R18)',
    llvm: 'padding elements and explicit alignments',
    summary: 'The size, the alignment and the offset of each member are these, on every target.',
  },
  {
    name: 'Assume',
    stands: 'the instruction `assume`, whose operand is the predicate',
    c: '__builtin_assume(pred), or a guard around __builtin_unreachable()',
    llvm: '@llvm.assume',
    summary: 'The predicate holds wherever control comes here.',
  },
  {
    name: 'Unreachable',
    stands: 'the terminator and statement `unreachable`',
    c: '__builtin_unreachable()',
    llvm: 'unreachable',
    summary: 'Control does not come here.',
  },
];

/** A trait that joins two sides and can be walked from both; it is a row of its own and stands in no set. */
export interface RelationshipRow<Name extends string = string> {
  readonly name: Name;
  /** What may be an end: a variable or a parameter (in VIR the values that it held), or a global. */
  readonly ends: readonly ('variable' | 'global')[];
  /** Whether an end that is a variable must be a pointer, since the relationship speaks of where it leads. */
  readonly ofPointers: boolean;
  /** Whether nothing can be so related to itself. */
  readonly isIrreflexive: boolean;
  /** The C construct (008 Table 1) and the LLVM metadata (009 Table 3). */
  readonly c: string;
  readonly llvm: string;
  readonly summary: string;
}

/** Every relationship (002 §5); its number is its place in this list. */
export const RELATIONSHIPS = [
  {
    name: 'NoAlias',
    ends: ['variable', 'global'],
    ofPointers: true,
    isIrreflexive: true,
    c: 'restrict, on a parameter that is so related to all else that the function reaches',
    llvm: '!alias.scope and !noalias',
    summary:
      'No byte is reached both through a pointer that one side held and through one that the other held, in one call of the function, unless all only read it.',
  },
] as const satisfies readonly RelationshipRow[];

/** The name of a relationship, as written in both text forms and in the builder. */
export type RelationshipName = (typeof RELATIONSHIPS)[number]['name'];

/** Relationship numbers by name. */
export const Relationship = Object.freeze(
  Object.fromEntries(RELATIONSHIPS.map((row, number) => [row.name, number])),
) as { readonly [Name in RelationshipName]: number };

/** The row of a relationship number, with its name widened. Requires 0 <= kind < RELATIONSHIPS.length. */
export function relationshipRow(kind: number): RelationshipRow<RelationshipName> {
  return RELATIONSHIPS[kind] as RelationshipRow<RelationshipName>;
}

/** The name of a trait, as written in both text forms. */
export type TraitName = (typeof TRAITS)[number]['name'];

/** Trait numbers by name. */
export const Trait = Object.freeze(
  Object.fromEntries(TRAITS.map((trait, number) => [trait.name, number])),
) as { readonly [Name in TraitName]: number };

/** Per trait with a bit in the mask of a set, the bits of those that contradict it: what the core knows of contradiction. */
export const CONTRADICTION_MASKS: readonly number[] = TRAITS.slice(0, 32).map((row) =>
  (row.contradicts as readonly TraitName[]).reduce(
    (mask, name) => (Trait[name] < 32 ? mask | (1 << Trait[name]) : mask),
    0,
  ),
);

/** The name of a trait number; of one that a forged table made up, the number. */
export function traitName(trait: number): string {
  return TRAITS[trait]?.name ?? `trait ${trait}`;
}

/** The row of a trait number, with its name widened. Requires 0 <= trait < TRAITS.length. */
export function traitRow(trait: number): TraitRow<TraitName> {
  return TRAITS[trait] as TraitRow<TraitName>;
}
