/** Writes a VIR module as `.vir` text (grammar: spec/006-vir.md §2). Reading the text back and writing it again gives the same bytes. */

import { DiagnosticError } from '../diag/diagnostic.js';
import {
  type Block,
  type FunctionId,
  type Inst,
  type NameId,
  NONE,
  type RelationshipId,
} from '../ir/entities.js';
import { FUNCTION, GLOBAL, VIR_BLOCK, VIR_INSTRUCTION } from '../ir/schema.js';
import { ModulePrinter } from '../ir/text/module-printer.js';
import { relationshipLines } from '../ir/text/relationship-text.js';
import { uniqueTexts } from '../ir/text/unique-texts.js';
import type { VirFunction, VirModule } from '../ir/vir-module.js';
import { type FunctionTexts, instructionText } from './instruction-text.js';
import { tableFaults } from './verify-tables.js';

/** The module as text. Throws a DiagnosticError when its tables are malformed; a module that breaks other rules is written as it is. */
export function printVir(module: VirModule): string {
  const faults = tableFaults(module);
  if (faults.length > 0) throw new DiagnosticError(faults);
  const printer = new ModulePrinter(module.tables);
  printer.numberSources(positionRows(module));
  const bodies: string[] = [];
  let wasDeclaration = false;
  for (let id = 0; id < module.functionCount; id++) {
    const view = module.function(id as FunctionId);
    const isDeclaration = view.blockCount === 0;
    // A blank line before each body and before each run of declarations.
    if (!isDeclaration || !wasDeclaration) bodies.push('');
    for (const line of functionLines(printer, view)) bodies.push(line);
    wasDeclaration = isDeclaration;
  }
  if (module.relationships.length > 0) bodies.push('', ...relationshipTexts(printer, module));
  return `${printer.head()}${bodies.map((line) => `${line}\n`).join('')}`;
}

/** Every row of the position table that something printed names. */
function* positionRows(module: VirModule): Generator<number> {
  const { globals, functions } = module.tables;
  for (let row = 0; row < globals.length; row++) yield globals.get(row, GLOBAL.position);
  for (let row = 0; row < functions.length; row++) yield functions.get(row, FUNCTION.position);
  for (let row = 0; row < module.blocks.length; row++) yield module.blocks.get(row, VIR_BLOCK.position);
  for (let row = 0; row < module.instructions.length; row++) {
    yield module.instructions.get(row, VIR_INSTRUCTION.position);
  }
  for (let row = 0; row < module.relationships.length; row++)
    yield module.relationships.position(row as RelationshipId);
}

/** The relationships; the names of the values are made once more for each function that has some. */
function relationshipTexts(printer: ModulePrinter, module: VirModule): string[] {
  const texts = new Map<FunctionId, readonly string[]>();
  return relationshipLines(printer, module.relationships, (owner, row) => {
    const known = texts.get(owner) ?? functionTexts(printer, module.function(owner)).values;
    texts.set(owner, known);
    return known[row] as string;
  });
}

/** One function as text, for diagnostics and pictures. Requires well-formed tables. */
export function printVirFunction(module: VirModule, id: FunctionId): string {
  return functionLines(new ModulePrinter(module.tables), module.function(id)).join('\n');
}

function functionLines(printer: ModulePrinter, view: VirFunction): string[] {
  const texts = functionTexts(printer, view);
  const parameters: string[] = [];
  for (let index = 0; index < view.parameterCount; index++) {
    const inst = index as Inst;
    const tail = printer.annotations(view.instructionTraits(inst), view.instructionPosition(inst));
    parameters.push(`%${texts.values[index]}: ${printer.type(view.instructionType(inst))}${tail}`);
  }
  const hasBody = view.blockCount > 0;
  const isNamed = hasBody || view.parameterCount > 0;
  const head = printer.signature(view.id, isNamed ? parameters : undefined, hasBody);
  if (!hasBody) return [head];
  const lines = [`${head} {`];
  for (let number = 0; number < view.blockCount; number++) {
    const block = number as Block;
    const tail = printer.annotations(view.blockTraits(block), view.blockPosition(block));
    lines.push(`${texts.blocks[number]}:${tail}`);
    for (let inst = view.blockStart(block); inst < view.blockEnd(block); inst++) {
      lines.push(instructionLine(texts, inst as Inst));
    }
  }
  lines.push('}');
  return lines;
}

function instructionLine(texts: FunctionTexts, inst: Inst): string {
  const { printer, view } = texts;
  const result = texts.values[inst] === '' ? '' : `%${texts.values[inst]} = `;
  const region = regionText(view.instructionRegion(inst));
  const tail = printer.annotations(view.instructionTraits(inst), view.instructionPosition(inst));
  return `  ${result}${instructionText(texts, inst)}${region}${tail}`;
}

function regionText(region: number): string {
  return region === NONE ? '' : ` region ${region}`;
}

function functionTexts(printer: ModulePrinter, view: VirFunction): FunctionTexts {
  const { names, types } = view.tables;
  const text = (name: NameId) => (name === NONE ? '' : names.text(name));
  const values: (string | undefined)[] = [];
  for (let inst = 0; inst < view.instructionCount; inst++) {
    const isValue = view.instructionType(inst as Inst) !== types.void;
    values.push(isValue ? text(view.instructionName(inst as Inst)) : undefined);
  }
  const blocks: string[] = [];
  for (let block = 0; block < view.blockCount; block++) blocks.push(text(view.blockName(block as Block)));
  return { printer, view, values: uniqueTexts(values), blocks: uniqueTexts(blocks) };
}
