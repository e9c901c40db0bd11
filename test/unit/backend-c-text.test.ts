import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { cOf, compileOnly, functionText } from './c-tools.js';

/** The definition of @f, of text that both compilers take without a word. */
function body(vir: string, name = 'f'): string {
  const { text } = cOf(vir);
  expect(compileOnly(text, 'gcc')).toBe('');
  expect(compileOnly(cOf(vir, { dialect: 'clang' }).text, 'clang-19')).toBe('');
  return functionText(text, name);
}

function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
  return 'none';
}

const lines = (...text: string[]) => text.join('\n');

describe('008 §5.3: control flow', () => {
  test('008/R9 008/X5: a loop that counts is a for, and its step a plain one', () => {
    const vir = `func @f(%a: ptr<i32>, %n: i32) -> i32 export {
entry:
  br %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp slt i32 %i, %n
  condbr %more, %body, %exit
body:
  %place = gep i32 %a, %i
  %element = load i32 %place
  %s.next = add i32 %s, %element
  %i.next = add i32 %i, 1
  br %header
exit:
  ret i32 %s
}`;
    expect(body(vir)).toBe(
      lines(
        'int32_t f(vct_i32 *a, int32_t n)',
        '{',
        '    int32_t s = 0;',
        '    for (int32_t i = 0; i < n; i++) {',
        '        s += (uint32_t)a[i];',
        '    }',
        '    return s;',
        '}',
      ),
    );
  });

  test('008/X5: a loop that may never end keeps a constant condition', () => {
    const vir = `type %Node = { value: i32, next: ptr<%Node> }
func @f(%p: ptr<%Node>) -> i32 export {
entry:
  br %header
header:
  %at = phi ptr<%Node> [ %p, %entry ], [ %next, %body ]
  %n = phi i32 [ 0, %entry ], [ %m, %body ]
  %end = icmp eq ptr<%Node> %at, null
  condbr %end, %exit, %body
body:
  %place = gep %Node %at, 0, 1
  %next = load ptr<%Node> %place
  %m = add i32 %n, 1
  br %header
exit:
  ret i32 %n
}`;
    expect(body(vir)).toContain(
      'while (1) {\n        if (p == NULL) {\n            break;\n        }\n        p = p->next;',
    );
  });

  test('008/X5: a counter that may step over its bound proves nothing', () => {
    const loop = (predicate: string, step: number) => `func @f(%n: i32) -> void export {
entry:
  br %header
header:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %more = icmp ${predicate} i32 %i, %n
  condbr %more, %body, %exit
body:
  %j = add i32 %i, ${step}
  br %header
exit:
  ret void
}`;
    expect(body(loop('slt', 1))).toContain('for (int32_t i = 0; i < n; i++)');
    expect(body(loop('slt', 2))).toContain('while (1)');
    expect(body(loop('sle', 1))).toContain('while (1)');
    expect(body(loop('slt', -1))).toContain('while (1)');
    expect(body(loop('ne', 1))).toContain('for (int32_t i = 0; i != n; i += 1u)');
  });

  test('008/X5: a loop that reads, or touches something volatile, in every round is tested in its head; so is one that is said to end', () => {
    const loop = (everyRound: string, sometimes = '', traits = '') => `declare @getchar() -> i32
global @v: i32 = 0
func @f(%n: i32, %c: i1) -> i32 export${traits} {
entry:
  br %header
header:
  %i = phi i32 [ %n, %entry ], [ %j, %latch ]
  %more = icmp ne i32 %i, 0
  condbr %more, %body, %exit
body:
  %rest = lshr i32 %i, 1
  ${everyRound}
  condbr %c, %arm, %latch
arm:
  ${sometimes}
  br %latch
latch:
  %j = xor i32 %rest, 5
  br %header
exit:
  ret i32 %i
}`;
    const reads = (text: string) => /while \(\w+ != 0\)/.test(body(text));
    const [call, load, plain] = ['call i32 @getchar()', 'load volatile i32 @v', 'load i32 @v'];
    expect(reads(loop(`%x = ${call}`))).toBe(true);
    expect(reads(loop(`%x = ${load}`))).toBe(true);
    expect(reads(loop('fence seq_cst'))).toBe(true);
    expect(reads(loop('', '', ' #[WillReturn]'))).toBe(true);
    for (const text of [loop(''), loop(`%x = ${plain}`), loop('', `%x = ${call}`), loop('', `%x = ${load}`)])
      expect(body(text)).toContain('while (1)');
  });

  test('008/R9: arms that meet, tests with one outcome, arms that choose a value', () => {
    const vir = `func @f(%a: i32, %b: i32) -> i32 export {
entry:
  %low = icmp slt i32 %a, 0
  condbr %low, %bad, %next
next:
  %high = icmp sgt i32 %a, 9
  condbr %high, %bad, %good
good:
  %less = icmp slt i32 %a, %b
  condbr %less, %then, %else
then:
  br %join
else:
  br %join
join:
  %m = phi i32 [ %a, %then ], [ %b, %else ]
  %t = mul i32 %m, %m
  ret i32 %t
bad:
  ret i32 -1
}`;
    expect(body(vir)).toBe(
      lines(
        'int32_t f(int32_t a, int32_t b)',
        '{',
        '    if (a < 0 || a > 9) {',
        '        return -1;',
        '    }',
        '    if (a >= b) {',
        '        a = b;',
        '    }',
        '    return (uint32_t)a * a;',
        '}',
      ),
    );
  });

  test('008/R9: a switch names each target once and leaves out what the default does', () => {
    const vir = `func @f(%k: i32) -> i32 export {
entry:
  switch i32 %k, %other [ 0: %zero, 1: %one, 2: %one, -2147483648: %low, 5: %other ]
zero:
  br %join
one:
  br %join
low:
  ret i32 7
other:
  br %join
join:
  %r = phi i32 [ 10, %zero ], [ 20, %one ], [ %k, %other ]
  ret i32 %r
}`;
    expect(body(vir)).toBe(
      lines(
        'int32_t f(int32_t k)',
        '{',
        '    switch (k) {',
        '    case 0:',
        '        k = 10;',
        '        break;',
        '    case 1:',
        '    case 2:',
        '        k = 20;',
        '        break;',
        '    case INT32_MIN:',
        '        return 7;',
        '    }',
        '    return k;',
        '}',
      ),
    );
  });

  test('008/R10: an irreducible loop is gotos', () => {
    const vir = `func @f(%c: i1, %n: i32) -> i32 export {
entry:
  condbr %c, %a, %b
a:
  %x = phi i32 [ %n, %entry ], [ %z, %b ]
  %y = mul i32 %x, 3
  br %b
b:
  %w = phi i32 [ %n, %entry ], [ %y, %a ]
  %z = add i32 %w, 5
  %more = icmp slt i32 %z, 1000
  condbr %more, %a, %exit
exit:
  ret i32 %z
}`;
    expect(body(vir)).toBe(
      lines(
        'int32_t f(bool c, int32_t n)',
        '{',
        '    if (!c) {',
        '        goto b;',
        '    }',
        'a:',
        '    n *= 3u;',
        'b:',
        '    n += 5u;',
        '    if (n < 1000) {',
        '        goto a;',
        '    }',
        '    return n;',
        '}',
      ),
    );
  });

  test('008/R6: the swap problem', () => {
    const vir = `func @f(%n: i32) -> i32 export {
entry:
  br %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ %n, %entry ], [ %j, %loop ]
  %j = sub i32 %i, 1
  %more = icmp sgt i32 %j, 0
  condbr %more, %loop, %exit
exit:
  ret i32 %a
}`;
    const text = body(vir);
    expect(text).toMatch(/int32_t (\w+) = (\w+);\n +\2 = (\w+);\n +\3 = \1;/);
  });

  test('blocks that control cannot reach are not in the text', () => {
    const text = body(`func @f() -> i32 export {
entry:
  ret i32 1
dead:
  ret i32 123456
}`);
    expect(text).not.toContain('123456');
  });
});

