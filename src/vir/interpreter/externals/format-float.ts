/**
 * Floats as C's printf writes them: the exact decimal expansion, rounded half to even at the wanted digit, as glibc does in
 * its default rounding mode. Exact because a double is an integer times a power of two, and bigints have no limit.
 */

/** A positive finite double as mantissa * 2^exponent. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

/** numerator / denominator, rounded half to even. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const doubled = (numerator % denominator) * 2n;
  if (doubled < denominator) return quotient;
  if (doubled > denominator) return quotient + 1n;
  return quotient + (quotient & 1n);
}

/** A double has no more decimals than this; what is asked beyond is zeros. */
const MAXIMUM_DECIMALS = 1074;

/** value * 10^scale as an integer, rounded half to even. */
function scaled(value: number, scale: number): bigint {
  const { mantissa, exponent } = parts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  return divideRounded(numerator, denominator);
}

/** `%f` of a finite value that is not negative. */
export function fixedText(value: number, precision: number, alternative: boolean): string {
  const decimals = Math.min(precision, MAXIMUM_DECIMALS);
  const digits = scaled(value, decimals)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).padEnd(precision, '0');
  return precision > 0 ? `${whole}.${fraction}` : alternative ? `${whole}.` : whole;
}

/** The leading digits of a value and the power of ten of the first one. */
function leadingDigits(value: number, count: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  // One below the estimate is never too high. Too low shows as too many digits, as does rounding that carries into a
  // further digit: there the next try rounds to the power of ten.
  let exponent = Math.floor(Math.log10(value)) - 1;
  for (;;) {
    const digits = scaled(value, count - 1 - exponent).toString();
    if (digits.length <= count) return { digits, exponent };
    exponent++;
  }
}

/** `%e` of a finite value that is not negative. */
export function exponentText(value: number, precision: number, alternative: boolean): string {
  const exact = Math.min(precision, MAXIMUM_DECIMALS);
  const { digits, exponent } = leadingDigits(value, exact + 1);
  return assembleExponent(digits.padEnd(precision + 1, '0'), exponent, alternative);
}

function assembleExponent(digits: string, exponent: number, alternative: boolean): string {
  const fraction = digits.slice(1);
  const point = fraction !== '' || alternative ? '.' : '';
  const size = Math.abs(exponent).toString().padStart(2, '0');
  return `${digits[0]}${point}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** `%g` of a finite value that is not negative. */
export function generalText(value: number, precision: number, alternative: boolean): string {
  const significant = Math.max(1, precision);
  const counted = Math.min(significant, MAXIMUM_DECIMALS);
  const { digits, exponent } = leadingDigits(value, counted);
  if (exponent < -4 || exponent >= significant) {
    if (alternative) return assembleExponent(digits.padEnd(significant, '0'), exponent, true);
    return assembleExponent(digits.replace(/(?<=.)0+$/, ''), exponent, false);
  }
  const text = fixedText(value, significant - 1 - exponent, alternative);
  return alternative || !text.includes('.') ? text : text.replace(/\.?0+$/, '');
}

/** `%a` of a finite value that is not negative; a precision below zero asks for all digits. */
export function hexadecimalText(value: number, precision: number, alternative: boolean): string {
  const { mantissa, exponent } = parts(value);
  // One bit, then 13 hexadecimal digits; a subnormal value has a leading 0 and the lowest exponent.
  let rounded = mantissa;
  let digitCount = 13;
  if (precision >= 0 && precision < 13) {
    const dropped = BigInt(4 * (13 - precision));
    rounded = divideRounded(mantissa, 1n << dropped);
    digitCount = precision;
  }
  const lead = rounded >> BigInt(4 * digitCount);
  let fraction = (rounded & ((1n << BigInt(4 * digitCount)) - 1n)).toString(16).padStart(digitCount, '0');
  if (digitCount === 0) fraction = '';
  fraction = precision < 0 ? fraction.replace(/0+$/, '') : fraction.padEnd(precision, '0');
  const power = value === 0 ? 0 : exponent + 52;
  const point = fraction !== '' || alternative ? '.' : '';
  return `0x${lead}${point}${fraction}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}
