/** printf and its relatives: C17 §7.21.6.1, with the texts of glibc where C leaves a choice. */

import { addressText } from '../memory.js';
import { OddNan, type Wide } from '../values.js';
import { exponentText, fixedText, generalText, hexadecimalText } from './format-float.js';
import { type HostCall, readString } from './host-call.js';

/** A conversion of the format: `%-08.3lld` and the like. */
interface Conversion {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternative: boolean;
  readonly zero: boolean;
  readonly width: number;
  /** -1 when there is none. */
  readonly precision: number;
  readonly length: string;
  readonly letter: string;
}

/** Wider fields are refused: no program prints them on purpose. */
const MAXIMUM_FIELD = 1 << 20;

const encoder = new TextEncoder();

/** The bytes that a format and the arguments from `firstArgument` on give. */
export function formatted(call: HostCall, format: Uint8Array, firstArgument: number): Uint8Array {
  const output: number[] = [];
  let next = firstArgument;
  for (let at = 0; at < format.length; at++) {
    const byte = format[at] as number;
    if (byte !== PERCENT) {
      output.push(byte);
      continue;
    }
    const reader = new ConversionReader(call, format, at + 1, next);
    const conversion = reader.read();
    at = reader.at - 1;
    next = reader.next;
    if (conversion.letter === '%') {
      output.push(PERCENT);
      continue;
    }
    for (const piece of converted(call, conversion, next)) output.push(piece);
    next++;
  }
  return Uint8Array.from(output);
}

const PERCENT = 0x25;

/** Reads one conversion; `*` takes arguments. */
class ConversionReader {
  constructor(
    readonly call: HostCall,
    readonly format: Uint8Array,
    public at: number,
    public next: number,
  ) {}

