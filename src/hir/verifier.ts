/**
 * The HIR verifier: what every module must be before it is lowered (003 §5). Linear in the module.
 *
 * The rules, each with its codes:
 * - 003/H-1  Every index of the tables is in range, every row of a known kind with children that may stand there. VCT0326, VCT0328
 * - 003/H-2  A node stands in one place of one tree. VCT0325, VCT0346, VCT0347
 * - 003/H-4  A variable belongs to the function that uses it, is declared once, and is alive where it is used. VCT0318, VCT0323,
 *            VCT0327; its address is taken only where it is in memory, VCT0324; what is read, something writes. VCT0349
 * - 003/H-5  The cases of a switch are distinct constants of the type of its value, or ranges of them, and one arm at most is the
 *            default. VCT0322, VCT0328, VCT0340 to VCT0343
 * - 003/H-6  break and continue name a construct around them. VCT0315, VCT0350
 * - 003/H-7  Nothing leaves a deferred block but its own end. VCT0316
 * - 003/H-12 goto names a label of its function, and each label stands once. VCT0331, VCT0332, VCT0334
 * - 003/H-13 No goto enters the scope of a defer, and what is deferred does not jump. VCT0333, VCT0335
 * - 003/H-8  Every expression has the type that its operation gives it and that its place wants. VCT0300, VCT0348
 * - 003/H-11 Deferred statements are lowered no more often than memory allows. VCT0504
 * - 002/T-11 The ends of a relationship are what it can join. VCT0250, VCT0251
 * - 003/H-10 What stands outside the bodies obeys the rules of 006: WF-9, WF-10, WF-12, WF-13. VCT02xx
 */

import { type Diagnostic, DiagnosticError, DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import type { FunctionId } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { verifyItems } from '../ir/item-rules.js';
import { hirEndRules } from '../ir/relationship-ends.js';
import { verifyRelationships } from '../ir/relationship-rules.js';
import { HIR_VARIABLE } from '../ir/schema.js';
import { DeferredSize } from './deferred-size.js';
import { FunctionVerifier } from './verify-function.js';
import { hirTableFaults } from './verify-tables.js';

/** Everything that is wrong with a module, up to `limit`; empty when it is well-formed. Never throws for what is in the tables. */
export function verifyHir(module: HirModule, limit = 100): readonly Diagnostic[] {
  const faults = hirTableFaults(module);
  if (faults.length > 0) return faults;
  const sink = new DiagnosticSink(limit);
  if (!verifyItems(module, sink)) return sink.diagnostics;
  verifyParameters(module, sink);
  verifyRelationships(module.tables, module.relationships, hirEndRules(module), sink);
  const verifier = new FunctionVerifier(module, sink);
  for (let id = 0; id < module.functionCount; id++) {
    if (sink.diagnostics.length >= limit) break;
    verifier.verify(id as FunctionId);
  }
  if (!sink.hasErrors) verifyDeferredSize(module, sink);
  return sink.diagnostics;
}

/** Throws a DiagnosticError when the module is not well-formed. */
export function assertHir(module: HirModule): void {
  const diagnostics = verifyHir(module);
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}

/** Stops at the first function that asks for too much. */
function verifyDeferredSize(module: HirModule, sink: DiagnosticSink): void {
  const size = new DeferredSize(module, sink);
  for (let id = 0; id < module.functionCount; id++) {
    if (!size.count(id as FunctionId)) return;
  }
}

/** A function type with parameters has that many parameter variables when it has a body. */
function verifyParameters(module: HirModule, sink: DiagnosticSink): void {
  const { types } = module.tables;
  for (let id = 0; id < module.functionCount; id++) {
    const fn = id as FunctionId;
    const type = module.tables.functionType(fn);
    const declared = module.parameterCount(fn);
    const wanted = types.memberCount(type);
    const position = module.functionPositionOf(fn);
    const what = `function @${module.tables.functionName(fn)}`;
    if (declared !== wanted && (module.hasBody(fn) || declared !== 0))
      sink.add(
        diagnostic('VCT0328', { what, problem: `made with ${declared} of ${wanted} parameters` }, position),
      );
    for (let index = 0; index < Math.min(declared, wanted); index++) {
      const variable = module.firstVariable(fn) + index;
      if (module.variables.get(variable, HIR_VARIABLE.type) !== types.memberType(type, index))
        sink.add(
          diagnostic(
            'VCT0328',
            { what, problem: `made with a parameter ${index + 1} of another type` },
            position,
          ),
        );
    }
  }
}
