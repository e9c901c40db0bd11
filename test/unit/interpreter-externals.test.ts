/** The built-in externals, called as C says, against what C says they give. */

import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { builtInExternals, interpret } from '../../src/vir/interpreter/index.js';
import { parseVir } from '../../src/vir/parser.js';

const PRINTF = 'declare @printf(ptr<i8>, ...) -> i32\n';

function run(text: string): string {
  try {
    const { stdout } = interpret(parseVir(`module "test"\n${text}`, { file: 'test.vir' }));
    return new TextDecoder().decode(stdout).trim();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
}

/** Calls a function of f64s and prints the result with 17 digits. */
function math(name: string, ...values: string[]): string {
  const parameters = values.map(() => 'f64').join(', ');
  return run(`
constant @format: [7 x i8] = "%.17g\\0a\\00"
${PRINTF}declare @${name}(${parameters}) -> f64
func @main() -> i32 export {
entry:
  %x = call f64 @${name}(${values.map((value) => `f64 ${value}`).join(', ')})
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, f64 %x)
  ret i32 0
}`);
}

describe('math', () => {
  it('is C where ECMAScript differs', () => {
    expect(math('pow', '1.0', 'nan')).toBe('1');
    expect(math('pow', '-1.0', 'inf')).toBe('1');
    expect(math('pow', 'nan', '0.0')).toBe('1');
    expect(math('round', '-2.5')).toBe('-3');
    expect(math('round', '0.49999999999999994')).toBe('0');
    expect(math('round', '-0.2')).toBe('-0');
    expect(math('rint', '2.5')).toBe('2');
    expect(math('rint', '-0.5')).toBe('-0');
    expect(math('fmin', 'nan', '2.0')).toBe('2');
    expect(math('fmax', '1.0', 'nan')).toBe('1');
    expect(math('copysign', '3.0', '-0.0')).toBe('-3');
    expect(math('fmod', '-7.5', '2.0')).toBe('-1.5');
    expect(math('fdim', '2.0', '3.0')).toBe('0');
  });

  it('knows well-known values', () => {
    expect(math('sqrt', '2.0')).toBe('1.4142135623730951');
    expect(math('hypot', '3.0', '4.0')).toBe('5');
    expect(math('atan2', '0.0', '-1.0')).toBe('3.1415926535897931');
    expect(math('exp2', '-1.0')).toBe('0.5');
    expect(math('log2', '1024.0')).toBe('10');
    expect(math('cbrt', '-27.0')).toBe('-3');
    expect(math('floor', '-0.5')).toBe('-1');
    expect(math('ceil', '-0.5')).toBe('-0');
  });

  it('scales by powers of two with one rounding', () => {
    const scaled = (value: string, power: number) =>
      run(`
constant @format: [5 x i8] = "%a\\0a\\00\\00"
${PRINTF}declare @ldexp(f64, i32) -> f64
func @main() -> i32 export {
entry:
  %x = call f64 @ldexp(f64 ${value}, i32 ${power})
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, f64 %x)
  ret i32 0
}`);
    expect(scaled('1.0', -1074)).toBe('0x0.0000000000001p-1022');
    expect(scaled('3.0', -1075)).toBe('0x0.0000000000002p-1022');
    expect(scaled('1.0', -1075)).toBe('0x0p+0');
    expect(scaled('1.5', -1075)).toBe('0x0.0000000000001p-1022');
    expect(scaled('1.0', 1023)).toBe('0x1p+1023');
    expect(scaled('1.0', 1024)).toBe('inf');
    expect(scaled('4.9406564584124654e-324', 2097)).toBe('0x1p+1023');
    expect(scaled('1.7976931348623157e308', -2098)).toBe('0x0.0000000000001p-1022');
  });

  it('rounds the f32 versions', () => {
    const text = `
constant @format: [7 x i8] = "%.17g\\0a\\00"
${PRINTF}declare @sqrtf(f32) -> f32
func @main() -> i32 export {
entry:
  %x = call f32 @sqrtf(f32 2.0)
  %y = fpext f32 %x to f64
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, f64 %y)
  ret i32 0
}`;
    expect(run(text)).toBe('1.4142135381698608');
  });
});

/** Runs lines that may use the strings @a ("alpha\0"), @b ("alps\0") and a buffer %buffer of 16 bytes; prints an i64 %result. */
function strings(declarations: string, body: string): string {
  return run(`
constant @format: [6 x i8] = "%lld\\0a\\00"
constant @a: [6 x i8] = "alpha\\00"
constant @b: [5 x i8] = "alps\\00"
constant @number: [9 x i8] = " -0x1fz9\\00"
constant @float: [9 x i8] = "2.5e1end\\00"
${PRINTF}${declarations}
func @main() -> i32 export {
entry:
  %space = alloca [16 x i8]
  %buffer = gep [16 x i8] %space, 0, 0
  %end = alloca ptr<i8>
${body}
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i64 %result)
  ret i32 0
}`);
}

const wide = '  %result = sext i32 %r to i64';

describe('strings', () => {
  it('are compared, measured, copied and joined', () => {
    const compare =
      'declare @strcmp(ptr<i8>, ptr<i8>) -> i32\ndeclare @strncmp(ptr<i8>, ptr<i8>, i64) -> i32\n';
    expect(strings(compare, `  %r = call i32 @strcmp(ptr<i8> @a, ptr<i8> @b)\n${wide}`)).toBe('-1');
    expect(strings(compare, `  %r = call i32 @strncmp(ptr<i8> @a, ptr<i8> @b, i64 3)\n${wide}`)).toBe('0');
    const copy = `declare @strcpy(ptr<i8>, ptr<i8>) -> ptr<i8>
declare @strcat(ptr<i8>, ptr<i8>) -> ptr<i8>
declare @strlen(ptr<i8>) -> i64`;
    const body = `
  %p = call ptr<i8> @strcpy(ptr<i8> %buffer, ptr<i8> @a)
  %q = call ptr<i8> @strcat(ptr<i8> %buffer, ptr<i8> @b)
  %result = call i64 @strlen(ptr<i8> %buffer)`;
    expect(strings(copy, body)).toBe('9');
    const tooLong = `${body}
  %s = call ptr<i8> @strcat(ptr<i8> %buffer, ptr<i8> @a)
  %t = call ptr<i8> @strcat(ptr<i8> %buffer, ptr<i8> @b)`;
    expect(strings(copy, tooLong)).toBe('VCT0605');
  });

  it('are searched', () => {
    const search = `declare @strchr(ptr<i8>, i32) -> ptr<i8>
declare @strstr(ptr<i8>, ptr<i8>) -> ptr<i8>
declare @memchr(ptr<i8>, i32, i64) -> ptr<i8>`;
    const distance = `
  %to = ptrtoint ptr<i8> %p to i64
  %from = ptrtoint ptr<i8> @a to i64
  %result = sub i64 %to, %from`;
    expect(strings(search, `  %p = call ptr<i8> @strchr(ptr<i8> @a, i32 104)${distance}`)).toBe('3');
    expect(strings(search, `  %p = call ptr<i8> @memchr(ptr<i8> @a, i32 0, i64 6)${distance}`)).toBe('5');
    const missing =
      '  %p = call ptr<i8> @strstr(ptr<i8> @a, ptr<i8> @b)\n  %result = ptrtoint ptr<i8> %p to i64';
    expect(strings(search, missing)).toBe('0');
  });

  it('hold numbers', () => {
    const declarations = `declare @strtol(ptr<i8>, ptr<ptr<i8>>, i32) -> i64
declare @strtod(ptr<i8>, ptr<ptr<i8>>) -> f64
declare @atoi(ptr<i8>) -> i32`;
    expect(
      strings(declarations, '  %result = call i64 @strtol(ptr<i8> @number, ptr<ptr<i8>> %end, i32 0)'),
    ).toBe('-31');
    expect(
      strings(declarations, '  %result = call i64 @strtol(ptr<i8> @number, ptr<ptr<i8>> null, i32 36)'),
    ).toBe('-55494693');
    expect(strings(declarations, `  %r = call i32 @atoi(ptr<i8> @float)\n${wide}`)).toBe('2');
    const rest = `
  %x = call f64 @strtod(ptr<i8> @float, ptr<ptr<i8>> %end)
  %p = load ptr<i8> %end
  %c = load i8 %p
  %y = fptosi f64 %x to i64
  %d = sext i8 %c to i64
  %result = add i64 %y, %d`;
    expect(strings(declarations, rest)).toBe(String(25 + 'e'.charCodeAt(0)));
  });

  it('are formatted into buffers', () => {
    const declarations =
      'declare @snprintf(ptr<i8>, i64, ptr<i8>, ...) -> i32\ndeclare @strlen(ptr<i8>) -> i64\n';
    const body = `
  %r = call fn(ptr<i8>, i64, ptr<i8>, ...) -> i32 @snprintf(ptr<i8> %buffer, i64 4, ptr<i8> @format, i64 -12345)
  %w = sext i32 %r to i64
  %l = call i64 @strlen(ptr<i8> %buffer)
  %t = mul i64 %w, 10
  %result = add i64 %t, %l`;
    expect(strings(declarations, body)).toBe('73');
  });
});

describe('the heap', () => {
  it('grows with its content, and calloc gives zeros', () => {
    const declarations = `declare @calloc(i64, i64) -> ptr<i32>
declare @realloc(ptr<i32>, i64) -> ptr<i32>
declare @free(ptr<i32>) -> void`;
    const body = `
  %p = call ptr<i32> @calloc(i64 2, i64 4)
  store i32 40, %p
  %q = call ptr<i32> @realloc(ptr<i32> %p, i64 400)
  %v = load i32 %q
  %q1 = gep i32 %q, 1
  %w = load i32 %q1
  %r = add i32 %v, %w
  call void @free(ptr<i32> %q)
  call void @free(ptr<i32> null)
${wide}`;
    expect(strings(declarations, body)).toBe('40');
    expect(
      strings(
        declarations,
        '  %p = call ptr<i32> @calloc(i64 -1, i64 4)\n  %result = ptrtoint ptr<i32> %p to i64',
      ),
    ).toBe('0');
  });
});

it('every built-in the issue names is there', () => {
  const names = new Set(builtInExternals());
  for (const name of [
    'printf',
    'puts',
    'putchar',
    'getchar',
    'malloc',
    'free',
    'memcpy',
    'strlen',
    'exit',
    'sin',
    'sinf',
  ])
    expect(names.has(name), name).toBe(true);
});
