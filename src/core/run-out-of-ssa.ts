/** Calls out-of-SSA of the chosen core over a whole module. */

import type { CoreChoice } from '../ir/config.js';
import { OUT_OF_SSA_FUNCTION } from '../ir/schema.js';
import type { VirModule } from '../ir/vir-module.js';
import { callCore, guarded } from './border.js';
import { coreEntry } from './native.js';
import { outOfSsa, outOfSsaInputCount, outOfSsaOutputCount } from './out-of-ssa.js';

/** The names of the input tables, for diagnostics. */
const INPUT_NAMES = ['virInstruction', 'operands', 'virBlock', 'virFunction'];

/** The TypeScript entry, checks in front. */
export const outOfSsaTwin = guarded(outOfSsa, outOfSsaInputCount, outOfSsaOutputCount);

/** What the core wrote, as `schema.ts` lays it out. */
export interface OutOfSsaTables {
  readonly variables: Int32Array;
  readonly copies: Int32Array;
  readonly functions: Int32Array;
}

/** The tables of a module that out-of-SSA reads, in the order of its inputs. */
export function outOfSsaInputs(vir: VirModule): Int32Array[] {
  return [vir.instructions.view(), vir.operands.view(), vir.blocks.view(), vir.functions.view()];
}

/** Runs out-of-SSA of the chosen core. Fails with VCT0500 when the tables are malformed. */
export function runOutOfSsa(vir: VirModule, choice: CoreChoice): OutOfSsaTables {
  const entry = coreEntry(choice, 'outOfSsa', outOfSsaTwin);
  // The second size is a guess: every third operand belongs to a phi. The core says when that is too little.
  const sizes = [
    vir.instructions.length,
    vir.operands.length,
    vir.functions.length * OUT_OF_SSA_FUNCTION.stride,
  ];
  const [variables, copies, functions] = callCore(entry, INPUT_NAMES, outOfSsaInputs(vir), sizes)
    .outputs as readonly [Int32Array, Int32Array, Int32Array];
  return { variables, copies, functions };
}
