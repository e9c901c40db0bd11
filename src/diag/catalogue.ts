/**
 * The diagnostic table (011): every code that libVCT can report. One file of rows a room, joined here; a code is never
 * given to another meaning, and a removed one is never used again.
 */

import { BACKEND_C_ROWS } from './catalogue/backend-c.js';
import { BACKEND_LLVM_ROWS } from './catalogue/backend-llvm.js';
import { CORE_ROWS } from './catalogue/core.js';
import { DRIVER_ROWS } from './catalogue/driver.js';
import { GENERAL_ROWS } from './catalogue/general.js';
import { HIR_BUILD_ROWS } from './catalogue/hir-build.js';
import { HIR_TEXT_ROWS } from './catalogue/hir-text.js';
import { INTERPRETER_ROWS } from './catalogue/interpreter.js';
import { TRAIT_ROWS } from './catalogue/traits.js';
import { VIR_TEXT_ROWS } from './catalogue/vir-text.js';
import { VIR_VERIFY_ROWS } from './catalogue/vir-verify.js';

/** internal: a fault of libVCT itself or of the program that built the tables. */
export type Severity = 'error' | 'warning' | 'note' | 'internal';

/** One row of the table. */
export interface DiagnosticRow {
  readonly severity: Severity;
  /** What happened; `{name}` is filled in. */
  readonly message: string;
  /** What the author can do about it. */
  readonly help: string;
  /** The requirement that it enforces, such as `005/L-8`; '' when it enforces none. */
  readonly rule: string;
}

/** Every diagnostic, by code. */
export const CATALOGUE = {
  ...GENERAL_ROWS,
  ...VIR_TEXT_ROWS,
  ...VIR_VERIFY_ROWS,
  ...TRAIT_ROWS,
  ...HIR_BUILD_ROWS,
  ...HIR_TEXT_ROWS,
  ...CORE_ROWS,
  ...INTERPRETER_ROWS,
  ...BACKEND_C_ROWS,
  ...BACKEND_LLVM_ROWS,
  ...DRIVER_ROWS,
} as const satisfies Readonly<Record<string, DiagnosticRow>>;

/** A stable code. */
export type DiagnosticCode = keyof typeof CATALOGUE;
