/** One VIR function to the text of its C translation unit (008/R1, R2). */

import { computeDominators, makeDominators } from '../../core/dominators.js';
import { readFunctionRows } from '../../core/function-rows.js';
import { buildGraph, type Graph, makeGraph } from '../../core/graph.js';
import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import { computeLoops, makeLoops } from '../../core/loops.js';
import {
  type Block,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind } from '../../ir/schema.js';
import type { VirFunction, VirModule } from '../../ir/vir-module.js';
import { aloneParameters } from './alone-parameters.js';
import { findCountedLoops } from './counted-loops.js';
import { refuseDeniedRequests } from './denied-requests.js';
import { FunctionWriter } from './function-writer.js';
import { layOut } from './layout.js';
import { NameScope, sanitizeLabel } from './names.js';
import { takeParameterObjects } from './parameter-objects.js';
import { promisedAlignment } from './parameter-promises.js';
import { planFunction } from './plan.js';
import { Ranges } from './ranges.js';
import { type PrintedNames, StatementPrinter } from './statement-printer.js';
import { findTestableLoops } from './testable-loops.js';
import type { TypeDefinitions } from './type-definitions.js';
import { Unit } from './unit.js';
import { type ModuleText, ValueWriter } from './value-writer.js';
import { VariableNames } from './variable-names.js';
import { findScopes, type VariableScopes } from './variable-scopes.js';

/** A definition and what it needs before it. */
export interface WrittenFunction {
  readonly unit: Unit;
  readonly definition: string;
}

/** Writes one function. Requires a verified module. */
export function writeFunction(
  module: ModuleText,
  definitions: TypeDefinitions,
  vir: VirModule,
  view: VirFunction,
  variables: OutOfSsaResult,
  debug: boolean,
): WrittenFunction {
  refuseDeniedRequests(view, module.dialect);
  const unit = new Unit(definitions);
  const { graph, dominators, layout, counted } = analyse(vir, view);
  const plan = planFunction(view, graph, variables);
  const parameterObjects = module.symbols.isMain(view.id)
    ? new Map<number, Inst>()
    : takeParameterObjects(view, graph, plan, variables);
  const names = new VariableNames(
    view,
    variables,
    plan,
    hiddenNames(module, unit, view),
    module.localNames,
    parameterObjects,
  );
  const values = new ValueWriter(
    module,
    unit,
    view,
    plan,
    (inst) => names.name(names.of(inst)),
    (inst) => names.of(inst),
    (variable) => names.name(variable),
    (variable) => names.type(variable),
    new Ranges(view, dominators, blocksOf(view, graph), counted.counters),
  );
  module.declarations.requireFunction(unit, view.id, true);
  const { isLoop } = layout;
  const testable = findTestableLoops(view, graph, dominators, isLoop, counted.isCounted, module.symbols);
  const body = new FunctionWriter(
    view,
    values,
    plan,
    graph,
    layout,
    testable,
    variables,
    names.count,
  ).write();
  const scopes = findScopes(
    body.statements,
    body.targets,
    body.isCut,
    (variable) => names.isObject(variable),
    (variable) => names.isParameter(variable),
  );
  const printed = printedNames(module, unit, view, names, debug);
  const printer = new StatementPrinter(printed, body.targets);
  const lines = [
    `${signature(module, unit, view, names)}`,
    '{',
    ...unusedParameters(view, scopes, names, module),
    ...topDeclarations(module, scopes, names, unit),
    ...alignedParameters(view, scopes, names, module),
    ...printer.print(body.statements, 1),
    '}',
  ];
  return { unit, definition: `${lines.join('\n')}\n` };
}

function analyse(vir: VirModule, view: VirFunction) {
  const tables = {
    instructions: vir.instructions.data,
    operands: vir.operands.data,
    blocks: vir.blocks.data,
    functions: vir.functions.data,
  };
  const rows = readFunctionRows(tables, view.id);
  const graph = makeGraph(rows.blockCount, rows.operandCount + 1);
  buildGraph(graph, tables, rows);
  const dominators = makeDominators(rows.blockCount);
  computeDominators(dominators, graph);
  const loops = makeLoops(rows.blockCount);
  computeLoops(loops, graph);
  const layout = layOut(graph, dominators, loops);
  return { graph, dominators, layout, counted: findCountedLoops(view, graph, dominators, layout.isLoop) };
}

