/** What is gathered while the functions of one module are written, and stands before or after them in the text. */

import type { ConstantId, FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { LayoutTable } from '../../types/layout.js';
import { LlvmConstants } from './constants.js';
import { Metadata } from './metadata.js';
import { llvmSymbol, NamePool } from './names.js';
import type { LlvmTarget } from './target.js';
import { LlvmTypes } from './types.js';

/** The state of one emission. */
export class ModuleState {
  readonly layout: LayoutTable;
  readonly types: LlvmTypes;
  readonly constants: LlvmConstants;
  readonly metadata = new Metadata();
  readonly #symbols = new NamePool();
  readonly #intrinsics = new Map<string, string>();
  readonly #lifted = new Map<ConstantId, string>();
  readonly #liftedLines: string[] = [];

  constructor(
    readonly tables: ModuleTables,
    readonly target: LlvmTarget,
    /** The LLVM major that the text is for. */
    readonly llvm: number,
  ) {
    this.layout = new LayoutTable(tables.types);
    this.types = new LlvmTypes(tables.types, this.layout);
    this.constants = new LlvmConstants(tables, this.types, this.layout);
    for (let id = 0; id < tables.globals.length; id++) this.#symbols.claim(tables.globalName(id as GlobalId));
    for (let id = 0; id < tables.functions.length; id++)
      this.#symbols.claim(tables.functionName(id as FunctionId));
  }

  /** `@name` of an intrinsic, which is then declared (009/R17). */
  intrinsic(name: string, result: string, parameters: readonly string[]): string {
    this.#intrinsics.set(name, `declare ${result} @${name}(${parameters.join(', ')})`);
    return `@${name}`;
  }

  /** The declarations of the intrinsics, by name. */
  intrinsicDeclarations(): string[] {
    return [...this.#intrinsics.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  /** A private global that holds a loose constant (see constants.ts). */
  lifted(constant: ConstantId): string {
    let symbol = this.#lifted.get(constant);
    if (symbol === undefined) {
      symbol = llvmSymbol(this.#symbols.claim('vct.constant'));
      const { type, text } = this.constants.typed(constant);
      const alignment = this.layout.alignment(this.tables.constants.type(constant));
      this.#lifted.set(constant, symbol);
      this.#liftedLines.push(`${symbol} = private unnamed_addr constant ${type} ${text}, align ${alignment}`);
    }
    return symbol;
  }

  liftedDefinitions(): readonly string[] {
    return this.#liftedLines;
  }

  /** `signext` or `zeroext` with a space after it, where the target's calls extend integers of that type; else ''. */
  extension(type: TypeId): string {
    const { types } = this.tables;
    if (!types.isInteger(type)) return '';
    const width = types.width(type);
    const { extension } = this.target;
    if (extension === 'none' || (extension === 'boolean' && width > 1)) return '';
    if (width !== 1 && width !== 8 && width !== 16) return '';
    return types.isSigned(type) && width > 1 ? 'signext ' : 'zeroext ';
  }
}
