/** Diagnostics of the C back end: codes VCT07xx. */

import { row } from '../row.js';

export const BACKEND_C_ROWS = {
  VCT0700: row(
    'type {type} cannot be expressed in C',
    'Use a width of 8, 16, 32 or 64 bits, or the LLVM path.',
    '008/R16',
  ),
} as const;
