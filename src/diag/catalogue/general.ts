/** Diagnostics of the whole house: codes VCT00xx. */

import { row } from '../row.js';

export const GENERAL_ROWS = {
  VCT0001: row(
    'internal error: {detail}',
    'This is a fault of libVCT; please report it with the input.',
    '',
    'internal',
  ),
  VCT0002: row(
    '{what} exceeds the limit of {limit}',
    'Raise the limit in the Config, or make the input smaller.',
  ),
} as const;
