/** Diagnostics of the .vir parser: codes VCT01xx. */

import { row } from '../row.js';

export const VIR_TEXT_ROWS = {
  VCT0100: row('unexpected {found}, expected {expected}', 'See the grammar in spec/006-vir.md.'),
} as const;
