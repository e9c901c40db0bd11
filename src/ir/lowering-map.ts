/**
 * The LoweringMap (005 §4.7): from each HIR node to the VIR entities made from it, and back.
 *
 * The back direction is a column of every instruction and block. The forward direction is made from it by one counting
 * pass, so the two cannot disagree; `values` adds the operand that an expression's value became, which may be a
 * constant or the value of another node.
 */

import { type FunctionId, NONE, type Node, type Value } from './entities.js';
import { checkLoweringMapData, LOWERING_MAP_VERSION, type LoweringMapData } from './lowering-map-data.js';
import { VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from './schema.js';
import type { Table } from './table.js';

/** An instruction or a block of one function. */
export interface VirEntity {
  readonly function: FunctionId;
  readonly kind: 'instruction' | 'block';
  readonly index: number;
}

/** What the map needs of a VIR module. */
interface VirRows {
  readonly instructions: Table;
  readonly blocks: Table;
  readonly functions: Table;
}

/** The correspondence of one lowered module; both it and the module must stay unchanged while it is used. */
export class LoweringMap {
  #starts: Int32Array | undefined;
  #entities: Int32Array | undefined;

  /**
   * `values[node]` is the operand that the node's value became (NONE for nodes without value), counted within the
   * function that the node belongs to.
   */
  constructor(
    readonly rows: VirRows,
    readonly nodeCount: number,
    readonly values: Int32Array,
  ) {}

  /** The operand that an expression's value became, or NONE. A node that a defer repeats has its last one here. */
  value(node: Node): Value {
    return (this.values[node] ?? NONE) as Value;
  }

  /** Every instruction and block made from a node: instructions first, each kind in module order. */
  entities(node: Node): VirEntity[] {
    this.#build();
    const starts = this.#starts as Int32Array;
    const entities = this.#entities as Int32Array;
    const result: VirEntity[] = [];
    for (let at = starts[node] as number; at < (starts[node + 1] as number); at++) {
      result.push(this.#entity(entities[at] as number));
    }
    return result;
  }

  /** The map as plain data, which `JSON.stringify` takes and `fromJSON` reads back. */
  toJSON(): LoweringMapData {
    const { instructions, blocks } = this.rows;
    return {
      loweringMap: LOWERING_MAP_VERSION,
      nodeCount: this.nodeCount,
      values: Array.from(this.values.subarray(0, this.nodeCount)),
      instructions: columnOf(instructions, VIR_INSTRUCTION.node),
      blocks: columnOf(blocks, VIR_BLOCK.node),
    };
  }

  /**
   * The map that `data` holds, for the module that it was made with or one read from the text of that: it gives the module's
   * rows their nodes again. Fails with VCT0505, and changes nothing, when it is no map of such a module.
   */
  static fromJSON(data: unknown, rows: VirRows): LoweringMap {
    const { instructions, blocks } = rows;
    const checked = checkLoweringMapData(data, instructions.length, blocks.length);
    checked.instructions.forEach((node, row) => {
      instructions.set(row, VIR_INSTRUCTION.node, node);
    });
    checked.blocks.forEach((node, row) => {
      blocks.set(row, VIR_BLOCK.node, node);
    });
    return new LoweringMap(rows, checked.nodeCount, Int32Array.from(checked.values));
  }

  #entity(row: number): VirEntity {
    const { instructions, functions } = this.rows;
    const isInstruction = row < instructions.length;
    const firstColumn = isInstruction ? VIR_FUNCTION.firstInstruction : VIR_FUNCTION.firstBlock;
    const index = isInstruction ? row : row - instructions.length;
    // The last function whose rows start at or before this one: rows are laid down in function order.
    let low = 0;
    let high = functions.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (functions.get(middle, firstColumn) <= index) low = middle;
      else high = middle - 1;
    }
    return {
      function: low as FunctionId,
      kind: isInstruction ? 'instruction' : 'block',
      index: index - functions.get(low, firstColumn),
    };
  }

  #build(): void {
    if (this.#starts !== undefined) return;
    const { instructions, blocks } = this.rows;
    const total = instructions.length + blocks.length;
    const nodeOf = (row: number) =>
      row < instructions.length
        ? instructions.get(row, VIR_INSTRUCTION.node)
        : blocks.get(row - instructions.length, VIR_BLOCK.node);
    const starts = new Int32Array(this.nodeCount + 2);
    for (let row = 0; row < total; row++) {
      const node = nodeOf(row);
      if (node !== NONE) (starts[node + 2] as number)++;
    }
    for (let node = 2; node < starts.length; node++) (starts[node] as number) += starts[node - 1] as number;
    const entities = new Int32Array(starts[starts.length - 1] as number);
    for (let row = 0; row < total; row++) {
      const node = nodeOf(row);
      if (node !== NONE) entities[(starts[node + 1] as number)++] = row;
    }
    this.#starts = starts;
    this.#entities = entities;
  }
}

function columnOf(table: Table, column: number): number[] {
  return Array.from({ length: table.length }, (_, row) => table.get(row, column));
}
