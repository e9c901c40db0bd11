/** Diagnostics of the .hir parser: codes VCT04xx. */

import { row } from '../row.js';

export const HIR_TEXT_ROWS = {
  VCT0400: row('unexpected {found}, expected {expected}', 'See the grammar in spec/003-hir.md.'),
} as const;
