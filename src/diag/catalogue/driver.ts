/** Diagnostics of the driver and the command line: codes VCT09xx. */

import { row } from '../row.js';

export const DRIVER_ROWS = {
  VCT0900: row('cannot read {file}: {reason}', 'Check the path and its permissions.'),
} as const;
