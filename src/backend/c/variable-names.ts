/** Names and types of a function's C variables: those that leave-ssa found, and one for each local object. */

import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import { type Inst, NONE, type TypeId } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { type NameScope, sanitizeLocalName } from './names.js';
import { Fate, type Plan } from './plan.js';

/** Variables of one function: 0 to `variables.variableCount(id)` exclusive as leave-ssa counts them, then the others. */
export class VariableNames {
  readonly #names: string[] = [];
  readonly #types: TypeId[] = [];
  /** Variable of an instruction that leave-ssa gave none: a local object, an unused parameter or result. */
  readonly #own = new Map<number, number>();
  readonly #objects = new Set<number>();
  readonly #parameters = new Set<number>();

  /** Names every variable that the function's text can mention; `scope` holds the names that it must not hide. */
  constructor(
    readonly view: VirFunction,
    readonly variables: OutOfSsaResult,
    plan: Plan,
    scope: NameScope,
    /** For each name of the module what it is as a local one; empty where it is none. */
    readonly localNames: Map<number, string>,
    /** Local objects that are parameters: for each alloca its parameter. */
    parameterObjects: ReadonlyMap<number, Inst>,
  ) {
    const best = this.#bestNames();
    const count = variables.variableCount(view.id);
    const isKept = keptVariables(view, variables, plan);
    const objects = this.#objectPointers();
    for (let parameter = 0; parameter < view.parameterCount; parameter++)
      this.#parameter(parameter as Inst, best, scope);
    for (let variable = 0; variable < count; variable++) {
      if (this.#names[variable] !== undefined || isKept[variable] === 0) continue;
      if (objects.has(variable)) continue;
      this.#types[variable] = variables.variableType(view.id, variable);
      this.#names[variable] = scope.unique(
        best[variable] ?? defaultName(view, this.#types[variable] as TypeId),
      );
    }
    let next = count;
    for (let inst = view.parameterCount; inst < view.instructionCount; inst++) {
      if (plan.isLive[inst] === 0) continue;
      const opcode = view.opcode(inst as Inst);
      if (opcode !== Opcode.alloca && (opcode !== Opcode.cmpxchg || this.of(inst as Inst) !== NONE)) continue;
      const parameter = parameterObjects.get(inst);
      if (parameter !== undefined) {
        this.#own.set(inst, this.of(parameter));
        continue;
      }
      const type = view.instructionType(inst as Inst);
      this.#own.set(inst, next);
      this.#types[next] = opcode === Opcode.alloca ? view.tables.types.pointee(type) : type;
      this.#names[next] = scope.unique(
        this.#ownName(inst) ?? (opcode === Opcode.alloca ? 'object' : 'exchanged'),
      );
      if (opcode === Opcode.alloca) this.#objects.add(next);
      next++;
    }
  }

  /** The variable of an instruction, or NONE; a variable that nothing needs has no name and is none. */
  of(inst: Inst): number {
    const variable = this.#own.get(inst) ?? this.#variable(inst);
    return this.#names[variable] === undefined ? NONE : variable;
  }

  /** One more than the largest variable. */
  get count(): number {
    return this.#types.length;
  }

  name(variable: number): string {
    return this.#names[variable] as string;
  }

  type(variable: number): TypeId {
    return this.#types[variable] as TypeId;
  }

  isObject(variable: number): boolean {
    return this.#objects.has(variable);
  }

  isParameter(variable: number): boolean {
    return this.#parameters.has(variable);
  }

  /** The author's name of a value, without the number that tells it from others of that name. */
  #ownName(inst: number): string | undefined {
    const name = this.view.instructionName(inst as Inst);
    if (name === NONE) return undefined;
    const known = this.localNames.get(name);
    if (known !== undefined) return known === '' ? undefined : known;
    const text = this.view.tables.names.text(name).replace(/\.\d+$/, '');
    const made = text === '' || /^\d+$/.test(text) ? '' : sanitizeLocalName(text, 'v');
    this.localNames.set(name, made);
    return made === '' ? undefined : made;
  }

  #variable(inst: number): number {
    return this.variables.variable(this.view.id, inst as Inst);
  }

  /** A parameter that nothing reads gets a variable of its own all the same: C wants a name. */
  #parameter(inst: Inst, best: readonly (string | undefined)[], scope: NameScope): void {
    let variable = this.#variable(inst);
    if (variable === NONE || this.#parameters.has(variable)) {
      variable = -2 - inst;
      this.#own.set(inst, variable);
    }
    const name = this.#ownName(inst) ?? best[variable] ?? 'arg';
    this.#parameters.add(variable);
    this.#types[variable] = this.view.instructionType(inst);
    this.#names[variable] = scope.unique(name);
  }

  /** Variables that hold nothing but the address of a local object, which C writes as the object itself. */
  #objectPointers(): ReadonlySet<number> {
    const { view } = this;
    const objects = new Set<number>();
    for (let inst = 0; inst < view.instructionCount; inst++)
      if (view.opcode(inst as Inst) === Opcode.alloca) objects.add(this.#variable(inst));
    if (objects.size === 0) return objects;
    for (let inst = 0; inst < view.instructionCount; inst++)
      if (view.opcode(inst as Inst) !== Opcode.alloca) objects.delete(this.#variable(inst));
    return objects;
  }

  /** For each variable the name of a phi in it, else of its first named value: `i` and not `i.next`. */
  #bestNames(): (string | undefined)[] {
    const { view } = this;
    const best: (string | undefined)[] = [];
    const isPhi: boolean[] = [];
    for (let inst = 0; inst < view.instructionCount; inst++) {
      const variable = this.#variable(inst);
      if (variable === NONE) continue;
      const phi = view.opcode(inst as Inst) === Opcode.phi;
      if (best[variable] !== undefined && (isPhi[variable] === true || !phi)) continue;
      const name = this.#ownName(inst);
      if (name === undefined) continue;
      best[variable] = name;
      isPhi[variable] = phi;
    }
    return best;
  }
}

/** Per variable, 1 when the text mentions it: some value of it is not inlined, or only moves use it. */
function keptVariables(view: VirFunction, variables: OutOfSsaResult, plan: Plan): Uint8Array {
  const isKept = new Uint8Array(variables.variableCount(view.id));
  for (let variable = 0; variable < isKept.length; variable++)
    if (variables.firstValue(view.id, variable) === NONE)
      isKept[variable] = plan.isNeeded[variable] as number;
  for (let inst = 0; inst < view.instructionCount; inst++) {
    const variable = variables.variable(view.id, inst as Inst);
    if (variable !== NONE && plan.isLive[inst] === 1 && plan.fate[inst] === Fate.variable)
      isKept[variable] = 1;
  }
  return isKept;
}

function defaultName(view: VirFunction, type: TypeId): string {
  const { types } = view.tables;
  if (types.isPointer(type)) return 'p';
  return types.isFloat(type) ? 'x' : 'v';
}
