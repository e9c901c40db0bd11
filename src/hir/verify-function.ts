/**
 * Checks the body of one function in one walk with a work list: scopes, jumps and types. Behind `verify-tables.ts`, so that every
 * link leads somewhere and the tree is one.
 */

import type { DiagnosticCode } from '../diag/catalogue.js';
import { type DiagnosticArguments, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import {
  type ConstantId,
  type FunctionId,
  NONE,
  type Node,
  type TraitSetId,
  type TypeId,
} from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind, nodeKindRow } from '../ir/node-kinds.js';
import { typeText } from '../ir/operation-rules.js';
import { ConstantKind, HIR_VARIABLE } from '../ir/schema.js';
import { Trait } from '../traits/trait-table.js';
import { isBreakable, isLoop } from './text-forms.js';
import { variableAccess } from './variable-access.js';
import { JumpVerifier } from './verify-jumps.js';
import { TraitVerifier } from './verify-traits.js';
import { NodeTypes } from './verify-types.js';

/** What is still to be done: a node to enter, or one whose scope or construct ends. */
const ENTER = 0;
const LEAVE = 1;
/** After the init of a `for`: the loop begins. */
const LOOP = 2;
/** After its body: what is left is the step. */
const STEP = 3;
/** A variable that the function may not use yet, may use, may no longer use. */
const UNBORN = 0;
const ALIVE = 1;
const DEAD = 2;

/** Checks functions one after the other. */
export class FunctionVerifier {
  readonly #work: number[] = [];
  /** Loops and switches around the place, innermost last, and deferred blocks as `~node`. */
  readonly #around: number[] = [];
  /** The places of deferred blocks and of loops in `#around`, innermost last. */
  readonly #deferPlaces: number[] = [];
  readonly #loopPlaces: number[] = [];
  /** The place of each construct in `#around`. */
  readonly #placeOf = new Map<number, number>();
  /** The loops of which the walk is in the step. */
  readonly #stepping = new Set<number>();
  /** Variables declared in the open blocks; per block, the number of those and of active defers before it. */
  readonly #declared: number[] = [];
  readonly #scopes: number[] = [];
  #state = new Uint8Array(0);
  /** For each variable of the function, whether something may write it, and its first read. */
  #isWritten = new Uint8Array(0);
  readonly #firstReads = new Map<number, Node>();
  #firstVariable = 0;
  readonly #types: NodeTypes;
  readonly #traits: TraitVerifier;
  readonly #jumps: JumpVerifier;

  constructor(
    readonly module: HirModule,
    readonly sink: DiagnosticSink,
  ) {
    const report = (code: DiagnosticCode, values: DiagnosticArguments, node: Node) =>
      this.#report(code, values, node);
    this.#types = new NodeTypes(module, report);
    this.#traits = new TraitVerifier(module, sink, report);
    this.#jumps = new JumpVerifier(module, report);
  }

  verify(id: FunctionId): void {
    const { module } = this;
    const body = module.body(id);
    this.#traits.begin(id);
    this.#variables(id);
    if (body === NONE) return;
    this.#types.begin(id);
    this.#jumps.begin();
    this.#work.push(body, ENTER);
    while (this.#work.length > 0 && this.sink.diagnostics.length < this.sink.limit) {
      const step = this.#work.pop() as number;
      const node = this.#work.pop() as Node;
      if (step === ENTER) this.#enter(node);
      else if (step === LEAVE) this.#leave(node);
      else if (step === LOOP) this.#surround(node, NodeKind.for);
      else this.#stepping.add(node);
    }
    this.#traits.end();
    this.#jumps.end();
    this.#reportUnwritten();
    this.#work.length = 0;
    this.#around.length = 0;
    this.#declared.length = 0;
    this.#scopes.length = 0;
    this.#deferPlaces.length = 0;
    this.#loopPlaces.length = 0;
    this.#placeOf.clear();
    this.#stepping.clear();
  }

