/** What the parts of the rewriter share: its stacks and lists, and how rows and values are made. */

import {
  type ConstantId,
  type FunctionId,
  isConstantOperand,
  NONE,
  type Node,
  operandConstant,
  type TraitSetId,
  type TypeId,
  type Value,
  type Variable,
} from '../../ir/entities.js';
import type { HirModule } from '../../ir/hir-module.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { ConstantKind, HIR_NODE, HIR_VARIABLE } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import { LabelCopies } from './labels.js';
import type { VariableUses } from './uses.js';

/** Statements of a block that is being written. */
export interface OpenList {
  readonly statements: Node[];
  /** Whether control comes to its end, as far as is known. */
  isReached: boolean;
}

/** A loop or switch around the walk. */
export interface Construct {
  readonly old: Node;
  /** NONE as long as nothing needs the node. */
  made: Node;
  readonly isLoop: boolean;
  /** How many defers were registered where it began. */
  readonly height: number;
  /** Whether a `break` that control comes to leaves it. */
  isBroken: boolean;
}

/** Traits that say something of a value which need not be so. */
const CHECKED: readonly number[] = [Trait.Range, Trait.NonNull, Trait.Align, Trait.NoUndef];

/** Traits that make a region. */
const REGION: readonly number[] = [Trait.complex, Trait.NoOptimize];

/** Traits with which a variable is not what was assigned to it last. */
export const CHANGING = [
  Trait.isAddressed,
  Trait.escapes,
  Trait.isRuntimeMutable,
  Trait.mayChangeAtRuntime,
  Trait.isVolatile,
  Trait.isAtomic,
];

/** Rewrites functions of `source` into `target`: what all parts of the rewriter share. Steps are pushed last first. */
export abstract class Rewriter {
  /** Whether another round may find more constants. */
  mayFindMore = false;
  readonly steps: (() => void)[] = [];
  /** Operands: a node of the target, or a constant; beside each the node that it came from. */
  readonly values: number[] = [];
  readonly origins: Node[] = [];
  /** Finished blocks that no list holds. */
  readonly blocks: Node[] = [];
  readonly lists: OpenList[] = [];
  /** Loops and switches around the place, loops alone, and each by its node of the source. */
  readonly constructs: Construct[] = [];
  readonly loops: Construct[] = [];
  readonly constructOf = new Map<Node, Construct>();
  /** Defers of the source that are registered. */
  readonly defers: Node[] = [];
  /** How many regions are around each defer that was registered: what it runs is outside the others on every way out. */
  readonly regionsAround = new Map<Node, number>();
  regionDepth = 0;
  /** The labels of the function, with the defers that are active at each, and what became of them. */
  labels: ReadonlyMap<Node, number> = new Map();
  labelCopies = new LabelCopies();
  id = NONE as FunctionId;
  firstVariable = 0;
  uses: VariableUses | undefined;
  /** Per variable of the source, those that stand for it; empty where nothing relates variables to each other. */
  readonly copies = new Map<number, Variable[]>();
  /** Per variable of the source: the one that stands for it now, and the constant that it is, or NONE. */
  variableOf = new Int32Array(0);
  constantOf = new Int32Array(0);

  constructor(
    readonly source: HirModule,
    readonly target: HirModule,
  ) {}

  /** Writes a statement of the source into the innermost open list. */
  abstract statement(node: Node): void;

  /** Pushes steps, the first to be done on top. */
  inOrder(...steps: readonly (() => void)[]): void {
    for (let index = steps.length - 1; index >= 0; index--) this.steps.push(steps[index] as () => void);
  }

  copyVariable(variable: number): Variable {
    const { source, target } = this;
    const row = this.firstVariable + variable;
    const column = (offset: number) => source.variables.get(row, offset);
    const traits = source.epochs.read('variable', row as Variable);
    const made = target.addVariable(
      this.id,
      column(HIR_VARIABLE.name),
      column(HIR_VARIABLE.type) as TypeId,
      traits,
      column(HIR_VARIABLE.position),
      column(HIR_VARIABLE.access),
    );
    copyPlace(source, target, 'variables', row, made);
    if (source.relationships.length > 0) {
      const known = this.copies.get(row);
      if (known === undefined) this.copies.set(row, [made]);
      else known.push(made);
    }
    return made;
  }

  /** The variable that stands for one of the source at this place. */
  nowOf(variable: number): number {
    if (this.variableOf[variable] === NONE) this.variableOf[variable] = this.copyVariable(variable);
    return this.variableOf[variable] as number;
  }

  /** A node like an old one; its children come later. */
  add(old: Node, kind: number, type: TypeId, a = NONE): Node {
    const { source, target } = this;
    const column = (offset: number) => source.nodes.get(old, offset);
    const made = target.addNode(
      kind,
      type,
      a,
      column(HIR_NODE.b),
      column(HIR_NODE.position),
      source.traits(old),
      column(HIR_NODE.name),
    );
    copyPlace(source, target, 'nodes', old, made);
    return made;
  }

