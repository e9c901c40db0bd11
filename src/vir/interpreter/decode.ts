/**
 * Decodes one function: each value gets a register, each block one segment or, where it has calls, several. Linear in the
 * instructions, phi operands and switch cases of the function.
 */

import {
  type Block,
  type ConstantId,
  type FunctionId,
  type Inst,
  isConstantOperand,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import { isTerminator, Opcode, opcodeRow } from '../../ir/opcodes.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { callExit, callStep } from './call-steps.js';
import { branchExit, edgeExit, switchExit } from './edges.js';
import { decodeStep } from './instruction-steps.js';
import type { Places } from './integer-steps.js';
import { NULL_POINTER } from './memory.js';
import type { Program } from './program.js';
import type { DecodedFunction, Exit, Segment } from './segments.js';
import type { Registers, Step } from './step.js';
import { valueCheck } from './trait-checks.js';
import { trap } from './trap.js';
import type { Slot } from './values.js';

/** Makes a function that has a body ready to run. */
export function decodeFunction(program: Program, id: FunctionId): DecodedFunction {
  return new FunctionDecoder(program, program.module.function(id)).decode();
}

/** The function while it is being decoded: what the makers of steps ask. */
export class FunctionDecoder {
  readonly #registers: Int32Array;
  readonly #constantRegisters = new Map<ConstantId, number>();
  /** Register 0 is never used, and makes every register file hold a mix of things, which is one shape to the engine. */
  readonly #template: Registers = [NULL_POINTER];
  readonly #segments: Segment[] = [];

  constructor(
    readonly program: Program,
    readonly code: VirFunction,
  ) {
    this.#registers = new Int32Array(code.instructionCount).fill(-1);
  }

  decode(): DecodedFunction {
    const { code } = this;
    const { types } = this.program.tables;
    for (let inst = 0; inst < code.instructionCount; inst++) {
      if (code.instructionType(inst as Inst) === types.void) continue;
      this.#registers[inst] = this.#template.length;
      this.#template.push(undefined);
    }
    const entry: Segment = {
      function: undefined as never,
      steps: [],
      exit: () => undefined,
      instructions: [],
    };
    const decoded: DecodedFunction = { id: code.id, name: code.name, template: this.#template, entry };
    (entry as { function: DecodedFunction }).function = decoded;
    for (let block = 0; block < code.blockCount; block++)
      this.#segments.push(block === 0 ? entry : this.#newSegment(decoded));
    this.#checkParameters(entry);
    for (let block = 0; block < code.blockCount; block++) this.#decodeBlock(block as Block, decoded);
    return decoded;
  }

  /** The register that holds an operand. */
  register(value: Value): number {
    if (!isConstantOperand(value)) return this.#registers[value] as number;
    const constant = operandConstant(value);
    let register = this.#constantRegisters.get(constant);
    if (register === undefined) {
      register = this.#template.length;
      this.#template.push(this.program.constants.value(constant));
      this.#constantRegisters.set(constant, register);
    }
    return register;
  }

  /** The registers of an instruction: result and value operands from `first` on. */
  places(inst: Inst, first = 0): Places {
    const operands: number[] = [];
    for (let index = first; index < this.code.operandCount(inst); index++)
      operands.push(this.register(this.code.operand(inst, index)));
    return { result: this.#registers[inst] as number, operands };
  }

  /** Where the result of an instruction goes, or -1. */
  resultRegister(inst: Inst): number {
    return this.#registers[inst] as number;
  }

  operandType(inst: Inst, index: number): TypeId {
    return this.code.valueType(this.code.operand(inst, index));
  }

  hasTrait(inst: Inst, trait: number): boolean {
    return this.program.tables.traitSets.has(this.code.instructionTraits(inst), trait);
  }

  #newSegment(decoded: DecodedFunction): Segment {
    return { function: decoded, steps: [], exit: () => undefined, instructions: [] };
  }

  #checkParameters(entry: Segment): void {
    for (let inst = 0; inst < this.code.parameterCount; inst++) this.#addCheck(entry, inst as Inst);
  }

  /** Adds the test of the traits of a result behind the instruction. */
  #addCheck(segment: Segment, inst: Inst): void {
    const { code } = this;
    const register = this.resultRegister(inst);
    if (register < 0) return;
    const { tables } = this.program;
    // The Align of an access or alloca is not about its result.
    const { aux } = opcodeRow(code.opcode(inst));
    const isAddressAligned = aux === 'memory' || code.opcode(inst) === Opcode.alloca;
    const check = valueCheck(
      tables,
      code.instructionTraits(inst),
      code.instructionType(inst),
      isAddressAligned,
    );
    if (check === undefined) return;
    segment.steps.push((registers) => check(registers[register]));
    segment.instructions.push(inst);
  }

  #decodeBlock(block: Block, decoded: DecodedFunction): void {
    const { code } = this;
    let segment = this.#segments[block] as Segment;
    for (let inst = code.blockStart(block); inst < code.blockEnd(block); inst = (inst + 1) as Inst) {
      const opcode = code.opcode(inst);
      if (opcode === Opcode.phi) {
        this.#addCheck(segment, inst);
        continue;
      }
      if (isTerminator(opcode)) {
        segment.exit = this.#terminator(block, inst);
        segment.instructions.push(inst);
        return;
      }
      let step: Step | undefined;
      if (opcode === Opcode.call) {
        step = callStep(this, inst);
        if (step === undefined) {
          const next = this.#newSegment(decoded);
          const isTail = this.#isTailCall(inst, block);
          segment.exit = callExit(this, inst, next, isTail);
          segment.instructions.push(inst);
          segment = next;
          this.#addCheck(segment, inst);
          this.#addReturnTrap(segment, inst);
          continue;
        }
      } else step = decodeStep(this, inst);
      if (step === undefined) continue;
      segment.steps.push(step);
      segment.instructions.push(inst);
      this.#addCheck(segment, inst);
      if (opcode === Opcode.call) this.#addReturnTrap(segment, inst);
    }
    // Not reached in a verified module: the block has no terminator.
    segment.exit = () =>
      trap('VCT0646', { instruction: code.blockEnd(block), name: code.name, detail: 'no terminator' });
    segment.instructions.push((code.blockEnd(block) - 1) as Inst);
  }

  /** What follows a call that is said not to return. */
  #addReturnTrap(segment: Segment, inst: Inst): void {
    if (!this.hasTrait(inst, Trait.NoReturn)) return;
    segment.steps.push(() => trap('VCT0621', { trait: 'NoReturn', detail: 'the call returned' }));
    segment.instructions.push(inst);
  }

  /** Whether a call carries MustTail and its result is returned at once. */
  #isTailCall(inst: Inst, block: Block): boolean {
    const { code } = this;
    const next = (inst + 1) as Inst;
    if (!this.hasTrait(inst, Trait.MustTail) || next >= code.blockEnd(block)) return false;
    if (code.opcode(next) !== Opcode.ret) return false;
    return code.operandCount(next) === 0 || code.operand(next, 0) === (inst as number as Value);
  }

  #terminator(block: Block, inst: Inst): Exit {
    const { code } = this;
    switch (code.opcode(inst)) {
      case Opcode.br:
        return this.#edge(block, code.blockOperand(inst, 0));
      case Opcode.condbr:
        return branchExit(
          this.register(code.operand(inst, 0)),
          this.#edge(block, code.blockOperand(inst, 1)),
          this.#edge(block, code.blockOperand(inst, 2)),
        );
      case Opcode.switch:
        return this.#switch(block, inst);
      case Opcode.ret:
        return this.#return(inst);
      default:
        return () => trap('VCT0618');
    }
  }

  #return(inst: Inst): Exit {
    const { code } = this;
    const { machine, tables } = this.program;
    if (tables.traitSets.has(tables.functionTraits(code.id), Trait.NoReturn))
      return () => trap('VCT0621', { trait: 'NoReturn', detail: `@${code.name} returns` });
    if (code.operandCount(inst) === 0) return () => machine.leave(undefined);
    const register = this.register(code.operand(inst, 0));
    return (registers) => machine.leave(registers[register]);
  }

  /** Edges of one switch to one block are one edge. */
  #switch(block: Block, inst: Inst): Exit {
    const { code } = this;
    const edges = new Map<Block, Exit>();
    const edgeTo = (target: Block) => {
      let edge = edges.get(target);
      if (edge === undefined) {
        edge = this.#edge(block, target);
        edges.set(target, edge);
      }
      return edge;
    };
    const cases = new Map<Slot, Exit>();
    for (let index = 2; index < code.operandCount(inst); index += 2) {
      const key = this.program.constants.value(operandConstant(code.operand(inst, index)));
      if (!cases.has(key)) cases.set(key, edgeTo(code.blockOperand(inst, index + 1)));
    }
    return switchExit(this.register(code.operand(inst, 0)), cases, edgeTo(code.blockOperand(inst, 1)));
  }

  #edge(from: Block, to: Block): Exit {
    const { code } = this;
    const destinations: number[] = [];
    const sources: number[] = [];
    for (let inst = code.blockStart(to); inst < code.blockEnd(to); inst = (inst + 1) as Inst) {
      if (code.opcode(inst) !== Opcode.phi) break;
      destinations.push(this.resultRegister(inst));
      sources.push(this.register(this.#incoming(inst, from)));
    }
    return edgeExit(this.#segments[to] as Segment, { destinations, sources });
  }

  /** The operand of a phi for a predecessor: they are in ascending order of the blocks. */
  #incoming(phi: Inst, from: Block): Value {
    const { code } = this;
    let low = 0;
    let high = code.operandCount(phi) / 2 - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (code.blockOperand(phi, 2 * middle + 1) < from) low = middle + 1;
      else high = middle;
    }
    if (code.blockOperand(phi, 2 * low + 1) === from) return code.operand(phi, 2 * low);
    for (let index = 0; index < code.operandCount(phi); index += 2)
      if (code.blockOperand(phi, index + 1) === from) return code.operand(phi, index);
    return trap('VCT0646', { instruction: phi, name: code.name, detail: 'a phi lacks a predecessor' });
  }
}
