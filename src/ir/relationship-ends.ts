/** What the ends of relationships are in each representation, for the rules that both share (002 §5). */

import { type Inst, NONE, type TypeId } from './entities.js';
import type { HirModule } from './hir-module.js';
import type { EndRules } from './relationship-rules.js';
import type { RelationshipEnd } from './relationships.js';
import { EndKind, HIR_VARIABLE } from './schema.js';
import type { VirModule } from './vir-module.js';

/** The ends of relationships in HIR: variables. */
export function hirEndRules(module: HirModule): EndRules {
  return {
    kind: EndKind.variable,
    has: ({ function: owner, row }) =>
      row >= 0 && row < module.variables.length && module.variables.get(row, HIR_VARIABLE.owner) === owner,
    type: ({ row }) => module.variables.get(row, HIR_VARIABLE.type) as TypeId,
    name: ({ row }) => `%${module.tables.names.text(module.variables.get(row, HIR_VARIABLE.name))}`,
    position: (id) => module.relationshipPositionOf(id),
  };
}

/** The ends of relationships in VIR: results of instructions. */
export function virEndRules(module: VirModule): EndRules {
  const { tables } = module;
  const code = ({ function: owner }: RelationshipEnd) => module.function(owner);
  const inst = ({ row }: RelationshipEnd) => row as Inst;
  return {
    kind: EndKind.value,
    has: (end) =>
      end.row >= 0 && end.function < module.functions.length && end.row < code(end).instructionCount,
    type: (end) => code(end).instructionType(inst(end)),
    name: (end) => {
      const name = code(end).instructionName(inst(end));
      return `%${name === NONE ? end.row : tables.names.text(name)}`;
    },
    position: (id) => module.relationshipPositionOf(id),
  };
}
