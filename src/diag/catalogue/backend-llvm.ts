/** Diagnostics of the LLVM back end: codes VCT08xx. */

import { row } from '../row.js';

export const BACKEND_LLVM_ROWS = {
  VCT0800: row(
    'no data layout is known for the target {target}',
    'Name one of the targets that `vct --help` lists.',
    '009/R19',
  ),
  VCT0801: row(
    'LLVM {version} is not supported',
    'Set the option llvm to 18 or a later major version.',
    '009/R10',
  ),
  VCT0802: row(
    'the symbol {name} cannot be written in LLVM text: {reason}',
    'Rename the function or global.',
    '009/R21',
  ),
  VCT0803: row(
    'the call to {callee} cannot be a guaranteed tail call: {reason}',
    'Return the result of the call at once and give both functions the same type, or request TailCall.',
    '009/R13',
  ),
  VCT0804: row(
    'an atomic access to {type} cannot be written in LLVM text',
    'Use an integer or float of 8, 16, 32, 64 or 128 bits, or a pointer.',
    '009/R6',
  ),
} as const;
