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
import type { VariableUses } from './uses.js';

/** Statements of a block that is being written. */
interface OpenList {
  readonly statements: Node[];
  /** Whether control comes to its end, as far as is known. */
  isReached: boolean;
}

/** A loop or switch around the walk. */
interface Construct {
  readonly old: Node;
  readonly made: Node;
  readonly isLoop: boolean;
  /** How many defers were registered where it began. */
  readonly height: number;
  /** Whether a `break` or `continue` of what was written means it. */
  isLeft: boolean;
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
  readonly #steps: (() => void)[] = [];
  /** Operands: a node of the target, or a constant; beside each the node that it came from. */
  readonly #values: number[] = [];
  readonly #origins: Node[] = [];
  /** Finished blocks that no list holds. */
  readonly #blocks: Node[] = [];
  readonly #lists: OpenList[] = [];
  readonly #constructs: Construct[] = [];
  /** Statements that are registered, of the source. */
  readonly #defers: Node[] = [];
  #regionDepth = 0;
  #id = NONE as FunctionId;
  #firstVariable = 0;
  #uses: VariableUses | undefined;
  /** Per variable of the source: the one that stands for it now, and the constant that it is, or NONE. */
  #variableOf = new Int32Array(0);
  #constantOf = new Int32Array(0);

  constructor(
    readonly source: HirModule,
    readonly target: HirModule,
  ) {}

