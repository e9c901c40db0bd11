/** Diagnostics of the C back end: codes VCT07xx. */

import { row } from '../row.js';

export const BACKEND_C_ROWS = {
  VCT0700: row(
    'type {type} cannot be expressed in C',
    'Use a width of 8, 16, 32 or 64 bits, or the LLVM path.',
    '008/R16',
  ),
  VCT0701: row(
    'the name {name} of an exported symbol is no C identifier',
    'Rename it, or emit for gcc or clang, which can give a symbol any name.',
    '008/R19',
  ),
  VCT0702: row('{feature} cannot be expressed in plain C17', 'Emit for gcc or clang.', '008/R29'),
  VCT0703: row(
    'the call to {name} must be a tail call, which GCC cannot promise',
    'Emit for clang, or drop the request.',
    '008/R28',
  ),
  VCT0704: row(
    'the call to {name} must be a tail call, but its result is not what the function returns at once',
    'Return the result of the call directly after it.',
    '008/R28',
  ),
  VCT0705: row(
    '{what} asks for {trait}!, for which {dialect} has no words',
    'Emit for another compiler, or ask without `!`.',
    '008/R13',
  ),
} as const;
