/** Functions and globals in LLVM text: declarations, linkage, definitions. */

import { type Block, type GlobalId, type Inst, NONE } from '../../ir/entities.js';
import { regionBarriers } from '../../ir/region-barriers.js';
import { GLOBAL, Linkage } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { ControlFlow } from './control-flow.js';
import { FunctionWriter } from './function-writer.js';
import { writeInstruction } from './instructions.js';
import type { ModuleState } from './module-state.js';
import { llvmSymbol } from './names.js';
import { alignmentOf, functionAttributes, functionProfile, parameterAttributes } from './traits.js';

/** The line of a global: a declaration when it has no initializer. */
export function globalLine(state: ModuleState, id: GlobalId): string {
  const { tables } = state;
  const type = tables.globalType(id);
  const traits = tables.globals.get(id, GLOBAL.traits) as never;
  const initializer = tables.globalInitializer(id);
  const linkage = linkageWord(tables.globalLinkage(id), initializer !== NONE);
  const storage = tables.isThreadLocalGlobal(id) ? 'thread_local ' : '';
  const kind = tables.isConstantGlobal(id) ? 'constant' : 'global';
  const content =
    initializer === NONE ? { type: state.types.text(type), text: '' } : state.constants.typed(initializer);
  const value = content.text === '' ? content.type : `${content.type} ${content.text}`;
  const align = tables.types.isComplete(type) ? `, align ${alignmentOf(state, type, traits)}` : '';
  return `${llvmSymbol(tables.globalName(id))} = ${linkage}${storage}${kind} ${value}${align}`;
}

/** The word of a linkage with a space after it. What is not defined here is `external`, or may be missing when weak. */
function linkageWord(linkage: Linkage, isDefined: boolean): string {
  if (!isDefined) return linkage === Linkage.weak ? 'extern_weak ' : 'external ';
  if (linkage === Linkage.internal) return 'internal ';
  return linkage === Linkage.weak ? 'weak ' : '';
}

/** The line that declares a function without body. */
export function functionDeclaration(state: ModuleState, code: VirFunction): string {
  const linkage = state.tables.functionLinkage(code.id) === Linkage.weak ? 'extern_weak ' : '';
  return `declare ${linkage}${signature(state, code, () => '')}`;
}

/** At every way in and out of a region (005/L-35): no access to memory passes it. */
const REGION_BARRIER = 'call void asm sideeffect "", "~{memory}"()';

/** The lines that define a function. */
export function functionDefinition(state: ModuleState, code: VirFunction): string[] {
  const writer = new FunctionWriter(state, code);
  const flow = new ControlFlow(state, code);
  const barriers = regionBarriers(code);
  for (let index = 0; index < code.blockCount; index++) {
    const block = index as Block;
    if (index > 0) writer.lines.push('', `${writer.names.block(block)}:`);
    for (let inst = code.blockStart(block); inst < code.blockEnd(block); inst++) {
      if (barriers?.[inst] === 1) writer.write(REGION_BARRIER);
      writeInstruction(writer, flow, inst as Inst, block);
    }
  }
  const linkage = linkageWord(state.tables.functionLinkage(code.id), true);
  const head = signature(state, code, (inst) => ` ${writer.text(inst as number as never)}`);
  const profile = functionProfile(state, state.tables.functionTraits(code.id));
  const entry = `${writer.names.block(0 as Block)}:`;
  return [
    `define ${linkage}${head}${profile} {`,
    entry,
    ...writer.prelude,
    ...writer.scopes.declarations(),
    ...writer.lines,
    '}',
  ];
}

/** Result, name, parameters and attributes. `name` gives the text after a parameter's attributes. */
function signature(state: ModuleState, code: VirFunction, name: (inst: Inst) => string): string {
  const { types } = state.tables;
  const result = code.resultType;
  const parameters: string[] = [];
  for (let index = 0; index < types.memberCount(code.type); index++) {
    const type = types.memberType(code.type, index);
    const isKnown = index < code.parameterCount;
    const traits = isKnown ? code.instructionTraits(index as Inst) : (0 as never);
    const words = `${state.extension(type)}${parameterAttributes(state, type, traits)}`;
    parameters.push(`${state.types.text(type)} ${words}`.trimEnd() + name(index as Inst));
  }
  if (types.isVarargs(code.type)) parameters.push('...');
  const attributes = functionAttributes(state, state.tables.functionTraits(code.id));
  const returned = `${state.extension(result)}${state.types.text(result)}`;
  return `${returned} ${llvmSymbol(code.name)}(${parameters.join(', ')})${attributes}`;
}
