/** Programs of extreme shape run in linear time and without a deep stack of the engine. */

import { describe, expect, it } from 'vitest';
import { constantOperand, type TypeId } from '../../src/ir/entities.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { GlobalFlag, INTEGER_PREDICATES, Linkage } from '../../src/ir/schema.js';
import { VirModule } from '../../src/ir/vir-module.js';
import { VirBuilder } from '../../src/vir/builder.js';
import { interpret } from '../../src/vir/interpreter/index.js';

/** A module whose main is built by `body`; the tables may be filled before. */
function exitCodeOf(body: (builder: VirBuilder, tables: ModuleTables) => void): number {
  const tables = new ModuleTables('shape');
  const { types, names } = tables;
  const id = tables.addFunction(names.intern('main'), types.function([], types.i32), Linkage.export);
  const module = new VirModule(tables);
  const builder = new VirBuilder(module);
  builder.beginFunction(id);
  body(builder, tables);
  builder.endFunction();
  builder.finish();
  // The verifier has shapes of its own; this is about the interpreter.
  return interpret(module, { isVerified: true }).exitCode;
}

describe('shapes', () => {
  it('300000 instructions in one block', () => {
    const exitCode = exitCodeOf((builder, { types }) => {
      builder.block();
      let value = builder.integer(types.i32, 0);
      const one = builder.integer(types.i32, 1);
      for (let count = 0; count < 300_000; count++)
        value = builder.instruction('add', types.i32, [value, one]);
      builder.instruction('ret', types.void, [value]);
    });
    expect(exitCode).toBe(300_000 & 255);
  });

  it('a switch of 65536 cases to one block with a phi', () => {
    const exitCode = exitCodeOf((builder, { types }) => {
      builder.block();
      const cases: number[] = [];
      for (let key = 0; key < 65_536; key++) cases.push(builder.integer(types.i32, key), 1 + (key % 2));
      builder.instruction('switch', types.void, [builder.integer(types.i32, 40_001), 1, ...cases]);
      builder.block();
      builder.instruction('ret', types.void, [builder.integer(types.i32, 1)]);
      builder.block();
      builder.instruction('ret', types.void, [builder.integer(types.i32, 2)]);
    });
    expect(exitCode).toBe(2);
  });

  it('a chain of 100000 blocks with three phis each', () => {
    const exitCode = exitCodeOf((builder, { types }) => {
      const zero = builder.integer(types.i32, 0);
      const one = builder.integer(types.i32, 1);
      builder.block();
      builder.instruction('br', types.void, [1]);
      let previous = [zero, one, zero];
      for (let block = 1; block <= 100_000; block++) {
        builder.block();
        // The three values go round, and one of them counts.
        const [a, b, c] = previous as unknown as [number, number, number];
        const phis = [b, c, a].map((value) => builder.instruction('phi', types.i32, [value, block - 1]));
        const counted = builder.instruction('add', types.i32, [phis[0] as number, one]);
        previous = [counted, phis[1] as number, phis[2] as number] as never;
        builder.instruction('br', types.void, [block + 1]);
      }
      builder.block();
      const sum = builder.instruction('add', types.i32, [previous[0] as number, previous[1] as number]);
      const total = builder.instruction('add', types.i32, [sum, previous[2] as number]);
      builder.instruction('ret', types.void, [total]);
    });
    expect(exitCode).toBe(100_001 & 255);
  });

  it('structs and constants 100000 deep', () => {
    const exitCode = exitCodeOf((builder, tables) => {
      const { types, constants, names } = tables;
      let type: TypeId = types.i32;
      let constant = constants.integer(types.i32, 77n);
      for (let depth = 0; depth < 100_000; depth++) {
        type = types.struct([{ type, name: -1 as never }]);
        constant = constants.aggregate(type, [constant]);
      }
      const global = tables.addGlobal(
        names.intern('deep'),
        type,
        Linkage.internal,
        constant,
        GlobalFlag.constant,
      );
      builder.block();
      const address = constantOperand(constants.globalAddress(types.pointer(type), global));
      const whole = builder.instruction('load', type, [address], 0);
      const slot = builder.instruction('alloca', types.pointer(type), [], type);
      builder.instruction('store', types.void, [whole, slot], 0);
      const inner = builder.instruction('bitcast', types.pointer(types.i32), [slot]);
      const value = builder.instruction('load', types.i32, [inner], 0);
      const isSame = builder.instruction(
        'icmp',
        types.i1,
        [value, builder.integer(types.i32, 77)],
        INTEGER_PREDICATES.indexOf('eq'),
      );
      builder.instruction('assume', types.void, [isSame]);
      builder.instruction('ret', types.void, [value]);
    });
    expect(exitCode).toBe(77);
  });
});
