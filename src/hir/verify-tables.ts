/**
 * Whether the tables of a HIR module can be read at all (003/H-1, H-2): every index in range, every row of a known kind with children
 * that may stand there, every node in one place. What reads the tree behind this check may follow any link without asking.
 * Linear in the tables.
 */

import { type Diagnostic, DiagnosticError, DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { NONE, type Node } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { isExpressionOpcode, NODE_KINDS, nodeKindRow } from '../ir/node-kinds.js';
import { hirEndRules } from '../ir/relationship-ends.js';
import { relationshipTableFaults } from '../ir/relationship-rules.js';
import { HIR_FUNCTION, HIR_NODE, HIR_VARIABLE } from '../ir/schema.js';
import { isRange, isWhole, sharedTableFaults } from '../ir/shared-table-faults.js';
import { sharedNodeFault } from './shared-nodes.js';

const LIMIT = 20;

/** What is wrong with the tables; empty when they can be read. */
export function hirTableFaults(module: HirModule): readonly Diagnostic[] {
  const sink = new DiagnosticSink(LIMIT);
  const report = (table: string, row: number, detail: string) =>
    sink.add(diagnostic('VCT0326', { table, detail: `row ${row} has ${detail}` }));
  for (const [name, table] of Object.entries({
    node: module.nodes,
    variable: module.variables,
    function: module.functions,
  })) {
    if (!isWhole(table)) report(name, table.length, 'no end');
  }
  if (sink.hasErrors) return sink.diagnostics;
  sharedTableFaults(module.tables, report);
  if (!sink.hasErrors) new HirTables(module, sink).check();
  if (!sink.hasErrors)
    relationshipTableFaults(module.tables, module.relationships, hirEndRules(module), report);
  return sink.diagnostics;
}

/** Throws a DiagnosticError when the tables cannot be read. */
export function assertReadableHir(module: HirModule): void {
  const faults = hirTableFaults(module);
  if (faults.length > 0) throw new DiagnosticError(faults);
}

class HirTables {
  constructor(
    readonly module: HirModule,
    readonly sink: DiagnosticSink,
  ) {}

  check(): void {
    this.#each('variable', this.module.variables.length, (row) => this.#variableFault(row));
    this.#each('node', this.module.nodes.length, (row) => this.#nodeFault(row));
    if (this.sink.hasErrors) return;
    this.#each('function', this.module.functions.length, (row) => this.#functionFault(row));
    if (this.sink.hasErrors) return;
    const shared = this.#nodeUsedTwice();
    if (shared !== NONE) {
      this.sink.add(sharedNodeFault(this.module, shared));
      return;
    }
    this.#each('node', this.module.nodes.length, (row) => this.#childrenFault(row as Node));
  }

  #each(table: string, length: number, faultOf: (row: number) => string | undefined): void {
    for (let row = 0; row < length; row++) {
      const detail = faultOf(row);
      if (detail === undefined) continue;
      const place = table === 'node' ? this.module.positionOf(row as Node) : undefined;
      const item = diagnostic('VCT0326', { table, detail: `row ${row} has ${detail}` }, place);
      if (!this.sink.add(item)) return;
    }
  }

  #variableFault(row: number): string | undefined {
    const { variables, tables } = this.module;
    const column = (offset: number) => variables.get(row, offset);
    if (!isOptional(column(HIR_VARIABLE.name), tables.names.length))
      return `name ${column(HIR_VARIABLE.name)}`;
    if (!isIn(column(HIR_VARIABLE.type), tables.types.length)) return `type ${column(HIR_VARIABLE.type)}`;
    if (!isIn(column(HIR_VARIABLE.slotType), tables.types.length)) return 'no slot type';
    if (!isIn(column(HIR_VARIABLE.undef), tables.constants.length)) return 'no undef constant';
    if (!isIn(column(HIR_VARIABLE.traits), tables.traitSets.length)) return 'no trait set';
    if (!isIn(column(HIR_VARIABLE.owner), tables.functions.length)) return 'no owner';
    if (!isOptional(column(HIR_VARIABLE.position), tables.positions.length)) return 'no such position';
    if (!isOptional(column(HIR_VARIABLE.declaration), this.module.nodes.length)) return 'no such declaration';
    return undefined;
  }

  #nodeFault(row: number): string | undefined {
    const { nodes, tables, variables } = this.module;
    const column = (offset: number) => nodes.get(row, offset);
    const kind = column(HIR_NODE.kind);
    if (!isIn(kind, NODE_KINDS.length)) return `kind ${kind}`;
    if (!isIn(column(HIR_NODE.type), tables.types.length)) return `type ${column(HIR_NODE.type)}`;
    if (!isOptional(column(HIR_NODE.firstChild), nodes.length)) return `child ${column(HIR_NODE.firstChild)}`;
    if (!isOptional(column(HIR_NODE.nextSibling), nodes.length))
      return `sibling ${column(HIR_NODE.nextSibling)}`;
    if (!isOptional(column(HIR_NODE.position), tables.positions.length)) return 'no such position';
    if (!isIn(column(HIR_NODE.traits), tables.traitSets.length)) return 'no such trait set';
    if (!isOptional(column(HIR_NODE.name), tables.names.length)) return 'no such name';
    const a = column(HIR_NODE.a);
    switch (nodeKindRow(kind).a) {
      case 'constant':
        if (!isIn(a, tables.constants.length)) return `constant ${a}`;
        return isOptional(column(HIR_NODE.b), tables.constants.length)
          ? undefined
          : `last constant ${column(HIR_NODE.b)}`;
      case 'variable':
        return isIn(a, variables.length) ? undefined : `variable ${a}`;
      case 'opcode':
        return isExpressionOpcode(a) ? undefined : `opcode ${a}`;
      case 'target':
        return isOptional(a, nodes.length) ? undefined : `target ${a}`;
      case 'fallthrough':
        return a === NONE || a === 0 || a === 1 ? undefined : `fallthrough ${a}`;
      default:
        return undefined;
    }
  }

  #functionFault(row: number): string | undefined {
    const { functions, nodes, variables, tables } = this.module;
    if (row >= tables.functions.length) return 'no signature';
    const column = (offset: number) => functions.get(row, offset);
    const body = column(HIR_FUNCTION.body);
    const first = column(HIR_FUNCTION.firstVariable);
    const count = column(HIR_FUNCTION.variableCount);
    const parameters = column(HIR_FUNCTION.parameterCount);
    if (!isOptional(body, nodes.length)) return `body ${body}`;
    if (!isRange(first, count, variables.length) || parameters < 0 || parameters > count)
      return 'variables outside the table';
    for (let variable = first; variable < first + count; variable++) {
      if (variables.get(variable, HIR_VARIABLE.owner) !== row) return 'a variable of another function';
    }
    if (body === NONE) return undefined;
    if (nodeKindRow(nodes.get(body, HIR_NODE.kind)).name !== 'block') return 'a body that is no block';
    return undefined;
  }

  /** A node is the first child, the next sibling or the body of one thing: then all chains and trees are finite. */
  #nodeUsedTwice(): Node {
    const { functions, nodes } = this.module;
    const isUsed = new Uint8Array(nodes.length);
    const isSecondUse = (node: number) => node !== NONE && isUsed[node]++ !== 0;
    for (let row = 0; row < functions.length; row++) {
      const body = functions.get(row, HIR_FUNCTION.body);
      if (isSecondUse(body)) return body as Node;
    }
    for (let row = 0; row < nodes.length; row++) {
      for (const column of [HIR_NODE.firstChild, HIR_NODE.nextSibling]) {
        const node = nodes.get(row, column);
        if (isSecondUse(node)) return node as Node;
      }
    }
    return NONE as Node;
  }

  #childrenFault(node: Node): string | undefined {
    const row = nodeKindRow(this.module.kind(node));
    const children = this.module.children(node);
    if (children.length < row.minimumChildren || children.length > row.maximumChildren)
      return `${children.length} children, which a ${row.name} cannot have`;
    for (let index = 0; index < children.length; index++) {
      const child = nodeKindRow(this.module.kind(children[index] as Node));
      if (!mayStand(letterAt(row.children, index, children.length), child.name, child.category))
        return `a ${child.name} where a ${row.name} cannot have one`;
    }
    return undefined;
  }
}

/** The letter of `NodeKindRow.children` for one of that many children; the starred letter takes what the others leave. */
function letterAt(pattern: string, index: number, count: number): string {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern.charAt(index);
  const behind = pattern.length - star - 1;
  if (index < star - 1) return pattern.charAt(index);
  if (index >= count - behind) return pattern.charAt(star + 1 + index - (count - behind));
  return pattern.charAt(star - 1);
}

function mayStand(letter: string, kind: string, category: string): boolean {
  switch (letter) {
    case 'b':
      return kind === 'block';
    case 'e':
      return category === 'expression';
    case 'a':
      return category === 'arm';
    default:
      return category !== 'arm';
  }
}

function isIn(id: number, length: number): boolean {
  return id >= 0 && id < length;
}

function isOptional(id: number, length: number): boolean {
  return id === NONE || isIn(id, length);
}
