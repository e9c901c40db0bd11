/** The traits of one body: where they sit (002/T-6), and whether the body does what they deny (002/T-7). Linear. */

import { type Graph, isReachable } from '../core/graph.js';
import type { DiagnosticCode } from '../diag/catalogue.js';
import { type DiagnosticArguments, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import {
  type Block,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type Value,
} from '../ir/entities.js';
import { Opcode, opcodeRow } from '../ir/opcodes.js';
import { Strength } from '../ir/schema.js';
import { type TraitBearer, verifyTraits } from '../ir/trait-rules.js';
import type { VirFunction, VirModule } from '../ir/vir-module.js';
import { Trait, type TraitHost } from '../traits/trait-table.js';

/** A branch also has the traits of the value that it decides on, for `a ? b : c` is a branch. */
const BRANCH_HOSTS: readonly TraitHost[] = ['branch', 'loop', 'region', 'value'];
const BLOCK_HOSTS: readonly TraitHost[] = ['region', 'branch', 'loop'];
/** A slot or a phi has the traits of its variable. */
const VARIABLE_HOSTS: readonly TraitHost[] = ['variable', 'parameter', 'value', 'region', 'branch'];

/** Where traits sit, for one body. Requires tables without faults. */
export function verifyTraitPlaces(module: VirModule, view: VirFunction, sink: DiagnosticSink): void {
  for (let inst = 0; inst < view.instructionCount && sink.diagnostics.length < sink.limit; inst++) {
    const traits = view.instructionTraits(inst as Inst);
    if (traits <= 0) continue;
    verifyTraits(
      view.tables,
      traits,
      bearer(view, inst as Inst),
      module.positionOf(view.id, inst as Inst),
      sink,
    );
  }
  for (let block = 0; block < view.blockCount && sink.diagnostics.length < sink.limit; block++) {
    const traits = view.blockTraits(block as Block);
    const position = module.blockPositionOf(view.id, block as Block);
    verifyTraits(view.tables, traits, { hosts: BLOCK_HOSTS }, position, sink);
  }
}

function bearer(view: VirFunction, inst: Inst): TraitBearer {
  const opcode = view.opcode(inst);
  const { types } = view.tables;
  const own = view.instructionType(inst);
  const type = own === types.void ? (NONE as typeof own) : own;
  switch (opcodeRow(opcode).class) {
    case 'parameter':
      return { hosts: ['parameter'], type };
    case 'alloca':
      return { hosts: VARIABLE_HOSTS };
    case 'phi':
      return { hosts: VARIABLE_HOSTS, type };
    case 'call':
      return { hosts: ['call', 'value', 'region'], type };
    case 'load':
    case 'store':
    case 'compareExchange':
    case 'atomicUpdate':
    case 'fence':
    case 'memoryCopy':
    case 'memorySet':
      return { hosts: ['access', 'value', 'region'], type };
    case 'terminator':
      return { hosts: BRANCH_HOSTS };
    default:
      return { hosts: ['value', 'access', 'branch', 'region'], type };
  }
}

/** Whether a body that is otherwise well-formed does what its traits deny, where control can come. */
export function verifyTraitClaims(
  module: VirModule,
  view: VirFunction,
  graph: Graph,
  sink: DiagnosticSink,
): void {
  const claims = new Claims(module, view, sink);
  for (let index = 0; index < view.blockCount && sink.diagnostics.length < sink.limit; index++) {
    const block = index as Block;
    if (!isReachable(graph, block)) continue;
    for (let inst = view.blockStart(block) as number; inst < view.blockEnd(block); inst++)
      claims.check(inst as Inst);
  }
}

/** For each instruction, what its value is made of by steps and casts: itself where it is neither. */
function rootsOf(view: VirFunction): Int32Array {
  const roots = new Int32Array(view.instructionCount);
  for (let inst = 0; inst < view.instructionCount; inst++) {
    const opcode = view.opcode(inst as Inst);
    const base =
      opcode === Opcode.gep || opcode === Opcode.bitcast ? view.operand(inst as Inst, 0) : (NONE as Value);
    // A definition that stands further down in the text is taken for one that nothing is known of.
    if (base < NONE) roots[inst] = base;
    else roots[inst] = base === NONE || base >= inst ? inst : (roots[base] as number);
  }
  return roots;
}

/** What one function and its parameters claim. */
class Claims {
  readonly #isNoReturn: boolean;
  readonly #isNoWrite: boolean;
  readonly #isNoRead: boolean;
  /** Per instruction, what an address is made of by steps and casts; undefined when nothing denies any access. */
  readonly #roots: Int32Array | undefined;

  constructor(
    readonly module: VirModule,
    readonly view: VirFunction,
    readonly sink: DiagnosticSink,
  ) {
    const { tables } = view;
    const has = (trait: number) => tables.traitSets.has(tables.functionTraits(view.id), trait);
    this.#isNoReturn = has(Trait.NoReturn);
    this.#isNoWrite = has(Trait.NoWrite);
    this.#isNoRead = has(Trait.NoRead);
    if (this.#isNoWrite || this.#isNoRead || this.#hasDenyingParameter()) this.#roots = rootsOf(view);
  }

  check(inst: Inst): void {
    const { view } = this;
    switch (view.opcode(inst)) {
      case Opcode.ret:
        if (this.#isNoReturn) this.#report(inst, 'VCT0242', { function: view.name });
        return;
      case Opcode.load:
        this.#reads(inst, 0);
        return;
      case Opcode.store:
        this.#writes(inst, 1);
        return;
      case Opcode.memset:
        this.#writes(inst, 0);
        return;
      case Opcode.memcpy:
      case Opcode.memmove:
        this.#writes(inst, 0);
        this.#reads(inst, 1);
        return;
      case Opcode.atomicrmw:
      case Opcode.cmpxchg:
        this.#writes(inst, 0);
        this.#reads(inst, 0);
        return;
      case Opcode.call:
        this.#tailCall(inst);
        return;
      default:
    }
  }

  #report(inst: Inst, code: DiagnosticCode, values: DiagnosticArguments): void {
    this.sink.add(diagnostic(code, values, this.module.positionOf(this.view.id, inst)));
  }

  #writes(inst: Inst, operand: number): void {
    if (this.#roots === undefined) return;
    const root = this.#root(this.view.operand(inst, operand));
    const trait = this.#parameterTrait(root, ['ReadOnly', 'NoWrite']);
    if (trait !== undefined) this.#report(inst, 'VCT0243', { name: this.#nameOf(root), trait });
    else if (this.#isNoWrite && this.#isSeen(root, false))
      this.#report(inst, 'VCT0245', { function: this.view.name });
  }

  #reads(inst: Inst, operand: number): void {
    if (this.#roots === undefined) return;
    const root = this.#root(this.view.operand(inst, operand));
    const trait = this.#parameterTrait(root, ['WriteOnly', 'NoRead']);
    if (trait !== undefined) this.#report(inst, 'VCT0244', { name: this.#nameOf(root), trait });
    else if (this.#isNoRead && this.#isSeen(root, true))
      this.#report(inst, 'VCT0246', { function: this.view.name });
  }

  #hasDenyingParameter(): boolean {
    for (let index = 0; index < this.view.parameterCount; index++) {
      const trait = this.#parameterTrait(index as Value, ['ReadOnly', 'NoWrite', 'WriteOnly', 'NoRead']);
      if (trait !== undefined) return true;
    }
    return false;
  }

  #root(value: Value): Value {
    if (value < 0 || this.#roots === undefined) return value;
    return this.#roots[value] as Value;
  }

  #parameterTrait(root: Value, names: readonly (keyof typeof Trait)[]): keyof typeof Trait | undefined {
    const { view } = this;
    if (root < 0 || root >= view.parameterCount) return undefined;
    const traits = view.instructionTraits(root as number as Inst);
    return names.find((name) => view.tables.traitSets.has(traits, Trait[name]));
  }

  /** Whether a caller can see what the address leads to; what is constant may be read all the same. */
  #isSeen(root: Value, mayBeConstant: boolean): boolean {
    const { view } = this;
    if (!isConstantOperand(root)) return root >= 0 && root < view.parameterCount;
    const { tables } = view;
    const constant = operandConstant(root);
    if (!tables.constants.isWithinGlobal(constant)) return false;
    return !(mayBeConstant && tables.isConstantGlobal(tables.constants.addressee(constant) as never));
  }

  #nameOf(parameter: Value): string {
    const { view } = this;
    const name = view.instructionName(parameter as number as Inst);
    return name === NONE ? `${parameter}` : view.tables.names.text(name);
  }

  #tailCall(inst: Inst): void {
    const { view } = this;
    const entry = view.tables.traitSets.find(view.instructionTraits(inst), Trait.MustTail);
    if (entry?.strength !== Strength.strong) return;
    const next = (inst + 1) as Inst;
    const isReturned =
      view.opcode(next) === Opcode.ret &&
      (view.operandCount(next) === 0 || (view.operand(next, 0) as number) === inst);
    if (!isReturned) this.#report(inst, 'VCT0247', {});
  }
}
