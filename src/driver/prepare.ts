/** From what an author's compiler made to VIR that every back end may trust: verified, lowered, verified again (010 §2). */

import { lowerModule } from '../core/index.js';
import { type Diagnostic, DiagnosticError, fail } from '../diag/diagnostic.js';
import { callSite } from '../hir/builder/call-site.js';
import { shownValue } from '../hir/builder/given.js';
import { ModuleBuilder } from '../hir/builder/module-builder.js';
import { optimizeVerifiedHir } from '../hir/optimize/index.js';
import { verifyHir } from '../hir/verifier.js';
import type { Config } from '../ir/config.js';
import { HirModule } from '../ir/hir-module.js';
import { VirModule } from '../ir/vir-module.js';
import { verifyVir } from '../vir/verifier.js';
import type { ProgressCounter } from './progress.js';

/** A program in either representation. */
export type AnyModule = HirModule | VirModule;

/** VIR and what was remarked on the way. */
export interface PreparedModule {
  readonly vir: VirModule;
  /** Warnings and notes; errors are thrown. */
  readonly remarks: readonly Diagnostic[];
}

/** How many phases `prepare` reports. */
export function preparationPhases(module: AnyModule, { optimize }: Pick<Config, 'optimize'>): number {
  if (!(module instanceof HirModule)) return 1;
  return optimize > 0 ? 4 : 3;
}

/** Throws a DiagnosticError that holds everything a verifier says, when any of it is an error. */
export function prepare(
  module: AnyModule,
  { core, threads, optimize }: Pick<Config, 'core' | 'threads' | 'optimize'>,
  progress?: ProgressCounter,
): PreparedModule {
  if (module instanceof VirModule) {
    progress?.begin('verify');
    return { vir: module, remarks: accepted(verifyVir(module)) };
  }
  if (!(module instanceof HirModule)) return fail('VCT0908', { found: foundInstead(module) }, callSite());
  progress?.begin('verify');
  const remarks = accepted(verifyHir(module));
  if (optimize > 0) progress?.begin('optimize');
  const hir = optimize > 0 ? optimizeVerifiedHir(module) : module;
  progress?.begin('lower');
  const vir = lowerModule(hir, core, threads);
  progress?.begin('verify lowered');
  return { vir, remarks: [...remarks, ...accepted(verifyVir(vir))] };
}

/** The module itself is often given before it is finished. */
function foundInstead(value: unknown): string {
  return value instanceof ModuleBuilder ? 'a module that is not finished' : shownValue(value);
}

function accepted(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const hasError = diagnostics.some((item) => item.severity === 'error' || item.severity === 'internal');
  if (hasError) throw new DiagnosticError(diagnostics);
  return diagnostics;
}
