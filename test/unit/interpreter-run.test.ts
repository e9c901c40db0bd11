/** Whole programs in the interpreter: calls, limits, externals, streams, and where its diagnostics point. */

import { describe, expect, it } from 'vitest';
import { type Diagnostic, DiagnosticError } from '../../src/diag/diagnostic.js';
import { type InterpretOptions, interpret } from '../../src/vir/interpreter/index.js';
import { parseVir } from '../../src/vir/parser.js';

const decoder = new TextDecoder();

function runText(
  text: string,
  options: InterpretOptions = {},
): { stdout: string; exitCode: number; instructions: number } {
  const result = interpret(parseVir(`module "test"\n${text}`, { file: 'test.vir' }), options);
  return {
    stdout: decoder.decode(result.stdout),
    exitCode: result.exitCode,
    instructions: result.instructions,
  };
}

function failureOf(text: string, options: InterpretOptions = {}): Diagnostic {
  try {
    runText(text, options);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0] as Diagnostic;
    throw error;
  }
  throw new Error('the program was not stopped');
}

/** A main of one block. */
function main(body: string): string {
  return `func @main() -> i32 export {\nentry:\n${body}\n}\n`;
}

const COUNTDOWN = (traits: string) => `
func @down(%n: i32) -> i32 {
entry:
  %c = icmp eq i32 %n, 0
  condbr %c, %done, %more
done:
  ret i32 0
more:
  %m = sub i32 %n, 1
  %r = call i32 @down(i32 %m)${traits}
  ret i32 %r
}
func @main() -> i32 export {
entry:
  %r = call i32 @down(i32 999990)
  ret i32 %r
}`;

describe('calls', () => {
  it('nest a million deep without a deep stack of the engine', () => {
    expect(runText(COUNTDOWN(''), { callDepth: 1_000_000 }).exitCode).toBe(0);
  });

  it('006/R-3 stop at the call depth, with a note for the calls at either end', () => {
    const { code, position, notes } = failureOf(COUNTDOWN(''), { callDepth: 5000 });
    expect(code).toBe('VCT0642');
    expect(position).toMatchObject({ file: 'test.vir', line: 11 });
    expect(notes.length).toBeLessThan(30);
    expect(notes[0]?.message).toBe('@down was called by @down');
    expect(notes.at(-1)).toMatchObject({ message: '@down was called by @main', position: { line: 16 } });
  });

  it('do not nest when they must be tail calls', () => {
    expect(runText(COUNTDOWN(' #[MustTail!]'), { callDepth: 3 }).exitCode).toBe(0);
  });

  it('006/E-9 of a tail call end the objects of the caller', () => {
    const failure = failureOf(`
func @read(%p: ptr<i32>) -> i32 {
entry:
  %v = load i32 %p
  ret i32 %v
}
func @pass() -> i32 {
entry:
  %x = alloca i32
  store i32 1, %x
  %r = call i32 @read(ptr<i32> %x) #[MustTail!]
  ret i32 %r
}
${main('  %r = call i32 @pass()\n  ret i32 %r')}`);
    expect(failure).toMatchObject({ code: 'VCT0608', position: { line: 5 } });
  });

  it('go through pointers in memory, with arguments and results of every kind', () => {
    const text = `
type %Pair = { a: i32, b: i64 }
global @table: [2 x ptr<fn(%Pair, f32) -> %Pair>] = [ ptr<fn(%Pair, f32) -> %Pair> @first, ptr<fn(%Pair, f32) -> %Pair> @second ]
func @first(%p: %Pair, %x: f32) -> %Pair {
entry:
  %r = insertvalue %Pair %p, i32 11, 0
  ret %Pair %r
}
func @second(%p: %Pair, %x: f32) -> %Pair {
entry:
  %n = fptosi f32 %x to i64
  %r = insertvalue %Pair %p, i64 %n, 1
  ret %Pair %r
}
${main(`
  %t = gep [2 x ptr<fn(%Pair, f32) -> %Pair>] @table, 0, 0
  %f = load ptr<fn(%Pair, f32) -> %Pair> %t
  %u = gep [2 x ptr<fn(%Pair, f32) -> %Pair>] @table, 0, 1
  %g = load ptr<fn(%Pair, f32) -> %Pair> %u
  %p = call fn(%Pair, f32) -> %Pair %f(%Pair { i32 1, i64 2 }, f32 0.0)
  %q = call fn(%Pair, f32) -> %Pair %g(%Pair %p, f32 5.5)
  %a = extractvalue %Pair %q, 0
  %b = extractvalue %Pair %q, 1
  %c = trunc i64 %b to i32
  %s = add i32 %a, %c
  ret i32 %s`)}`;
    expect(runText(text).exitCode).toBe(16);
  });
});

