/**
 * Diagnostics of the interpreter: codes VCT06xx. The rows with a rule `006/E-n` are the list of erroneous behaviour;
 * those with `006/R-n` are the limits of a run and what its surroundings lack.
 */

import { row } from '../row.js';

export const INTERPRETER_ROWS = {
  VCT0600: row('division by zero', 'Test the divisor first.', '006/E-1'),
  VCT0601: row(
    'the quotient of the lowest {type} and -1 is out of range',
    'Test for the lowest value and -1 before dividing.',
    '006/E-2',
  ),
  VCT0602: row(
    'shift amount {amount} is not below the width of {type}',
    'Mask the amount, or test it before shifting.',
    '006/E-3',
  ),
  VCT0603: row(
    'the float {value} is out of range of the integer type {type}',
    'Test for NaN and range before converting, or use a saturating conversion.',
    '006/E-4',
  ),
  VCT0604: row('{access} through a null pointer', 'Test the pointer before using it.', '006/E-5'),
  VCT0605: row(
    '{access} of {size} bytes at offset {offset} is outside {object}, which has {limit} bytes',
    'Check the index against the number of elements.',
    '006/E-6',
  ),
  VCT0606: row(
    '{access} at an address that is not a multiple of {alignment}: offset {offset} of {object}',
    'Give the object that alignment, or the access the trait Align.',
    '006/E-7',
  ),
  VCT0607: row('{access} of {object} after it was freed', 'Free an object after its last use.', '006/E-8'),
  VCT0608: row(
    '{access} of {object} after its function returned',
    'Keep no pointer to a local variable longer than its function runs.',
    '006/E-9',
  ),
  VCT0609: row('write to the constant {object}', 'Make it a global, or copy it first.', '006/E-10'),
  VCT0610: row('{object} is freed twice', 'Free each object once.', '006/E-11'),
  VCT0611: row(
    'free of {object}, which is not the start of a heap object',
    'Free only what malloc, calloc or realloc returned.',
    '006/E-12',
  ),
  VCT0612: row(
    '{access} through a pointer to no object: address {address}',
    'Make pointers from objects; inttoptr finds only objects whose address ptrtoint took.',
    '006/E-13',
  ),
  VCT0613: row(
    '{access} of the code of @{name}',
    'Functions can be called, not read or written.',
    '006/E-14',
  ),
  VCT0614: row(
    'the address is outside its object: offset {offset} of {object}, which has {limit} bytes',
    'An address may be inside an object or one past its end.',
    '006/E-15',
  ),
  VCT0615: row(
    'undef is used where its value matters: {use}',
    'Store to a variable before reading it, on every path.',
    '006/E-16',
  ),
  VCT0616: row(
    'memcpy between ranges that overlap: {size} bytes at offsets {destination} and {source} of {object}',
    'Use memmove.',
    '006/E-17',
  ),
  VCT0617: row('an assumption is false', 'Assume only what always holds.', '006/E-18'),
  VCT0618: row(
    'unreachable was reached',
    'A function that gives a result must return on every path.',
    '006/E-19',
  ),
  VCT0619: row('call of {object}, which is not a function', 'Call only function pointers.', '006/E-20'),
  VCT0620: row(
    'call of @{name}, which is {found}, as {expected}',
    'Call a function with its own type.',
    '006/E-21',
  ),
  VCT0621: row(
    'the trait {trait} does not hold: {detail}',
    'State only traits that are true, or drop this one.',
    '006/E-22',
  ),
  VCT0622: row(
    'the memory holds no value of type {type}: bits above its width are set',
    'Read memory with the type that it was written with.',
    '006/E-23',
  ),

  VCT0640: row(
    'there is no external function @{name}',
    'Define it, use one of the built-in externals, or pass it in `externals`.',
    '006/R-1',
  ),
  VCT0641: row(
    'the program ran out of fuel after {fuel} instructions',
    'Raise `fuel`, or look for an endless loop.',
    '006/R-2',
  ),
  VCT0642: row(
    'calls nest deeper than {limit}',
    'Raise `callDepth`, or look for endless recursion.',
    '006/R-3',
  ),
  VCT0643: row(
    'there is no function @{name} with a body to start with',
    'Define it, or name another `entry`.',
    '006/R-5',
  ),
  VCT0644: row(
    '@{name} has the type {type}, with which a program cannot start',
    'Use fn() -> i32 or fn(i32, ptr<ptr<i8>>) -> i32; the result may be void where only `interpret` is called.',
    '006/R-5',
  ),
  VCT0645: row('the program needs more than {limit} bytes of memory', 'Raise `memoryLimit`.', '006/R-4'),
  VCT0646: row(
    'instruction {instruction} of @{name} cannot be executed: {detail}',
    'Verify the module first; `vct verify` tells what is wrong with it.',
  ),
  VCT0647: row(
    'global @{name} is declared and defined nowhere',
    'Give it an initializer, or do not use it.',
    '006/R-6',
  ),
  VCT0648: row(
    '@{name} was called with {detail}',
    'See the C standard for what the function takes.',
    '006/E-24',
  ),
  VCT0649: row(
    'external @{name} failed: {reason}',
    'Look into the function given in `externals`.',
    '006/R-7',
  ),
} as const;
