/** What the oracle knows of floats and of arithmetic that tells or clamps what does not fit. It shares no code with the interpreter. */

/** An f64. */
export interface Float {
  readonly float: number;
}

/** The wrapped result, zero-extended, and whether the exact one did not fit. */
export interface Flagged {
  readonly result: bigint;
  readonly flag: bigint;
}

/** `sadd_overflow` and its like on operands of that width; undefined for every other operation. */
export function flaggedArithmetic(opcode: string, a: bigint, b: bigint, width: number): Flagged | undefined {
  const match = /^([su])(add|sub|mul)_overflow$/.exec(opcode);
  if (match === null) return undefined;
  const exact = exactResult(match[1] === 's', match[2] as string, a, b, width);
  const fits = (match[1] === 's' ? BigInt.asIntN(width, exact) : BigInt.asUintN(width, exact)) === exact;
  return { result: BigInt.asUintN(width, exact), flag: fits ? 0n : 1n };
}

/** `sadd_sat` and its like; undefined for every other operation. */
export function clampedArithmetic(opcode: string, a: bigint, b: bigint, width: number): bigint | undefined {
  const match = /^([su])(add|sub)_sat$/.exec(opcode);
  if (match === null) return undefined;
  const isSigned = match[1] === 's';
  const exact = exactResult(isSigned, match[2] as string, a, b, width);
  const low = isSigned ? -(1n << BigInt(width - 1)) : 0n;
  const high = isSigned ? -low - 1n : (1n << BigInt(width)) - 1n;
  return exact < low ? low : exact > high ? high : exact;
}

function exactResult(isSigned: boolean, name: string, a: bigint, b: bigint, width: number): bigint {
  const [x, y] = isSigned ? [BigInt.asIntN(width, a), BigInt.asIntN(width, b)] : [a, b];
  if (name === 'add') return x + y;
  return name === 'sub' ? x - y : x * y;
}

/** Operations that give or take floats; undefined for every other one. `width` is that of an integer operand. */
export function floatOperation(
  opcode: string,
  values: readonly (bigint | Float)[],
  width: number,
  predicate: string,
): bigint | Float | undefined {
  const float = (index: number) => (values[index] as Float).float;
  switch (opcode) {
    case 'fadd':
      return { float: float(0) + float(1) };
    case 'fsub':
      return { float: float(0) - float(1) };
    case 'fmul':
      return { float: float(0) * float(1) };
    case 'fdiv':
      return { float: float(0) / float(1) };
    case 'fneg':
      return { float: -float(0) };
    case 'sitofp':
      return { float: Number(BigInt.asIntN(width, values[0] as bigint)) };
    case 'uitofp':
      return { float: Number(values[0] as bigint) };
    case 'fptosi':
    case 'fptoui':
      return BigInt(Math.trunc(float(0)));
    case 'fcmp':
      return ordered(predicate, float(0), float(1)) ? 1n : 0n;
    default:
      return undefined;
  }
}

function ordered(predicate: string, a: number, b: number): boolean {
  switch (predicate) {
    case 'ord':
      return !Number.isNaN(a) && !Number.isNaN(b);
    case 'ole':
      return a <= b;
    case 'oge':
      return a >= b;
    default:
      throw new Error(`the oracle does not know ${predicate}`);
  }
}
