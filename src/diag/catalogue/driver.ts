/** Diagnostics of the driver and the command line: codes VCT09xx. */

import { row } from '../row.js';

export const DRIVER_ROWS = {
  VCT0900: row('cannot read {file}: {reason}', 'Check the path and its permissions.'),
  VCT0901: row('cannot write {file}: {reason}', 'Check the path and its permissions.'),
  VCT0902: row('{file} is not UTF-8 text: byte {offset} fits no character', 'Save the file as UTF-8.'),
  VCT0903: row('there is no option {name}', 'See `vct --help`, or the fields of Config.'),
  VCT0904: row(
    'the option {name} cannot be {value}: {expected}',
    'See `vct --help`, or the fields of Config.',
  ),
  VCT0905: row(
    'no C compiler was found (tried {tried})',
    'Install gcc or clang, name one with the option compiler, or run the program with `vct run`, which needs none.',
  ),
  VCT0906: row(
    '{compiler} cannot be used as a C compiler: {reason}',
    'Name another one with the option compiler.',
  ),
  VCT0907: row(
    '{compiler} did not build {file}: {reason}',
    'The output of the compiler stands below. An error in the C text that libVCT wrote is a fault of libVCT; please report it.',
  ),
  VCT0908: row(
    '{found} is no HIR or VIR module',
    'Pass what `finish()` of the builder returned, or a parser of this copy of libvct.',
  ),
  VCT0909: row(
    'the module has no function main for a program to start with',
    'Export main as fn() -> i32 or fn(i32, ptr<ptr<i8>>) -> i32, or pass compilerArguments that make a library.',
  ),
  VCT0911: row('the function main is not exported', 'Give main the linkage export.'),
  VCT0912: row(
    'VIR cannot be written as HIR, and has no lowering map',
    'Give the HIR that it was lowered from.',
  ),
  VCT0913: row(
    'the text is neither .hir nor .vir as far as its words tell',
    'Name the file with one of the endings, or say --format hir or --format vir.',
  ),
  VCT0914: row(
    '{file} is no bundle of an internal error: {reason}',
    'Give `vct repro` a file that an option --repro has written.',
    '011/D-10',
  ),
  VCT0910: row('the build was cancelled', 'Nothing was written.'),
} as const;
