/** Diagnostics of the interpreter: codes VCT06xx. */

import { row } from '../row.js';

export const INTERPRETER_ROWS = {
  VCT0600: row('division by zero', 'Test the divisor first.', '006/E-1'),
} as const;
