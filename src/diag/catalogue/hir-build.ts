/** Diagnostics of the HIR builder and verifier: codes VCT03xx. */

import { row } from '../row.js';

export const HIR_BUILD_ROWS = {
  VCT0300: row(
    '{operation} needs {expected}, not {found}',
    'Convert the operand first, or use the operation of its own type.',
    '005/L-3',
  ),
  VCT0301: row(
    '{found} is no value of type {type}',
    'Write a literal that the type can hold exactly. A pointer to a text is `m.string(text)`.',
  ),
  VCT0302: row('{kind} {name} {detail}', 'Give each named type one definition.'),
  VCT0303: row(
    'there is no such type: {detail}',
    'Use a type such as i32, ptr(i8) or struct(…); see spec/003-hir.md.',
  ),
  VCT0304: row(
    '{trait} cannot sit on a {host}',
    'See the hosts of each trait in spec/002-traits.md.',
    '002/T-1',
  ),
  VCT0305: row('{trait} and {other} contradict each other', 'Keep the one that is true.', '002/T-2'),
  VCT0306: row('{trait} wants a positive integer, not {found}', 'Give it one.', '002/T-1'),
  VCT0307: row('{found} is no {what}', 'Use one of the names of spec/006-vir.md.'),
  VCT0308: row(
    'the type of {where} is not known',
    'Use an expression, or give the literal a type: `f.constant(i32, 1)`.',
    '005/L-3',
  ),
  VCT0309: row('{from} cannot be converted to {to}', 'Go through an integer, or use bitcast.', '005/L-3'),
  VCT0310: row(
    '{what} has its place in the tree already',
    "An expression is evaluated where it stands, once. To use a value twice, keep it: `const t = f.let('t', e)`.",
    '003/H-2',
  ),
  VCT0311: row('{type} has no member {member}', 'Check the name, and whether the type is defined.'),
  VCT0312: row('{what} stands in no function', 'Use it within the body of a function.'),
  VCT0313: row(
    '{what} was built before a statement and would run after it',
    "An expression is evaluated where it stands. Keep its value first: `const t = f.let('t', e)`.",
    '003/H-3',
  ),
  VCT0314: row(
    'the result of {what} goes nowhere, and nothing would evaluate it',
    'Use the value, or place it as a statement: `f.evaluate(e)`.',
    '003/H-3',
  ),
  VCT0315: row(
    'there is no {what} around this {statement}',
    'Move it into one, or name another target.',
    '003/H-6',
  ),
  VCT0316: row(
    '{statement} would leave the defer that it stands in',
    'A deferred block runs to its end.',
    '003/H-7',
  ),
  VCT0317: row('the symbol @{name} is taken', 'Give each function and global a name of its own.'),
  VCT0318: row(
    'variable {name} belongs to another function',
    'Pass its value or its address as an argument.',
    '003/H-4',
  ),
  VCT0319: row('{what} has a body already', 'Define each function once, and no extern one.'),
  VCT0320: row('{what} cannot stand here', '{hint}', '003/H-1'),
  VCT0321: row('@{name} has neither a body nor the linkage extern', 'Define it, or declare it.'),
  VCT0322: row('case {value} occurs twice in one switch', 'Keep one of them.', '003/H-5'),
  VCT0323: row(
    'variable {name} is used where it is not alive',
    'A variable lives from its declaration to the end of the block.',
    '003/H-4',
  ),
  VCT0324: row(
    'the address of variable {name} is taken, but it lacks the trait isAddressed',
    'Add the trait, or do not take the address.',
    '005/L-24',
  ),
  VCT0325: row(
    '{what} stands twice in one function',
    'A node has one place: make another one for the other place.',
    '003/H-2',
    'internal',
  ),
  VCT0326: row(
    'the {table} table is malformed: {detail}',
    'Build modules through the builder.',
    '003/H-1',
    'internal',
  ),
  VCT0327: row('variable {name} is declared twice', 'Declare each variable once.', '003/H-4'),
  VCT0328: row('{what} is {problem}', 'See spec/003-hir.md for what each node demands.', '003/H-1'),
  VCT0329: row(
    '{where} wants {expected}, not {found}',
    'The type declarations of libvct say what each call takes; TypeScript checks it in the editor.',
  ),
  VCT0330: row(
    '{what} was built in another function',
    'Build each expression within the body that uses it.',
    '003/H-2',
  ),
  VCT0340: row('the range {range} holds nothing', 'Write the lower bound first.', '003/H-5'),
  VCT0341: row('case {value} overlaps case {other}', 'A value belongs to one arm.', '003/H-5'),
  VCT0342: row(
    'the bound {value} of a range is not of type {type}',
    'Both bounds have the type of the value of the switch.',
    '003/H-5',
  ),
  VCT0343: row('a range stands outside of a case', 'Only a case may name several values.', '003/H-5'),
  VCT0344: row('{found} is no bound of a range', 'A range has two integers: `1..5`.', '003/H-5'),
  VCT0345: row(
    'the address of this place is not known before the program runs',
    'Take that of a global, or of a part of one that constant indices reach.',
    '006/WF-12',
  ),
  VCT0331: row(
    'there is no label {name} in this function',
    'Place the label, or check its name.',
    '003/H-12',
  ),
  VCT0332: row('the label {name} stands twice in this function', 'Give one another name.', '003/H-12'),
  VCT0333: row(
    'goto {name} would enter the scope of a defer that control never passed',
    'Place the label before the defer, or outside of its block.',
    '003/H-13',
  ),
  VCT0334: row('a label without name', 'Name each label; goto names the one that it goes to.', '003/H-12'),
  VCT0335: row(
    'a {statement} stands in a deferred statement',
    'What is deferred is lowered once for each exit: put jumps into a function that it calls.',
    '003/H-13',
  ),
  VCT0346: row('{what} is within itself', 'A tree has no cycle.', '003/H-2', 'internal'),
  VCT0347: row(
    '{what} stands in @{first} and in @{second}',
    'Each function has nodes of its own.',
    '003/H-2',
    'internal',
  ),
  VCT0348: row(
    'a function whose result is {type} returns without a value',
    'Write the value behind `return`.',
    '003/H-8',
  ),
  VCT0349: row(
    'variable {name} is read, but nothing writes it',
    'Give it a value where it is declared, or assign one.',
    '003/H-4',
  ),
  VCT0350: row(
    'continue stands in the step of the for that it goes on with, and would go to that step again',
    'Leave the loop with break, or put what the step does into an if.',
    '003/H-6',
  ),
} as const;
