/** The `vct` command as a shell calls it: exit codes, streams, and that nothing is half written. */

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'vct-cli-'));

const ECHO = `module "echo"
declare @getchar() -> i32
declare @putchar(i32) -> i32
func @main(%argc: i32, %argv: ptr<ptr<i8>>) -> i32 export {
entry:
  br %loop
loop:
  %c = call i32 @getchar()
  %end = icmp slt i32 %c, 0
  condbr %end, %done, %more
more:
  %p = call i32 @putchar(i32 %c)
  br %loop
done:
  ret i32 %argc
}
`;
const HIR = `module "tree"
func @main() -> i32 export {
  return 5
}
`;

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function vct(words: readonly string[], input: string | Uint8Array = ''): Outcome {
  const result = spawnSync(process.execPath, [MAIN, ...words], { input, cwd: folder, maxBuffer: 1 << 28 });
  return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) };
}

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error('run `npm run build:ts` first: this test calls dist/cli/main.js');
  file('echo.vir', ECHO);
  file('tree.hir', HIR);
  file('bad.vir', ECHO.replace('icmp slt i32 %c, 0', 'icmp slt i32 %nothing, 0'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('010 §6: usage', () => {
  test('--help tells every option and exits with 0', () => {
    const help = vct(['--help']);
    expect(help.status).toBe(0);
    for (const word of ['--compiler-arguments', '--call-depth', 'x86_64-unknown-linux-gnu', 'vct emit'])
      expect(help.stdout).toContain(word);
  });

  test('--version tells the version of the package, the core, and why', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const shown = vct(['--version', '--core', 'ts']);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain(`libvct ${version}\ncore: ts (the core was set to ts)`);
  });

  test.each([
    [[]],
    [['frobnicate']],
    [['constructor']],
    [['run']],
    [['run', 'echo.vir', 'extra']],
    [['emit', 'echo.vir']],
    [['emit', 'elf', 'echo.vir']],
    [['build', 'echo.vir']],
    [['verify', 'echo.vir', '--', 'x']],
    [['verify', 'echo.vir', '--no-such-option']],
    [['verify', 'echo.vir', '--format', 'c']],
    [['run', 'echo.vir', '--fuel', 'much']],
    [['build', 'echo.vir', '-o']],
  ])('010/DR-15 %j is wrong usage: exit code 2, one line that says why', (words) => {
    const result = vct(words as string[]);
    expect(result.status).toBe(2);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/^vct: .+\nsee vct --help\n$/);
  });
});

describe('vct run', () => {
  test('010/DR-15, DR-19 passes input, arguments and the exit code of the program', () => {
    const result = vct(['run', 'echo.vir', '--', 'one', '--two'], 'some\0bytes\xff');
    expect(result).toEqual({ status: 3, stdout: 'some\0bytes\xff', stderr: '' });
  });

  test('010/DR-14 reads a program from standard input, and guesses what it is', () => {
    expect(vct(['run', '-'], ECHO).status).toBe(1);
    expect(vct(['run', '-'], HIR).status).toBe(5);
    expect(vct(['run', '-', '--format', 'hir'], HIR).status).toBe(5);
    expect(vct(['run', '-', '--format', 'vir'], HIR).status).toBe(1);
  });

  test('stops at a limit with a diagnostic', () => {
    const endless = file(
      'endless.vir',
      'module "e"\nfunc @main() -> i32 export {\nentry:\n  br %l\nl:\n  br %l\n}\n',
    );
    const result = vct(['run', endless, '--fuel', '1000']);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('VCT0641');
  });

  test('says on which line a program goes wrong, after what it printed', () => {
    const text = `module "w"
declare @putchar(i32) -> i32
func @main() -> i32 export {
entry:
  %p = call i32 @putchar(i32 65)
  %z = sub i32 %p, 65
  %q = sdiv i32 1, %z
  ret i32 %q
}
`;
    const result = vct(['run', file('wrong.vir', text)]);
    expect(result.status).toBe(1);
    expect(result.stdout).toBe('A');
    expect(result.stderr).toContain('wrong.vir:7:');
    expect(result.stderr).toContain('VCT0600');
    expect(result.stderr).toContain('  7 |   %q = sdiv i32 1, %z\n');
  });

  test('010/DR-18 ends quietly when its reader goes away', async () => {
    const forever = file(
      'forever.vir',
      ECHO.replace('%end = icmp slt i32 %c, 0', '%end = icmp slt i32 %c, -9').replace(
        '@putchar(i32 %c)',
        '@putchar(i32 65)',
      ),
    );
    const child = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${MAIN}" run ${forever} < /dev/null | head -c 5`],
      {
        cwd: folder,
      },
    );
    const stderr: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    await new Promise((resolve) => child.on('close', resolve));
    expect(Buffer.concat(stderr).toString()).toBe('');
  });
});

