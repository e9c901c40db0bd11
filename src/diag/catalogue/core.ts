/** Diagnostics of the core and its border: codes VCT05xx. */

import { row } from '../row.js';

export const CORE_ROWS = {
  VCT0500: row(
    'the {table} table is malformed: {detail}',
    'Build modules through the builder or a text form, and do not write to their tables.',
    '005/L-4',
    'internal',
  ),
} as const;
