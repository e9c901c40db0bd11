/**
 * Writes the tree of one function anew (004 §4, §5): constants folded, branches on them pruned, what no control reaches left out, and every
 * defer replaced by its statement at each exit that runs it.
 *
 * One walk with an explicit stack of steps. Expressions leave a value on a stack, a node of the new module or a constant that is
 * not a node yet; statements go to the innermost open list. Steps are pushed last first.
 */

import { foldOperation } from '../../ir/constant-folding.js';
import {
  type ConstantId,
  constantOperand,
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
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, HIR_NODE, HIR_VARIABLE } from '../../ir/schema.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { caseBounds } from '../case-values.js';
import { findLabels, LabelCopies } from './labels.js';
import { findUses, type VariableUses } from './uses.js';

/** Statements of a block that is being written. */
interface OpenList {
  readonly statements: Node[];
  /** Whether control comes to its end, as far as is known. */
  isReached: boolean;
}

/** A loop or switch around the walk. */
interface Construct {
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

/** An arm of the source, and what its body has become. */
interface MadeArm {
  readonly arm: Node;
  readonly body: Node;
  readonly isReached: boolean;
}

/** Traits with which a variable is not what was assigned to it last. */
const CHANGING = [
  Trait.isAddressed,
  Trait.escapes,
  Trait.isRuntimeMutable,
  Trait.mayChangeAtRuntime,
  Trait.isVolatile,
  Trait.isAtomic,
];

/** Rewrites functions of `source` into `target`, one after the other. */
export class FunctionRewriter {
  /** Whether another round may find more constants. */
  mayFindMore = false;
  readonly #steps: (() => void)[] = [];
  /** Operands: a node of the target, or a constant; beside each the node that it came from. */
  readonly #values: number[] = [];
  readonly #origins: Node[] = [];
  /** Finished blocks that no list holds. */
  readonly #blocks: Node[] = [];
  readonly #lists: OpenList[] = [];
  /** Loops and switches around the place, loops alone, and each by its node of the source. */
  readonly #constructs: Construct[] = [];
  readonly #loops: Construct[] = [];
  readonly #constructOf = new Map<Node, Construct>();
  /** Defers of the source that are registered. */
  readonly #defers: Node[] = [];
  /** How many regions are around each defer that was registered: what it runs is outside the others on every way out. */
  readonly #regionsAround = new Map<Node, number>();
  #regionDepth = 0;
  /** The labels of the function, with the defers that are active at each, and what became of them. */
  #labels: ReadonlyMap<Node, number> = new Map();
  #labelCopies = new LabelCopies();
  #id = NONE as FunctionId;
  #firstVariable = 0;
  #uses: VariableUses | undefined;
  /** Per variable of the source, those that stand for it; empty where nothing relates variables to each other. */
  readonly copies = new Map<number, Variable[]>();
  /** Per variable of the source: the one that stands for it now, and the constant that it is, or NONE. */
  #variableOf = new Int32Array(0);
  #constantOf = new Int32Array(0);

  constructor(
    readonly source: HirModule,
    readonly target: HirModule,
  ) {}

  /** Gives what the new body does with its variables. `uses` is what the old one does. */
  rewrite(id: FunctionId, uses: VariableUses): VariableUses {
    const { source, target } = this;
    this.#id = id;
    this.#uses = uses;
    this.#firstVariable = source.firstVariable(id);
    const first = target.variables.length;
    const count = source.variableCount(id);
    this.#variableOf = new Int32Array(count).fill(NONE);
    this.#constantOf = new Int32Array(count).fill(NONE);
    // Parameters and what lives throughout; the others come where they are declared, so that none is left of what goes.
    for (let variable = 0; variable < count; variable++) {
      const isDeclared =
        source.variables.get(this.#firstVariable + variable, HIR_VARIABLE.declaration) !== NONE;
      if (!isDeclared) this.#variableOf[variable] = this.#copyVariable(variable);
    }
    const body = source.body(id);
    this.#labels = findLabels(source, id);
    this.#labelCopies = new LabelCopies();
    // Where control may come from anywhere, everything is kept.
    this.#regionDepth = this.#labels.size > 0 || this.#isRegion(source.epochs.read('function', id)) ? 1 : 0;
    this.#openList();
    this.#then(
      () => this.#block(body),
      () => {},
    );
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) step();
    const [newBody] = (this.#lists.pop() as OpenList).statements;
    target.defineFunction(
      id,
      newBody as Node,
      first,
      target.variables.length - first,
      source.parameterCount(id),
    );
    const made = findUses(target, id);
    this.#noteUnassigned(uses, made, first);
    return made;
  }