describe('vct build', () => {
  test('makes a program that does what the interpreter does', () => {
    expect(vct(['build', 'echo.vir', '-o', 'echo', '-O', '1'])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const program = spawnSync(join(folder, 'echo'), ['a'], { input: 'text' });
    expect({ status: program.status, stdout: String(program.stdout) }).toEqual({ status: 2, stdout: 'text' });
  });

  test('of a program that is refused touches nothing', () => {
    file('kept', 'old');
    const before = readdirSync(folder);
    expect(vct(['build', 'bad.vir', '-o', 'kept']).status).toBe(1);
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('vct emit', () => {
  test('writes each form to standard output or a file', () => {
    expect(vct(['emit', 'vir', 'echo.vir']).stdout).toContain('func @main');
    expect(vct(['emit', 'llvm', 'echo.vir']).stdout).toContain('define i32 @main(i32 %argc, ptr %argv)');
    expect(vct(['emit', 'c', 'echo.vir']).stdout).toContain('int main(');
    expect(vct(['emit', 'hir', 'tree.hir']).stdout).toContain('return');
    expect(JSON.parse(vct(['emit', 'map', 'tree.hir']).stdout)).toMatchObject({ loweringMap: 1 });
    expect(vct(['emit', 'map', 'echo.vir'])).toMatchObject({ status: 1, stdout: '' });
    const toFile = vct(['emit', 'llvm', 'tree.hir', '-o', 'out.ll']);
    expect(toFile).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'out.ll'), 'utf8')).toBe(vct(['emit', 'llvm', 'tree.hir']).stdout);
  });

  test('what it wrote can be read again', () => {
    const once = vct(['emit', 'vir', 'echo.vir']).stdout;
    expect(vct(['emit', 'vir', '-'], once).stdout).toBe(once);
    const tree = vct(['emit', 'hir', 'tree.hir']).stdout;
    expect(vct(['emit', 'hir', '-'], tree).stdout).toBe(tree);
  });
});

describe('vct verify', () => {
  test('says nothing when all is well', () => {
    expect(vct(['verify', 'echo.vir'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(vct(['verify', 'tree.hir'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('010/DR-16 shows the line, and in JSON all of it', () => {
    const text = vct(['verify', 'bad.vir']);
    expect(text.status).toBe(1);
    expect(text.stderr).toMatch(/^bad\.vir:9:\d+: error VCT\d{4}: /);
    expect(text.stderr).not.toContain('\u001b');
    const json = JSON.parse(vct(['verify', 'bad.vir', '--json']).stderr);
    expect(json.diagnostics[0]).toMatchObject({ severity: 'error', position: { file: 'bad.vir', line: 9 } });
  });
});

describe('000/G-1, 011/D-1: inputs and outputs that cannot be', () => {
  test.each([
    ['a file that is not there', () => ['verify', 'no-such.vir'], 'VCT0900'],
    ['a folder', () => ['verify', '.'], 'VCT0900'],
    [
      'a binary',
      () => ['verify', file('binary.vir', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff]))],
      'VCT0902',
    ],
    ['an output in no folder', () => ['emit', 'vir', 'echo.vir', '-o', 'no/such/place'], 'VCT0901'],
    ['an output that is a folder', () => ['emit', 'vir', 'echo.vir', '-o', '.'], 'VCT0901'],
    ['a value that an option cannot have', () => ['verify', 'echo.vir', '-O', '9'], 'VCT0904'],
    ['a target that is not known', () => ['emit', 'llvm', 'echo.vir', '--target', 'pdp11'], 'VCT0800'],
    ['an empty file', () => ['run', file('empty.vir', '')], 'VCT'],
    ['a truncated text', () => ['verify', file('short.vir', ECHO.slice(0, 150))], 'VCT01'],
  ] as const)('%s: exit code 1, a code, no stack', (_, words, code) => {
    const result = vct(words());
    expect(result.status).toBe(1);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(code);
    expect(result.stderr).not.toMatch(/\bat .*\.js:\d+/);
  });

  test('011/D-4 a byte that fits no character is named by line and column', () => {
    const text = Buffer.concat([Buffer.from('module "é"\n; ü'), Buffer.from([0xc3, 0x28])]);
    expect(vct(['verify', file('latin.vir', text)]).stderr).toContain('latin.vir:2:4: error VCT0902');
  });

  test.skipIf(process.getuid?.() === 0)('a file without permission', () => {
    mkdirSync(join(folder, 'locked'));
    chmodSync(join(folder, 'locked'), 0o500);
    expect(vct(['emit', 'vir', 'echo.vir', '-o', 'locked/out']).stderr).toContain('VCT0901');
  });

  test('arguments that begin with a dash can be files after ./', () => {
    file('-odd.vir', ECHO);
    expect(vct(['verify', './-odd.vir']).status).toBe(0);
  });
});

describe.skipIf(!existsSync('/dev/full'))('010/DR-15: a stream that takes nothing', () => {
  const full = (words: readonly string[], stream: 1 | 2) => {
    const device = openSync('/dev/full', 'w');
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe'];
    stdio[stream] = device;
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], { stdio, encoding: 'utf8' });
    closeSync(device);
    return { status, stderr };
  };

  test('as standard output is a diagnostic, and no fault of libVCT', () => {
    const { status, stderr } = full(['--version'], 1);
    expect(status).toBe(1);
    expect(stderr).toContain('VCT0901');
  });

  test('as standard error leaves the exit code as it is', () => {
    expect(full(['verify', join(folder, 'is-not-there.vir')], 2).status).toBe(1);
    expect(full(['no-such-command'], 2).status).toBe(2);
  });
});
