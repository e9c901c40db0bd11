/** Diagnostics of the .vir parser, and of the parts that .vir and .hir share: codes VCT01xx. */

import { row } from '../row.js';

export const VIR_TEXT_ROWS = {
  VCT0100: row(
    'unexpected {found}, expected {expected}',
    'See the grammar in spec/003-hir.md or spec/006-vir.md.',
  ),
  VCT0101: row('unexpected character {found}', 'Remove it, or put the name that holds it in double quotes.'),
  VCT0102: row(
    'string without closing quote',
    'End the string with " on the same line; write \\22 for a quote in it.',
  ),
  VCT0103: row('malformed escape in a string', 'Write \\ and two hexadecimal digits of a UTF-8 byte.'),
  VCT0104: row('malformed number {found}', 'Write decimal digits, with a point or an exponent for a float.'),
  VCT0105: row(
    'unknown type {name}',
    'Write void, iN, uN, f32, f64, ptr<T>, [N x T], { T, … }, union { T, … }, fn(T, …) -> R or %Name.',
    '005/§4.10',
  ),
  VCT0106: row(
    'integer width {width} is not between 1 and {limit}',
    'Choose a width in that range.',
    '005/§4.10',
  ),
  VCT0107: row('type %{name} is defined twice', 'Give one of the types another name.'),
  VCT0108: row('type %{name} is not defined', 'Add a line: type %{name} = { … }.'),
  VCT0109: row(
    'symbol @{name} is defined twice',
    'Functions and globals share one name space; rename one of them.',
  ),
  VCT0110: row('symbol @{name} is not defined', 'Declare it with declare, or with global … extern.'),
  VCT0111: row('{found} does not fit {type}', 'Use a wider type or a smaller number.'),
  VCT0112: row('{found} is no constant of type {type}', 'Write a constant of that type.', '005/§5.6'),
  VCT0113: row('unknown trait {name}', 'See the trait table in spec/002-traits.md.'),
  VCT0114: row('trait {name} needs {expected}', 'Write the payload in parentheses after the name.'),
  VCT0115: row(
    'trait {name} is a fact and cannot be strong',
    'Remove the `!`: only a request may be strong.',
  ),
  VCT0116: row('position names source {number}, but there are only {count}', 'Add a line: source "file".'),
  VCT0117: row('unknown instruction {name}', 'See the instruction table in spec/006-vir.md.'),
  VCT0118: row('value %{name} is defined twice', 'Give one of the values another name.', '005/§5.1'),
  VCT0119: row('value %{name} is not defined', 'Define it in this function.', '005/§5.1'),
  VCT0120: row('block %{name} is defined twice', 'Give one of the blocks another name.'),
  VCT0121: row('block %{name} is not defined', 'Add a line: {name}:', '005/§5.5'),
  VCT0122: row('unknown {what} {name}', 'Write one of: {choices}.'),
  VCT0123: row('the text ends inside {what}', 'The file may be truncated: add what is missing.'),
  VCT0124: row('{opcode} has no result', 'Remove the name and the `=` before it.'),
  VCT0125: row('{what} takes {expected}, not {found}', 'Make the numbers agree.', '005/§5.6'),
  VCT0126: row(
    'the string has {found} bytes, but {type} takes {expected}',
    'Make the array as long as its string.',
  ),
  VCT0127: row('the module is named twice', 'Keep one module line.'),
  VCT0128: row('{type} is not {expected}', 'Use another type here.', '005/§5.6'),
  VCT0129: row('{type} cannot be made larger than {limit}', 'Make the array shorter.'),
  VCT0130: row(
    'instruction before the first block',
    'Begin the body with a block, such as `entry:`.',
    '005/L-8',
  ),
  VCT0131: row(
    '%{name} has type {found}, but {written} is written before it',
    'Write the type that the value has, or convert the value.',
    '005/§5.6',
  ),
  VCT0132: row(
    '@{name} has no part {path}',
    'Give one index below the count for each array, struct or union on the way; the last may be the count of an array.',
    '006/WF-12',
  ),
} as const;