/** Per instruction: its block, or NONE where control cannot come. */
function blocksOf(view: VirFunction, graph: Graph): Int32Array {
  const result = new Int32Array(view.instructionCount).fill(NONE);
  for (let index = 0; index < graph.reachableCount; index++) {
    const block = graph.reversePostorder[index] as Block;
    result.fill(block, view.blockStart(block), view.blockEnd(block));
  }
  return result;
}

/** The file-scope names that the function's text mentions, which its variables must not hide. */
function hiddenNames(module: ModuleText, unit: Unit, view: VirFunction): NameScope {
  const scope = new NameScope();
  const { tables, symbols } = module;
  const types = new Set<TypeId>();
  const memory = new Set<TypeId>();
  const seen = new Set<number>();
  const noteConstants = (first: number) => {
    if (seen.has(first)) return;
    const work = [first];
    while (work.length > 0) {
      const constant = work.pop() as number;
      if (seen.has(constant)) continue;
      seen.add(constant);
      const kind = tables.constants.kind(constant as never);
      if (tables.constants.isWithinGlobal(constant as never))
        scope.take(symbols.globalName(tables.constants.addressee(constant as never) as never));
      else if (kind === ConstantKind.functionAddress)
        scope.take(symbols.functionName(tables.constants.addressee(constant as never) as never));
      else if (kind === ConstantKind.aggregate)
        for (let index = 0; index < tables.constants.memberCount(constant as never); index++)
          work.push(tables.constants.member(constant as never, index));
    }
  };
  scope.take(symbols.functionName(view.id));
  for (let inst = 0; inst < view.instructionCount; inst++) {
    const require = (type: TypeId) => {
      if (types.has(type)) return;
      unit.definitions.require(type, types, memory, view.module.positionOf(view.id, inst as Inst));
    };
    require(view.instructionType(inst as Inst));
    const opcode = view.opcode(inst as Inst);
    if (opcode === Opcode.gep || opcode === Opcode.alloca) require(view.aux(inst as Inst) as TypeId);
    for (let index = 0; index < view.operandCount(inst as Inst); index++) {
      const value = view.operand(inst as Inst, index);
      if (!isConstantOperand(value)) continue;
      if (seen.has(operandConstant(value))) continue;
      require(view.valueType(value));
      noteConstants(operandConstant(value));
    }
  }
  for (const type of types)
    if (tables.types.isAggregate(type)) scope.take(symbols.typeNames.structName(type));
  return scope;
}

function signature(module: ModuleText, unit: Unit, view: VirFunction, names: VariableNames): string {
  const { symbols, declarations, tables } = module;
  const isMain = symbols.isMain(view.id);
  if (isMain && view.parameterCount === 0) return 'int main(void)';
  const parameters: string[] = [];
  const readOnly = declarations.promises.readOnly.of(view.id);
  const alone = aloneParameters(view, (inst) => names.of(inst));
  for (let parameter = 0; parameter < view.parameterCount; parameter++) {
    const variable = names.of(parameter as Inst);
    unit.requireType(names.type(variable));
    const qualifier = alone.has(parameter) ? 'restrict ' : '';
    const constant = readOnly.has(parameter) ? 'const ' : '';
    const declared = symbols.typeNames.declare(names.type(variable), `${qualifier}${names.name(variable)}`);
    parameters.push(`${constant}${declared}`);
  }
  if (isMain) {
    const [count] = parameters as [string];
    return `int main(${count.replace('int32_t', 'int')}, char **vct_${names.name(names.of(1 as Inst))})`;
  }
  if (tables.types.isVarargs(view.type)) parameters.push('...');
  return `${declarations.functionHead(view.id)}(${parameters.length > 0 ? parameters.join(', ') : 'void'})`;
}