describe('008/X1 008/X2: integers', () => {
  const binary = (type: string, opcode: string, right = '%b') =>
    body(`func @f(%a: ${type}, %b: ${type}) -> ${type} export {
entry:
  %r = ${opcode} ${type} %a, ${right}
  ret ${type} %r
}`)
      .split('\n')
      .filter((line) => line.includes('return'))
      .join()
      .trim();

  test.each([
    ['i32', 'add', 'return (uint32_t)a + b;'],
    ['u32', 'add', 'return a + b;'],
    ['i64', 'sub', 'return (uint64_t)a - b;'],
    ['i16', 'add', 'return a + b;'],
    ['u16', 'mul', 'return (uint32_t)a * b;'],
    ['i8', 'mul', 'return (uint32_t)a * b;'],
    ['i32', 'shl', 'return (uint32_t)a << b;'],
    ['i32', 'lshr', 'return (uint32_t)a >> b;'],
    ['u32', 'ashr', 'return (int32_t)a >> b;'],
    ['i8', 'shl', 'return (uint32_t)a << b;'],
    ['u8', 'sdiv', 'return (int8_t)a / (int8_t)b;'],
    ['i32', 'udiv', 'return (uint32_t)a / (uint32_t)b;'],
    ['i32', 'and', 'return a & b;'],
    ['i1', 'xor', 'return a != b;'],
  ])('%s %s', (type, opcode, expected) => {
    expect(binary(type, opcode)).toBe(expected);
  });

  test('constants: an unsigned literal instead of a cast, a difference instead of a negative sum', () => {
    expect(binary('i32', 'add', '7')).toBe('return a + 7u;');
    expect(binary('i32', 'add', '-7')).toBe('return a - 7u;');
    expect(binary('i64', 'add', '7')).toBe('return (uint64_t)a + 7;');
    expect(binary('i32', 'xor', '-1')).toBe('return ~a;');
    expect(binary('u8', 'xor', '-1')).toBe('return ~a;');
  });

  test('what is erroneous is not written, for compilers complain about it where it never runs', () => {
    expect(binary('i32', 'shl', '32')).toBe('return 0;');
    expect(binary('i32', 'sdiv', '0')).toBe('return 0;');
  });
});

