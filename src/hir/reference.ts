/** The section of spec/003-hir.md that is made from the node-kind table. */

import { cell } from '../diag/reference.js';
import { NODE_KINDS, type NodeKindRow } from '../ir/node-kinds.js';

/** The node kinds as a table of Markdown, one row a kind. */
export function nodeKindReference(): string {
  const rows = NODE_KINDS.map((kind: NodeKindRow) =>
    [
      `\`${kind.name}\``,
      kind.category,
      kind.children === '' ? '-' : kind.children,
      childCount(kind),
      kind.a,
      kind.b,
      kind.summary,
    ]
      .map(cell)
      .join(' | '),
  );
  return [
    '| kind | stands as | children | how many | a | b | meaning |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function childCount(kind: NodeKindRow): string {
  const { minimumChildren, maximumChildren } = kind;
  if (maximumChildren === Number.POSITIVE_INFINITY) return `${minimumChildren} or more`;
  return minimumChildren === maximumChildren
    ? `${minimumChildren}`
    : `${minimumChildren} to ${maximumChildren}`;
}
