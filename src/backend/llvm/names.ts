/** Identifiers of LLVM text: quoting, and one name for each block and value of a function (009/R8, R21). */

import { fail } from '../../diag/diagnostic.js';
import type { Block, Inst, Value } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { quotedText } from '../../types/type-table.js';

/** A name after its sigil: bare where LLVM's lexer takes it so, else in quotes. */
export function llvmIdentifier(name: string): string {
  return /^[A-Za-z_.$-][A-Za-z0-9_.$-]*$/.test(name) ? name : quotedText(name);
}

/** `@name` of a function or global. LLVM keeps names that begin with `llvm.` for itself. */
export function llvmSymbol(name: string): string {
  const reason =
    name === ''
      ? 'it is empty'
      : name.startsWith('llvm.')
        ? 'LLVM keeps such names for itself'
        : name.includes('\0')
          ? 'it contains a NUL'
          : undefined;
  if (reason !== undefined) fail('VCT0802', { name: JSON.stringify(name), reason });
  return `@${llvmIdentifier(name)}`;
}

/** Gives names that are free, each only once: `x`, then `x.1`, `x.2`, … A wanted name is never given as such a variant. */
export class NamePool {
  readonly #used = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #wanted = new Set<string>();

  /** Keeps a name for whoever claims exactly it. */
  reserve(wanted: string): void {
    this.#wanted.add(wanted);
  }

  claim(wanted: string): string {
    let name = wanted;
    if (this.#used.has(name)) {
      let number = this.#next.get(wanted) ?? 1;
      const isTaken = (text: string) => this.#used.has(text) || this.#wanted.has(text);
      while (isTaken(`${wanted}.${number}`)) number++;
      name = `${wanted}.${number}`;
      this.#next.set(wanted, number + 1);
    }
    this.#used.add(name);
    return name;
  }
}

/**
 * The local names of one function. Blocks and values share LLVM's name space; blocks choose first, so that `entry` stays
 * `entry`. A value without name gets LLVM's own number: parameters first, then results in the order of the text.
 */
export class LocalNames {
  readonly #pool = new NamePool();
  readonly #blocks: string[] = [];
  readonly #values: (string | undefined)[] = [];

  constructor(code: VirFunction) {
    const { names, types } = code.tables;
    for (let inst = 0; inst < code.instructionCount; inst++)
      this.#pool.reserve(names.text(code.instructionName(inst as Inst)));
    for (let block = 0; block < code.blockCount; block++) {
      const name = names.text(code.blockName(block as Block));
      this.#blocks.push(llvmIdentifier(this.#pool.claim(usable(name) ? name : `block${block}`)));
    }
    let number = 0;
    const nameResult = (inst: Inst) => {
      if (types.kind(code.instructionType(inst)) === TypeKind.void) return;
      const name = names.text(code.instructionName(inst));
      this.#values[inst] = usable(name) ? `%${llvmIdentifier(this.#pool.claim(name))}` : `%${number++}`;
    };
    for (let inst = 0; inst < code.parameterCount; inst++) nameResult(inst as Inst);
    for (let block = 0; block < code.blockCount; block++) {
      const end = code.blockEnd(block as Block);
      for (let inst = code.blockStart(block as Block); inst < end; inst++) nameResult(inst as Inst);
    }
  }

  /** The label of a block, without sigil. */
  block(block: Block): string {
    return this.#blocks[block] as string;
  }

  /** The result of an instruction, with its sigil. */
  value(value: Value): string {
    return this.#values[value] as string;
  }

  /** A fresh name, with its sigil, for a value that VIR does not have. */
  fresh(wanted: string): string {
    return `%${llvmIdentifier(this.#pool.claim(wanted))}`;
  }
}

/** LLVM gives an empty name a number and refuses a NUL. */
function usable(name: string): boolean {
  return name !== '' && !name.includes('\0');
}