  addLike(old: Node, a: number, children: readonly Node[]): Node {
    const made = this.add(old, this.source.kind(old), this.source.type(old), a);
    this.target.setChildren(made, children);
    return made;
  }

  /** A node that the source has not: it has the place of another one, and none of its traits. */
  addNew(origin: Node, kind: number, type: TypeId, a: number, children: readonly Node[]): Node {
    const { source, target } = this;
    const made = target.addNode(kind, type, a, NONE, source.nodes.get(origin, HIR_NODE.position));
    copyPlace(source, target, 'nodes', origin, made);
    target.setChildren(made, children);
    return made;
  }

  push(value: number, origin: Node): void {
    this.values.push(value);
    this.origins.push(origin);
  }

  /** The constant on top of the stack, when it is one that folding may look at. */
  topConstant(): ConstantId | undefined {
    const value = this.values[this.values.length - 1] as Value;
    if (!isConstantOperand(value) || this.regionDepth > 0) return undefined;
    const constant = operandConstant(value);
    return this.source.tables.constants.kind(constant) === ConstantKind.integer ? constant : undefined;
  }

  /** Whether the condition on top of the stack is known. */
  topCondition(): boolean | undefined {
    const constant = this.topConstant();
    return constant === undefined ? undefined : this.source.tables.constants.integerBits(constant) === 1n;
  }

  drop(): number {
    this.origins.pop();
    return this.values.pop() as number;
  }

  /** The value on top of the stack as a node. */
  popNode(): Node {
    const origin = this.origins.pop() as Node;
    const value = this.values.pop() as Value;
    if (!isConstantOperand(value)) return value as number as Node;
    const constant = operandConstant(value);
    const { constants } = this.target.tables;
    if (this.source.kind(origin) === NodeKind.constant) return this.addLike(origin, constant, []);
    return this.addNew(origin, NodeKind.constant, constants.type(constant), constant, []);
  }

  openList(): void {
    this.lists.push({ statements: [], isReached: true });
  }

  list(): OpenList {
    return this.lists[this.lists.length - 1] as OpenList;
  }

  emit(statement: Node): void {
    this.list().statements.push(statement);
  }

  isRegion(traits: TraitSetId): boolean {
    const { traitSets } = this.source.tables;
    return REGION.some((trait) => traitSets.has(traits, trait));
  }

  /** What is in a region is written as it is. */
  inRegion(node: Node, work: () => void): void {
    if (!this.isRegion(this.source.traits(node))) {
      work();
      return;
    }
    this.regionDepth++;
    this.inOrder(work, () => {
      this.regionDepth--;
    });
  }

  /** Whether a trait says something that the value may violate, which is erroneous where the value is made. */
  isChecked(traits: TraitSetId): boolean {
    const { traitSets } = this.source.tables;
    return CHECKED.some((trait) => traitSets.has(traits, trait));
  }

  newBlock(origin: Node, statements: readonly Node[]): Node {
    return this.addNew(origin, NodeKind.block, this.target.tables.types.void, NONE, statements);
  }

  /** Emits a block that stands for a node of the source, in a block around it where that makes a region and the block is one already. */
  emitAround(old: Node, block: Node): void {
    const { source, target } = this;
    if (!this.isRegion(source.traits(old))) {
      this.emit(block);
      return;
    }
    const around = this.isRegion(target.traits(block)) ? this.newBlock(old, [block]) : block;
    this.keepRegion(old, around);
    this.emit(around);
  }

  /** Says of a node that is new that it is in the region that an old one makes. */
  keepRegion(old: Node, made: Node): void {
    const { source, target } = this;
    const { traitSets } = target.tables;
    let traits = target.traits(made);
    for (const entry of traitSets.list(source.traits(old)))
      if (REGION.includes(entry.trait)) traits = traitSets.with(traits, entry);
    target.epochs.restate('node', made, traits);
  }
}

/** Gives a row of the target the place in the text that one of the source has. */
export function copyPlace(
  source: HirModule,
  target: HirModule,
  table: 'nodes' | 'variables' | 'relationships',
  from: number,
  to: number,
): void {
  const place = source.textPlaces?.get(source.textPlaces[table], from);
  if (place === undefined || target.textPlaces === undefined) return;
  target.textPlaces.set(target.textPlaces[table], to, place.line as number, place.column as number);
}

export function reverseFrom<Item>(items: Item[], start: number): void {
  for (let low = start, high = items.length - 1; low < high; low++, high--) {
    const kept = items[low] as Item;
    items[low] = items[high] as Item;
    items[high] = kept;
  }
}
