/**
 * `!alias.scope` and `!noalias` for accesses through noalias parameters (009 Table 3) and through pointers that a NoAlias relationship
 * joins (002 §5).
 *
 * A scope stands for what is reached through one such parameter. An access is marked when its address comes from a parameter, an
 * alloca or a global by getelementptr and bitcast alone; of any other address nothing is known. A relationship has one scope, of what is
 * reached from its left side, and a domain of its own: LLVM believes two lists only when they agree in all scopes of a domain. The
 * scopes are declared at the head of the function: without that, LLVM may take two inlined calls for one.
 */

import {
  type Inst,
  isConstantOperand,
  operandConstant,
  type RelationshipId,
  type Value,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { RelatedPointers } from '../../ir/related-pointers.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { quotedText } from '../../types/type-table.js';
import type { ModuleState } from './module-state.js';

/** Roots of addresses that are no parameter. */
const OTHER_OBJECT = -1;
const UNKNOWN = -2;

/** The scopes of one function. */
export class AliasScopes {
  /** The noalias parameters, in order. */
  readonly #parameters: readonly number[];
  readonly #roots = new Map<Value, number>();
  #scopes: readonly string[] | undefined;
  readonly #related: RelatedPointers;
  /** The scope of each relationship that an access was marked with, in the order of the first mark. */
  readonly #relationshipScopes = new Map<RelationshipId, string>();

  constructor(
    readonly state: ModuleState,
    readonly code: VirFunction,
  ) {
    this.#parameters = noAliasParameters(code);
    this.#related = new RelatedPointers(code);
  }

  /** The metadata of an access to `pointer`, each after a comma. */
  metadata(pointer: Value): string {
    const within: string[] = [];
    const apart: string[] = [];
    const root = this.#parameters.length === 0 ? UNKNOWN : this.#root(pointer);
    if (root !== UNKNOWN) {
      this.#scopes ??= this.#makeScopes();
      const own = this.#parameters.indexOf(root);
      this.#scopes.forEach((scope, index) => {
        (index === own ? within : apart).push(scope);
      });
    }
    for (const { id, isLeft } of this.#related.sides(pointer))
      (isLeft ? within : apart).push(this.#relationshipScope(id));
    return this.#list('alias.scope', within) + this.#list('noalias', apart);
  }

  /** The lines that declare the scopes; none when no access was marked. */
  declarations(): string[] {
    const scopes = [...(this.#scopes ?? []), ...this.#relationshipScopes.values()];
    if (scopes.length === 0) return [];
    const symbol = this.state.intrinsic('llvm.experimental.noalias.scope.decl', 'void', ['metadata']);
    const { metadata } = this.state;
    return scopes.map((scope) => `  call void ${symbol}(metadata ${metadata.node(`!{${scope}}`)})`);
  }

  #relationshipScope(id: RelationshipId): string {
    const known = this.#relationshipScopes.get(id);
    if (known !== undefined) return known;
    const { metadata } = this.state;
    const name = `!${quotedText(`${this.code.name}: ${this.code.module.relationships.name(id)} ${id}`)}`;
    const scope = metadata.distinct([metadata.distinct([name]), name]);
    this.#relationshipScopes.set(id, scope);
    return scope;
  }

  #list(name: string, scopes: readonly string[]): string {
    if (scopes.length === 0) return '';
    return `, !${name} ${this.state.metadata.node(`!{${scopes.join(', ')}}`)}`;
  }

  #makeScopes(): readonly string[] {
    const { metadata, tables } = this.state;
    const domain = metadata.distinct([`!${quotedText(this.code.name)}`]);
    return this.#parameters.map((parameter) => {
      const name = tables.names.text(this.code.instructionName(parameter as Inst));
      return metadata.distinct([domain, `!${quotedText(`${this.code.name}: ${name || parameter}`)}`]);
    });
  }

  /** The parameter that an address comes from, or one of the constants above. A chain is walked once. */
  #root(pointer: Value): number {
    const chain: Value[] = [];
    let at = pointer;
    let root: number | undefined;
    while (root === undefined) {
      root = this.#roots.get(at) ?? this.#rootOf(at);
      if (root !== undefined) break;
      chain.push(at);
      // In blocks that nothing reaches, addresses may be made from each other in a circle.
      if (chain.length > this.code.instructionCount) root = UNKNOWN;
      at = this.code.operand(at as number as Inst, 0);
    }
    for (const value of chain) this.#roots.set(value, root);
    return root;
  }

  /** The root when the address begins here, undefined when it is made from operand 0. */
  #rootOf(pointer: Value): number | undefined {
    const { code } = this;
    if (isConstantOperand(pointer)) {
      return code.tables.constants.isWithinGlobal(operandConstant(pointer)) ? OTHER_OBJECT : UNKNOWN;
    }
    switch (code.opcode(pointer as number as Inst)) {
      case Opcode.param:
        return pointer;
      case Opcode.alloca:
        return OTHER_OBJECT;
      case Opcode.gep:
      case Opcode.bitcast:
        return undefined;
      default:
        return UNKNOWN;
    }
  }
}

function noAliasParameters(code: VirFunction): number[] {
  const { traitSets, types } = code.tables;
  const found: number[] = [];
  for (let inst = 0; inst < code.parameterCount; inst++) {
    const set = code.instructionTraits(inst as Inst);
    const isNoAlias = traitSets.has(set, Trait.NoAlias) || traitSets.has(set, Trait.Restrict);
    if (isNoAlias && types.isPointer(code.instructionType(inst as Inst))) found.push(inst);
  }
  return found;
}
