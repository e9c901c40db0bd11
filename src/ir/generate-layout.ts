/**
 * The text of `native/generated/layout.h`, made from the schema, the opcode table, the node-kind table and the trait
 * table; and the hash of it that the loader compares with the addon's. C++ writes `HIR_NODE::kind` where TypeScript has
 * `HIR_NODE.kind`; a name that C++ reserves gets a trailing underscore: `Opcode::and_`.
 */

import { CONTRADICTION_MASKS, TRAITS } from '../traits/trait-table.js';
import { NODE_KINDS } from './node-kinds.js';
import { OPCODES } from './opcodes.js';
import * as schema from './schema.js';

/** Words that cannot be identifiers in C++20, as far as our tables could use them. */
const RESERVED = new Set(
  `alignas alignof and asm auto bool break case catch char class compl concept const constexpr continue default delete do
  double else enum explicit export extern false float for friend goto if inline int long mutable namespace new not or
  private protected public register requires return short signed sizeof static struct switch template this throw true try
  typedef typeid typename union unsigned using virtual void volatile while xor`.split(/\s+/),
);

/** A name of the tables as a C++ identifier: `loop.header` is `loopHeader`, `union` is `union_`. */
function identifier(name: string): string {
  const joined = name.replace(/[.\s](\w)/g, (_, letter: string) => letter.toUpperCase());
  return RESERVED.has(joined) ? `${joined}_` : joined;
}

/** `hirNode` as `HIR_NODE`, the name that its layout has in TypeScript. */
function layoutName(table: string): string {
  return table.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** A namespace of int32 constants. */
function constants(name: string, entries: readonly (readonly [string, number])[]): string[] {
  return [
    `namespace ${name} {`,
    ...entries.map(([entry, value]) => `constexpr int32_t ${identifier(entry)} = ${value};`),
    '}',
    '',
  ];
}

function numbered(names: readonly string[]): [string, number][] {
  return names.map((name, number) => [name, number]);
}

/** An array of int32 with one element a row of a table. */
function column(name: string, values: readonly number[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < values.length; at += 20) lines.push(`    ${values.slice(at, at + 20).join(', ')},`);
  return [`constexpr int32_t ${name}[] = {`, ...lines, '};', ''];
}

/** The distinct values of a column, in the order of first use, so that each has a number. */
function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** A column of words, as a namespace that numbers them and an array that holds a number a row. */
function wordColumn(namespaceName: string, arrayName: string, values: readonly string[]): string[] {
  const words = distinct(values);
  return [
    ...constants(namespaceName, numbered(words)),
    ...column(
      arrayName,
      values.map((value) => words.indexOf(value)),
    ),
  ];
}

function tableLayouts(): string[] {
  return Object.entries(schema.SCHEMA).flatMap(([table, columns]) =>
    constants(layoutName(table), [...numbered(columns), ['stride', columns.length]]),
  );
}

function schemaConstants(): string[] {
  return [
    ...constants('TypeKind', Object.entries(schema.TypeKind)),
    ...constants('ConstantKind', Object.entries(schema.ConstantKind)),
    ...constants('Linkage', Object.entries(schema.Linkage)),
    ...constants('GlobalFlag', Object.entries(schema.GlobalFlag)),
    ...constants('FunctionFlag', Object.entries(schema.FunctionFlag)),
    ...constants('Strength', Object.entries(schema.Strength)),
    ...constants('OpcodeAndRegion', Object.entries(schema.OpcodeAndRegion)),
    ...constants('Aux', Object.entries(schema.Aux)),
    ...constants('LoopFlag', Object.entries(schema.LoopFlag)),
    ...constants('Ordering', numbered(schema.ORDERINGS)),
    ...constants('IntegerPredicate', numbered(schema.INTEGER_PREDICATES)),
    ...constants('FloatPredicate', numbered(schema.FLOAT_PREDICATES)),
    ...constants('AtomicOperation', numbered(schema.ATOMIC_OPERATIONS)),
    ...constants('WellKnownName', numbered(schema.WELL_KNOWN_NAMES)),
    ...constants('WellKnownConstant', Object.entries(schema.WellKnownConstant)),
    ...constants('CoreStatus', Object.entries(schema.CoreStatus)),
    ...constants('CoreHeader', Object.entries(schema.CoreHeader)),
    ...constants('CoreFaultNumber', numbered(schema.CORE_FAULTS)),
  ];
}

function opcodeColumns(): string[] {
  return [
    ...constants('Opcode', numbered(OPCODES.map((row) => row.name))),
    `constexpr int32_t OPCODE_COUNT = ${OPCODES.length};`,
    '',
    ...wordColumn(
      'OpcodeClass',
      'opcodeClass',
      OPCODES.map((row) => row.class),
    ),
    ...wordColumn(
      'ResultRule',
      'opcodeResult',
      OPCODES.map((row) => row.result),
    ),
    ...wordColumn(
      'AuxKind',
      'opcodeAux',
      OPCODES.map((row) => row.aux),
    ),
  ];
}

function nodeKindColumns(): string[] {
  return [
    ...constants('NodeKind', numbered(NODE_KINDS.map((row) => row.name))),
    `constexpr int32_t NODE_KIND_COUNT = ${NODE_KINDS.length};`,
    '',
    ...wordColumn(
      'NodeCategory',
      'nodeCategory',
      NODE_KINDS.map((row) => row.category),
    ),
    ...wordColumn(
      'NodeColumnA',
      'nodeColumnA',
      NODE_KINDS.map((row) => (row.a === '-' ? 'none' : row.a)),
    ),
    ...column(
      'nodeMinimumChildren',
      NODE_KINDS.map((row) => row.minimumChildren),
    ),
    '// INT32_MAX stands for any number.',
    ...column(
      'nodeMaximumChildren',
      NODE_KINDS.map((row) => (Number.isFinite(row.maximumChildren) ? row.maximumChildren : 0x7fffffff)),
    ),
    'constexpr const char* nodeChildren[] = {',
    ...NODE_KINDS.map((row) => `    "${row.children}",`),
    '};',
    '',
  ];
}

/** Everything in the header but the hash of it. */
function body(): string {
  return [
    'constexpr int32_t NONE = -1;',
    `constexpr int32_t SCHEMA_VERSION = ${schema.SCHEMA_VERSION};`,
    '',
    ...tableLayouts(),
    ...schemaConstants(),
    ...opcodeColumns(),
    ...nodeKindColumns(),
    '// Traits with a bit in the mask of a trait set.',
    ...constants('Trait', numbered(TRAITS.slice(0, 32).map((row) => row.name))),
    '// Per such trait, the bits of those that contradict it.',
    ...column('contradictionMasks', CONTRADICTION_MASKS),
  ].join('\n');
}

/** FNV-1a (Fowler, Noll, Vo) over the UTF-16 units: it has to notice a forgotten rebuild, not an attacker. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 0;
}

let knownHash: number | undefined;

/** What the loader compares: two cores with the same hash agree on every column and number. */
export function layoutHash(): number {
  knownHash ??= hash(body());
  return knownHash;
}

/** The text of `native/generated/layout.h`. */
export function generateLayout(): string {
  const text = body();
  return `// Made by \`npm run generate\` from src/ir and src/traits; do not edit.
#pragma once

#include <cstdint>

namespace vct {

constexpr uint32_t LAYOUT_HASH = ${hash(text)}u;
${text}
}  // namespace vct
`;
}
