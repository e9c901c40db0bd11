/** How execution leaves the straight path: an error without its place yet, or a program that ends itself. */

import type { DiagnosticCode } from '../../diag/catalogue.js';
import type { DiagnosticArguments } from '../../diag/diagnostic.js';

/** An erroneous operation. The machine knows where it happened and makes a diagnostic of it. */
export class Trap {
  constructor(
    readonly code: DiagnosticCode,
    readonly values: DiagnosticArguments = {},
  ) {}
}

/** Thrown by exit and abort. */
export class ProgramExit {
  constructor(readonly exitCode: number) {}
}

/** Throws a trap. */
export function trap(code: DiagnosticCode, values: DiagnosticArguments = {}): never {
  throw new Trap(code, values);
}

/** Throws the trap for undef where a value matters; `use` says where. */
export function trapUndef(use: string): never {
  throw new Trap('VCT0615', { use });
}
