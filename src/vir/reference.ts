/** The sections of spec/006-vir.md that are made from tables: the instructions and the erroneous behaviour. */

import { CATALOGUE, type DiagnosticRow } from '../diag/catalogue.js';
import { cell } from '../diag/reference.js';
import { type Effects, OPCODES, type OpcodeClass, type OpcodeRow } from '../ir/opcodes.js';

/** How an instruction of the class is written after its mnemonic; an operand is a letter, a type T or U. */
const FORMS: Readonly<Record<OpcodeClass, string>> = {
  parameter: '(in the signature)',
  integerBinary: 'T a, b',
  integerUnary: 'T a',
  integerTernary: 'T a, b, c',
  integerOverflow: 'T a, b',
  floatBinary: 'T a, b',
  floatUnary: 'T a',
  integerCompare: 'predicate T a, b',
  floatCompare: 'predicate T a, b',
  cast: 'T a to U',
  select: 'T c, a, b',
  phi: 'T [ a, %block ], …',
  alloca: 'T',
  load: '[atomic] [volatile] T p [ordering]',
  store: '[atomic] [volatile] T a, p [ordering]',
  address: 'T p, i, …',
  extract: 'T a, n, …',
  insert: 'T a, U b, n, …',
  call: 'R f(T a, …) or fn(T, …) -> R f(T a, …)',
  compareExchange: '[weak] [volatile] T p, a, b ordering ordering',
  atomicUpdate: '[volatile] operation T p, a ordering',
  fence: 'ordering',
  memoryCopy: '[volatile] T p, U q, i64 n',
  memorySet: '[volatile] T p, i8 a, i64 n',
  assume: 'c',
  terminator: '',
};

const TERMINATOR_FORMS: Readonly<Record<string, string>> = {
  br: '%block',
  condbr: 'c, %then, %else',
  switch: 'T a, %default [ n: %block, … ]',
  ret: 'T a, or ret void',
  unreachable: '',
};

const RESULTS = {
  none: '-',
  operand: 'as operand 0',
  boolean: 'i1',
  explicit: 'see form',
  overflow: '{ T, i1 }',
  result: 'R',
} as const;

/** One row an opcode, in the order of the opcode table. */
export function opcodeReference(): string {
  const lines = OPCODES.map((row: OpcodeRow) => {
    const form = TERMINATOR_FORMS[row.name] ?? FORMS[row.class];
    const written = row.class === 'parameter' ? form : `${row.name} ${form}`.trim();
    const llvm = row.llvm === '' ? '' : `\`${row.llvm}\``;
    const summary = cell(row.summary);
    return `| \`${row.name}\` | \`${written}\` | ${resultText(row)} | ${effectsText(row.effects)} | ${llvm} | ${summary} |`;
  });
  return [
    '| opcode | form | result | effects | LLVM | meaning |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** `explicit` means what the class says of it. */
function resultText(row: OpcodeRow): string {
  if (row.result !== 'explicit') return RESULTS[row.result];
  switch (row.class) {
    case 'cast':
      return 'U';
    case 'alloca':
      return 'ptr&lt;T>';
    case 'address':
      return 'ptr&lt;element>';
    case 'extract':
      return 'the member';
    case 'compareExchange':
      return '{ T, i1 }';
    default:
      return 'T';
  }
}

function effectsText(effects: Effects): string {
  const words = (['reads', 'writes', 'traps'] as const).filter((word) => effects[word]);
  return words.length === 0 ? '-' : words.join(', ');
}

/** One row a kind of erroneous behaviour, by number. */
export function erroneousReference(): string {
  const rows = Object.entries<DiagnosticRow>(CATALOGUE)
    .map(([code, row]) => ({ code, row, number: Number(/^006\/E-(\d+)$/.exec(row.rule)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .sort((left, right) => left.number - right.number);
  const lines = rows.map(
    ({ code, row, number }) => `| E-${number} | ${cell(row.message)} | ${cell(row.help)} | ${code} |`,
  );
  return ['| id | erroneous | how to avoid it | code |', '|---|---|---|---|', ...lines].join('\n');
}
