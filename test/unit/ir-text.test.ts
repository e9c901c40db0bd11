import { describe, expect, it } from 'vitest';
import { DiagnosticSink } from '../../src/diag/diagnostic.js';
import { ModulePrinter } from '../../src/ir/text/module-printer.js';
import { readModule } from '../../src/ir/text/module-reader.js';

const MODULE = `module "demo"

type %Pair = { lo: i32, "the high": i64, %List }
type %List = { next: ptr<%List>, ptr<%"odd name"> }
type %U = union { a: i32, b: f64 }
type %Opaque = opaque
type %"odd name" = opaque union

global @counter: i32 export = 0 #[Align(16)]
constant @msg: [6 x i8] = "hello\\00"
global @table: [2 x ptr<fn(i32, ...) -> void>] = [ ptr<fn(i32, ...) -> void> @later, ptr<fn(i32, ...) -> void> null ]
global @out: ptr<i8> extern thread_local
global @pair: { i32, f32 } weak = { i32 -1, f32 0.1 }
global @u: %U = { i32 7 }
global @nested: [2 x [1 x u8]] = [ [1 x u8] [ u8 255 ], [1 x u8] zero ]
`;

function head(text: string): string {
  const sink = new DiagnosticSink();
  const module = readModule(text, 'demo.vir', sink);
  sink.throwIfErrors();
  const printer = new ModulePrinter(module.tables);
  const functions = module.functions.map((item) => printer.signature(item.id, undefined, item.body >= 0));
  return [printer.head(), ...functions].join('\n');
}

function errors(text: string): string[] {
  const sink = new DiagnosticSink();
  readModule(text, 't', sink);
  return sink.diagnostics.map((item) => `${item.code}@${item.position?.line}`);
}

describe('module items', () => {
  it('round-trips every kind of item', () => {
    const text = `${MODULE}\ndeclare @later(i32, ...) -> void #[NoReturn, Inline!]`;
    expect(head(text)).toBe(text);
  });

  it('reads items in any order and reports each error with its line', () => {
    expect(errors('global @a: ptr<i8> = @b\nconstant @b: i8 = 300\nglobal @a: %T = 1\n')).toEqual([
      'VCT0108@3',
      'VCT0111@2',
    ]);
    expect(errors('nonsense\nglobal @a: i8 = @missing')).toEqual(['VCT0100@1', 'VCT0112@2']);
    expect(errors('global @a: i8 = "unterminated')).toContain('VCT0102@1');
    expect(errors('global @a: i8 = 1 é')).toEqual(['VCT0101@1']);
  });

  it('reads types and constants nested 100,000 deep without recursion', () => {
    const depth = 100_000;
    const type = `${'{ '.repeat(depth)}ptr<i8>${' }'.repeat(depth)}`;
    const sink = new DiagnosticSink();
    const reader = readModule(`module "m"\nglobal @a: ${type} extern`, 't', sink);
    expect(sink.diagnostics).toEqual([]);
    expect(reader.tables.types.text(reader.tables.globalType(0 as never))).toBe(type);
  });
});
