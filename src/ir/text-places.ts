/**
 * Where the entities of a module stand in the `.vir` text that they were read from. They are kept apart from the position table, which
 * holds the places in the author's own source that the text names, so that printing gives back what was read.
 */

import type { DiagnosticPosition } from '../diag/diagnostic.js';
import { Table } from './table.js';

const LINE = 0;
const COLUMN = 1;

/** Rows as in the tables of the module: the instructions and blocks of all functions, functions, globals, aggregate types. */
export class TextPlaces {
  readonly instructions = new Table(2, 256);
  readonly blocks = new Table(2, 64);
  readonly functions: Table;
  readonly globals: Table;
  readonly types: Table;
  /** Of `.hir` text: its nodes and variables. */
  readonly nodes = new Table(2);
  readonly variables = new Table(2);
  readonly relationships = new Table(2);

  /** `file` is the name of the text. Functions, globals and types have the places that `shared` gives them, if there is one. */
  constructor(
    readonly file: string,
    shared?: TextPlaces,
  ) {
    this.functions = shared?.functions ?? new Table(2);
    this.globals = shared?.globals ?? new Table(2);
    this.types = shared?.types ?? new Table(2);
  }

  /** Records the place of a row; rows that were left out have none. */
  set(table: Table, row: number, line: number, column: number): void {
    while (table.length <= row) table.append(0);
    table.set(row, LINE, line);
    table.set(row, COLUMN, column);
  }

  /** The place of a row, if it has one. */
  get(table: Table, row: number): DiagnosticPosition | undefined {
    if (row < 0 || row >= table.length || table.get(row, LINE) === 0) return undefined;
    return { file: this.file, line: table.get(row, LINE), column: table.get(row, COLUMN) };
  }
}