describe('008/X11: what has an effect stays, what nothing reads goes', () => {
  test('a volatile access in a test without outcome', () => {
    const vir = `global @flag: i32 export = 0
func @f(%x: i32) -> i32 export {
entry:
  %seen = load volatile i32 @flag
  %test = icmp eq i32 %seen, 7
  condbr %test, %then, %join
then:
  br %join
join:
  %again = load volatile i32 @flag
  %never = icmp ult i32 %again, 0
  condbr %never, %join, %exit
exit:
  ret i32 %x
}`;
    expect(body(vir).split('*(volatile vct_i32 *)&flag').length - 1).toBe(2);
  });

  test('a volatile access beside a test that decides without it', () => {
    const vir = `global @flag: i1 export = false
func @f(%x: i1) -> i1 export {
entry:
  %seen = load volatile i1 @flag
  %both = and i1 %x, %seen
  ret i1 %both
}`;
    expect(body(vir)).toContain('return x & *(volatile vct_i1 *)&flag;');
  });

  test('members of a local object that nothing looks at, and what only they read', () => {
    const vir = `type %Pair = { low: i32, high: i32 }
declare @other(i32) -> i32
func @f(%x: i32) -> i32 export {
entry:
  %pair = alloca %Pair
  %sum = add i32 %x, 1
  %double = shl i32 %sum, 1
  %low = gep %Pair %pair, 0, 0
  store i32 %double, %low
  %high = gep %Pair %pair, 0, 1
  %was = load i32 %high
  %more = xor i32 %was, %double
  store i32 %more, %high
  %kept = call i32 @other(i32 %x)
  %list = alloca [4 x i32]
  %slot = gep [4 x i32] %list, 0, 2
  store i32 %x, %slot
  ret i32 %x
}`;
    expect(body(vir)).toBe(lines('int32_t f(int32_t x)', '{', '    other(x);', '    return x;', '}'));
  });

  test('a condition that is known chooses its arm', () => {
    const vir = `declare @other() -> void
func @f(%x: i32) -> i32 export {
entry:
  condbr true, %then, %else
then:
  call void @other()
  br %join
else:
  br %join
join:
  %result = phi i32 [ 1, %then ], [ 2, %else ]
  ret i32 %result
}`;
    expect(body(vir)).toBe(
      lines('int32_t f(int32_t x)', '{', '    (void)x;', '    other();', '    return 1;', '}'),
    );
  });
});

