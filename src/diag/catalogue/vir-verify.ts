/** Diagnostics of the VIR verifier: codes VCT02xx. */

import { row } from '../row.js';

export const VIR_VERIFY_ROWS = {
  VCT0200: row(
    'block %{block} has no terminator',
    'End every block with br, condbr, switch, ret or unreachable.',
    '005/L-8',
  ),
} as const;