  /** Whether a variable is assigned no more, since what did it is gone: then it may be a constant now. */
  #noteUnassigned(before: VariableUses, after: VariableUses, first: number): void {
    const { target } = this;
    const { traitSets } = target.tables;
    for (const [variable, made] of this.#variableOf.entries()) {
      if (before.isAssigned[variable] !== 1 || made === NONE || after.isAssigned[made - first] === 1)
        continue;
      const traits = target.variables.get(made, HIR_VARIABLE.traits) as TraitSetId;
      if (!CHANGING.some((trait) => traitSets.has(traits, trait))) this.mayFindMore = true;
    }
  }

  /** Copies the parameters of a function without a body, where they are named. */
  copyDeclaration(id: FunctionId): void {
    const { source, target } = this;
    const count = source.variableCount(id);
    if (count === 0) return;
    this.#id = id;
    this.#uses = undefined;
    this.#firstVariable = source.firstVariable(id);
    const first = target.variables.length;
    for (let variable = 0; variable < count; variable++) this.#copyVariable(variable);
    target.defineFunction(id, NONE as Node, first, count, source.parameterCount(id));
  }

  /** Pushes steps, the first to be done on top. */
  #then(...steps: readonly (() => void)[]): void {
    for (let index = steps.length - 1; index >= 0; index--) this.#steps.push(steps[index] as () => void);
  }

  // Rows

  #copyVariable(variable: number): Variable {
    const { source, target } = this;
    const row = this.#firstVariable + variable;
    const column = (offset: number) => source.variables.get(row, offset);
    const traits = source.epochs.read('variable', row as Variable);
    const made = target.addVariable(
      this.#id,
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
  #nowOf(variable: number): number {
    if (this.#variableOf[variable] === NONE) this.#variableOf[variable] = this.#copyVariable(variable);
    return this.#variableOf[variable] as number;
  }

  /** A node like an old one; its children come later. */
  #add(old: Node, kind: number, type: TypeId, a = NONE): Node {
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

  #addLike(old: Node, a: number, children: readonly Node[]): Node {
    const made = this.#add(old, this.source.kind(old), this.source.type(old), a);
    this.target.setChildren(made, children);
    return made;
  }

  /** A node that the source has not: it has the place of another one, and none of its traits. */
  #addNew(origin: Node, kind: number, type: TypeId, a: number, children: readonly Node[]): Node {
    const { source, target } = this;
    const made = target.addNode(kind, type, a, NONE, source.nodes.get(origin, HIR_NODE.position));
    copyPlace(source, target, 'nodes', origin, made);
    target.setChildren(made, children);
    return made;
  }

  // Values

  #push(value: number, origin: Node): void {
    this.#values.push(value);
    this.#origins.push(origin);
  }

  /** The constant on top of the stack, when it is one that folding may look at. */
  #topConstant(): ConstantId | undefined {
    const value = this.#values[this.#values.length - 1] as Value;
    if (!isConstantOperand(value) || this.#regionDepth > 0) return undefined;
    const constant = operandConstant(value);
    return this.source.tables.constants.kind(constant) === ConstantKind.integer ? constant : undefined;
  }

  /** Whether the condition on top of the stack is known. */
  #topCondition(): boolean | undefined {
    const constant = this.#topConstant();
    return constant === undefined ? undefined : this.source.tables.constants.integerBits(constant) === 1n;
  }

  #drop(): number {
    this.#origins.pop();
    return this.#values.pop() as number;
  }

  /** The value on top of the stack as a node. */
  #popNode(): Node {
    const origin = this.#origins.pop() as Node;
    const value = this.#values.pop() as Value;
    if (!isConstantOperand(value)) return value as number as Node;
    const constant = operandConstant(value);
    const { constants } = this.target.tables;
    if (this.source.kind(origin) === NodeKind.constant) return this.#addLike(origin, constant, []);
    return this.#addNew(origin, NodeKind.constant, constants.type(constant), constant, []);
  }

  // Lists

  #openList(): void {
    this.#lists.push({ statements: [], isReached: true });
  }

  #list(): OpenList {
    return this.#lists[this.#lists.length - 1] as OpenList;
  }

  #emit(statement: Node): void {
    this.#list().statements.push(statement);
  }

  // Expressions

  #isRegion(traits: TraitSetId): boolean {
    const { traitSets } = this.source.tables;
    return REGION.some((trait) => traitSets.has(traits, trait));
  }

  /** What is in a region is written as it is. */
  #inRegion(node: Node, work: () => void): void {
    if (!this.#isRegion(this.source.traits(node))) {
      work();
      return;
    }
    this.#regionDepth++;
    this.#then(work, () => {
      this.#regionDepth--;
    });
  }

  #expression(node: Node): void {
    this.#inRegion(node, () => this.#expressionInside(node));
  }

  #expressionInside(node: Node): void {
    const { source } = this;
    switch (source.kind(node)) {
      case NodeKind.constant:
        if (this.#isChecked(source.traits(node))) this.#push(this.#addLike(node, source.a(node), []), node);
        else this.#push(constantOperand(source.a(node) as ConstantId), node);
        return;
      case NodeKind.variable: {
        const variable = source.a(node) - this.#firstVariable;
        const constant = this.#constantOf[variable] as number;
        if (constant !== NONE && this.#regionDepth === 0 && !this.#isChecked(source.traits(node)))
          this.#push(constantOperand(constant as ConstantId), node);
        else this.#push(this.#addLike(node, this.#nowOf(variable), []), node);
        return;
      }
      case NodeKind.address: {
        const variable = source.a(node) - this.#firstVariable;
        this.#push(this.#addLike(node, this.#nowOf(variable), []), node);
        return;
      }
      case NodeKind.operation:
        this.#operands(source.firstChild(node), () => this.#operation(node));
        return;
      case NodeKind.conditional:
        this.#conditional(node);
        return;
      default:
        this.#logical(node);
    }
  }

  /** The expressions from `node` on, each to the stack, and then `finish`. */
  #operands(node: Node, finish: () => void): void {
    this.#steps.push(finish);
    const start = this.#steps.length;
    for (let at = node; at !== NONE; at = this.source.nextSibling(at)) {
      const operand = at;
      this.#steps.push(() => this.#expression(operand));
    }
    reverseFrom(this.#steps, start);
  }

  #operation(node: Node): void {
    const { source, target } = this;
    let count = 0;
    for (let child = source.firstChild(node); child !== NONE; child = source.nextSibling(child)) count++;
    const first = this.#values.length - count;
    const isKnown =
      this.#regionDepth === 0 &&
      !this.#isChecked(source.traits(node)) &&
      count > 0 &&
      count <= 3 &&
      this.#values.slice(first).every((value) => isConstantOperand(value as Value));
    if (isKnown) {
      const operands = this.#values.slice(first).map((value) => operandConstant(value as Value));
      const folded = foldOperation(
        target.tables,
        source.a(node),
        source.type(node),
        source.b(node),
        operands,
      );
      if (folded !== undefined) {
        this.#values.length = first;
        this.#origins.length = first;
        this.#push(constantOperand(folded), node);
        return;
      }
    }
    if (this.#select(node, first)) return;
    const children: Node[] = [];
    while (this.#values.length > first) children.push(this.#popNode());
    this.#push(this.#addLike(node, source.a(node), children.reverse()), node);
  }

  /** A `select` of which the condition is a constant and the side that goes is a constant or a variable that nobody watches. */
  #select(node: Node, first: number): boolean {
    const { source } = this;
    const [condition, whenTrue, whenFalse] = this.#values.slice(first) as [Value, Value, Value];
    if (source.a(node) !== Opcode.select || this.#regionDepth > 0) return false;
    if (this.#isChecked(source.traits(node)) || !isConstantOperand(condition)) return false;
    const { constants } = source.tables;
    if (constants.kind(operandConstant(condition)) !== ConstantKind.integer) return false;
    const isFirst = constants.integerBits(operandConstant(condition)) === 1n;
    if (!this.#isIdle(isFirst ? whenFalse : whenTrue)) return false;
    const origin = this.#origins[first + (isFirst ? 1 : 2)] as Node;
    this.#values.length = first;
    this.#origins.length = first;
    this.#push(isFirst ? whenTrue : whenFalse, origin);
    return true;
  }

  /** Whether not to evaluate a value changes nothing. */
  #isIdle(value: Value): boolean {
    if (isConstantOperand(value)) return true;
    const { target } = this;
    const node = value as number as Node;
    if (target.kind(node) !== NodeKind.variable || this.#isChecked(target.traits(node))) return false;
    const traits = target.variables.get(target.a(node), HIR_VARIABLE.traits) as TraitSetId;
    return !CHANGING.some((trait) => target.tables.traitSets.has(traits, trait));
  }

  /** Whether a trait says something that the value may violate, which is erroneous where the value is made. */
  #isChecked(traits: TraitSetId): boolean {
    const { traitSets } = this.source.tables;
    return CHECKED.some((trait) => traitSets.has(traits, trait));
  }

  #conditional(node: Node): void {
    const [condition, first, second] = this.source.children(node) as [Node, Node, Node];
    this.#then(
      () => this.#expression(condition),
      () => {
        const known = this.#isChecked(this.source.traits(node)) ? undefined : this.#topCondition();
        if (known !== undefined) {
          this.#drop();
          this.#expression(known ? first : second);
          return;
        }
        this.#then(
          () => this.#expression(first),
          () => this.#expression(second),
          () => {
            const third = this.#popNode();
            const middle = this.#popNode();
            this.#push(this.#addLike(node, NONE, [this.#popNode(), middle, third]), node);
          },
        );
      },
    );
  }

  /** `andalso` is decided by false, `orelse` by true; the other constant on either side leaves the other side. */
  #logical(node: Node): void {
    const [first, second] = this.source.children(node) as [Node, Node];
    const deciding = this.source.kind(node) === NodeKind.logicalOr;
    this.#then(
      () => this.#expression(first),
      () => {
        const isChecked = this.#isChecked(this.source.traits(node));
        const known = isChecked ? undefined : this.#topCondition();
        if (known === deciding) return;
        if (known !== undefined) {
          this.#drop();
          this.#expression(second);
          return;
        }
        this.#then(
          () => this.#expression(second),
          () => {
            if (!isChecked && this.#topCondition() === !deciding) {
              this.#drop();
              return;
            }
            const right = this.#popNode();
            this.#push(this.#addLike(node, NONE, [this.#popNode(), right]), node);
          },
        );
      },
    );
  }

  // Statements

  /** Statements from `node` on, up to one that control does not leave at its end. */
  #statements(node: Node): void {
    // A label may stand anywhere behind a jump.
    if (this.#labels.size > 0) this.#list().isReached ||= node !== NONE;
    if (node === NONE || !this.#list().isReached) return;
    this.#then(
      () => this.#statement(node),
      () => this.#statements(this.source.nextSibling(node)),
    );
  }

  #statement(node: Node): void {
    this.#inRegion(node, () => this.#statementInside(node));
  }

  #statementInside(node: Node): void {
    const { source } = this;
    const kind = source.kind(node);
    switch (kind) {
      case NodeKind.block:
        this.#block(node);
        return;
      case NodeKind.declare:
      case NodeKind.assign:
        this.#write(node);
        return;
      case NodeKind.if:
        this.#if(node);
        return;
      case NodeKind.while:
        this.#while(node);
        return;
      case NodeKind.doWhile:
        this.#doWhile(node);
        return;
      case NodeKind.for:
        this.#for(node);
        return;
      case NodeKind.switch:
        this.#switch(node);
        return;
      case NodeKind.break:
      case NodeKind.continue:
        this.#jump(node);
        return;
      case NodeKind.return:
        this.#return(node);
        return;
      case NodeKind.label:
        this.#emit(this.#copyLabel(node));
        return;
      case NodeKind.goto:
        this.#goto(node);
        return;
      case NodeKind.defer:
        this.#defers.push(node);
        this.#regionsAround.set(node, this.#regionDepth - (this.#isRegion(source.traits(node)) ? 1 : 0));
        return;
      case NodeKind.unreachable:
        this.#emit(this.#addLike(node, NONE, []));
        this.#list().isReached = false;
        return;
      default:
        if (kind === NodeKind.operation && source.a(node) === Opcode.assume) {
          this.#assume(node);
          return;
        }
        this.#then(
          () => this.#expression(node),
          () => {
            // A constant that nobody wants does nothing.
            if (isConstantOperand(this.#values[this.#values.length - 1] as Value)) this.#drop();
            else this.#emit(this.#popNode());
          },
        );
    }
  }

  /** What is known to be true need not be assumed. */
  #assume(node: Node): void {
    this.#then(
      () => this.#expression(this.source.firstChild(node)),
      () => {
        if (this.#topCondition() === true) this.#drop();
        else this.#emit(this.#addLike(node, Opcode.assume, [this.#popNode()]));
      },
    );
  }

  /** A block as a statement of the list. */
  #block(node: Node): void {
    this.#then(
      () => this.#makeBlock(node),
      () => this.#emit(this.#blocks.pop() as Node),
    );
  }

  /** A block on the stack of blocks; what follows in the list around is reached when the end of the block is. */
  #makeBlock(node: Node): void {
    const height = this.#defers.length;
    this.#openList();
    this.#then(
      () => this.#statements(this.source.firstChild(node)),
      () => this.#endScope(height),
      () => {
        const { statements, isReached } = this.#lists.pop() as OpenList;
        this.#blocks.push(this.#addLike(node, NONE, statements));
        if (!isReached) this.#list().isReached = false;
      },
    );
  }

  /** An arm of a branch: a block, after which `isReached` of the list around is as before; says it to `tell`. */
  #makeArm(node: Node, tell: (isReached: boolean) => void): void {
    this.#then(
      () => this.#makeBlock(node),
      () => {
        tell(this.#list().isReached);
        this.#list().isReached = true;
      },
    );
  }

  #write(node: Node): void {
    const { source } = this;
    const variable = source.a(node) - this.#firstVariable;
    const value = source.firstChild(node);
    if (value === NONE) {
      this.#writeWith(node, variable, []);
      return;
    }
    this.#then(
      () => this.#expression(value),
      () => {
        const top = this.#values[this.#values.length - 1] as Value;
        const constant = isConstantOperand(top) ? operandConstant(top) : undefined;
        this.#writeWith(node, variable, [this.#popNode()]);
        if (constant !== undefined) this.#noteConstant(node, variable, constant);
      },
    );
  }

  #writeWith(node: Node, variable: number, children: readonly Node[]): void {
    const { source, target } = this;
    const isDeclaration = source.kind(node) === NodeKind.declare;
    const known = this.#nowOf(variable);
    // Each copy of what is deferred has variables of its own.
    const isTaken = isDeclaration && target.variables.get(known, HIR_VARIABLE.declaration) !== NONE;
    if (isTaken) this.#variableOf[variable] = this.#copyVariable(variable);
    const made = this.#addLike(node, this.#nowOf(variable), children);
    if (isDeclaration) target.variables.set(this.#nowOf(variable), HIR_VARIABLE.declaration, made);
    this.#emit(made);
  }

  /** A variable that is set to a constant where it is declared, and never again, is that constant. */
  #noteConstant(node: Node, variable: number, constant: ConstantId): void {
    const { source, target } = this;
    const { constants, traitSets, types } = source.tables;
    if (source.kind(node) !== NodeKind.declare || this.#regionDepth > 0) return;
    if (this.#uses?.isAssigned[variable] === 1 || constants.kind(constant) === ConstantKind.undef) return;
    if (types.isAggregate(constants.type(constant))) return;
    const row = this.#nowOf(variable);
    const traits = target.variables.get(row, HIR_VARIABLE.traits) as TraitSetId;
    if (CHANGING.some((trait) => traitSets.has(traits, trait))) return;
    this.#constantOf[variable] = constant;
    target.variables.set(row, HIR_VARIABLE.traits, traitSets.with(traits, traitEntry(Trait.comptime)));
  }

  #if(node: Node): void {
    const [condition, whenTrue, whenFalse] = this.source.children(node) as [Node, Node, Node?];
    this.#then(
      () => this.#expression(condition),
      () => {
        const known = this.#topCondition();
        if (known === undefined) {
          this.#ifElse(node, whenTrue, whenFalse);
          return;
        }
        this.#drop();
        const taken = known ? whenTrue : whenFalse;
        if (taken !== undefined) this.#statement(taken);
      },
    );
  }

  #ifElse(node: Node, whenTrue: Node, whenFalse: Node | undefined): void {
    let isReached = whenFalse === undefined;
    const tell = (isArmReached: boolean) => {
      isReached ||= isArmReached;
    };
    this.#then(
      () => this.#makeArm(whenTrue, tell),
      () => {
        if (whenFalse !== undefined) this.#makeArm(whenFalse, tell);
      },
      () => {
        const otherwise = whenFalse === undefined ? [] : [this.#blocks.pop() as Node];
        const taken = this.#blocks.pop() as Node;
        this.#emit(this.#addLike(node, NONE, [this.#popNode(), taken, ...otherwise]));
        this.#list().isReached = isReached;
      },
    );
  }

  #openConstruct(old: Node, isLoop: boolean): Construct {
    const construct = { old, made: NONE as Node, isLoop, height: this.#defers.length, isBroken: false };
    this.#constructs.push(construct);
    this.#constructOf.set(old, construct);
    if (isLoop) this.#loops.push(construct);
    return construct;
  }

  #leaveConstruct(): Construct {
    const construct = this.#constructs.pop() as Construct;
    this.#constructOf.delete(construct.old);
    if (construct.isLoop) this.#loops.pop();
    return construct;
  }

  #closeConstruct(children: readonly Node[]): void {
    const made = this.#madeOf(this.#leaveConstruct());
    this.target.setChildren(made, children);
    this.#emit(made);
  }

  #madeOf(construct: Construct): Node {
    const { old } = construct;
    if (construct.made === NONE)
      construct.made = this.#add(old, this.source.kind(old), this.source.type(old));
    return construct.made;
  }

  #while(node: Node): void {
    const [condition, body] = this.source.children(node) as [Node, Node];
    this.#then(
      () => this.#expression(condition),
      () => {
        if (this.#topCondition() === false) {
          this.#drop();
          return;
        }
        const isEndless = this.#topCondition() === true;
        const construct = this.#openConstruct(node, true);
        this.#then(
          () => this.#makeArm(body, () => {}),
          () => {
            this.#closeConstruct([this.#popNode(), this.#blocks.pop() as Node]);
            if (isEndless && !construct.isBroken) this.#list().isReached = false;
          },
        );
      },
    );
  }

  #doWhile(node: Node): void {
    const [body, condition] = this.source.children(node) as [Node, Node];
    this.#openConstruct(node, true);
    this.#then(
      () => this.#makeArm(body, () => {}),
      () => this.#expression(condition),
      () => this.#closeConstruct([this.#blocks.pop() as Node, this.#popNode()]),
    );
  }

  /**
   * What the init defers runs after the loop, in the scope of the init: then the init stands in a block around the loop. So it does where
   * the loop never runs.
   */
  #for(node: Node): void {
    const { source } = this;
    const [init, condition, step, body] = source.children(node) as [Node, Node, Node, Node];
    const height = this.#defers.length;
    const isAround = source.children(init).some((child) => source.kind(child) === NodeKind.defer);
    let isRun = true;
    this.#openList();
    this.#then(
      () => this.#statements(source.firstChild(init)),
      () => {
        if (!this.#list().isReached && this.#labels.size === 0) {
          isRun = false;
          return;
        }
        this.#then(
          () => this.#expression(condition),
          () => {
            isRun = this.#topCondition() !== false;
            if (isRun) this.#loopOfFor(node, isAround, step, body);
            else this.#drop();
          },
        );
      },
      () => this.#endScope(height),
      () => {
        const { statements, isReached } = this.#lists.pop() as OpenList;
        if (isRun && !isAround) this.#emit(statements[0] as Node);
        else if (statements.length > 0) this.#emitAround(node, this.#addLike(init, NONE, statements));
        if (!isReached) this.#list().isReached = false;
      },
    );
  }

  /** The loop itself, in the list of the init; that list becomes the init unless it stands around the loop. */
  #loopOfFor(node: Node, isAround: boolean, step: Node, body: Node): void {
    const init = this.source.firstChild(node);
    const { statements } = this.#list();
    const inside = isAround ? [] : statements.splice(0);
    const isEndless = this.#topCondition() === true;
    const construct = this.#openConstruct(node, true);
    this.#then(
      () => this.#makeArm(body, () => {}),
      () => this.#makeArm(step, () => {}),
      () => {
        const made = this.#addLike(init, NONE, inside);
        const stepBlock = this.#blocks.pop() as Node;
        const bodyBlock = this.#blocks.pop() as Node;
        this.#closeConstruct([made, this.#popNode(), stepBlock, bodyBlock]);
        if (isEndless && !construct.isBroken) this.#list().isReached = false;
      },
    );
  }

  #switch(node: Node): void {
    const { source } = this;
    const value = source.firstChild(node);
    this.#then(
      () => this.#expression(value),
      () => {
        const all = source.children(node).slice(1);
        const constant = this.#topConstant();
        const arms = constant === undefined ? all : this.#reachedArms(all, constant);
        const construct = this.#openConstruct(node, false);
        const bodies: MadeArm[] = [];
        this.#then(
          () => this.#arms(arms, 0, bodies, constant !== undefined),
          () => {
            if (constant !== undefined && !construct.isBroken) this.#straightArms(bodies);
            else this.#closeSwitch(node, bodies);
          },
        );
      },
    );
  }

  /** Arms of which the first is chosen and none breaks: their bodies, one after the other. */
  #straightArms(bodies: readonly MadeArm[]): void {
    this.#leaveConstruct();
    this.#drop();
    for (const { arm, body } of bodies) this.#emitAround(arm, body);
    const last = bodies[bodies.length - 1];
    if (last !== undefined) this.#list().isReached = last.isReached;
  }

  #closeSwitch(node: Node, bodies: readonly MadeArm[]): void {
    const { source } = this;
    const arms = bodies.map(({ arm, body }) => {
      const labels = source
        .children(arm)
        .slice(0, -1)
        .map((child) => this.#addLike(child, source.a(child), []));
      return this.#addLike(arm, source.a(arm), [...labels, body]);
    });
    const last = bodies[bodies.length - 1];
    const isTotal = bodies.some(({ arm }) => source.kind(arm) === NodeKind.default);
    const isLeft = bodies.some(
      ({ arm, isReached }) => isReached && (source.a(arm) !== 1 || arm === last?.arm),
    );
    const { isBroken } = this.#constructOf.get(node) as Construct;
    this.#closeConstruct([this.#popNode(), ...arms]);
    this.#list().isReached = !isTotal || isLeft || isBroken;
  }

  /** The arm that a constant chooses, and those into which it falls through. */
  #reachedArms(arms: readonly Node[], constant: ConstantId): Node[] {
    const { source } = this;
    const { constants } = source.tables;
    const value = constants.integerValue(constant);
    const isCase = (arm: Node) =>
      source.children(arm).some((child) => {
        const bounds = caseBounds(source, child);
        return bounds !== undefined && bounds[0] <= value && value <= bounds[1];
      });
    let first = arms.findIndex((arm) => source.kind(arm) === NodeKind.case && isCase(arm));
    if (first < 0) first = arms.findIndex((arm) => source.kind(arm) === NodeKind.default);
    if (first < 0) return [];
    let end = first + 1;
    while (end < arms.length && source.a(arms[end - 1] as Node) === 1) end++;
    return arms.slice(first, end);
  }

  /** Makes the arms from `index` on; where they only fall into one another, up to one that control does not leave at its end. */
  #arms(arms: readonly Node[], index: number, made: MadeArm[], isChain: boolean): void {
    const arm = arms[index];
    if (arm === undefined || (isChain && made[index - 1]?.isReached === false)) return;
    const body = this.source.children(arm).at(-1) as Node;
    let isArmReached = false;
    this.#then(
      () =>
        this.#inRegion(arm, () =>
          this.#makeArm(body, (isReached) => {
            isArmReached = isReached;
          }),
        ),
      () => {
        made.push({ arm, body: this.#blocks.pop() as Node, isReached: isArmReached });
        this.#arms(arms, index + 1, made, isChain);
      },
    );
  }

  #jump(node: Node): void {
    const { source } = this;
    const target = source.a(node);
    const isContinue = source.kind(node) === NodeKind.continue;
    const innermost = isContinue ? this.#loops : this.#constructs;
    const construct = (
      target === NONE ? innermost[innermost.length - 1] : this.#constructOf.get(target as Node)
    ) as Construct;
    this.#runDefers(construct.height, () => {
      if (!isContinue) construct.isBroken = true;
      this.#emit(this.#addLike(node, target === NONE ? NONE : this.#madeOf(construct), []));
      this.#list().isReached = false;
    });
  }

  #copyLabel(label: Node): Node {
    return this.#labelCopies.of(label, () => this.#addLike(label, NONE, []));
  }

  #goto(node: Node): void {
    const label = this.source.a(node) as Node;
    this.#runDefers(this.#labels.get(label) as number, () => {
      this.#emit(this.#addLike(node, this.#copyLabel(label), []));
      this.#list().isReached = false;
    });
  }

  #return(node: Node): void {
    const { source, target } = this;
    const value = source.firstChild(node);
    const finish = (children: readonly Node[]) => {
      this.#emit(this.#addLike(node, NONE, children));
      this.#list().isReached = false;
    };
    if (value === NONE) {
      this.#runDefers(0, () => finish([]));
      return;
    }
    this.#then(
      () => this.#expression(value),
      () => {
        const isConstant = isConstantOperand(this.#values[this.#values.length - 1] as Value);
        if (this.#defers.length === 0 || isConstant) {
          const made = this.#popNode();
          this.#runDefers(0, () => finish([made]));
          return;
        }
        // The value is that of before the defers.
        const type = source.type(value);
        const name = target.tables.names.intern('result');
        const result = target.addVariable(this.#id, name, type);
        const declared = this.#addNew(node, NodeKind.declare, target.tables.types.void, result, [
          this.#popNode(),
        ]);
        this.#keepRegion(node, declared);
        target.variables.set(result, HIR_VARIABLE.declaration, declared);
        this.#emit(declared);
        this.#runDefers(0, () => finish([this.#addNew(value, NodeKind.variable, type, result, [])]));
      },
    );
  }

  // Defers

  /** The statements that are registered above a height, last registered first, and then `finish`, when control comes there. */
  #runDefers(height: number, finish: () => void): void {
    this.#steps.push(() => {
      if (this.#list().isReached) finish();
    });
    for (let index = height; index < this.#defers.length; index++) {
      const deferred = this.#defers[index] as Node;
      this.#steps.push(() => this.#deferred(deferred));
    }
  }

  /** Ends a scope: what it registered is run when its end is reached. */
  #endScope(height: number): void {
    if (this.#defers.length <= height) return;
    if (!this.#list().isReached) {
      this.#defers.length = height;
      return;
    }
    const deferred = this.#defers.pop() as Node;
    this.#then(
      () => this.#deferred(deferred),
      () => this.#endScope(height),
    );
  }

  /** A copy of what a defer defers, which is a scope of its own, and in the region that the defer makes. */
  #deferred(defer: Node): void {
    if (!this.#list().isReached) return;
    const node = this.source.firstChild(defer);
    const height = this.#defers.length;
    const depth = this.#regionDepth;
    this.#regionDepth = this.#regionsAround.get(defer) as number;
    this.#openList();
    this.#then(
      () => this.#inRegion(defer, () => this.#statement(node)),
      () => this.#endScope(height),
      () => {
        const { statements, isReached } = this.#lists.pop() as OpenList;
        const [only] = statements;
        const isRegion = this.#isRegion(this.source.traits(defer));
        const isAlone = statements.length === 1 && this.target.kind(only as Node) !== NodeKind.declare;
        if (isAlone && !isRegion) this.#emit(only as Node);
        else if (statements.length > 0) this.#emitAround(defer, this.#newBlock(node, statements));
        if (!isReached) this.#list().isReached = false;
        this.#regionDepth = depth;
      },
    );
  }

  #newBlock(origin: Node, statements: readonly Node[]): Node {
    return this.#addNew(origin, NodeKind.block, this.target.tables.types.void, NONE, statements);
  }

  /** Emits a block that stands for a node of the source, in a block around it where that makes a region and the block is one already. */
  #emitAround(old: Node, block: Node): void {
    const { source, target } = this;
    if (!this.#isRegion(source.traits(old))) {
      this.#emit(block);
      return;
    }
    const around = this.#isRegion(target.traits(block)) ? this.#newBlock(old, [block]) : block;
    this.#keepRegion(old, around);
    this.#emit(around);
  }

  /** Says of a node that is new that it is in the region that an old one makes. */
  #keepRegion(old: Node, made: Node): void {
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

function reverseFrom<Item>(items: Item[], start: number): void {
  for (let low = start, high = items.length - 1; low < high; low++, high--) {
    const kept = items[low] as Item;
    items[low] = items[high] as Item;
    items[high] = kept;
  }
}
