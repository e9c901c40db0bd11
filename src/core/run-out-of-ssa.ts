/** Calls out-of-SSA of the chosen core over a whole module, and gives it larger outputs when it asks for them. */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import type { VirModule } from '../ir/vir-module.js';

/** What the core wrote. */
export interface OutOfSsaTables {
  readonly variables: Int32Array;
  readonly copies: Int32Array;
  readonly functions: Int32Array;
}

/** Runs out-of-SSA of the chosen core. Fails with VCT0500 when the tables are malformed. */
export function runOutOfSsa(_vir: VirModule, _choice: CoreChoice): OutOfSsaTables {
  return fail('VCT0001', { detail: 'out-of-SSA is not built yet' });
}
