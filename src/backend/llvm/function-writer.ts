/** One function definition while it is written: its names, its lines, and operands as text. */

import {
  type Block,
  type Inst,
  isConstantOperand,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { Opcode } from '../../ir/opcodes.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { AliasScopes } from './alias-scopes.js';
import type { ModuleState } from './module-state.js';
import { LocalNames } from './names.js';

/** The lines of one function. Instructions that VIR does not have go to the prelude, at the head of the entry block. */
export class FunctionWriter {
  readonly names: LocalNames;
  readonly tables: ModuleTables;
  readonly lines: string[] = [];
  readonly prelude: string[] = [];
  /** Whether the function has objects of its own, which a call marked `tail` must not see. */
  readonly hasObjects: boolean;
  readonly scopes: AliasScopes;
  readonly #lifted = new Map<Value, string>();

  constructor(
    readonly state: ModuleState,
    readonly code: VirFunction,
  ) {
    this.tables = state.tables;
    this.names = new LocalNames(code);
    this.scopes = new AliasScopes(state, code);
    this.hasObjects = hasAlloca(code);
  }

  /** Appends an instruction. */
  write(text: string): void {
    this.lines.push(`  ${text}`);
  }

  /** Appends an instruction whose result is that of `inst`. */
  define(inst: Inst, text: string): void {
    this.lines.push(`  ${this.names.value(inst as number as Value)} = ${text}`);
  }

  /** An operand without its type. */
  text(value: Value): string {
    if (!isConstantOperand(value)) return this.names.value(value);
    const constant = this.state.constants.typed(operandConstant(value));
    return constant.loose ? this.#loadLifted(value) : constant.text;
  }

  /** An operand after its type. */
  typed(value: Value): string {
    return `${this.state.types.text(this.code.valueType(value))} ${this.text(value)}`;
  }

  /** An operand of an instruction, without its type. */
  operand(inst: Inst, index: number): string {
    return this.text(this.code.operand(inst, index));
  }

  /** An operand of an instruction, after its type. */
  typedOperand(inst: Inst, index: number): string {
    return this.typed(this.code.operand(inst, index));
  }

  /** `label %name`. */
  label(block: Block): string {
    return `label %${this.names.block(block)}`;
  }

  /** The text of a type. */
  typeText(type: TypeId): string {
    return this.state.types.text(type);
  }

  /** A fresh object in the frame of the function. */
  slot(type: TypeId, wanted: string): string {
    const name = this.names.fresh(wanted);
    const alignment = this.state.layout.alignment(type);
    this.prelude.push(`  ${name} = alloca ${this.typeText(type)}, align ${alignment}`);
    return name;
  }

  #loadLifted(value: Value): string {
    let name = this.#lifted.get(value);
    if (name === undefined) {
      const constant = operandConstant(value);
      const type = this.tables.constants.type(constant);
      name = this.names.fresh('constant');
      this.#lifted.set(value, name);
      this.prelude.push(
        `  ${name} = load ${this.typeText(type)}, ptr ${this.state.lifted(constant)}, align ${this.state.layout.alignment(type)}`,
      );
    }
    return name;
  }
}

/** Objects stand in the entry block only. */
function hasAlloca(code: VirFunction): boolean {
  const end = code.blockEnd(0 as Block);
  for (let inst = code.blockStart(0 as Block); inst < end; inst++) {
    if (code.opcode(inst) === Opcode.alloca) return true;
  }
  return false;
}
