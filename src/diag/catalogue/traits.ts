/** Diagnostics of traits, in HIR and VIR alike: codes VCT0240 to VCT0259. */

import { row } from '../row.js';

export const TRAIT_ROWS = {
  VCT0240: row(
    'the trait {trait} cannot sit on {host}',
    'The trait table of spec/002-traits.md says what each trait may sit on.',
    '002/T-6',
  ),
  VCT0241: row(
    'the trait {trait} wants {expected}, not {found}',
    'Put it where such a value is, or remove it.',
    '002/T-6',
  ),
  VCT0242: row(
    '@{function} is NoReturn, and returns here',
    'Remove the trait, or end this path with unreachable or a call that does not return.',
    '002/T-7',
  ),
  VCT0243: row(
    'the parameter %{name} is {trait}, and this writes through it',
    'Remove the trait, or the write.',
    '002/T-7',
  ),
  VCT0244: row(
    'the parameter %{name} is {trait}, and this reads through it',
    'Remove the trait, or the read.',
    '002/T-7',
  ),
  VCT0245: row(
    '@{function} is NoWrite, and writes here what its caller can see',
    'Remove the trait, or the write.',
    '002/T-7',
  ),
  VCT0246: row(
    '@{function} is NoRead, and reads here what its caller can see',
    'Remove the trait, or the read.',
    '002/T-7',
  ),
  VCT0247: row(
    'a call that is MustTail! is not the last thing that its function does',
    'Return its result at once, or ask without `!`.',
    '002/T-7',
  ),
  VCT0248: row(
    'the layout of {type} is impossible: {detail}',
    'Give each member an offset behind the one before that is a multiple of its alignment, and a size that holds them all.',
    '008/R18',
  ),
  VCT0250: row(
    '{what} cannot be an end of {relationship}, which wants a pointer or a global and not {found}',
    'Join what leads to memory, or remove the line.',
    '002/T-11',
  ),
  VCT0251: row(
    '{what} is on both sides of {relationship}',
    'Nothing can be so related to itself: name two different things, or remove the relationship.',
    '002/T-11',
  ),
  VCT0252: row(
    'Range({low}, {high}) holds no value',
    'A Range is of the values from its first bound to before its second: write the smaller bound first.',
    '002/T-6',
  ),
  VCT0253: row('Align({count}) is no power of two', 'Write 1, 2, 4, 8, and so on.', '002/T-6'),
  VCT0254: row(
    'this loop asks for Vectorize!, which would give its floats in another order',
    'Ask without `!`, or keep sums of floats, and calls that may write, out of the loop.',
    '002/T-15',
  ),
} as const;
