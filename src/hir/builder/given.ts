/**
 * What a call of the builder was given, where the type checker did not look: a compiler in plain JavaScript, or one that casts.
 * Each mistake is told as a diagnostic at the author's line.
 */

import { fail } from '../../diag/diagnostic.js';
import { callSite } from './call-site.js';

/** How a message shows a value of no type that the builder knows. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value !== 'object' || value === null) return String(value);
  const made = (value as { readonly constructor?: { readonly name?: string } }).constructor;
  const name = made?.name ?? '';
  return name === '' || name === 'Object' ? 'an object' : `an object of class ${name}`;
}

/** Reports what stands where something else is wanted. */
export function wanted(where: string, expected: string, found: unknown): never {
  fail('VCT0329', { where, expected, found: shownValue(found) }, callSite());
}

/** A name or text. */
export function requireText(value: unknown, where: string): void {
  if (typeof value !== 'string') wanted(where, 'a text', value);
}

/** A closure that builds something. */
export function requireClosure(value: unknown, where: string): void {
  if (typeof value !== 'function') wanted(where, 'a closure, as in `() => { … }`', value);
}

/**
 * Runs a closure that builds statements. One that is async would build the rest of them after its construct was closed, so it
 * is refused.
 */
export function build<Given extends readonly unknown[]>(
  where: string,
  closure: (...given: Given) => unknown,
  ...given: Given
): void {
  requireClosure(closure, where);
  const result = closure(...given);
  if (result instanceof Promise) {
    result.catch(() => {});
    wanted(where, 'a closure that is not async', result);
  }
}

/** `a + 1` and `a < b` compute with numbers of JavaScript, never with values of the program. */
export function refuseOperator(what: string): never {
  wanted('an operator of JavaScript', 'numbers; use `.add`, `.lt` and their like for the program', {
    constructor: { name: what },
  });
}
