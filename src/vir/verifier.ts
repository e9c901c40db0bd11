/**
 * The VIR verifier: what every module must be before anything else reads it (005 §5, 006 §6). Linear in the module but for the
 * logarithm of the dominator tree.
 *
 * The rules, each with its codes:
 * - 006/WF-1   Every index of the tables is in range, every row of a known kind, no type or constant within itself. VCT0201
 * - 006/WF-2   A body begins with an entry block that has no predecessors (005/L-10). VCT0203
 * - 006/WF-3   Every block ends in exactly one terminator (005/L-8). VCT0200, VCT0202
 * - 006/WF-4   Every use is dominated by its definition, that of a phi at the end of the predecessor (005 §5.2). VCT0208, VCT0209
 * - 006/WF-5   Phis stand first in their block, with one operand for each predecessor, each once, in ascending order (005/L-22,
 *              L-28, L-29). VCT0204…VCT0207
 * - 006/WF-6   An alloca stands in the entry block. VCT0211
 * - 006/WF-7   The cases of a switch are distinct constants of the type of its value. VCT0210, VCT0215
 * - 006/WF-8   Operands and results have the types that the instruction demands (005 §5.6); calls and parameters agree with the
 *              function type. VCT0210, VCT0216…VCT0218
 * - 006/WF-9   What is extern has no definition here, everything else has one; symbols are distinct. VCT0212…VCT0214, VCT0220, VCT0227
 * - 006/WF-10  Types that have values have a size and are not empty. VCT0219, VCT0221, VCT0225, VCT0226
 * - 006/WF-11  A block may be unreachable: it obeys every rule but dominance.
 * - 006/WF-12  Constants have the type that their place wants. VCT0222
 * - 006/WF-13  The traits of an entity may sit on it, and contradict neither each other nor the body. VCT0223, VCT0224, VCT0240 to VCT0247, VCT0252,
 *              VCT0253
 * - 002/T-11   The ends of a relationship are what it can join. VCT0250, VCT0251
 */

import { type Diagnostic, DiagnosticError, DiagnosticSink } from '../diag/diagnostic.js';
import { verifyItems } from '../ir/item-rules.js';
import { virEndRules } from '../ir/relationship-ends.js';
import { verifyRelationships } from '../ir/relationship-rules.js';
import type { VirModule } from '../ir/vir-module.js';
import { FunctionVerifier } from './verify-function.js';
import { tableFaults } from './verify-tables.js';

/** Everything that is wrong with a module, up to `limit`; empty when it is well-formed. Never throws for what is in the tables. */
export function verifyVir(module: VirModule, limit = 100): readonly Diagnostic[] {
  const faults = tableFaults(module);
  if (faults.length > 0) return faults;
  const sink = new DiagnosticSink(limit);
  if (!verifyItems(module, sink)) return sink.diagnostics;
  verifyRelationships(module.tables, module.relationships, virEndRules(module), sink);
  const verifier = new FunctionVerifier(module, sink);
  for (const view of module.definedFunctions()) {
    if (sink.diagnostics.length >= limit) break;
    verifier.verify(view);
  }
  return sink.diagnostics;
}

/** Throws a DiagnosticError when the module is not well-formed. */
export function assertVir(module: VirModule): void {
  const diagnostics = verifyVir(module);
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}