  #report(code: DiagnosticCode, values: DiagnosticArguments, node: Node): void {
    this.sink.add(diagnostic(code, values, this.module.positionOf(node)));
  }

  #variables(id: FunctionId): void {
    const { module, sink } = this;
    const { types, constants } = module.tables;
    const count = module.variableCount(id);
    this.#firstVariable = module.firstVariable(id);
    this.#state = new Uint8Array(count);
    this.#state.fill(ALIVE, 0, module.parameterCount(id));
    this.#isWritten = new Uint8Array(count);
    this.#isWritten.fill(1, 0, module.parameterCount(id));
    this.#firstReads.clear();
    for (let row = this.#firstVariable; row < this.#firstVariable + count; row++) {
      const column = (offset: number) => module.variables.get(row, offset);
      const position = module.variablePositionOf(row as never);
      const type = column(HIR_VARIABLE.type) as TypeId;
      const what = `variable ${this.#name(row)}`;
      const wrong = (problem: string) => sink.add(diagnostic('VCT0328', { what, problem }, position));
      if (!types.isFirstClass(type)) wrong(`of type ${typeText(module.tables, type)}, which has no values`);
      if (column(HIR_VARIABLE.slotType) !== types.pointer(type)) wrong('with a slot of another type');
      const undef = column(HIR_VARIABLE.undef) as ConstantId;
      if (constants.kind(undef) !== ConstantKind.undef || constants.type(undef) !== type)
        wrong('that begins with a constant other than undef of its type');
      const traits = column(HIR_VARIABLE.traits) as TraitSetId;
      this.#traits.variable(row);
      if (CHANGED_ELSEWHERE.some((trait) => module.tables.traitSets.has(traits, trait)))
        this.#isWritten[row - this.#firstVariable] = 1;
      if (column(HIR_VARIABLE.access) !== variableAccess(module.tables, traits))
        wrong('accessed otherwise than its traits say');
    }
  }

  #name(variable: number): string {
    const { module } = this;
    return `%${module.tables.names.text(module.variables.get(variable, HIR_VARIABLE.name))}`;
  }

  /** Children are entered in order; LEAVE comes after them. */
  #push(node: Node, leaves: boolean): void {
    if (leaves) this.#work.push(node, LEAVE);
    const { work, start } = { work: this.#work, start: this.#work.length };
    const { module } = this;
    for (let child = module.firstChild(node); child !== NONE; child = module.nextSibling(child))
      work.push(ENTER, child);
    // The pairs were pushed back to front: reversing them puts the first child on top.
    reverse(work, start);
  }

  #enter(node: Node): void {
    const { module } = this;
    const kind = module.kind(node);
    this.#traits.node(node);
    switch (kind) {
      case NodeKind.constant:
        this.#types.checkConstant(node);
        return;
      case NodeKind.variable:
      case NodeKind.address:
        this.#use(node);
        return;
      case NodeKind.operation:
        this.#types.checkOperation(node);
        this.#push(node, false);
        return;
      case NodeKind.block:
        this.#scopes.push(this.#declared.length, this.#jumps.deferCount);
        this.#push(node, true);
        return;
      case NodeKind.for:
        this.#scopes.push(this.#declared.length, this.#jumps.deferCount);
        this.#types.checkParts(node);
        this.#enterFor(node);
        return;
      case NodeKind.while:
      case NodeKind.doWhile:
      case NodeKind.switch:
        this.#surround(node, kind);
        this.#types.checkParts(node);
        this.#push(node, true);
        return;
      case NodeKind.defer:
        this.#deferPlaces.push(this.#around.length);
        this.#around.push(~node);
        this.#push(node, true);
        return;
      case NodeKind.declare:
        if (this.#local(node) !== NONE) this.#types.checkWrite(node);
        if (module.firstChild(node) !== NONE) this.#write(node);
        this.#push(node, true);
        return;
      case NodeKind.assign:
        if (this.#alive(node)) this.#types.checkWrite(node);
        this.#write(node);
        this.#push(node, false);
        return;
      case NodeKind.break:
      case NodeKind.continue:
        this.#jump(node, kind);
        return;
      case NodeKind.label:
      case NodeKind.goto:
        if (this.#deferPlaces.length > 0)
          this.#report('VCT0335', { statement: nodeKindRow(kind).name }, node);
        if (kind === NodeKind.label) this.#jumps.label(node);
        else if (this.#deferPlaces.length === 0) this.#jumps.goto(node);
        return;
      default:
        if (kind === NodeKind.return && this.#deferPlaces.length > 0)
          this.#report('VCT0316', { statement: 'return' }, node);
        this.#types.checkParts(node);
        this.#push(node, false);
    }
  }

  /**
   * What init declares lives on in the condition, the body and the step: its statements are entered without a scope. They run before the
   * loop, and are not in it.
   */
  #enterFor(node: Node): void {
    const { module } = this;
    const [init, condition, step, body] = module.children(node) as [Node, Node, Node, Node];
    this.#traits.node(init);
    this.#work.push(node, LEAVE, step, ENTER, node, STEP, body, ENTER, condition, ENTER, node, LOOP);
    const start = this.#work.length;
    for (let child = module.firstChild(init); child !== NONE; child = module.nextSibling(child))
      this.#work.push(ENTER, child);
    reverse(this.#work, start);
  }

  #leave(node: Node): void {
    switch (this.module.kind(node)) {
      case NodeKind.block:
        this.#endScope();
        return;
      case NodeKind.declare:
        this.#declare(node);
        return;
      case NodeKind.defer:
        this.#around.pop();
        this.#deferPlaces.pop();
        this.#jumps.defer();
        return;
      case NodeKind.for:
        this.#endScope();
        this.#release(node);
        return;
      default:
        this.#release(node);
    }
  }

  /** Enters a loop or a switch. */
  #surround(node: Node, kind: number): void {
    if (isLoop(kind)) this.#loopPlaces.push(this.#around.length);
    this.#placeOf.set(node, this.#around.length);
    this.#around.push(node);
  }

  #release(node: Node): void {
    if (isLoop(this.module.kind(node))) this.#loopPlaces.pop();
    this.#placeOf.delete(node);
    this.#stepping.delete(node);
    this.#around.pop();
  }

  #endScope(): void {
    this.#jumps.leaveScope(this.#scopes.pop() as number);
    const count = this.#scopes.pop() as number;
    while (this.#declared.length > count) this.#state[this.#declared.pop() as number] = DEAD;
  }

  #declare(node: Node): void {
    const variable = this.#local(node);
    if (variable === NONE) return;
    if (
      this.#state[variable] !== UNBORN ||
      this.module.variables.get(this.module.a(node), HIR_VARIABLE.declaration) !== node
    ) {
      this.#report('VCT0327', { name: this.#name(this.module.a(node)) }, node);
      return;
    }
    this.#state[variable] = ALIVE;
    this.#declared.push(variable);
  }

  /** The variable of a node, counted within the function, or NONE after a report. */
  #local(node: Node): number {
    const { module } = this;
    const variable = module.a(node) - this.#firstVariable;
    if (variable >= 0 && variable < this.#state.length) return variable;
    this.#report('VCT0318', { name: this.#name(module.a(node)) }, node);
    return NONE;
  }

  /** Checks that a variable may be used at a node. One that no statement declares lives throughout. */
  #alive(node: Node): boolean {
    const { module } = this;
    const variable = this.#local(node);
    if (variable === NONE) return false;
    const isDeclared = module.variables.get(module.a(node), HIR_VARIABLE.declaration) !== NONE;
    if (this.#state[variable] === ALIVE || !isDeclared) return true;
    this.#report('VCT0323', { name: this.#name(module.a(node)) }, node);
    return false;
  }

  #use(node: Node): void {
    const { module } = this;
    if (!this.#alive(node)) return;
    const variable = module.a(node);
    const type = module.variables.get(variable, HIR_VARIABLE.type) as TypeId;
    if (module.kind(node) === NodeKind.variable) {
      this.#types.hasType(node, type);
      const index = variable - this.#firstVariable;
      if (!this.#firstReads.has(index)) this.#firstReads.set(index, node);
      return;
    }
    this.#write(node);
    this.#types.hasType(node, module.tables.types.pointer(type));
    const traits = module.variables.get(variable, HIR_VARIABLE.traits) as TraitSetId;
    if (!this.#isInMemory(type, traits)) this.#report('VCT0324', { name: this.#name(variable) }, node);
  }

  /** Notes that a node writes its variable, or gives away where it is. */
  #write(node: Node): void {
    const index = this.module.a(node) - this.#firstVariable;
    if (index >= 0 && index < this.#isWritten.length) this.#isWritten[index] = 1;
  }

  /** Reports variables that are read though nothing in the function writes them. Pruned branches may have held the writes. */
  #reportUnwritten(): void {
    if (this.module.defersAreExpanded || this.sink.hasErrors) return;
    for (const [index, node] of this.#firstReads)
      if (this.#isWritten[index] === 0)
        this.#report('VCT0349', { name: this.#name(this.#firstVariable + index) }, node);
  }

  /** Whether a variable gets a stack slot (005 §4.5). */
  #isInMemory(type: TypeId, traits: TraitSetId): boolean {
    const { traitSets, types } = this.module.tables;
    if (types.isAggregate(type)) return true;
    return MEMORY_TRAITS.some((trait) => traitSets.has(traits, trait));
  }

  #jump(node: Node, kind: number): void {
    const { module } = this;
    const statement = nodeKindRow(kind).name;
    const target = module.a(node);
    const isTarget = kind === NodeKind.break ? isBreakable : isLoop;
    const defer = this.#deferPlaces.at(-1) ?? NONE;
    if (target !== NONE) {
      const place = this.#placeOf.get(target);
      if (place === undefined || !isTarget(module.kind(target as Node)))
        this.#report('VCT0315', { what: 'such construct', statement }, node);
      else if (place < defer) this.#report('VCT0316', { statement }, node);
      else this.#againstStep(node, kind, target);
      return;
    }
    // The innermost construct is a deferred block, or may be left; `continue` looks for a loop.
    const last = this.#around.length - 1;
    const place = kind === NodeKind.break ? last : (this.#loopPlaces.at(-1) ?? NONE);
    const what = kind === NodeKind.break ? 'loop or switch' : 'loop';
    if (defer !== NONE && place <= defer) this.#report('VCT0316', { statement }, node);
    else if (place === NONE) this.#report('VCT0315', { what, statement }, node);
    else this.#againstStep(node, kind, this.#around[place] as number);
  }

  /** `continue` goes to the step of a `for`, and so not from there. */
  #againstStep(node: Node, kind: number, loop: number): void {
    if (kind === NodeKind.continue && this.#stepping.has(loop)) this.#report('VCT0350', {}, node);
  }
}

/** What something else than the function may write. */
const CHANGED_ELSEWHERE = [Trait.isRuntimeMutable, Trait.mayChangeAtRuntime, Trait.isVolatile];

const MEMORY_TRAITS = [
  Trait.isAddressed,
  Trait.escapes,
  Trait.isRuntimeMutable,
  Trait.isVolatile,
  Trait.isAtomic,
];

/** Reverses what was pushed from `start` on: pairs pushed as (step, node) become (node, step), the last pair first. */
function reverse(work: number[], start: number): void {
  for (let low = start, high = work.length - 1; low < high; low++, high--) {
    const kept = work[low] as number;
    work[low] = work[high] as number;
    work[high] = kept;
  }
}
