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
  VCT0506: row(
    'node {node} is a defer, in a module whose defers have been expanded',
    'Please report this: the HIR optimizer has left it, or somebody has written to the tables.',
    '005/L-38',
    'internal',
  ),
  VCT0505: row(
    'this is no lowering map of this module: {detail}',
    'Read it with the module that it was written with, or with the text of that.',
    '005/L-30',
  ),
  VCT0510: row(
    'the traits of {what} are stale: stated in epoch {stated}, and a rewrite has made it epoch {epoch} since; {traits} cannot be read',
    "A rewrite states anew what still holds of what it touched: call `restate` of the module's epochs.",
    '005/L-1',
    'internal',
  ),
  VCT0511: row(
    'the traits {first} and {second} of {what} contradict each other',
    'State only one of them.',
    '005/L-4',
    'internal',
  ),
  VCT0512: row(
    '{what} is accessed otherwise than its traits isVolatile and isAtomic say',
    'Build modules through the builder or a text form, and do not write to their tables.',
    '005/L-4',
    'internal',
  ),
  VCT0513: row(
    '{what} takes the address of {variable}, which lacks the trait {trait}',
    'State isAddressed of a variable whose address is taken; the builder does so by itself.',
    '005/L-4',
    'internal',
  ),
  VCT0514: row(
    'the relationship {relationship} contradicts itself: {left} and {right} both held {value}',
    'Nothing can be so related to itself: state the relationship of variables that never hold the same pointer in one call.',
    '005/L-4',
  ),
  VCT0515: row(
    '{what} lacks {trait}, which lowering reads and never makes up',
    'Build modules through the builder or a text form, and do not write to their tables.',
    '005/L-4',
    'internal',
  ),
  VCT0516: row(
    'this is no control-flow graph: {detail}',
    'Give the successors of each block, counted from 0, and the entry as one of the blocks.',
    '012/N-5',
  ),
  VCT0517: row(
    'these copies cannot be done at once: {detail}',
    'Give each copy a destination of its own; variables are numbers from 0 on.',
    '012/N-5',
  ),
  VCT0518: row(
    'liveness cannot be told of these values: {detail}',
    'Give each value one block that defines it and dominates every block that uses it, as in SSA form.',
    '012/N-5',
  ),
} as const;
