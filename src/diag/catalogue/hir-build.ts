/** Diagnostics of the HIR builder and verifier: codes VCT03xx. */

import { row } from '../row.js';

export const HIR_BUILD_ROWS = {
  VCT0300: row(
    '{operation} needs {expected}, not {found}',
    'Convert the operand first, or use the operation of its own type.',
    '005/L-3',
  ),
} as const;