describe('008 §5.5: types and places', () => {
  test('008/R17 008/X3: members by name, elements by index, pointers that may alias', () => {
    const vir = `type %Item = { kind: i8, values: [4 x i32], next: ptr<%Item> }
func @f(%item: ptr<%Item>, %i: i32) -> i32 export {
entry:
  %next = gep %Item %item, 0, 2
  %other = load ptr<%Item> %next
  %first = gep %Item %other, 0, 1, 2
  %a = load i32 %first
  %any = gep %Item %item, 0, 1, %i
  store i32 %a, %any
  %kind = gep %Item %item, 0, 0
  %k = load i8 %kind
  %w = sext i8 %k to i32
  ret i32 %w
}`;
    const text = cOf(vir).text;
    expect(text).toContain(
      'struct __attribute__((may_alias)) Item {\n    int8_t kind;\n    int32_t values[4];\n    Item *next;\n};',
    );
    expect(body(vir)).toBe(
      lines(
        'int32_t f(Item *item, int32_t i)',
        '{',
        '    ((vct_i32 *)item->values)[i] = item->next->values[2];',
        '    return item->kind;',
        '}',
      ),
    );
  });

  test('an index that stays in its array is a plain index', () => {
    const vir = `type %Item = { values: [8 x i32], more: i32 }
func @f(%item: ptr<%Item>, %i: u32) -> i32 export {
entry:
  %k = and u32 %i, 7
  %place = gep %Item %item, 0, 0, %k
  %v = load i32 %place
  ret i32 %v
}`;
    expect(body(vir)).toContain('return item->values[');
    expect(body(vir.replace(', 7', ', 15'))).toContain('((vct_i32 *)item->values)[');
  });

  test('008/R27: structs by value are literals', () => {
    const vir = `type %Pair = { lo: i32, hi: i64 }
func @f(%a: i32) -> %Pair export {
entry:
  %w = sext i32 %a to i64
  %p = insertvalue %Pair undef, i32 %a, 0
  %q = insertvalue %Pair %p, i64 %w, 1
  ret %Pair %q
}`;
    expect(body(vir)).toContain('return (Pair){a, (int64_t)a};');
  });

  test.each(['i7', 'u24', 'i33', 'i256'])('008/R16: %s is diagnosed', (type) => {
    expect(code(() => cOf(`func @f(%a: ${type}) -> ${type} export {\nentry:\n  ret ${type} %a\n}`))).toBe(
      'VCT0700',
    );
  });

  test('008/R16: 128 bits where the compiler has them', () => {
    const vir =
      'func @f(%a: i128, %b: i128) -> i128 export {\nentry:\n  %s = add i128 %a, %b\n  ret i128 %s\n}';
    expect(body(vir)).toContain('return (vct_uint128)a + b;');
    expect(code(() => cOf(vir, { dialect: 'c17' }))).toBe('VCT0700');
  });
});

describe('008/X8: as a C programmer writes it', () => {
  test('a local object that is a parameter of its own is that parameter', () => {
    const vir = `type %Pair = { low: i32, high: i32 }
func @f(%p: %Pair, %x: i32) -> i32 export {
entry:
  %pair = alloca %Pair
  %copy = alloca i32
  store %Pair %p, %pair
  store i32 %x, %copy
  %low = gep %Pair %pair, 0, 0
  %high = gep %Pair %pair, 0, 1
  %was = load i32 %high
  store i32 %was, %low
  %again = load i32 %low
  %other = load i32 %copy
  %sum = add i32 %again, %x
  %all = xor i32 %sum, %other
  ret i32 %all
}`;
    // %x is used beside its copy, so that one stays.
    expect(body(vir)).toBe(
      lines(
        'int32_t f(Pair p, int32_t x)',
        '{',
        '    int32_t copy = x;',
        '    p.low = p.high;',
        '    return (int32_t)((uint32_t)p.low + x) ^ copy;',
        '}',
      ),
    );
  });

  test('an element behind a computed place has one index, where that cannot overflow', () => {
    const vir = (index: string) => `func @f(%a: ptr<i8>, %n: i32) -> i8 export {
entry:
${index}
  %base = gep i8 %a, %i
  %first = load i8 %base
  %next = gep i8 %base, 1
  %second = load i8 %next
  %sum = add i8 %first, %second
  ret i8 %sum
}`;
    expect(body(vir('  %i = and i32 %n, 255'))).toContain('return a[i] + a[i + 1];');
    expect(body(vir('  %i = xor i32 %n, 255'))).toContain('return a[i] + (a + i)[1];');
  });

  test('an unsigned step of one is ++, and what is written as itself is not written', () => {
    const vir = `declare @use(u32) -> void
func @f(%n: u32) -> u32 export {
entry:
  br %loop
loop:
  %i = phi u32 [ 0, %entry ], [ %next, %loop ]
  call void @use(u32 %i)
  %next = add u32 %i, 1
  %more = icmp ne u32 %next, %n
  condbr %more, %loop, %exit
exit:
  %same = bitcast u32 %next to u32
  ret u32 %same
}`;
    expect(body(vir)).toContain('i++;');
    expect(body(vir)).not.toMatch(/(\w+) = \1;/);
  });

  test('a local array that only an unknown index sets is left out', () => {
    const vir = `type %S = { n: i32, list: [4 x i32] }
func @f(%x: i32) -> i32 export {
entry:
  %s = alloca %S
  %slot = gep %S %s, 0, 1, %x
  store i32 %x, %slot
  ret i32 %x
}`;
    expect(body(vir)).toBe(lines('int32_t f(int32_t x)', '{', '    return x;', '}'));
  });
});

