/** Lowering as the other rooms call it: an HIR module in, a VIR module out (005). */

import type { CoreChoice } from '../ir/config.js';
import type { HirModule } from '../ir/hir-module.js';
import { LoweringMap } from '../ir/lowering-map.js';
import { VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import type { Table } from '../ir/table.js';
import { VirModule } from '../ir/vir-module.js';
import { callCore, guarded } from './border.js';
import { LowerOutput } from './lower.js';
import { lower } from './lower-threads.js';
import { coreEntry } from './native.js';
import { LowerInput } from './validate-hir.js';

/** Names of the inputs in a diagnostic, in the order of `LowerInput`. */
const INPUT_NAMES = ['hirNode', 'hirVariable', 'hirFunction', 'type', 'constant', 'traitSet', 'function'];

const lowerTypeScript = guarded(lower, LowerInput.count, LowerOutput.count);

/**
 * Lowers a module in one call of the core and leaves the HIR as it is. The result shares the module's tables of names, types,
 * constants, globals, functions, positions and trait sets. Fails with VCT0500 when the tables break a rule that the HIR verifier
 * checks, and with VCT0501 when the native core is asked for and does not load. The result is the same at any number of threads
 * (005/L-5).
 */
export function lowerModule(hir: HirModule, choice: CoreChoice = 'auto', threads = 1): VirModule {
  hir.completeFunctions();
  const { tables } = hir;
  const inputs = [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
  const nodeCount = hir.nodes.length;
  const functionCount = hir.functions.length;
  const instructionEstimate = nodeCount + hir.variables.length + 16 * functionCount;
  const sizes = [
    instructionEstimate * VIR_INSTRUCTION.stride,
    instructionEstimate * 2,
    (nodeCount + functionCount) * VIR_BLOCK.stride,
    functionCount * VIR_FUNCTION.stride,
    nodeCount,
  ];
  const entry = coreEntry(choice, 'lower', lowerTypeScript);
  const { outputs } = callCore(entry, INPUT_NAMES, inputs, sizes, threads);
  return virModuleOf(hir, outputs);
}

/** A VIR module over the outputs of the core. */
function virModuleOf(hir: HirModule, outputs: readonly Int32Array<SharedArrayBuffer>[]): VirModule {
  const vir = new VirModule(hir.tables);
  adopt(vir.instructions, outputs[LowerOutput.instructions]);
  adopt(vir.operands, outputs[LowerOutput.operands]);
  adopt(vir.blocks, outputs[LowerOutput.blocks]);
  adopt(vir.functions, outputs[LowerOutput.functions]);
  // Where a node stands in the `.hir` text is where what came from it stands.
  vir.textPlaces = hir.textPlaces;
  vir.loweringMap = new LoweringMap(vir, hir.nodes.length, outputs[LowerOutput.values] as Int32Array);
  return vir;
}

function adopt(table: Table, rows: Int32Array<SharedArrayBuffer> | undefined): void {
  if (rows === undefined) return;
  table.data = rows;
  table.length = rows.length / table.stride;
}