describe('limits', () => {
  const ENDLESS = 'func @main() -> i32 export {\nentry:\n  br %loop\nloop:\n  br %loop\n}\n';

  it('006/R-2 fuel ends an endless loop', () => {
    const { code, message, position } = failureOf(ENDLESS, { fuel: 1000 });
    expect(code).toBe('VCT0641');
    expect(message).toContain('1000');
    expect(position?.line).toBe(6);
  });

  it('006/R-5 a start must be there and have a type that can be called', () => {
    expect(failureOf('declare @main() -> i32\n').code).toBe('VCT0643');
    expect(failureOf(main('  ret i32 0'), { entry: 'other' }).code).toBe('VCT0643');
    expect(failureOf('func @main(%x: f64) -> i32 export {\nentry:\n  ret i32 0\n}\n').code).toBe('VCT0644');
    expect(runText('func @go() -> void export {\nentry:\n  ret void\n}\n', { entry: 'go' }).exitCode).toBe(0);
  });

  it('006/R-4 malloc gives null beyond the memory limit, a large global is refused', () => {
    const text = `declare @malloc(i64) -> ptr<i8>\n${main(`
  %p = call ptr<i8> @malloc(i64 2000)
  %c = icmp eq ptr<i8> %p, null
  %r = zext i1 %c to i32
  ret i32 %r`)}`;
    expect(runText(text, { memoryLimit: 1000 }).exitCode).toBe(1);
    expect(runText(text).exitCode).toBe(0);
    expect(
      failureOf(`global @g: [9000 x i8] = zero\n${main('  ret i32 0')}`, { memoryLimit: 1000 }).code,
    ).toBe('VCT0645');
  });
});

describe('the surroundings of a program', () => {
  const ECHO = `
constant @format: [10 x i8] = "%d %s %s\\0a\\00"
declare @printf(ptr<i8>, ...) -> i32
declare @getchar() -> i32
declare @putchar(i32) -> i32
func @main(%argc: i32, %argv: ptr<ptr<i8>>) -> i32 export {
entry:
  %p0 = gep ptr<i8> %argv, 1
  %a0 = load ptr<i8> %p0
  %p1 = gep ptr<i8> %argv, 2
  %a1 = load ptr<i8> %p1
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i32 %argc, ptr<i8> %a0, ptr<i8> %a1)
  br %loop
loop:
  %c = call i32 @getchar()
  %end = icmp slt i32 %c, 0
  condbr %end, %exit, %more
more:
  %d = call i32 @putchar(i32 %c)
  br %loop
exit:
  ret i32 300
}`;

  it('gives arguments and input, takes output and the exit code', () => {
    const result = runText(ECHO, { args: ['one', 'zwei'], stdin: 'in\nput' });
    expect(result).toMatchObject({ stdout: '3 one zwei\nin\nput', exitCode: 44 });
  });

  it('reads input in pieces and hands output to a sink', () => {
    const pieces = ['a', '', 'bc'].map((piece) => new TextEncoder().encode(piece));
    const output: string[] = [];
    const result = runText(ECHO, {
      args: ['x', 'y'],
      stdin: () => pieces.shift(),
      stdout: (bytes) => output.push(decoder.decode(bytes)),
    });
    expect(output.join('')).toBe('3 x y\nabc');
    expect(result.stdout).toBe('');
  });

  it('hands over what was printed before an error', () => {
    const output: string[] = [];
    const text = `declare @putchar(i32) -> i32\n${main('  %r = call i32 @putchar(i32 65)\n  unreachable')}`;
    const { code } = failureOf(text, { stdout: (bytes) => output.push(decoder.decode(bytes)) });
    expect([code, output.join('')]).toEqual(['VCT0618', 'A']);
  });

  it('exit and abort end the program', () => {
    expect(
      runText(`declare @exit(i32) -> void\n${main('  call void @exit(i32 7)\n  unreachable')}`).exitCode,
    ).toBe(7);
    expect(runText(`declare @abort() -> void\n${main('  call void @abort()\n  unreachable')}`).exitCode).toBe(
      134,
    );
  });
});

describe("a caller's externals", () => {
  const TEXT = `
constant @word: [5 x i8] = "Wort\\00"
declare @mix(u8, i64, f64, ptr<i8>) -> i64
${main(`
  %p = gep [5 x i8] @word, 0, 0
  %r = call i64 @mix(u8 200, i64 -3, f64 0.5, ptr<i8> %p)
  %n = trunc i64 %r to i32
  ret i32 %n`)}`;

  it('see plain values and may read memory and print', () => {
    const result = runText(TEXT, {
      externals: {
        mix(call) {
          expect(call.arguments.slice(0, 3)).toEqual([200, -3n, 0.5]);
          const pointer = call.arguments[3] as never;
          call.print(`${call.readString(pointer)}${call.readBytes(pointer, 1)[0]}`);
          return 5n;
        },
      },
    });
    expect(result).toMatchObject({ stdout: 'Wort87', exitCode: 5 });
  });

  it('006/R-7 that fail or give something else end in a diagnostic', () => {
    expect(failureOf(TEXT, { externals: { mix: () => 0.5 } }).code).toBe('VCT0649');
    expect(failureOf(TEXT, { externals: { mix: () => undefined } }).code).toBe('VCT0649');
    const failure = failureOf(TEXT, {
      externals: {
        mix() {
          throw new RangeError('no such thing');
        },
      },
    });
    expect(failure).toMatchObject({ code: 'VCT0649', position: { line: 9 } });
    expect(failure.message).toContain('no such thing');
  });

  it('006/E-6 cannot leave an object either', () => {
    const failure = failureOf(TEXT, {
      externals: { mix: (call) => call.readBytes(call.arguments[3] as never, 6).length },
    });
    expect(failure.code).toBe('VCT0605');
  });

  it('take precedence over the built-in ones', () => {
    const text = `declare @abs(i32) -> i32\n${main('  %r = call i32 @abs(i32 -4)\n  ret i32 %r')}`;
    expect(runText(text).exitCode).toBe(4);
    expect(runText(text, { externals: { abs: () => 9 } }).exitCode).toBe(9);
  });
});