describe('008 §5.6: names', () => {
  const named = (name: string, linkage: string) =>
    cOf(`func @${name}() -> void ${linkage} {\nentry:\n  ret void\n}`).text.match(
      /^(?!typedef|struct).*\bvoid (\w+)\(void\)$/m,
    )?.[1];

  test.each([
    ['while', 'vct_while'],
    ['memcpy', 'vct_memcpy'],
    ['printf', 'vct_printf'],
    ['_x', 'vct__x'],
    ['__x', 'vct___x'],
    ['_X', 'vct__X'],
    ['index', 'vct_index'],
    ['linux', 'vct_linux'],
    ['errno', 'vct_errno'],
    ['"a b"', 'a_b'],
    ['a.b', 'a_b'],
    ['plain', 'plain'],
  ])('008/R20 Table 3: internal %s is %s', (name, expected) => {
    expect(named(name, '')).toBe(expected);
  });

  test('008/R19: an exported name stays, or keeps its symbol through a label', () => {
    expect(named('kept', 'export')).toBe('kept');
    const text = cOf('func @"a b"() -> void export {\nentry:\n  ret void\n}').text;
    expect(text).toContain('void a_b(void) VCT_SYMBOL("a b");');
    expect(code(() => cOf('func @"a b"() -> void export {\nentry:\n  ret void\n}', { dialect: 'c17' }))).toBe(
      'VCT0701',
    );
  });

  test('008/R21 008/I5: names that meet get numbers in the order of the module', () => {
    const text = cOf(
      ['a.b', 'a_b', '"a b"'].map((name) => `func @${name}() -> void {\nentry:\n  ret void\n}`).join('\n'),
    ).text;
    for (const name of ['a_b', 'a_b2', 'a_b3']) expect(text).toContain(`static void ${name}(void)`);
  });

  test('a local variable does not hide a function that it stands beside', () => {
    const vir = `func @g(%x: i32) -> i32 {
entry:
  ret i32 %x
}
func @f(%g: i32) -> i32 export {
entry:
  %r = call i32 @g(i32 %g)
  ret i32 %r
}`;
    expect(body(vir)).toContain('return g(g2);');
  });
});

describe('008 §5.1: units', () => {
  const three = ['a', 'b', 'c'].map(
    (name) => `func @${name}(%n: i32) -> i32 export {\nentry:\n  %m = mul i32 %n, 3\n  ret i32 %m\n}`,
  );

  test('008/R1 008/R4: one unit a function, in the order of the module', () => {
    expect(cOf(three.join('\n')).units.map((unit) => unit.name)).toEqual(['a', 'b', 'c']);
  });

  test('008/R2 008/I2: the text of a function does not depend on the other functions', () => {
    const whole = cOf(three.join('\n'));
    const turned = cOf([...three].reverse().join('\n'));
    for (const unit of whole.units)
      expect(turned.units.find((other) => other.name === unit.name)?.text).toBe(unit.text);
  });

  test('008/R5 008/I3: the same module gives the same bytes', () => {
    expect(cOf(three.join('\n'))).toEqual(cOf(three.join('\n')));
  });

  test('008/R3 008/I4: declarations stand before definitions', () => {
    const { text } = cOf(
      `func @f(%n: i32) -> i32 export {\nentry:\n  %r = call i32 @g(i32 %n)\n  ret i32 %r\n}\n${three[0]?.replace('@a', '@g').replace('export', '')}`,
    );
    expect(text.indexOf('static int32_t g(int32_t);')).toBeGreaterThan(0);
    expect(text.indexOf('static int32_t g(int32_t);')).toBeLessThan(text.indexOf('int32_t f(int32_t n)\n{'));
  });
});

