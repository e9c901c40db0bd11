import { describe, expect, it } from 'vitest';
import { type Diagnostic, DiagnosticError } from '../../src/diag/diagnostic.js';
import { type NameId, NONE, type TypeId } from '../../src/ir/entities.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { Opcode } from '../../src/ir/opcodes.js';
import {
  CONSTANT,
  GLOBAL,
  OpcodeAndRegion,
  TYPE,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../../src/ir/schema.js';
import { VirModule } from '../../src/ir/vir-module.js';
import { completeTypes } from '../../src/types/complete-types.js';
import { VirBuilder } from '../../src/vir/builder.js';
import { parseVir } from '../../src/vir/parser.js';
import { printVir } from '../../src/vir/printer.js';
import { verifyVir } from '../../src/vir/verifier.js';

/** The codes and lines that the parser or else the verifier reports for a text. */
function faults(text: string): string[] {
  let found: readonly Diagnostic[];
  try {
    found = verifyVir(parseVir(text));
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    found = error.diagnostics;
  }
  return found.map((item) => `${item.code}@${item.position?.line}`);
}

/** The same for a function `@f(%x: i32, %y: i64, %c: i1, %p: ptr<i32>) -> i32` with that body, whose lines begin at 1. */
function bodyFaults(lines: string): string[] {
  const text = `func @f(%x: i32, %y: i64, %c: i1, %p: ptr<i32>) -> i32 {${lines}\n}\n`;
  return faults(text.replace('{', '{\nentry:'));
}

const GOOD = `type %Node = { next: ptr<%Node>, value: i32 }
type %Opaque = opaque
global @g: i32 = 1
declare @external(ptr<%Opaque>) -> %Node
func @f(%x: i32, %c: i1) -> i32 {
entry:
  %slot = alloca i32
  condbr %c, %left, %right
left:
  %a = add i32 %x, 1
  br %join
right:
  br %join
dead:
  %late = add i32 %later, 1
  %later = add i32 1, 1
  br %join
join:
  %m = phi i32 [ %a, %left ], [ %x, %right ], [ %later, %dead ]
  ret i32 %m
}
`;

describe('VIR verifier', () => {
  it('006/WF-11 accepts a module with unreachable blocks, whose uses need not be dominated', () => {
    expect(faults(GOOD)).toEqual([]);
  });

  it('005/L-8 006/WF-3 wants one terminator at the end of each block', () => {
    expect(bodyFaults('\n  %a = add i32 %x, 1')).toEqual(['VCT0200@2']);
    expect(bodyFaults('\n  ret i32 0\n  ret i32 1')).toEqual(['VCT0202@3']);
    expect(bodyFaults('\n  br %next\nnext:\nlast:\n  ret i32 1')).toEqual(['VCT0200@4']);
  });

  it('005/L-10 006/WF-2 wants an entry block without predecessors', () => {
    expect(bodyFaults('\n  br %entry')).toEqual(['VCT0203@2']);
  });

  it('006/WF-5 wants phis first, with one operand a predecessor', () => {
    const around = (phi: string) =>
      bodyFaults(`\n  condbr %c, %a, %b\na:\n  br %j\nb:\n  br %j\nj:\n${phi}\n  ret i32 %x`);
    expect(around('  %q = phi i32 [ 1, %a ], [ 2, %b ]')).toEqual([]);
    expect(around('  %n = add i32 1, 1\n  %q = phi i32 [ 1, %a ], [ 2, %b ]')).toEqual(['VCT0204@10']);
    expect(around('  %q = phi i32 [ 1, %a ]')).toEqual(['VCT0205@9']);
    expect(around('  %q = phi i32 [ 1, %b ]')).toEqual(['VCT0205@9']);
    expect(around('  %q = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %entry ]')).toEqual(['VCT0206@9']);
    expect(around('  %q = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %b ]')).toEqual(['VCT0207@9']);
    expect(around('  %q = phi i64 [ %x, %a ], [ 2, %b ]')).toEqual(['VCT0210@9']);
  });

  it('005/§5.2 006/WF-4 wants definitions to dominate uses', () => {
    expect(bodyFaults('\n  %a = add i32 %b, 1\n  %b = add i32 1, 1\n  ret i32 %a')).toEqual(['VCT0208@3']);
    expect(bodyFaults('\n  condbr %c, %t, %j\nt:\n  %a = add i32 1, 1\n  br %j\nj:\n  ret i32 %a')).toEqual([
      'VCT0208@8',
    ]);
    expect(
      bodyFaults(
        '\n  condbr %c, %t, %j\nt:\n  %a = add i32 1, 1\n  br %j\nj:\n  %q = phi i32 [ %a, %entry ], [ 1, %t ]\n  ret i32 %q',
      ),
    ).toEqual(['VCT0208@8']);
    expect(bodyFaults('\n  fence seq_cst\n  %a = add i32 %a, 1\n  ret i32 %a')).toEqual(['VCT0208@4']);
  });

  it('006/WF-6 wants alloca in the entry block', () => {
    expect(bodyFaults('\n  br %n\nn:\n  %s = alloca i32\n  ret i32 0')).toEqual(['VCT0211@5']);
  });

  it('006/WF-7 wants distinct integer cases', () => {
    expect(bodyFaults('\n  switch i32 %x, %d [ 1: %d, 2: %d, 1: %d ]\nd:\n  ret i32 0')).toEqual([
      'VCT0215@3',
    ]);
    expect(bodyFaults('\n  switch ptr<i32> %p, %d []\nd:\n  ret i32 0')).toEqual(['VCT0210@3']);
    expect(bodyFaults('\n  switch i32 %x, %d [ undef: %d ]\nd:\n  ret i32 0')).toEqual(['VCT0210@3']);
  });

  it('005/§5.6 006/WF-8 wants the types of each instruction', () => {
    const wrong = (line: string) => bodyFaults(`\n${line}\n  ret i32 0`);
    for (const line of [
      '  %a = add f64 1.0, 2.0',
      '  %a = fadd i32 1, 2',
      '  %a = icmp eq f64 1.0, 2.0',
      '  %a = zext i64 %y to i32',
      '  %a = bitcast i64 %y to i32',
      '  %a = select i32 %x, 1, 2',
      '  %a = load i64 %p',
      '  store i64 %y, %p',
      '  %a = gep i64 %p, 0',
      '  %a = gep i32 %p, 0, 0',
      '  %a = extractvalue { i32, i32 } undef, 2',
      '  %a = insertvalue { i32, i32 } undef, i64 %y, 1',
      '  %a = load atomic i32 %p release',
      '  store atomic i32 1, %p acquire',
      '  fence monotonic',
      '  %a = cmpxchg i32 %p, 1, 2 seq_cst release',
      '  %a = atomicrmw add i1 null, true seq_cst',
      '  memcpy ptr<i32> %p, ptr<i32> %p, i32 4',
      '  memset ptr<i32> %p, i32 4, i64 4',
      '  %a = call fn(i32) -> i32 %p(i32 1)',
      '  %a = sqrt i32 4',
      '  %a = alloca void',
      '  assume %x',
    ]) {
      expect([line, ...wrong(line)]).toEqual([line, 'VCT0210@3']);
    }
    for (const line of [
      '  %a = add i32 %x, %y',
      '  %a = icmp eq i32 %y, %y',
      '  store i32 %y, %p',
      '  %a = zext i8 %x to i64',
      '  %a = gep i32 %p, i64 %x',
      '  %a = add i64 %later, 1\n  %later = add i32 1, 1',
    ]) {
      expect([line, ...wrong(line)]).toEqual([line, 'VCT0131@3']);
    }
    expect(bodyFaults('\n  ret i64 %y')).toEqual(['VCT0210@3']);
    expect(bodyFaults('\n  ret void')).toEqual(['VCT0210@3']);
    expect(bodyFaults('\n  condbr %x, %d, %d\nd:\n  ret i32 0')).toEqual(['VCT0210@3']);
    expect(
      faults('declare @e(i32) -> void\nfunc @f() -> void {\nentry:\n  call void @e(i64 1)\n  ret void\n}'),
    ).toEqual(['VCT0218@4']);
    expect(faults('func @f() -> void {\nentry:\n  ret i32 1\n}')).toEqual(['VCT0210@3']);
  });

  it('006/WF-9 wants definitions of all but extern symbols', () => {
    expect(faults('func @f() -> void extern {\nentry:\n  ret void\n}')).toEqual(['VCT0212@1']);
    expect(faults('declare @f() -> void export')).toEqual(['VCT0213@1']);
    expect(faults('global @g: i32 extern = 1')).toEqual(['VCT0214@1']);
    expect(faults('global @g: i32')).toEqual(['VCT0214@1']);
    expect(faults('type %T = opaque\nglobal @g: %T extern')).toEqual(['VCT0219@2']);
    expect(faults('declare @g(void) -> i32')).toEqual(['VCT0219@1']);
    expect(faults('global @"": i32 = 1')).toEqual(['VCT0227@1']);
    expect(faults('global @t: i32 thread_local = 1\nglobal @g: [1 x ptr<i32>] = [ ptr<i32> @t ]')).toEqual([
      'VCT0222@2',
    ]);
  });

  it('006/WF-10 wants types with a size', () => {
    expect(faults('type %T = { a: i32, b: %T }')).toEqual(['VCT0225@1']);
    expect(faults('type %A = { b: %B }\ntype %B = { a: [2 x %A] }')).toContain('VCT0225@1');
    expect(faults('type %A = { b: void }')).toEqual(['VCT0225@1']);
    expect(faults('type %A = { b: [2000000000 x [2000000000 x i64]] }')).toContain('VCT0226@1');
    const tables = new ModuleTables('m');
    tables.types.struct([]);
    expect(verifyVir(new VirModule(tables)).map((item) => item.code)).toEqual(['VCT0221']);
  });

  it('ends on types that share their parts exponentially often', () => {
    const tables = new ModuleTables('m');
    let type: TypeId = tables.types.i32;
    for (let depth = 0; depth < 64; depth++) {
      const member = { type, name: NONE as NameId };
      type = tables.types.struct([member, member]);
    }
    expect(verifyVir(new VirModule(tables)).map((item) => item.code)).toEqual(['VCT0002']);
    const pair = new ModuleTables('m');
    const { types, constants } = pair;
    let constant = constants.integer(types.i8, 1n);
    for (let depth = 0; depth < 20; depth++) {
      constant = constants.aggregate(types.array(constants.type(constant), 3), [
        constant,
        constant,
        constant,
      ]);
    }
    expect(verifyVir(new VirModule(pair)).map((item) => item.code)).toEqual(['VCT0002']);
  });

  it('006/WF-10 finds the complete types among 20,000 in a cycle in linear time', () => {
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, at) => `type %T${at} = { %T${(at + 1) % count} }`);
    const diagnostics = verifyVir(parseVir(`${lines.join('\n')}\ntype %Good = { i32, ptr<%T0> }`));
    expect(diagnostics.length).toBe(100);
    expect(new Set(diagnostics.map((item) => item.code))).toEqual(new Set(['VCT0225']));
  });

  it('006/WF-10 says the same of all types at once as of each alone', () => {
    const { types } = parseVir(
      `type %A = { %B, i32 }
type %B = { ptr<%A>, [2 x %C] }
type %C = union { f32, { i8 } }
type %O = opaque
type %P = { ptr<%O> }
type %Q = { %P, %O }
type %R = { [3 x %R] }
declare @f(%A, ptr<[2 x %Q]>, ptr<fn(%R) -> void>) -> void`,
    ).tables;
    const all = completeTypes(types);
    for (let id = 0; id < types.length; id++) {
      expect([id, all[id] === 1]).toEqual([id, types.isComplete(id as TypeId)]);
    }
  });

  it('006/WF-13 wants traits that can be true together', () => {
    expect(faults('declare @f() -> void #[NoReturn, WillReturn]')).toEqual(['VCT0223@1']);
    expect(faults('global @g: i32 = 1 #[Align(12)]')).toEqual(['VCT0253@1']);
    expect(bodyFaults('\n  %a = load i32 %p #[Range(5, 5)]\n  ret i32 0')).toEqual(['VCT0252@3']);
  });

  it('005/§5.6 wants operands that have a value, and parameters as the function type says', () => {
    const module = parseVir(GOOD);
    const { tables } = module;
    const builder = new VirBuilder(new VirModule(tables));
    builder.beginFunction(1 as never);
    builder.parameter(tables.types.i32);
    builder.parameter(tables.types.i64);
    builder.block();
    builder.instruction('fence', tables.types.void, [], 6);
    builder.instruction('add', tables.types.i32, [2, 0]);
    builder.instruction('add', tables.types.i32, [NONE, 0]);
    builder.instruction('ret', tables.types.i32, [0]);
    builder.endFunction();
    const codes = verifyVir(builder.finish()).map((item) => item.code);
    expect(codes).toEqual(['VCT0216', 'VCT0209', 'VCT0209', 'VCT0210']);
  });

  it('006/WF-1 reports every forged column instead of crashing, and printVir refuses it', () => {
    const forge = (change: (module: VirModule) => void) => {
      const module = parseVir(GOOD);
      change(module);
      const codes = verifyVir(module).map((item) => item.code);
      expect(codes[0]).toBe('VCT0201');
      expect(() => printVir(module)).toThrow(/VCT0201/);
    };
    // No opcode, and a region whose number has no end.
    for (const word of [250, -7, (-1 << OpcodeAndRegion.regionShift) | Opcode.add])
      forge((module) => module.instructions.set(4, VIR_INSTRUCTION.opcodeAndRegion, word));
    for (const value of [-7, 1_000_000]) {
      const columns = ['type', 'operandStart', 'operandCount', 'name', 'position'] as const;
      for (const column of columns) {
        forge((module) => module.instructions.set(4, VIR_INSTRUCTION[column], value));
      }
      forge((module) => module.blocks.set(1, VIR_BLOCK.firstInstruction, value));
      forge((module) => module.blocks.set(1, VIR_BLOCK.instructionCount, value));
      forge((module) => module.blocks.set(1, VIR_BLOCK.traits, value));
      forge((module) => module.operands.set(1, 0, value === -7 ? -1_000_000 : value));
      forge((module) => module.tables.globals.set(0, GLOBAL.type, value));
      forge((module) => module.tables.globals.set(0, GLOBAL.initializer, value));
      forge((module) => module.tables.constants.rows.set(1, CONSTANT.kind, value));
      forge((module) => module.tables.constants.rows.set(1, CONSTANT.type, value));
      forge((module) => module.tables.types.rows.set(1, TYPE.kind, value));
    }
    forge((module) => module.functions.set(1, VIR_FUNCTION.instructionCount, 1_000_000));
    forge((module) => module.functions.set(0, VIR_FUNCTION.blockCount, 4));
    const ranges = ['firstInstruction', 'firstBlock', 'firstOperand', 'parameterCount'] as const;
    for (const column of ranges) forge((module) => module.functions.set(1, VIR_FUNCTION[column], -7));
    forge((module) => {
      module.instructions.length = 1_000_000;
    });
    forge((module) => {
      const { types } = module.tables;
      types.rows.set(types.pointer(types.i32), TYPE.a, types.pointer(types.i32));
    });
    forge((module) => module.instructions.set(4, VIR_INSTRUCTION.opcodeAndRegion, Opcode.param));
    // A parameter with operands, and operands that two instructions share.
    forge((module) => {
      module.instructions.set(0, VIR_INSTRUCTION.operandStart, 0);
      module.instructions.set(0, VIR_INSTRUCTION.operandCount, 1);
      const count = module.instructions.get(4, VIR_INSTRUCTION.operandCount);
      module.instructions.set(4, VIR_INSTRUCTION.operandCount, count - 1);
    });
    forge((module) => {
      const count = module.instructions.get(4, VIR_INSTRUCTION.operandCount);
      module.instructions.set(4, VIR_INSTRUCTION.operandStart, 0);
      module.instructions.set(4, VIR_INSTRUCTION.operandCount, count + 1);
    });
  });
});
