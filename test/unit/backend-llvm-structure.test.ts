/** 009/R6 over every program that the cases run: the same blocks, and in each the same instructions in the same order. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emitLlvm } from '../../src/backend/llvm/index.js';
import type { Block } from '../../src/ir/entities.js';
import { opcodeRow } from '../../src/ir/opcodes.js';
import type { VirFunction, VirModule } from '../../src/ir/vir-module.js';
import { parseVir } from '../../src/vir/parser.js';
import { functionText, LINUX } from './llvm-tools.js';

const CASES = new URL('../cases/run/', import.meta.url);

/** The mnemonics of each block, as LLVM has them. */
function virBlocks(code: VirFunction): string[][] {
  return Array.from({ length: code.blockCount }, (_, block) => {
    const mnemonics: string[] = [];
    for (let inst = code.blockStart(block as Block); inst < code.blockEnd(block as Block); inst++) {
      const { llvm } = opcodeRow(code.opcode(inst));
      mnemonics.push(llvm.startsWith('llvm.') ? 'call' : llvm);
    }
    return mnemonics;
  });
}

function llvmBlocks(text: string): string[][] {
  const blocks: string[][] = [];
  for (const line of text.split('\n').slice(1, -1)) {
    if (/^\S.*:$/.test(line)) blocks.push([]);
    const found = /^ {2}(?:\S+ = |%"[^"]*" = )?(?:tail |musttail |notail )?([a-z]+)/.exec(line);
    if (found !== null) blocks.at(-1)?.push(found[1] as string);
  }
  return blocks;
}

/** Every row of the module's tables. */
function bytes(module: VirModule): Buffer {
  const { types, constants, globals, functions } = module.tables;
  const tables = [module.instructions, module.operands, module.blocks, module.functions];
  const all = [...tables, types.rows, types.members, constants.rows, constants.pool, globals, functions];
  return Buffer.concat(all.map((table) => Buffer.from(new Int32Array(table.view()).buffer)));
}

/** Whether the function has what 009 §4 lists as needing more than one instruction. */
function isException(text: string): boolean {
  return /%(index|slot|part|member|constant)[.\d]* = |scope\.decl/.test(text);
}

describe('009/R6 009/R7: one construct for each', () => {
  test.each(readdirSync(CASES).filter((name) => name.endsWith('.vir')))('%s', (name) => {
    const [text = ''] = readFileSync(new URL(name, CASES), 'utf8').split('\n;--- expect');
    const module = parseVir(text);
    const before = bytes(module);
    const llvm = emitLlvm(module, LINUX);
    expect(Buffer.compare(bytes(module), before), '009/R1').toBe(0);
    expect(llvm).not.toMatch(/\w\*[,)\s]|!llvm\.dbg|!dbg/);
    for (const code of module.definedFunctions()) {
      const written = functionText(llvm, code.name);
      if (!isException(written)) expect(llvmBlocks(written), code.name).toEqual(virBlocks(code));
    }
  });
});
