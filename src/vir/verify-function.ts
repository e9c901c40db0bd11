/** The verifier's rules on one body: blocks, the control-flow graph, phis, dominance; types are `verify-instruction.ts`. */

import { computeDominators, type Dominators, dominates, makeDominators } from '../core/dominators.js';
import { type FunctionRows, readFunctionRows, type VirTables } from '../core/function-rows.js';
import { buildGraph, type Graph, isReachable, makeGraph } from '../core/graph.js';
import type { DiagnosticCode } from '../diag/catalogue.js';
import { type DiagnosticArguments, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { type Block, type Inst, NONE, type Value } from '../ir/entities.js';
import { shortType } from '../ir/item-rules.js';
import { isTerminator, Opcode, opcodeRow } from '../ir/opcodes.js';
import { VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import type { VirFunction, VirModule } from '../ir/vir-module.js';
import { InstructionVerifier } from './verify-instruction.js';
import { isBlockOperand } from './verify-tables.js';
import { verifyTraitClaims, verifyTraitPlaces } from './verify-traits.js';

/** Checks the bodies of one module, one after the other, in memory that is made once. Requires tables without faults. */
export class FunctionVerifier {
  readonly #tables: VirTables;
  readonly #graph: Graph;
  readonly #dominators: Dominators;
  readonly #blockOf: Int32Array;
  readonly #instructions: InstructionVerifier;

  constructor(
    readonly module: VirModule,
    readonly sink: DiagnosticSink,
  ) {
    const { instructions, operands, blocks, functions } = module;
    this.#tables = {
      instructions: instructions.view(),
      operands: operands.view(),
      blocks: blocks.view(),
      functions: functions.view(),
    };
    const largest = (column: number) => {
      let most = 0;
      for (let id = 0; id < functions.length; id++) most = Math.max(most, functions.get(id, column));
      return most;
    };
    const blockCapacity = largest(VIR_FUNCTION.blockCount);
    this.#graph = makeGraph(blockCapacity, largest(VIR_FUNCTION.operandCount));
    this.#dominators = makeDominators(blockCapacity);
    this.#blockOf = new Int32Array(largest(VIR_FUNCTION.instructionCount));
    this.#instructions = new InstructionVerifier(module, sink);
  }

  /** Checks one body. */
  verify(view: VirFunction): void {
    this.#verifyParameters(view);
    const hasGraph = this.#verifyBlocks(view);
    this.#verifyTypes(view);
    if (!hasGraph || this.#isFull) return;
    const rows = readFunctionRows(this.#tables, view.id);
    buildGraph(this.#graph, this.#tables, rows);
    computeDominators(this.#dominators, this.#graph);
    this.#verifyEntry(view);
    this.#verifyPhis(view);
    this.#verifyUses(view, rows);
    verifyTraitClaims(this.module, view, this.#graph, this.sink);
  }

  get #isFull(): boolean {
    return this.sink.diagnostics.length >= this.sink.limit;
  }

  #report(view: VirFunction, inst: Inst, code: DiagnosticCode, values: DiagnosticArguments = {}): void {
    this.sink.add(diagnostic(code, values, this.module.positionOf(view.id, inst)));
  }

  #blockText(view: VirFunction, block: number): string {
    const name = view.blockName(block as Block);
    return name === NONE ? String(block) : view.tables.names.text(name);
  }

  /** 006/WF-8: the params are those of the function type. */
  #verifyParameters(view: VirFunction): void {
    const { types } = view.tables;
    const expected = types.memberCount(view.type);
    if (view.parameterCount !== expected) {
      const values = { function: view.name, found: view.parameterCount, expected };
      this.sink.add(diagnostic('VCT0217', values, this.module.functionPositionOf(view.id)));
      return;
    }
    for (let index = 0; index < expected; index++) {
      const wanted = types.memberType(view.type, index);
      const found = view.instructionType(index as Inst);
      if (found === wanted) continue;
      this.#report(view, index as Inst, 'VCT0216', {
        index,
        function: view.name,
        found: shortType(view.tables, found),
        expected: shortType(view.tables, wanted),
      });
    }
  }

  /** 006/WF-3, WF-5, WF-6: where instructions stand. Says whether every block ends in its only terminator. */
  #verifyBlocks(view: VirFunction): boolean {
    let isGood = true;
    for (let number = 0; number < view.blockCount && !this.#isFull; number++) {
      const block = number as Block;
      const position = this.module.blockPositionOf(view.id, block);
      const end = view.blockEnd(block);
      let isAfterPhis = false;
      for (let at = view.blockStart(block) as number; at < end; at++) {
        const inst = at as Inst;
        const opcode = view.opcode(inst);
        const name = this.#blockText(view, block);
        if (isTerminator(opcode) && at + 1 < end) {
          this.#report(view, inst, 'VCT0202', { opcode: opcodeRow(opcode).name, block: name });
          isGood = false;
        }
        if (opcode === Opcode.phi && isAfterPhis) this.#report(view, inst, 'VCT0204');
        if (opcode === Opcode.alloca && number > 0) this.#report(view, inst, 'VCT0211', { block: name });
        isAfterPhis ||= opcode !== Opcode.phi;
      }
      if (view.blockStart(block) === end || !isTerminator(view.opcode(view.terminator(block)))) {
        this.sink.add(diagnostic('VCT0200', { block: this.#blockText(view, block) }, position));
        isGood = false;
      }
    }
    return isGood;
  }

  #verifyTypes(view: VirFunction): void {
    this.#instructions.begin(view);
    for (let inst = view.parameterCount; inst < view.instructionCount && !this.#isFull; inst++) {
      this.#instructions.verify(inst as Inst);
    }
    verifyTraitPlaces(this.module, view, this.sink);
  }

  /** 006/WF-2. */
  #verifyEntry(view: VirFunction): void {
    const graph = this.#graph;
    if (graph.predecessorStart[0] === graph.predecessorStart[1]) return;
    const values = { block: this.#blockText(view, 0) };
    this.sink.add(diagnostic('VCT0203', values, this.module.blockPositionOf(view.id, 0 as Block)));
  }

  /** 006/WF-5: one operand for each predecessor, in their order. */
  #verifyPhis(view: VirFunction): void {
    for (let block = 0; block < view.blockCount && !this.#isFull; block++) {
      const end = view.blockEnd(block as Block);
      for (let at = view.blockStart(block as Block) as number; at < end; at++) {
        if (view.opcode(at as Inst) !== Opcode.phi) break;
        this.#verifyPhi(view, block, at as Inst);
      }
    }
  }

  #verifyPhi(view: VirFunction, block: number, inst: Inst): void {
    const { predecessorStart, predecessors } = this.#graph;
    const end = predecessorStart[block + 1] as number;
    let next = predecessorStart[block] as number;
    let previous = NONE;
    for (let index = 1; index < view.operandCount(inst); index += 2) {
      const named = view.blockOperand(inst, index) as number;
      const wanted = next < end ? (predecessors[next] as number) : NONE;
      if (named === wanted) {
        previous = named;
        next++;
        continue;
      }
      if (named <= previous) this.#reportBlock(view, inst, 'VCT0207', named);
      else if (wanted !== NONE && wanted < named) this.#reportBlock(view, inst, 'VCT0205', wanted);
      else this.#reportBlock(view, inst, 'VCT0206', named);
      return;
    }
    if (next < end) this.#reportBlock(view, inst, 'VCT0205', predecessors[next] as number);
  }

  #reportBlock(view: VirFunction, inst: Inst, code: DiagnosticCode, block: number): void {
    this.#report(view, inst, code, { block: this.#blockText(view, block) });
  }

  /** 006/WF-4, in every block that control can reach (WF-11). */
  #verifyUses(view: VirFunction, rows: FunctionRows): void {
    const blockOf = this.#blockOf;
    blockOf.fill(0, 0, view.parameterCount);
    for (let block = 0; block < view.blockCount; block++) {
      blockOf.fill(block, view.blockStart(block as Block), view.blockEnd(block as Block));
    }
    for (let at = view.parameterCount; at < view.instructionCount && !this.#isFull; at++) {
      const inst = at as Inst;
      const block = blockOf[at] as number;
      if (!isReachable(this.#graph, block)) continue;
      const opcode = view.opcode(inst);
      const start = rows.firstOperand + this.#operandStart(rows, inst);
      for (let index = 0; index < view.operandCount(inst); index++) {
        const value = this.#tables.operands[start + index] as Value;
        if (value < 0 || isBlockOperand(opcode, index)) continue;
        const isGood =
          opcode === Opcode.phi
            ? this.#reachesEnd(blockOf[value] as number, view.blockOperand(inst, index + 1))
            : this.#isBefore(view, value, inst);
        if (!isGood) this.#report(view, inst, 'VCT0208', { index, opcode: opcodeRow(opcode).name });
      }
    }
  }

  #operandStart(rows: FunctionRows, inst: Inst): number {
    const row = (rows.firstInstruction + inst) * VIR_INSTRUCTION.stride;
    return this.#tables.instructions[row + VIR_INSTRUCTION.operandStart] as number;
  }

  /** Whether a definition in one block dominates the end of another. */
  #reachesEnd(definition: number, block: number): boolean {
    const graph = this.#graph;
    if (!isReachable(graph, block)) return true;
    return isReachable(graph, definition) && dominates(this.#dominators, definition, block);
  }

  #isBefore(view: VirFunction, value: Value, use: Inst): boolean {
    if (value < view.parameterCount) return true;
    const definition = this.#blockOf[value] as number;
    const block = this.#blockOf[use] as number;
    if (definition === block) return value < use;
    return isReachable(this.#graph, definition) && dominates(this.#dominators, definition, block);
  }
}
