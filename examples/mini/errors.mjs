// @ts-check
/**
 * What mini says about a wrong program: a stable code, a place, and the line of source with a caret under it.
 */

/** @typedef {{ line: number, column: number, length?: number }} Place */

/** Every code, so that a reader finds them all on one screen. */
export const ERRORS = Object.freeze({
  M001: 'unexpected character',
  M002: 'malformed literal',
  M003: 'syntax',
  M004: 'nested too deeply',
  M010: 'unknown name',
  M011: 'name defined twice',
  M012: 'wrong type',
  M013: 'not assignable',
  M014: 'not a constant',
  M015: 'wrong number of values',
  M016: 'value out of range',
  M017: 'misplaced statement',
  M018: 'missing return',
  M019: 'incomplete type',
});

const LONG = 120;

/** Thrown for every error in a mini program. */
export class MiniError extends Error {
  /** @override */
  name = 'MiniError';

  /**
   * @param {keyof typeof ERRORS} code
   * @param {string} message
   * @param {Place} place
   */
  constructor(code, message, place) {
    super(message);
    this.code = code;
    this.place = place;
  }

  /**
   * The message as a person wants to read it:
   *
   *     queens.mini:12:9: error M012: cannot use a value of type f64 as i32
   *       12 |   let x: i32 = 1.5;
   *          |                ^~~
   *
   * @param {string} source the text of the program
   * @param {string} file its name
   */
  render(source, file) {
    const { line, column, length = 1 } = this.place;
    const whole = source.split('\n')[line - 1] ?? '';
    // Of a very long line, the part around the place.
    const from = column > LONG ? column - LONG / 2 : 0;
    const text = whole.slice(from, from + LONG);
    const margin = ' '.repeat(String(line).length);
    // Tabs before the caret stay tabs, so that it stands under the right character in every editor.
    const indent = text.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
    const tail = Math.max(0, Math.min(length, text.length - indent.length) - 1);
    const caret = `^${'~'.repeat(tail)}`;
    return [
      `${file}:${line}:${column}: error ${this.code}: ${this.message}`,
      `  ${line} | ${text}`,
      `  ${margin} | ${indent}${caret}`,
    ].join('\n');
  }
}
