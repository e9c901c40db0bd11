/** Diagnostics of the VIR verifier: codes VCT02xx. The rules `006/WF-n` are listed in src/vir/verifier.ts. */

import { row } from '../row.js';

export const VIR_VERIFY_ROWS = {
  VCT0200: row(
    'block %{block} has no terminator',
    'End every block with br, condbr, switch, ret or unreachable.',
    '005/L-8',
  ),
  VCT0201: row(
    'the {table} table is malformed at row {row}: {detail}',
    'Build modules through a builder or a text form, and do not write to their tables.',
    '006/WF-1',
    'internal',
  ),
  VCT0202: row(
    '{opcode} in the middle of block %{block}',
    'Begin a new block after every br, condbr, switch, ret or unreachable.',
    '005/L-8',
  ),
  VCT0203: row(
    'the entry block %{block} has a predecessor',
    'Put a block in front of it that only goes to it.',
    '005/L-10',
  ),
  VCT0204: row('phi after another instruction', 'Move it to the head of its block.', '006/WF-5'),
  VCT0205: row(
    'phi has no operand for the predecessor %{block}',
    'Add a pair [ value, %{block} ].',
    '005/L-29',
  ),
  VCT0206: row(
    'phi names %{block}, which is no predecessor of its block',
    'Remove the pair, or add the edge.',
    '005/L-29',
  ),
  VCT0207: row(
    'phi names the predecessor %{block} twice or out of order',
    'Write one pair a predecessor, in ascending order of the blocks.',
    '005/L-22',
  ),
  VCT0208: row(
    'the definition of operand {index} of {opcode} does not dominate this use',
    'Define the value on every path that comes here, or merge the values of the paths with a phi.',
    '005/§5.2',
  ),
  VCT0209: row(
    'operand {index} of {opcode} has no value',
    'Use an instruction that has a result.',
    '005/§5.6',
  ),
  VCT0210: row(
    '{operation} needs {expected}, not {found}',
    'Convert the operand first, or use the instruction of its own type.',
    '005/§5.6',
  ),
  VCT0211: row(
    'alloca in block %{block}',
    'Move it to the entry block; its object lives until the function returns anyway.',
    '006/WF-6',
  ),
  VCT0212: row(
    '@{function} is defined here, and has linkage extern',
    'Declare it without a body, or give it another linkage.',
    '006/WF-9',
  ),
  VCT0213: row(
    '@{function} has no body, and no linkage extern',
    'Give it a body, or declare it.',
    '006/WF-9',
  ),
  VCT0214: row(
    'the global @{global} {problem}',
    'Only an extern global has no initializer, and every other global has one.',
    '006/WF-9',
  ),
  VCT0215: row('switch has two cases for {value}', 'Keep one of them.', '006/WF-7'),
  VCT0216: row(
    'parameter {index} of @{function} has type {found}, but its function type says {expected}',
    'Make them agree.',
    '006/WF-8',
  ),
  VCT0217: row(
    '@{function} has {found} parameters, but its function type has {expected}',
    'Make them agree.',
    '006/WF-8',
  ),
  VCT0218: row(
    '@{function} is called as {found}, but it is {expected}',
    'Call it with its own function type.',
    '006/WF-8',
  ),
  VCT0219: row(
    'the type {type} of @{symbol} has no values',
    'Use a scalar, or an aggregate whose members are all known; a pointer where the type is opaque.',
    '006/WF-10',
  ),
  VCT0220: row(
    'the initializer of @{global} has type {found}, not {expected}',
    'Write a constant of the type of the global.',
    '006/WF-9',
  ),
  VCT0221: row(
    'the type {type} is empty',
    'C has no empty aggregate: give it a member or an element.',
    '006/WF-10',
  ),
  VCT0222: row('malformed constant: {detail}', 'Write a constant of the type that is wanted.', '006/WF-12'),
  VCT0223: row('the traits {first} and {second} contradict each other', 'Remove one of them.', '006/WF-13'),
  VCT0224: row('the trait {trait} has a wrong payload: {detail}', 'Correct the payload.', '006/WF-13'),
  VCT0225: row(
    'the type {type} holds {part}, which has no size',
    'Use a pointer to it, or define it.',
    '006/WF-10',
  ),
  VCT0226: row('the type {type} is larger than {limit} bytes', 'Make its arrays shorter.', '006/WF-10'),
  VCT0227: row(
    '@{symbol} stands for two things, or has no name',
    'Give each symbol a name of its own.',
    '006/WF-9',
  ),
  VCT0228: row('a body that begins with no block', 'Begin every body with an entry block.', '005/L-10'),
} as const;