  rewrite(id: FunctionId, uses: VariableUses): void {
    const { source, target } = this;
    this.#id = id;
    this.#uses = uses;
    this.#firstVariable = source.firstVariable(id);
    const first = target.variables.length;
    const count = source.variableCount(id);
    this.#variableOf = new Int32Array(count);
    this.#constantOf = new Int32Array(count).fill(NONE);
    for (let variable = 0; variable < count; variable++)
      this.#variableOf[variable] = this.#copyVariable(variable);
    const body = source.body(id);
    this.#regionDepth = this.#isRegion(source.epochs.read('function', id)) ? 1 : 0;
    this.#openList();
    this.#then(
      () => this.#block(body),
      () => {},
    );
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) step();
    const [made] = (this.#lists.pop() as OpenList).statements;
    target.defineFunction(
      id,
      made as Node,
      first,
      target.variables.length - first,
      source.parameterCount(id),
    );
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
    let traits = source.epochs.read('variable', row as Variable);
    if (this.#uses?.escapes[variable] === 1)
      traits = target.tables.traitSets.with(traits, traitEntry(Trait.escapes));
    const made = target.addVariable(
      this.#id,
      column(HIR_VARIABLE.name),
      column(HIR_VARIABLE.type) as TypeId,
      traits,
      column(HIR_VARIABLE.position),
      column(HIR_VARIABLE.access),
    );
    copyPlace(source, target, 'variables', row, made);
    return made;
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
    return traitSets.has(traits, Trait.complex) || traitSets.has(traits, Trait.NoOptimize);
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
        this.#push(constantOperand(source.a(node) as ConstantId), node);
        return;
      case NodeKind.variable: {
        const variable = source.a(node) - this.#firstVariable;
        const constant = this.#constantOf[variable] as number;
        if (constant !== NONE && this.#regionDepth === 0)
          this.#push(constantOperand(constant as ConstantId), node);
        else this.#push(this.#addLike(node, this.#variableOf[variable] as number, []), node);
        return;
      }
      case NodeKind.address: {
        const variable = source.a(node) - this.#firstVariable;
        this.#push(this.#addLike(node, this.#variableOf[variable] as number, []), node);
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
    const children: Node[] = [];
    while (this.#values.length > first) children.push(this.#popNode());
    this.#push(this.#addLike(node, source.a(node), children.reverse()), node);
  }

  #conditional(node: Node): void {
    const [condition, first, second] = this.source.children(node) as [Node, Node, Node];
    this.#then(
      () => this.#expression(condition),
      () => {
        const known = this.#topCondition();
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
        const known = this.#topCondition();
        if (known === deciding) return;
        if (known !== undefined) {
          this.#drop();
          this.#expression(second);
          return;
        }
        this.#then(
          () => this.#expression(second),
          () => {
            if (this.#topCondition() === !deciding) {
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
      case NodeKind.defer:
        this.#defers.push(source.firstChild(node));
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
    const known = this.#variableOf[variable] as number;
    // Each copy of what is deferred has variables of its own.
    const isTaken = isDeclaration && target.variables.get(known, HIR_VARIABLE.declaration) !== NONE;
    if (isTaken) this.#variableOf[variable] = this.#copyVariable(variable);
    const made = this.#addLike(node, this.#variableOf[variable] as number, children);
    if (isDeclaration)
      target.variables.set(this.#variableOf[variable] as number, HIR_VARIABLE.declaration, made);
    this.#emit(made);
  }

  /** A variable that is set to a constant where it is declared, and never again, is that constant. */
  #noteConstant(node: Node, variable: number, constant: ConstantId): void {
    const { source, target } = this;
    const { constants, traitSets, types } = source.tables;
    if (source.kind(node) !== NodeKind.declare || this.#regionDepth > 0) return;
    if (this.#uses?.isAssigned[variable] === 1 || constants.kind(constant) === ConstantKind.undef) return;
    if (types.isAggregate(constants.type(constant))) return;
    const row = this.#variableOf[variable] as number;
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

  #openConstruct(old: Node, isLoop: boolean): Node {
    const made = this.#add(old, this.source.kind(old), this.source.type(old));
    this.#constructs.push({ old, made, isLoop, height: this.#defers.length, isLeft: false });
    return made;
  }

  #closeConstruct(children: readonly Node[]): void {
    const { made } = this.#constructs.pop() as Construct;
    this.target.setChildren(made, children);
    this.#emit(made);
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
        this.#openConstruct(node, true);
        this.#then(
          () => this.#makeArm(body, () => {}),
          () => this.#closeConstruct([this.#popNode(), this.#blocks.pop() as Node]),
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
        if (!this.#list().isReached) {
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
        if (isAround || !isRun) this.#emit(this.#addLike(init, NONE, statements));
        else this.#emit(statements[0] as Node);
        if (!isReached) this.#list().isReached = false;
      },
    );
  }

  /** The loop itself, in the list of the init; that list becomes the init unless it stands around the loop. */
  #loopOfFor(node: Node, isAround: boolean, step: Node, body: Node): void {
    const init = this.source.firstChild(node);
    const { statements } = this.#list();
    const inside = isAround ? [] : statements.splice(0);
    this.#openConstruct(node, true);
    this.#then(
      () => this.#makeArm(body, () => {}),
      () => this.#makeArm(step, () => {}),
      () => {
        const made = this.#addLike(init, NONE, inside);
        const stepBlock = this.#blocks.pop() as Node;
        const bodyBlock = this.#blocks.pop() as Node;
        this.#closeConstruct([made, this.#popNode(), stepBlock, bodyBlock]);
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
        if (constant !== undefined && arms.length === 0) {
          this.#drop();
          return;
        }
        this.#openConstruct(node, false);
        const bodies: Node[] = [];
        this.#then(
          () => this.#arms(arms, 0, bodies),
          () => this.#endSwitch(arms, bodies, constant !== undefined),
        );
      },
    );
  }

  /** A switch of a constant that no `break` leaves is the bodies one after the other. */
  #endSwitch(arms: readonly Node[], bodies: readonly Node[], isDecided: boolean): void {
    const { source, target } = this;
    const construct = this.#constructs[this.#constructs.length - 1] as Construct;
    if (isDecided && !construct.isLeft) {
      this.#drop();
      target.nodes.set(construct.made, HIR_NODE.kind, NodeKind.block);
      this.#closeConstruct(bodies);
      return;
    }
    const made = arms.map((arm, index) => {
      const labels = source.children(arm).slice(0, -1);
      const copies = labels.map((label) => this.#addLike(label, source.a(label), []));
      return this.#addLike(arm, source.a(arm), [...copies, bodies[index] as Node]);
    });
    this.#closeConstruct([this.#popNode(), ...made]);
  }

  /** The arm that a constant chooses, and those into which it falls through. */
  #reachedArms(arms: readonly Node[], constant: ConstantId): Node[] {
    const { source } = this;
    const { constants } = source.tables;
    const bits = constants.integerBits(constant);
    const isCase = (arm: Node) =>
      source
        .children(arm)
        .some(
          (child) =>
            source.kind(child) === NodeKind.constant &&
            constants.integerBits(source.a(child) as ConstantId) === bits,
        );
    let first = arms.findIndex((arm) => source.kind(arm) === NodeKind.case && isCase(arm));
    if (first < 0) first = arms.findIndex((arm) => source.kind(arm) === NodeKind.default);
    if (first < 0) return [];
    let end = first + 1;
    while (end < arms.length && source.a(arms[end - 1] as Node) === 1) end++;
    return arms.slice(first, end);
  }

  /** The bodies of the arms from `index` on. */
  #arms(arms: readonly Node[], index: number, bodies: Node[]): void {
    const arm = arms[index];
    if (arm === undefined) return;
    const body = this.source.children(arm).at(-1) as Node;
    this.#then(
      () => this.#makeArm(body, () => {}),
      () => {
        bodies.push(this.#blocks.pop() as Node);
        this.#arms(arms, index + 1, bodies);
      },
    );
  }

  #jump(node: Node): void {
    const { source } = this;
    const target = source.a(node);
    const isContinue = source.kind(node) === NodeKind.continue;
    const construct = this.#constructs.findLast((item) =>
      target === NONE ? item.isLoop || !isContinue : item.old === target,
    ) as Construct;
    this.#runDefers(construct.height, () => {
      construct.isLeft = true;
      this.#emit(this.#addLike(node, target === NONE ? NONE : construct.made, []));
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

  /** A copy of a deferred statement, which is a scope of its own. */
  #deferred(node: Node): void {
    if (!this.#list().isReached) return;
    const height = this.#defers.length;
    this.#openList();
    this.#then(
      () => this.#statement(node),
      () => this.#endScope(height),
      () => {
        const { statements, isReached } = this.#lists.pop() as OpenList;
        const [only] = statements;
        const isAlone = statements.length === 1 && this.target.kind(only as Node) !== NodeKind.declare;
        if (isAlone) this.#emit(only as Node);
        else if (statements.length > 0)
          this.#emit(this.#addNew(node, NodeKind.block, this.target.tables.types.void, NONE, statements));
        if (!isReached) this.#list().isReached = false;
      },
    );
  }
}

function copyPlace(
  source: HirModule,
  target: HirModule,
  table: 'nodes' | 'variables',
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
