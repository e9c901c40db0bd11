/**
 * Writes the tree of one function anew (004 §4, §5): constants folded, branches on them pruned, what no control reaches left out, and every
 * defer replaced by its statement at each exit that runs it.
 *
 * One walk with an explicit stack of steps. Expressions leave a value on a stack, a node of the new module or a constant that is
 * not a node yet; statements go to the innermost open list. Steps are pushed last first.
 */

import { type FunctionId, NONE, type Node, type TraitSetId } from '../../ir/entities.js';
import { HIR_VARIABLE } from '../../ir/schema.js';
import { findLabels, LabelCopies } from './labels.js';
import { CHANGING, type OpenList, Rewriter } from './rewriter-state.js';
import { rewriteBlock } from './scopes.js';
import { rewriteStatement } from './statements.js';
import { findUses, type VariableUses } from './uses.js';

export { copyPlace } from './rewriter-state.js';

/** Rewrites functions of `source` into `target`, one after the other. */
export class FunctionRewriter extends Rewriter {
  override statement(node: Node): void {
    rewriteStatement(this, node);
  }

  /** Gives what the new body does with its variables. `uses` is what the old one does. */
  rewrite(id: FunctionId, uses: VariableUses): VariableUses {
    const { source, target } = this;
    this.id = id;
    this.uses = uses;
    this.firstVariable = source.firstVariable(id);
    const first = target.variables.length;
    const count = source.variableCount(id);
    this.variableOf = new Int32Array(count).fill(NONE);
    this.constantOf = new Int32Array(count).fill(NONE);
    // Parameters and what lives throughout; the others come where they are declared, so that none is left of what goes.
    for (let variable = 0; variable < count; variable++) {
      const isDeclared =
        source.variables.get(this.firstVariable + variable, HIR_VARIABLE.declaration) !== NONE;
      if (!isDeclared) this.variableOf[variable] = this.copyVariable(variable);
    }
    const body = source.body(id);
    this.labels = findLabels(source, id);
    this.labelCopies = new LabelCopies();
    // Where control may come from anywhere, everything is kept.
    this.regionDepth = this.labels.size > 0 || this.isRegion(source.epochs.read('function', id)) ? 1 : 0;
    this.openList();
    this.inOrder(
      () => rewriteBlock(this, body),
      () => {},
    );
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) step();
    const [newBody] = (this.lists.pop() as OpenList).statements;
    target.defineFunction(
      id,
      newBody as Node,
      first,
      target.variables.length - first,
      source.parameterCount(id),
    );
    const made = findUses(target, id);
    this.#noteUnassigned(uses, made, first);
    return made;
  }

  /** Whether a variable is assigned no more, since what did it is gone: then it may be a constant now. */
  #noteUnassigned(before: VariableUses, after: VariableUses, first: number): void {
    const { target } = this;
    const { traitSets } = target.tables;
    for (const [variable, made] of this.variableOf.entries()) {
      if (before.isAssigned[variable] !== 1 || made === NONE || after.isAssigned[made - first] === 1)
        continue;
      const traits = target.variables.get(made, HIR_VARIABLE.traits) as TraitSetId;
      if (!CHANGING.some((trait) => traitSets.has(traits, trait))) this.mayFindMore = true;
    }
  }

  /** Copies the parameters of a function without a body, where they are named. */
  copyDeclaration(id: FunctionId): void {
    const { source, target } = this;
    const count = source.variableCount(id);
    if (count === 0) return;
    this.id = id;
    this.uses = undefined;
    this.firstVariable = source.firstVariable(id);
    const first = target.variables.length;
    for (let variable = 0; variable < count; variable++) this.copyVariable(variable);
    target.defineFunction(id, NONE as Node, first, count, source.parameterCount(id));
  }
}
