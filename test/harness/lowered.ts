/** HIR texts lowered by the TypeScript core, for tests that look at what became of each part. */

import { lowerModule, parseHir, printVir, verifyHir } from '../../src/index.js';
import type { Block, Inst } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { Opcode, opcodeRow } from '../../src/ir/opcodes.js';
import type { VirFunction, VirModule } from '../../src/ir/vir-module.js';
import { readCases } from './case-file.js';

/** Types, globals and external functions that the texts of tests may use. */
const PRELUDE = `module "m"
type %Pair = { lo: i32, hi: i64 }
declare @a() -> i32
declare @b() -> i32
declare @g(i32) -> i32
declare @h(i32, i32) -> i32
`;

/** Blocks may be written on one line; the text form wants a line a statement. */
export function laidOut(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line) => (line.includes('union') ? line : line.replaceAll('{ ', '{\n').replaceAll(' }', '\n}')))
    .join('\n');
}

/** A module with one function `@f(%n: i32, %c: i1)` of the given statements, which the verifier accepts. */
export function hirOf(body: string): HirModule {
  const module = parseHir(`${PRELUDE}func @f(%n: i32, %c: i1) -> i32 export {\n${laidOut(body)}\n}\n`);
  const faults = verifyHir(module);
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.message).join('\n'));
  return module;
}

/** The VIR of `hirOf`. */
export function virOf(body: string): VirModule {
  return lowerModule(hirOf(body), 'ts');
}

/** The lines of `@f` in the text of its VIR, from `entry:` on. */
export function lowered(body: string): string[] {
  return bodyLines(printVir(virOf(body)), 'f');
}

/** The lines of a function in a `.vir` text. */
export function bodyLines(text: string, name: string): string[] {
  const from = text.indexOf('\n', text.indexOf(`func @${name}(`)) + 1;
  return text
    .slice(from, text.indexOf('\n}', from))
    .split('\n')
    .map((line) => line.trim());
}

/** Functions that every invariant is held against: those of every `.hir` case that is well-formed. */
export function everyLoweredCase(
  root: string,
): { readonly name: string; readonly hir: HirModule; readonly vir: VirModule }[] {
  return readCases(root)
    .filter((item) => item.format === 'hir' && item.errors.length === 0)
    .map((item) => {
      const hir = parseHir(item.text);
      return { name: item.name, hir, vir: lowerModule(hir, 'ts') };
    });
}

/** The instructions of a block. */
export function instructionsOf(vir: VirFunction, block: Block): Inst[] {
  const from = vir.blockStart(block);
  return Array.from({ length: vir.blockEnd(block) - from }, (_, index) => (from + index) as Inst);
}

/** The blocks of a function. */
export function blocksOf(vir: VirFunction): Block[] {
  return Array.from({ length: vir.blockCount }, (_, block) => block as Block);
}

/** Whether an instruction ends its block. */
export function isTerminator(vir: VirFunction, inst: Inst): boolean {
  return opcodeRow(vir.opcode(inst)).effects.terminator;
}

/** Where a terminator may go, in the order of its operands. */
export function successorsOf(vir: VirFunction, block: Block): number[] {
  const last = vir.terminator(block);
  const operands = Array.from({ length: vir.operandCount(last) }, (_, index) => vir.rawOperand(last, index));
  switch (vir.opcode(last)) {
    case Opcode.br:
      return operands;
    case Opcode.condbr:
      return operands.slice(1);
    case Opcode.switch:
      return operands.filter((_, index) => index % 2 === 1);
    default:
      return [];
  }
}

/** The distinct predecessors of each block, ascending. */
export function predecessorsOf(vir: VirFunction): number[][] {
  const result: number[][] = blocksOf(vir).map(() => []);
  for (const block of blocksOf(vir)) {
    for (const target of new Set(successorsOf(vir, block))) result[target]?.push(block);
  }
  return result;
}
