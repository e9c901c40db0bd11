/** The C back end (008). */

export { type CModule, type COptions, type CUnit, emitC } from './emit-c.js';
export { isMainType } from './symbols.js';
