/**
 * The node-kind table: the only list of HIR node kinds (003 §3). The builder, both text directions, the verifier and the
 * arity check at the core's border come from these rows.
 */

import { OPCODES } from './opcodes.js';

/** Where a node of the kind may stand. An expression may also stand as a statement. */
export type NodeCategory = 'expression' | 'statement' | 'arm';

export interface NodeKindRow<Name extends string = string> {
  readonly name: Name;
  readonly category: NodeCategory;
  /** Fewest and most children; `Infinity` for any number. */
  readonly minimumChildren: number;
  readonly maximumChildren: number;
  /**
   * The children in order: e expression, s statement (any node that may stand as one), b block, a arm. A last letter
   * followed by `*` repeats.
   */
  readonly children: string;
  /** What columns a and b hold; `-` for nothing (NONE). */
  readonly a: 'constant' | 'variable' | 'opcode' | 'target' | 'fallthrough' | '-';
  readonly b: 'aux' | 'last' | '-';
  readonly summary: string;
}

function row<const Name extends string>(
  name: Name,
  category: NodeCategory,
  children: string,
  minimumChildren: number,
  maximumChildren: number,
  a: NodeKindRow['a'],
  b: NodeKindRow['b'],
  summary: string,
): NodeKindRow<Name> {
  return { name, category, children, minimumChildren, maximumChildren, a, b, summary };
}

/** Every node kind; its number is its place in this list. */
export const NODE_KINDS = [
  row(
    'constant',
    'expression',
    '',
    0,
    0,
    'constant',
    'last',
    'A constant; as a case with b, each from a to b.',
  ),
  row('variable', 'expression', '', 0, 0, 'variable', '-', 'The value of a variable.'),
  row(
    'address',
    'expression',
    '',
    0,
    0,
    'variable',
    '-',
    'The address of a variable, which must be in memory.',
  ),
  row(
    'operation',
    'expression',
    'e*',
    0,
    Number.POSITIVE_INFINITY,
    'opcode',
    'aux',
    'A VIR instruction on the children: arithmetic, memory access, call.',
  ),
  row(
    'logicalAnd',
    'expression',
    'ee',
    2,
    2,
    '-',
    '-',
    'i1: the second child is evaluated only when the first is true.',
  ),
  row(
    'logicalOr',
    'expression',
    'ee',
    2,
    2,
    '-',
    '-',
    'i1: the second child is evaluated only when the first is false.',
  ),
  row(
    'conditional',
    'expression',
    'eee',
    3,
    3,
    '-',
    '-',
    'The second child when the first is true, else the third; only that one is evaluated.',
  ),

  row(
    'block',
    'statement',
    's*',
    0,
    Number.POSITIVE_INFINITY,
    '-',
    '-',
    'Statements in order; a scope for variables and defers.',
  ),
  row(
    'declare',
    'statement',
    'e',
    0,
    1,
    'variable',
    '-',
    'Begins the life of a variable, with its first value if there is a child.',
  ),
  row('assign', 'statement', 'e', 1, 1, 'variable', '-', 'Writes a variable.'),
  row('if', 'statement', 'ebb', 2, 3, '-', '-', 'Condition, then, else.'),
  row('while', 'statement', 'eb', 2, 2, '-', '-', 'Condition, body.'),
  row('doWhile', 'statement', 'be', 2, 2, '-', '-', 'Body, condition.'),
  row(
    'for',
    'statement',
    'bebb',
    4,
    4,
    '-',
    '-',
    'Init, condition, step, body. The scope of init covers the others.',
  ),
  row('switch', 'statement', 'ea*', 1, Number.POSITIVE_INFINITY, '-', '-', 'Value, arms.'),
  row(
    'case',
    'arm',
    'e*b',
    2,
    Number.POSITIVE_INFINITY,
    'fallthrough',
    '-',
    'Constants, then the body; a = 1 when control goes on into the next arm.',
  ),
  row('default', 'arm', 'b', 1, 1, 'fallthrough', '-', 'The body for every other value; a as of case.'),
  row('break', 'statement', '', 0, 0, 'target', '-', 'Leaves the loop or switch in a, or the innermost one.'),
  row(
    'continue',
    'statement',
    '',
    0,
    0,
    'target',
    '-',
    'Goes to the next round of the loop in a, or of the innermost one.',
  ),
  row('return', 'statement', 'e', 0, 1, '-', '-', 'Leaves the function.'),
  row(
    'defer',
    'statement',
    's',
    1,
    1,
    '-',
    '-',
    'Runs the child at every exit of the enclosing block, last registered first.',
  ),
  row('unreachable', 'statement', '', 0, 0, '-', '-', 'Erroneous when control comes here.'),
  row('label', 'statement', '', 0, 0, '-', '-', 'A place that goto may go to; its name is that of the node.'),
  row('goto', 'statement', '', 0, 0, 'target', '-', 'Goes to the label in a.'),
] as const;

/** The name of a node kind, as used in diagnostics and in 003. */
export type NodeKindName = (typeof NODE_KINDS)[number]['name'];

/** Node-kind numbers by name. */
export const NodeKind = Object.freeze(
  Object.fromEntries(NODE_KINDS.map((kind, number) => [kind.name, number])),
) as { readonly [Name in NodeKindName]: number };

/** The row of a node-kind number, with its name widened. Requires 0 <= kind < NODE_KINDS.length. */
export function nodeKindRow(kind: number): NodeKindRow<NodeKindName> {
  return NODE_KINDS[kind] as NodeKindRow<NodeKindName>;
}

/**
 * Whether an `operation` node may have the opcode: not those that only the core makes (param, phi, alloca) and no
 * terminator.
 */
export function isExpressionOpcode(opcode: number): boolean {
  switch (OPCODES[opcode]?.class) {
    case undefined:
    case 'parameter':
    case 'phi':
    case 'alloca':
    case 'terminator':
      return false;
    default:
      return true;
  }
}
