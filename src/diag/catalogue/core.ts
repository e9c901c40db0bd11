/** Diagnostics of the core and its border: codes VCT05xx. */

import { row } from '../row.js';

export const CORE_ROWS = {
  VCT0500: row(
    'the {table} table is malformed: {detail}',
    'Build modules through the builder or a text form, and do not write to their tables.',
    '005/L-4',
    'internal',
  ),
  VCT0501: row(
    'the native core was asked for and cannot be used: {reason}',
    'Build it with `npm run build:native`, or set the core to `auto` or `ts`.',
  ),
  VCT0502: row(
    'VCT_CORE is {value}, which is none of auto, native and ts',
    'Set VCT_CORE to auto, native or ts, or unset it.',
  ),
  VCT0503: row(
    'the core has no memory left for {what}',
    'Split the module, or give the process more memory.',
  ),
  VCT0504: row(
    'the exits of @{name} run what is deferred so often that lowering would make more than {limit} nodes of it',
    'Put what is deferred into a function and defer a call of it, or nest fewer defers in one another.',
    '003/H-11',
  ),
  VCT0505: row(
    'this is no lowering map of this module: {detail}',
    'Read it with the module that it was written with, or with the text of that.',
    '005/L-30',
  ),
} as const;
