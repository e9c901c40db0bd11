import { describe, expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import { parseHir } from '../../src/hir/parser.js';
import { printHir } from '../../src/hir/printer.js';
import { verifyHir } from '../../src/hir/verifier.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { CONSTANT, HIR_VARIABLE, TRAIT_SET, TYPE } from '../../src/ir/schema.js';
import { verifyVir } from '../../src/vir/verifier.js';

function inFunction(body: string): string {
  return `module "m"
type %Pair = { lo: i32, hi: i64 }
declare @puts(ptr<i8>) -> i32
func @g(%z: i32) -> void {
  var %other: i32 = 1
}
func @f(%a: i32, %x: f64, %p: ptr<i32>) -> i32 {
  ${body}
  return %a
}
`;
}

function codes(text: string): string[] {
  return verifyHir(parseHir(text, { file: 't' })).map((item) => `${item.code} ${item.position?.line ?? '-'}`);
}

describe('rules', () => {
  test('003/H-5 a case twice, by two rows of one constant', () => {
    const module = parseHir(inFunction('switch (%a) {\n  case 1 {\n  }\n  case 2 {\n  }\n  }'));
    const { constants, types } = module.tables;
    const [one, two] = [constants.integer(types.i32, 1n), constants.integer(types.i32, 2n)];
    constants.rows.set(two, CONSTANT.a, constants.rows.get(one, CONSTANT.a));
    expect(verifyHir(module).map((item) => item.code)).toEqual(['VCT0322']);
  });

  test('a good function has no diagnostic', () => {
    const text = inFunction(`var %s: i32 #[isAddressed] = 0
  for {
    var %i: i32 = 0
  } while (icmp slt i32 (%i, %a)) step {
    %i = add i32 (%i, 1)
  } do {
    defer {
      store i32 (%i, &%s)
      while (true) {
        break
      }
    }
    switch (%i) {
    case 1, 2 fallthrough {
      continue
    }
    default {
      break
    }
    }
  }
  call @puts (null)`);
    expect(codes(text)).toEqual([]);
  });

  test.each([
    ['003/H-8 operands of two types', '%a = add i32 (%a, const i64 1)', 'VCT0300 8'],
    ['003/H-8 a float where an integer is wanted', '%a = %x', 'VCT0300 8'],
    ['003/H-8 condition', 'if (%a) {\n  }', 'VCT0300 8'],
    ['003/H-8 condition of a do', 'do {\n  } while (%a)', 'VCT0300 9'],
    ['003/H-8 logical operand', '%a = zext (andalso (%a, true)) to i32', 'VCT0300 8'],
    ['003/H-8 sides of a conditional', '%a = cond i32 (true, %x, 1)', 'VCT0300 8'],
    ['003/H-8 return value', 'return %x', 'VCT0300 8'],
    ['003/H-8 return without value', 'return', 'VCT0348 8'],
    ['003/H-4 a variable that nothing writes', 'var %v: i32\n  %a = %v', 'VCT0349 9'],
    ['003/H-4 an aggregate that nothing writes', 'var %v: %Pair\n  %a = extractvalue (%v, 0)', 'VCT0349 9'],
    ['003/H-8 too few arguments', 'call @puts ()', 'VCT0300 8'],
    ['003/H-8 argument of another type', 'call @puts (%p)', 'VCT0300 8'],
    ['003/H-8 load of another type', 'load i64 (%p)', 'VCT0300 8'],
    ['003/H-8 wrong cast', 'zext (%x) to i32', 'VCT0300 8'],
    ['003/H-8 member that is not there', 'gep %Pair (null, 0, 7)', 'VCT0300 8'],
    ['003/H-8 member by a variable', 'gep %Pair (null, 0, %a)', 'VCT0300 8'],
    ['003/H-8 value of nothing', '%a = add i32 (fence seq_cst, 1)', 'VCT0300 8'],
    ['003/H-8 switch on a float', 'switch (%x) {\n  }', 'VCT0300 8'],
    ['003/H-8 ordering of a load', 'load atomic i32 (%p) release', 'VCT0300 8'],
    ['003/H-4 use before declaration in a loop', '{\n    var %t: i32 = 1\n  }\n  %a = %t', 'VCT0323 11'],
    ['003/H-4 use of its own declaration', 'var %t: i32 = %t', 'VCT0323 8'],
    ['003/H-4 assign after the scope', '{\n    var %t: i32\n  }\n  %t = 1', 'VCT0323 11'],
    [
      '003/H-4 a variable of the body in the condition of do',
      'do {\n    var %t: i1\n  } while (%t)',
      'VCT0323 10',
    ],
    ['003/H-4 address of a register', 'store i32 (1, &%a)', 'VCT0324 8'],
    ['003/H-5 a case twice', 'switch (%a) {\n  case 1, 2 {\n  }\n  case 2 {\n  }\n  }', 'VCT0322 11'],
    ['003/H-5 two defaults', 'switch (%a) {\n  default {\n  }\n  default {\n  }\n  }', 'VCT0328 11'],
    ['003/H-5 a case that is no constant', 'switch (%a) {\n  case %a {\n  }\n  }', 'VCT0328 9'],
    ['003/H-6 break without loop', 'break', 'VCT0315 8'],
    [
      '003/H-6 continue in a switch alone',
      'switch (%a) {\n  default {\n    continue\n  }\n  }',
      'VCT0315 10',
    ],
    ['003/H-7 return in a defer', 'defer {\n    return 1\n  }', 'VCT0316 9'],
    ['003/H-7 break out of a defer', 'while (true) {\n    defer {\n      break\n    }\n  }', 'VCT0316 10'],
    [
      '003/H-7 labelled break out of a defer',
      'l: while (true) {\n    defer while (true) {\n      break l\n    }\n  }',
      'VCT0316 10',
    ],
    [
      '003/H-7 continue out of a defer through a switch',
      'while (true) {\n    defer switch (%a) {\n    default {\n      continue\n    }\n    }\n  }',
      'VCT0316 11',
    ],
    ['003/H-10 contradicting traits', 'call @puts (null) #[Inline, NoInline]', 'VCT0223 8'],
  ])('%s', (_, body, expected) => {
    expect(codes(inFunction(body))).toEqual([expected]);
  });

  test('003/H-10 items outside the bodies', () => {
    expect(codes('module "m"\nglobal @g: i32\n')).toEqual(['VCT0214 2']);
    expect(codes('module "m"\ntype %T = opaque\nglobal @g: %T extern\n')).toEqual(['VCT0219 3']);
    expect(codes('module "m"\nfunc @f() -> i32 extern {\n}\n')).toEqual(['VCT0212 2']);
  });
});

/** The tables that somebody else could have written to. */
function tablesOf(module: HirModule) {
  return [module.nodes, module.variables, module.functions];
}

describe('003/H-1: forged rows', () => {
  const forged = (change: (module: HirModule) => void) => {
    const module = parseHir(inFunction('var %b: i1 = true\n  %a = cond i32 (orelse (%b, false), 300, 2)'));
    change(module);
    return verifyHir(module).map((item) => item.code);
  };
  const { stride } = new ModuleTables('').constants.rows;

  test('a variable begins with undef of its type', () => {
    expect(forged((module) => module.variables.set(2, HIR_VARIABLE.undef, 0))).toContain('VCT0328');
  });

  test.each([
    ['the constants false and true', 0],
    ['the constant true', stride],
  ])('%s are what every module has', (_, at) => {
    const change = (module: HirModule) => {
      module.tables.constants.rows.data[at + CONSTANT.type] = module.tables.types.i32;
    };
    expect(forged(change)).toEqual(['VCT0326']);
  });

  test('a type that every module has is that type', () => {
    expect(forged(({ tables }) => tables.types.rows.set(tables.types.i1, TYPE.a, 8))).toContain('VCT0326');
  });

  test('a constant has no more bits than its type', () => {
    const change = ({ tables }: HirModule) => {
      const { constants, types } = tables;
      constants.rows.set(constants.integer(types.i32, 300n), CONSTANT.type, types.i8);
    };
    expect(forged(change)[0]).toBe('VCT0326');
  });

  test('the mask of a trait set says what its entries say', () => {
    const text = inFunction('var %b: i32 #[isAddressed] = 1\n  store i32 (2, &%b)');
    const module = parseHir(text);
    const { rows } = module.tables.traitSets;
    rows.set(rows.length - 1, TRAIT_SET.mask, 0);
    expect(verifyHir(module).map((item) => item.code)).toEqual(['VCT0326']);
  });

  test('rows that every module has are there', () => {
    expect(
      forged((module) => {
        module.tables.constants.rows.length = 1;
      })[0],
    ).toBe('VCT0326');
  });
});

test('003/H-1 forged tables are diagnosed and never crash', () => {
  const text = inFunction('while (true) {\n    defer {\n      %a = add i32 (%a, 1)\n    }\n    break\n  }');
  let seed = 12345;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const values = [-1, 0, 1, 2, 3, 5, 7, 20, 1000, -2, 2 ** 31 - 1, -(2 ** 31)];
  let wrong = 0;
  for (let round = 0; round < 3000; round++) {
    const module = parseHir(text);
    const table = tablesOf(module)[random(3)] as HirModule['nodes'];
    for (let change = 0; change <= random(3); change++)
      table.data[random(table.length * table.stride)] = values[random(values.length)] as number;
    const diagnostics = verifyHir(module);
    if (diagnostics.length > 0) wrong++;
    else {
      printHir(module);
      expect(verifyVir(lowerModule(module, 'ts'))).toEqual([]);
    }
  }
  expect(wrong).toBeGreaterThan(1000);
});
