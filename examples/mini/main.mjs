#!/usr/bin/env node
// @ts-check
/** The command line of mini: see README.md. */

import { readFileSync, readSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { build, compile, DiagnosticError, renderDiagnostics, run } from 'libvct';
import { check } from './check.mjs';
import { MiniError } from './errors.mjs';
import { generate } from './generate.mjs';
import { parse } from './parser.mjs';

const USAGE = `usage: main.mjs run FILE [arguments]
       main.mjs build FILE [-o OUTPUT]
       main.mjs emit-c|emit-llvm|emit-hir|emit-vir FILE`;

/** @typedef {import('libvct').HirModule} HirModule */

/** What each command does with the module, its file and the rest of the arguments; the result is the exit code. */
const COMMANDS = new Map(
  /** @type {[string, (module: HirModule, file: string, rest: string[]) => number | Promise<number>][]} */ ([
    ['run', (module, _file, rest) => runModule(module, rest)],
    ['build', buildModule],
    ['emit-c', (module) => emit(module, 'c')],
    ['emit-llvm', (module) => emit(module, 'llvm')],
    ['emit-hir', (module) => emit(module, 'hir')],
    ['emit-vir', (module) => emit(module, 'vir')],
  ]),
);

/** @param {string[]} parameters */
async function main([command = '', file, ...rest]) {
  const action = COMMANDS.get(command);
  if (!action || file === undefined) {
    console.error(USAGE);
    return 2;
  }
  let source = '';
  try {
    source = readFileSync(file, 'utf8');
    const program = check(parse(source));
    return await action(generate(program, moduleName(file), file), file, rest);
  } catch (error) {
    process.stderr.write(`${explain(error, source, file).trimEnd()}\n`);
    return 1;
  }
}

/** @param {HirModule} module @param {string[]} args */
function runModule(module, args) {
  const stdout = (/** @type {Uint8Array} */ bytes) => writeAll(bytes);
  return run(module, { args, stdin: readInput, stdout }).exitCode;
}

/** @param {HirModule} module @param {string} file @param {string[]} rest */
async function buildModule(module, file, rest) {
  const [option, output = moduleName(file)] = rest;
  if (option !== undefined && option !== '-o') {
    console.error(USAGE);
    return 2;
  }
  await build(module, output);
  return 0;
}

/** @param {HirModule} module @param {'c' | 'llvm' | 'hir' | 'vir'} kind */
async function emit(module, kind) {
  const { text = '' } = await compile(module, { emit: kind });
  writeAll(new TextEncoder().encode(text));
  return 0;
}

/** `programs/n-body.mini` is the module `n-body`. @param {string} file */
const moduleName = (file) => basename(file).replace(/\.mini$/, '');

/** The next piece of standard input, as the program asks for it. */
function readInput() {
  const piece = new Uint8Array(65536);
  const length = retry(() => readSync(0, piece));
  return length === 0 ? undefined : piece.subarray(0, length);
}

/** @param {Uint8Array} bytes */
function writeAll(bytes) {
  for (let done = 0; done < bytes.length; ) {
    done += retry(() => writeSync(1, bytes.subarray(done)));
  }
}

/** A pipe may not be ready, or may have no one at its other end. @param {() => number} transfer */
function retry(transfer) {
  for (;;) {
    try {
      return transfer();
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'EOF') return 0;
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** What the user reads of an error. @param {unknown} error @param {string} source @param {string} file */
function explain(error, source, file) {
  if (error instanceof MiniError) return error.render(source, file);
  if (error instanceof DiagnosticError) {
    return renderDiagnostics(error.diagnostics, { source: (name) => (name === file ? source : undefined) });
  }
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === undefined ? `this is a fault of mini, please report it: ${message}` : `${file}: ${message}`;
}

process.exitCode = await main(process.argv.slice(2));