/** `p = __builtin_assume_aligned(p, 16);` for each parameter that is read and of which more is known than its type says. */
function alignedParameters(
  view: VirFunction,
  scopes: VariableScopes,
  names: VariableNames,
  module: ModuleText,
): string[] {
  if (module.dialect === 'c17' || module.symbols.isMain(view.id)) return [];
  const lines: string[] = [];
  for (let parameter = 0 as Inst; parameter < view.parameterCount; parameter++) {
    const alignment = promisedAlignment(view, parameter, module.layout);
    if (alignment === 0 || !scopes.isMentioned(names.of(parameter))) continue;
    const name = names.name(names.of(parameter));
    lines.push(`    ${name} = __builtin_assume_aligned(${name}, ${alignment});`);
  }
  return lines;
}

/** `(void)x;` for each parameter that nothing reads; and main's arguments as pointers of ours. */
function unusedParameters(
  view: VirFunction,
  scopes: VariableScopes,
  names: VariableNames,
  module: ModuleText,
): string[] {
  const lines: string[] = [];
  for (let parameter = 0; parameter < view.parameterCount; parameter++) {
    const variable = names.of(parameter as Inst);
    const name = names.name(variable);
    const isUsed = scopes.isMentioned(variable);
    if (module.symbols.isMain(view.id) && parameter === 1) {
      const type = module.symbols.typeNames.value(names.type(variable));
      lines.push(
        isUsed
          ? `    ${module.symbols.typeNames.declare(names.type(variable), name)} = (${type})vct_${name};`
          : `    (void)vct_${name};`,
      );
    } else if (!isUsed) {
      lines.push(`    (void)${name};`);
    }
  }
  return lines;
}

function printedNames(
  module: ModuleText,
  unit: Unit,
  view: VirFunction,
  names: VariableNames,
  debug: boolean,
): PrintedNames {
  const labels = new NameScope();
  const labelOf: string[] = [];
  return {
    variable: (variable) => names.name(variable),
    declaration: (variable) => {
      unit.requireType(names.type(variable));
      const declare = names.isObject(variable) ? 'declarePlace' : 'declare';
      return module.symbols.typeNames[declare](names.type(variable), names.name(variable));
    },
    label: (block) => {
      labelOf[block] ??= labels.unique(
        sanitizeLabel(module.tables.names.text(view.blockName(block as never)), 'block'),
      );
      return labelOf[block] as string;
    },
    position: (position) => (debug && position !== NONE ? module.tables.position(position) : undefined),
  };
}

/** Declarations at the top, those of one type in one line. */
function topDeclarations(
  module: ModuleText,
  scopes: VariableScopes,
  names: VariableNames,
  unit: Unit,
): string[] {
  const { typeNames } = module.symbols;
  const { types } = module.tables;
  const byType = new Map<TypeId, number[]>();
  const lines: string[] = [];
  for (const variable of scopes.atTop) {
    const type = names.type(variable);
    unit.requireType(type);
    if (names.isObject(variable)) {
      // Scalars are set, for compilers warn where they cannot see that a value is written before it is read.
      const zero = types.isPointer(type)
        ? ' = 0'
        : types.isFloat(type)
          ? ' = 0.0'
          : types.isInteger(type)
            ? ' = 0'
            : '';
      lines.push(`    ${typeNames.declarePlace(type, names.name(variable))}${zero};`);
      continue;
    }
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [variable]);
    else known.push(variable);
  }
  for (const [type, variables] of byType) {
    const star = typeNames.value(type).endsWith('*') ? '*' : '';
    const list = variables.map((variable, index) =>
      index === 0 ? names.name(variable) : `${star}${names.name(variable)}`,
    );
    for (let first = 0; first < list.length; first += 10)
      lines.push(
        `    ${typeNames.declare(
          type,
          list
            .slice(first, first + 10)
            .join(', ')
            .replace(/^\*/, ''),
        )};`,
      );
  }
  return lines;
}
