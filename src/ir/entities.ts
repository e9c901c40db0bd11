/**
 * The entities of both representations, as branded numbers: an index into one table each.
 *
 * A brand exists only in the type checker, so that a block cannot be passed where a value is wanted;
 * at run time an entity is a small integer, and `NONE` (-1) stands for "no entity" in every column.
 */

declare const brand: unique symbol;

/** A number that indexes the table named by `Name`. */
export type Entity<Name extends string> = number & { readonly [brand]: Name };

/** A row of the type table. */
export type TypeId = Entity<'type'>;
/** A row of the name table: an interned string. */
export type NameId = Entity<'name'>;
/** A row of the constant table. */
export type ConstantId = Entity<'constant'>;
/** A row of the global table. */
export type GlobalId = Entity<'global'>;
/** A row of the function table, shared by HIR and VIR. */
export type FunctionId = Entity<'function'>;
/** A row of the position table. */
export type PositionId = Entity<'position'>;
/** A row of the trait-set table; 0 is the empty set. */
export type TraitSetId = Entity<'traitSet'>;
/** A row of the relationship table of HIR or VIR. */
export type RelationshipId = Entity<'relationship'>;

/** A row of the HIR node table. Unique in its module. */
export type Node = Entity<'node'>;
/** A row of the HIR variable table. Unique in its module. */
export type Variable = Entity<'variable'>;

/** An instruction of one VIR function, counted from the function's first instruction. */
export type Inst = Entity<'instruction'>;
/** A block of one VIR function, counted from the function's first block. */
export type Block = Entity<'block'>;
/**
 * An operand: an instruction's result when not negative (the number is the `Inst`), a constant when
 * below -1 (`-2 - constant`), and no value when it is `NONE`.
 */
export type Value = Entity<'value'>;

/** No entity. */
export const NONE = -1;

/** The operand that names a constant. */
export function constantOperand(constant: ConstantId): Value {
  return (-2 - constant) as Value;
}

/** Whether an operand names a constant. */
export function isConstantOperand(value: Value): boolean {
  return value < NONE;
}

/** The constant that an operand names. Requires `isConstantOperand(value)`. */
export function operandConstant(value: Value): ConstantId {
  return (-2 - value) as ConstantId;
}

/** The operand that names the result of an instruction. */
export function instructionOperand(inst: Inst): Value {
  return inst as number as Value;
}

/** The instruction whose result an operand names. Requires `value >= 0`. */
export function operandInstruction(value: Value): Inst {
  return value as number as Inst;
}