  read(): Conversion {
    let flags = '';
    while ('-+ #0'.includes(this.#peek()) && this.#peek() !== '') flags += this.#take();
    let width = this.#number() ?? 0;
    if (width < 0) {
      flags += '-';
      width = -width;
    }
    let precision = -1;
    if (this.#peek() === '.') {
      this.at++;
      precision = Math.max(-1, this.#number() ?? 0);
    }
    if (width > MAXIMUM_FIELD || precision > MAXIMUM_FIELD)
      this.call.fail(`a field of ${Math.max(width, precision)}`);
    let length = '';
    while ('hljztL'.includes(this.#peek()) && this.#peek() !== '') length += this.#take();
    const letter = this.#take();
    return {
      left: flags.includes('-'),
      plus: flags.includes('+'),
      space: flags.includes(' '),
      alternative: flags.includes('#'),
      zero: flags.includes('0'),
      width,
      precision,
      length,
      letter,
    };
  }

  #number(): number | undefined {
    if (this.#peek() === '*') {
      this.at++;
      return this.call.int(this.next++);
    }
    let value: number | undefined;
    while (this.#peek() >= '0' && this.#peek() <= '9') {
      value = Math.min((value ?? 0) * 10 + Number(this.#peek()), MAXIMUM_FIELD * 2);
      this.at++;
    }
    return value;
  }

  #peek(): string {
    return this.at < this.format.length ? String.fromCharCode(this.format[this.at] as number) : '';
  }

  #take(): string {
    const letter = this.#peek();
    if (letter === '') this.call.fail('a format that ends within a conversion');
    this.at++;
    return letter;
  }
}

function converted(call: HostCall, conversion: Conversion, index: number): Uint8Array {
  switch (conversion.letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return encoder.encode(integerText(call, conversion, index));
    case 'c':
      return padded(conversion, Uint8Array.of(call.int(index) & 255));
    case 's': {
      const limit = conversion.precision < 0 ? Number.POSITIVE_INFINITY : conversion.precision;
      return padded(conversion, readString(call.pointer(index), limit));
    }
    case 'p':
      return encoder.encode(pointerText(call, conversion, index));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return encoder.encode(floatText(call, conversion, index));
    default:
      return call.fail(`the conversion %${conversion.length}${conversion.letter}, which is not known`);
  }
}

function padded(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  if (bytes.length >= conversion.width) return bytes;
  const field = new Uint8Array(conversion.width).fill(0x20);
  field.set(bytes, conversion.left ? 0 : conversion.width - bytes.length);
  return field;
}

/** Bits of the C type that a length modifier names. */
function widthOfLength(call: HostCall, length: string): number {
  switch (length) {
    case 'hh':
      return 8;
    case 'h':
      return 16;
    case '':
      return 32;
    case 'l':
    case 'll':
    case 'j':
    case 'z':
    case 't':
      return 64;
    default:
      return call.fail(`the length ${length}, which is not known`);
  }
}

/** Integers narrower than int come promoted; any other width must be that of the conversion. */
function integerArgument(call: HostCall, conversion: Conversion, index: number): Wide {
  const value = call.integer(index);
  const { types } = call.host;
  const type = call.types[index] as never;
  const needed = Math.max(32, widthOfLength(call, conversion.length));
  if (Math.max(32, types.width(type)) !== needed)
    call.fail(
      `an ${types.text(type)} for %${conversion.length}${conversion.letter}, which takes ${needed} bits`,
    );
  return value;
}

function integerText(call: HostCall, conversion: Conversion, index: number): string {
  const width = widthOfLength(call, conversion.length);
  const value = BigInt(integerArgument(call, conversion, index));
  const isSigned = conversion.letter === 'd' || conversion.letter === 'i';
  const exact = isSigned ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  const magnitude = exact < 0n ? -exact : exact;
  let digits = magnitude.toString(RADIX[conversion.letter] ?? 10);
  if (conversion.letter === 'X') digits = digits.toUpperCase();
  if (conversion.precision === 0 && exact === 0n) digits = '';
  digits = digits.padStart(conversion.precision, '0');
  if (conversion.letter === 'o' && conversion.alternative && !digits.startsWith('0')) digits = `0${digits}`;
  const isHexadecimal = conversion.letter === 'x' || conversion.letter === 'X';
  const prefix = isHexadecimal && conversion.alternative && exact !== 0n ? `0${conversion.letter}` : '';
  const sign = isSigned ? signText(conversion, exact < 0n) : '';
  return justified(conversion, sign + prefix, digits, conversion.precision < 0);
}

const RADIX: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8 };

function signText(conversion: Conversion, isNegative: boolean): string {
  return isNegative ? '-' : conversion.plus ? '+' : conversion.space ? ' ' : '';
}

/** Fills a field: zeros go between the sign and the digits, spaces to either side. */
function justified(conversion: Conversion, sign: string, digits: string, mayFillZeros: boolean): string {
  const missing = conversion.width - sign.length - digits.length;
  if (missing <= 0) return sign + digits;
  if (conversion.left) return sign + digits + ' '.repeat(missing);
  if (conversion.zero && mayFillZeros) return sign + '0'.repeat(missing) + digits;
  return ' '.repeat(missing) + sign + digits;
}

function pointerText(call: HostCall, conversion: Conversion, index: number): string {
  const pointer = call.pointer(index);
  call.host.memory.expose(pointer.object);
  const text = addressText(pointer);
  return justified(conversion, '', text === '0x0' ? '(nil)' : text, false);
}

function floatText(call: HostCall, conversion: Conversion, index: number): string {
  const value = call.floatSlot(index);
  const isUpper = conversion.letter < 'a';
  if (value instanceof OddNan || !Number.isFinite(value)) {
    const isNegative = value instanceof OddNan ? isNegativeNan(call, value, index) : value < 0;
    const text = value instanceof OddNan || Number.isNaN(value) ? 'nan' : 'inf';
    return justified(
      conversion,
      signText(conversion, isNegative),
      isUpper ? text.toUpperCase() : text,
      false,
    );
  }
  const isNegative = value < 0 || Object.is(value, -0);
  let text = finiteText(conversion, Math.abs(value));
  let prefix = '';
  if (conversion.letter === 'a' || conversion.letter === 'A') {
    prefix = '0x';
    text = text.slice(2);
  }
  const sign = signText(conversion, isNegative) + prefix;
  return isUpper
    ? justified(conversion, sign.toUpperCase(), text.toUpperCase(), true)
    : justified(conversion, sign, text, true);
}

function isNegativeNan(call: HostCall, value: OddNan, index: number): boolean {
  return value.bits >> BigInt(call.host.types.width(call.types[index] as never) - 1) === 1n;
}

function finiteText(conversion: Conversion, value: number): string {
  const precision = conversion.precision < 0 ? 6 : conversion.precision;
  switch (conversion.letter) {
    case 'f':
    case 'F':
      return fixedText(value, precision, conversion.alternative);
    case 'e':
    case 'E':
      return exponentText(value, precision, conversion.alternative);
    case 'g':
    case 'G':
      return generalText(value, precision, conversion.alternative);
    default:
      return hexadecimalText(value, conversion.precision, conversion.alternative);
  }
}
