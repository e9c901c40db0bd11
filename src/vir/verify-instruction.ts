/** The verifier's rules on the types of one instruction (006/WF-7, WF-8; 005 §5 invariant 6). */

import type { DiagnosticCode } from '../diag/catalogue.js';
import { type DiagnosticArguments, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import {
  type ConstantId,
  type FunctionId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
} from '../ir/entities.js';
import { shortType } from '../ir/item-rules.js';
import { Opcode, opcodeRow } from '../ir/opcodes.js';
import { type OperationShape, operationFault } from '../ir/operation-rules.js';
import { ConstantKind } from '../ir/schema.js';
import type { VirFunction, VirModule } from '../ir/vir-module.js';
import { isBlockOperand } from './verify-tables.js';

/** Checks the instructions of one function after the other. Requires tables without faults. */
export class InstructionVerifier {
  #view: VirFunction | undefined;
  #inst = 0 as Inst;
  readonly #shape: OperationShape;

  constructor(
    readonly module: VirModule,
    readonly sink: DiagnosticSink,
  ) {
    const verifier = this;
    // One shape for all: the rules ask it about the instruction that is being checked.
    this.#shape = {
      get opcode() {
        return verifier.#function.opcode(verifier.#inst);
      },
      get type() {
        return verifier.#function.instructionType(verifier.#inst);
      },
      get aux() {
        return verifier.#function.aux(verifier.#inst);
      },
      get operandCount() {
        return verifier.#function.operandCount(verifier.#inst);
      },
      operandType: (index) => verifier.#operandType(index),
      operandConstant: (index) => verifier.#operandConstant(index),
    };
  }

  /** The function whose instructions come next. */
  begin(view: VirFunction): void {
    this.#view = view;
  }

  /** Checks one instruction that is no parameter. */
  verify(inst: Inst): void {
    this.#inst = inst;
    const view = this.#function;
    const opcode = view.opcode(inst);
    if (!this.#verifyOperandsExist(opcode)) return;
    switch (opcode) {
      case Opcode.phi:
        this.#verifyPhi();
        return;
      case Opcode.br:
      case Opcode.unreachable:
        break;
      case Opcode.condbr:
        this.#expect(0, this.module.tables.types.i1, 'an i1 condition');
        break;
      case Opcode.switch:
        this.#verifySwitch();
        break;
      case Opcode.ret:
        this.#verifyReturn();
        break;
      default: {
        const fault = operationFault(this.module.tables, this.#shape);
        if (fault !== undefined) this.#report('VCT0210', { ...fault });
        else if (opcode === Opcode.call) this.#verifyCallee();
      }
    }
    if (opcodeRow(opcode).class === 'terminator') this.#verifyNoResult();
  }

  get #function(): VirFunction {
    return this.#view as VirFunction;
  }

  #operandType(index: number): TypeId {
    return this.#function.valueType(this.#function.operand(this.#inst, index));
  }

  #operandConstant(index: number): ConstantId {
    const operand = this.#function.operand(this.#inst, index);
    return isConstantOperand(operand) ? operandConstant(operand) : (NONE as ConstantId);
  }

  #report(code: DiagnosticCode, values: DiagnosticArguments): void {
    this.sink.add(diagnostic(code, values, this.module.positionOf(this.#function.id, this.#inst)));
  }

  #needs(expected: string, found: TypeId): void {
    const operation = opcodeRow(this.#function.opcode(this.#inst)).name;
    this.#report('VCT0210', { operation, expected, found: shortType(this.module.tables, found) });
  }

  /** Every operand that is a value is one: not NONE, and no instruction without result. */
  #verifyOperandsExist(opcode: number): boolean {
    const view = this.#function;
    const { types } = this.module.tables;
    for (let index = 0; index < view.operandCount(this.#inst); index++) {
      if (isBlockOperand(opcode, index)) continue;
      const operand = view.operand(this.#inst, index);
      if (operand !== NONE && view.valueType(operand) !== types.void) continue;
      this.#report('VCT0209', { index, opcode: opcodeRow(opcode).name });
      return false;
    }
    return true;
  }

  #expect(index: number, wanted: TypeId, expected: string): void {
    const found = this.#operandType(index);
    if (found !== wanted) this.#needs(expected, found);
  }

  #verifyNoResult(): void {
    const type = this.#function.instructionType(this.#inst);
    if (type !== this.module.tables.types.void) this.#needs('the result type void', type);
  }

  #verifyPhi(): void {
    const view = this.#function;
    const { tables } = this.module;
    const type = view.instructionType(this.#inst);
    if (!tables.types.isFirstClass(type)) {
      this.#needs('a type that has values', type);
      return;
    }
    for (let index = 0; index < view.operandCount(this.#inst); index += 2) {
      const found = this.#operandType(index);
      if (found !== type) {
        this.#needs(`operands of type ${shortType(tables, type)}`, found);
        return;
      }
    }
  }

  #verifySwitch(): void {
    const view = this.#function;
    const { constants, types } = this.module.tables;
    const type = this.#operandType(0);
    if (!types.isInteger(type)) {
      this.#needs('an integer', type);
      return;
    }
    const seen = new Set<bigint>();
    for (let index = 2; index < view.operandCount(this.#inst); index += 2) {
      const found = this.#operandType(index);
      const constant = this.#operandConstant(index);
      if (found !== type || constant === NONE || constants.kind(constant) !== ConstantKind.integer) {
        this.#needs(`integer constants of type ${shortType(this.module.tables, type)} as cases`, found);
        return;
      }
      const bits = constants.integerBits(constant);
      if (seen.has(bits)) this.#report('VCT0215', { value: constants.integerValue(constant) });
      seen.add(bits);
    }
  }

  #verifyReturn(): void {
    const view = this.#function;
    const { tables } = this.module;
    const wanted = view.resultType;
    const isVoid = wanted === tables.types.void;
    if (view.operandCount(this.#inst) === 0) {
      if (!isVoid) this.#needs(`a value of type ${shortType(tables, wanted)}`, tables.types.void);
      return;
    }
    this.#expect(0, wanted, isVoid ? 'no value' : `a value of type ${shortType(tables, wanted)}`);
  }

  /** A function that is called by its name is called with its own type. */
  #verifyCallee(): void {
    const { tables } = this.module;
    const constant = this.#operandConstant(0);
    if (constant === NONE || tables.constants.kind(constant) !== ConstantKind.functionAddress) return;
    const callee = tables.constants.addressee(constant) as FunctionId;
    const expected = tables.functionType(callee);
    const found = this.#function.aux(this.#inst) as TypeId;
    if (found === expected) return;
    this.#report('VCT0218', {
      function: tables.functionName(callee),
      found: shortType(tables, found),
      expected: shortType(tables, expected),
    });
  }
}
