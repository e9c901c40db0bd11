/** Diagnostics of the .hir parser: codes VCT04xx. What .hir and .vir share has codes VCT01xx. */

import { row } from '../row.js';

export const HIR_TEXT_ROWS = {
  VCT0400: row('unexpected {found}, expected {expected}', 'See the grammar in spec/003-hir.md.'),
  VCT0401: row(
    'the type of {found} is not known here',
    'Write the type before the constant: `const i32 5`.',
    '005/L-3',
  ),
  VCT0402: row('{name} cannot stand in an expression', 'Write it as a statement, or declare a variable.'),
  VCT0403: row('@{name} is no function', 'Load the pointer first, and call it with its function type.'),
  VCT0404: row('variable %{name} is not declared', 'Declare it above: `var %{name}: i32`.', '003/H-4'),
  VCT0405: row('variable %{name} is declared twice', 'Give one of the two another name.', '003/H-4'),
  VCT0406: row('there is no loop or switch {name} around this', 'Check the label.', '003/H-6'),
  VCT0407: row('a switch has no next round', 'Name a loop, or use break.', '003/H-6'),
  VCT0408: row('unknown statement or operation {name}', 'See the grammar in spec/003-hir.md.'),
  VCT0409: row(
    'variable %{name} cannot be of type {type}, which has no values',
    'Use a pointer to it, or define the type.',
    '003/H-8',
  ),
} as const;
