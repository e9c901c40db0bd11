/**
 * The traits of a tree: where they sit (002/T-6), and whether the function does what they deny (002/T-7). What depends on where control can
 * come, such as the end of a function that does not return, is checked once more on what lowering makes of it.
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
  type Variable,
} from '../ir/entities.js';
import type { TraitOwner, TraitOwners } from '../ir/epochs.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind, nodeKindRow } from '../ir/node-kinds.js';
import { Opcode } from '../ir/opcodes.js';
import { HIR_VARIABLE, Strength } from '../ir/schema.js';
import { verifyTraits } from '../ir/trait-rules.js';
import { Trait, type TraitHost } from '../traits/trait-table.js';

type Report = (code: DiagnosticCode, values: DiagnosticArguments, node: Node) => void;

/** Nodes that do something with the values of their children. A value that a conditional gives may still be returned at once. */
const USES_VALUES: ReadonlySet<number> = new Set([
  NodeKind.operation,
  NodeKind.logicalAnd,
  NodeKind.logicalOr,
  NodeKind.if,
  NodeKind.while,
  NodeKind.doWhile,
  NodeKind.for,
  NodeKind.switch,
]);

/** What a node counts as. */
function hostsOf(module: HirModule, node: Node): readonly TraitHost[] {
  switch (module.kind(node)) {
    case NodeKind.operation:
      if (module.a(node) === Opcode.call) return ['call', 'value', 'region'];
      return ['value', 'access', 'branch', 'region'];
    case NodeKind.constant:
    case NodeKind.variable:
    case NodeKind.address:
    case NodeKind.logicalAnd:
    case NodeKind.logicalOr:
    case NodeKind.conditional:
      return ['value', 'access', 'branch', 'region'];
    case NodeKind.if:
    case NodeKind.switch:
    case NodeKind.case:
    case NodeKind.default:
      return ['branch', 'region'];
    case NodeKind.while:
    case NodeKind.doWhile:
    case NodeKind.for:
      return ['loop', 'branch', 'region'];
    default:
      return ['region'];
  }
}

/** The type that traits of a node speak of; NONE where it has no value. */
function typeOf(module: HirModule, node: Node): TypeId {
  const type = module.type(node);
  return type === module.tables.types.void ? (NONE as TypeId) : type;
}

/** Checks the traits of functions one after the other. */
export class TraitVerifier {
  #isNoReturn = false;
  #isNoWrite = false;
  #isNoRead = false;
  #function = '';
  #firstVariable = 0;
  #parameterCount = 0;
  /** Whether the function, or one of its parameters, denies some access. */
  #denies = false;
  /** Per parameter: 1 when it is assigned to, and then need not lead where its traits say. */
  #isAssigned = new Uint8Array(0);
  /** Accesses through parameters, to be judged once all assignments are known: parameter, code, trait, node. */
  readonly #accesses: [number, DiagnosticCode, string, Node][] = [];

  constructor(
    readonly module: HirModule,
    readonly sink: DiagnosticSink,
    readonly report: Report,
  ) {}