describe('008 §5.8: lines', () => {
  const vir = `source "demo.mini"
func @f(%n: i32) -> i32 export {
entry:
  %a = call i32 @f(i32 %n) !3:5
  %b = call i32 @f(i32 %a) !4:5
  %c = add i32 %a, %b !9:1
  ret i32 %c !9:1
}`;

  test('008/R24: statements are mapped to the source', () => {
    const text = cOf(vir, { debug: true }).text;
    expect(text).toContain('#line 3 "demo.mini"\n    int32_t a = f(n);\n');
    expect(text).toContain('#line 9 "demo.mini"');
  });

  test('008/R25: and are not unless asked', () => {
    expect(cOf(vir).text).not.toContain('#line');
  });
});

describe('008 §5.4: traits', () => {
  test('008/R12: what is not there is not written, what is there is', () => {
    const text = (traits: string) =>
      cOf(
        `func @f(%a: i32) -> i32 ${traits} {\nentry:\n  ret i32 %a\n}\nfunc @m() -> i32 export {\nentry:\n  %r = call i32 @f(i32 1)\n  ret i32 %r\n}`,
      ).text;
    expect(text('')).not.toContain('__attribute__((');
    expect(text('#[NoInline]')).toContain('__attribute__((noinline))');
    expect(text('#[AlwaysInline]')).toContain(
      'static inline int32_t f(int32_t) __attribute__((always_inline));',
    );
    expect(text('#[ColdPath]')).toContain('__attribute__((cold))');
    expect(text('#[HotPath]')).toContain('__attribute__((hot))');
  });

  test('008 Table 1 and its erratum: pure and const only for what comes back', () => {
    const text = (traits: string) =>
      cOf(
        `declare @g(i32) -> i32 ${traits}\nfunc @m() -> i32 export {\nentry:\n  %r = call i32 @g(i32 1)\n  ret i32 %r\n}`,
      ).text;
    expect(text('#[NoWrite]')).not.toContain('pure');
    expect(text('#[NoWrite, WillReturn, NoThrow]')).toContain('pure');
    expect(text('#[NoRead, NoWrite, WillReturn, NoThrow]')).toContain('const)');
  });
});

describe('008/R28: tail calls', () => {
  const vir = (strength: string) => `func @g(%a: i32) -> i32 export {
entry:
  ret i32 %a
}
func @f(%a: i32) -> i32 export {
entry:
  %r = call i32 @g(i32 %a) #[MustTail${strength}]
  ret i32 %r
}`;

  test('Clang promises them', () => {
    const { text } = cOf(vir('!'), { dialect: 'clang' });
    expect(text).toContain('__attribute__((musttail)) return g(a);');
    expect(compileOnly(text, 'clang-19')).toBe('');
  });

  test('GCC cannot: a strong request is an error, a weak one is denied', () => {
    expect(code(() => cOf(vir('!')))).toBe('VCT0703');
    expect(cOf(vir('')).text).toContain('return g(a);');
  });
});

describe('008 Table 1: parameters and branches', () => {
  test('Restrict and NoAlias are restrict, an unlikely branch is expected not to be taken', () => {
    const text = body(`func @f(%a: i32, %p: ptr<i32> #[Restrict], %q: ptr<i32> #[NoAlias]) -> i32 export {
entry:
  %c = icmp sgt i32 %a, 0
  condbr %c, %x, %y #[UnlikelyCall]
x:
  %u = load i32 %p
  ret i32 %u
y:
  %v = load i32 %q
  ret i32 %v
}`);
    expect(text).toContain('int32_t f(int32_t a, vct_i32 *restrict p, vct_i32 *restrict q)');
    expect(text).toContain('if (__builtin_expect(a > 0, 0)) {');
  });
});

describe('a type as deep as its author likes', () => {
  const deep = (depth: number, index: string) => {
    const type = `${'[1 x '.repeat(depth)}i32${']'.repeat(depth)}`;
    return cOf(`func @f(%a: ptr<${type}>, %i: i32) -> ptr<i32> export {
entry:
  %p = gep ${type} %a, 0${`, ${index}`.repeat(depth)}
  ret ptr<i32> %p
}
`).text.length;
  };

  test.each(['0', '%i'])('the text grows with the depth, not with its square: index %s', (index) => {
    expect(deep(2000, index)).toBeLessThan(2.1 * deep(1000, index));
  });
});
