/** Diagnostics of the LLVM back end: codes VCT08xx. */

import { row } from '../row.js';

export const BACKEND_LLVM_ROWS = {
  VCT0800: row(
    'no data layout is known for the target {target}',
    'Name one of the targets that `vct --help` lists.',
    '009/R19',
  ),
} as const;
