/** Float arithmetic: C's own, each operation rounded once (008/X4). */

import type { Inst } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { basis, binary, type Expression, Level, prefix } from './expression.js';
import type { ValueWriter } from './value-writer.js';

const OPERATORS: Readonly<Record<number, string>> = {
  [Opcode.fadd]: '+',
  [Opcode.fsub]: '-',
  [Opcode.fmul]: '*',
  [Opcode.fdiv]: '/',
};

/** fadd, fsub, fmul, fdiv, frem. */
export function floatBinary(writer: ValueWriter, inst: Inst): Expression {
  const type = writer.view.instructionType(inst);
  const left = writer.operand(inst, 0);
  const right = writer.operand(inst, 1);
  const calls = (left.hasEffect === true || right.hasEffect === true) && { hasEffect: true };
  const opcode = writer.view.opcode(inst);
  if (opcode === Opcode.fmul) writer.unit.needsExactProducts = true;
  if (opcode !== Opcode.frem) {
    const operator = OPERATORS[opcode] as string;
    return { ...binary(left, operator, right), parts: { left, operator, right }, type, ...calls };
  }
  writer.unit.headers.add('math.h');
  return {
    text: `fmod${suffix(writer, inst)}(${left.text}, ${right.text})`,
    level: Level.postfix,
    type,
    ...calls,
  };
}

/** fneg, sqrt, fabs. */
export function floatUnary(writer: ValueWriter, inst: Inst): Expression {
  const operand = writer.operand(inst, 0);
  const opcode = writer.view.opcode(inst);
  if (opcode === Opcode.fneg) return { ...basis(operand), text: prefix('-', operand), level: Level.unary };
  writer.unit.headers.add('math.h');
  const name = opcode === Opcode.sqrt ? 'sqrt' : 'fabs';
  return { ...basis(operand), text: `${name}${suffix(writer, inst)}(${operand.text})`, level: Level.postfix };
}

function suffix(writer: ValueWriter, inst: Inst): string {
  return writer.tables.types.width(writer.view.instructionType(inst)) === 32 ? 'f' : '';
}