  begin(id: FunctionId): void {
    const { module } = this;
    const { tables } = module;
    if (module.epochs.isStale('function', id)) this.#stale('function', id);
    const has = (trait: number) => tables.traitSets.has(tables.functionTraits(id), trait);
    this.#function = tables.functionName(id);
    this.#isNoReturn = has(Trait.NoReturn);
    this.#isNoWrite = has(Trait.NoWrite);
    this.#isNoRead = has(Trait.NoRead);
    this.#firstVariable = module.firstVariable(id);
    this.#parameterCount = module.parameterCount(id);
    this.#isAssigned = new Uint8Array(this.#parameterCount);
    this.#denies = this.#isNoWrite || this.#isNoRead;
    for (let index = 0; index < this.#parameterCount; index++)
      this.#denies ||= this.#traitOf(index, ['ReadOnly', 'NoWrite', 'WriteOnly', 'NoRead']) !== undefined;
  }

  variable(row: number): void {
    const { module } = this;
    const index = row - this.#firstVariable;
    if (module.epochs.isStale('variable', row as Variable)) {
      this.#stale('variable', row as Variable);
      return;
    }
    const traits = module.variables.get(row, HIR_VARIABLE.traits) as TraitSetId;
    const type = module.variables.get(row, HIR_VARIABLE.type) as TypeId;
    const hosts: readonly TraitHost[] = index < this.#parameterCount ? ['parameter'] : ['variable'];
    verifyTraits(module.tables, traits, { hosts, type }, module.variablePositionOf(row as never), this.sink);
  }

  node(node: Node): void {
    const { module } = this;
    if (module.epochs.isStale('node', node)) {
      this.#stale('node', node);
      return;
    }
    const traits = module.traits(node);
    if (traits > 0) {
      const hosts = hostsOf(module, node);
      const type = typeOf(module, node);
      const bearer =
        hosts.length > 1 ? { hosts, type } : { hosts, type, what: nodeKindRow(module.kind(node)).name };
      verifyTraits(module.tables, traits, bearer, module.positionOf(node), this.sink);
    }
    const kind = module.kind(node);
    if (kind === NodeKind.return && this.#isNoReturn)
      this.report('VCT0242', { function: this.#function }, node);
    if (kind === NodeKind.assign) {
      const index = module.a(node) - this.#firstVariable;
      if (index >= 0 && index < this.#parameterCount) this.#isAssigned[index] = 1;
    }
    if (kind === NodeKind.operation && this.#denies) this.#access(node);
    if (USES_VALUES.has(kind)) this.#tailCalls(node);
  }

  /** A call whose value something but a return, a declaration or an assignment takes is not the last thing that happens. */
  #tailCalls(node: Node): void {
    const { module } = this;
    const { traitSets } = module.tables;
    for (let child = module.firstChild(node); child !== NONE; child = module.nextSibling(child)) {
      if (module.kind(child) !== NodeKind.operation || module.a(child) !== Opcode.call) continue;
      const request = traitSets.find(module.epochs.stated('node', child), Trait.MustTail);
      if (request?.strength === Strength.strong) this.report('VCT0247', {}, child);
    }
  }

  end(): void {
    for (const [index, code, trait, node] of this.#accesses) {
      if (this.#isAssigned[index] === 1) continue;
      const name = this.module.variables.get(this.#firstVariable + index, HIR_VARIABLE.name);
      const text = this.module.tables.names.text(name);
      this.report(code, code < 'VCT0245' ? { name: text, trait } : { function: this.#function }, node);
    }
    this.#accesses.length = 0;
  }

  /** What was said of something else says nothing of what there is now (002/T-9). */
  #stale<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): void {
    const { epochs } = this.module;
    this.sink.add(diagnostic('VCT0510', epochs.staleValues(owner, row), epochs.position(owner, row)));
  }

  #traitOf(parameter: number, names: readonly (keyof typeof Trait)[]): keyof typeof Trait | undefined {
    const { module } = this;
    const traits = module.variables.get(this.#firstVariable + parameter, HIR_VARIABLE.traits) as TraitSetId;
    return names.find((name) => module.tables.traitSets.has(traits, Trait[name]));
  }

  #access(node: Node): void {
    switch (this.module.a(node)) {
      case Opcode.load:
        this.#reads(node, 0);
        return;
      case Opcode.store:
        this.#writes(node, 1);
        return;
      case Opcode.memset:
        this.#writes(node, 0);
        return;
      case Opcode.memcpy:
      case Opcode.memmove:
        this.#writes(node, 0);
        this.#reads(node, 1);
        return;
      case Opcode.atomicrmw:
      case Opcode.cmpxchg:
        this.#writes(node, 0);
        this.#reads(node, 0);
        return;
      default:
    }
  }

  #writes(node: Node, operand: number): void {
    const root = this.#root(node, operand);
    this.#judge(node, root, ['ReadOnly', 'NoWrite'], 'VCT0243', this.#isNoWrite ? 'VCT0245' : undefined);
  }

  #reads(node: Node, operand: number): void {
    const root = this.#root(node, operand);
    this.#judge(node, root, ['WriteOnly', 'NoRead'], 'VCT0244', this.#isNoRead ? 'VCT0246' : undefined);
  }

  #judge(
    node: Node,
    root: Node,
    names: readonly (keyof typeof Trait)[],
    ofParameter: DiagnosticCode,
    ofFunction: DiagnosticCode | undefined,
  ): void {
    const { module } = this;
    if (root === NONE) return;
    if (module.kind(root) === NodeKind.variable) {
      const index = module.a(root) - this.#firstVariable;
      if (index < 0 || index >= this.#parameterCount) return;
      const trait = this.#traitOf(index, names);
      if (trait !== undefined) this.#accesses.push([index, ofParameter, trait, node]);
      else if (ofFunction !== undefined) this.#accesses.push([index, ofFunction, '', node]);
    } else if (ofFunction !== undefined && this.#isSeenGlobal(root, ofFunction === 'VCT0246')) {
      this.report(ofFunction, { function: this.#function }, node);
    }
  }

  /** Whether a node is the address of a global; what is constant may be read all the same. */
  #isSeenGlobal(node: Node, mayBeConstant: boolean): boolean {
    const { module } = this;
    const { constants } = module.tables;
    if (module.kind(node) !== NodeKind.constant) return false;
    const constant = module.a(node) as ConstantId;
    if (!constants.isWithinGlobal(constant)) return false;
    return !(mayBeConstant && module.tables.isConstantGlobal(constants.addressee(constant) as never));
  }

  /** What the operand is made of by steps and casts. A chain of steps belongs to one access, for a tree shares nothing. */
  #root(node: Node, operand: number): Node {
    const { module } = this;
    let at = module.firstChild(node);
    for (let index = 0; index < operand && at !== NONE; index++) at = module.nextSibling(at);
    while (at !== NONE && module.kind(at) === NodeKind.operation) {
      const opcode = module.a(at);
      if (opcode !== Opcode.gep && opcode !== Opcode.bitcast) break;
      at = module.firstChild(at);
    }
    return at;
  }
}
