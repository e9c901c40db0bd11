/**
 * The VIR interpreter: the reference meaning of a program (006). Every erroneous operation ends in a DiagnosticError that
 * names its place and the calls that led there; nothing is left to the machine that it runs on.
 */

import { DiagnosticError, fail } from '../../diag/diagnostic.js';
import { DEFAULT_CONFIG } from '../../ir/config.js';
import type { FunctionId } from '../../ir/entities.js';
import type { VirModule } from '../../ir/vir-module.js';
import { verifyVir } from '../verifier.js';
import type { Host } from './externals/host-call.js';
import { type Externals, externalCaller } from './externals.js';
import { Machine } from './machine.js';
import { Memory, type MemoryObject, NULL_POINTER, Pointer } from './memory.js';
import { Program } from './program.js';
import type { Registers } from './step.js';
import { type InputSource, InputStream, type OutputSink, OutputStream } from './streams.js';
import { ProgramExit, Trap } from './trap.js';
import { integerFromBits, type Slot, type Wide } from './values.js';

/** How a program is run; every field has a default. */
export interface InterpretOptions {
  /** The function to start with: `main` unless said otherwise. */
  readonly entry?: string;
  /** What follows the program's own name in argv. */
  readonly args?: readonly string[];
  readonly stdin?: InputSource;
  /** Takes the output as it comes; without it the result holds the output. */
  readonly stdout?: OutputSink;
  readonly stderr?: OutputSink;
  /** Functions that the program may call beside the built-in ones. */
  readonly externals?: Externals;
  /** How many instructions run before the program is stopped. */
  readonly fuel?: number;
  /** How deep calls may nest. */
  readonly callDepth?: number;
  /** How many bytes the objects of the program may take at one time. */
  readonly memoryLimit?: number;
  /** Says that `verifyVir` has accepted the module, which is then not asked again. */
  readonly isVerified?: boolean;
}

/** How a program ended. */
export interface InterpretResult {
  /** What main returned or exit was given, as a shell sees it: 0 to 255. */
  readonly exitCode: number;
  /** The output, unless `stdout` took it. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** How many instructions ran. */
  readonly instructions: number;
}

const DEFAULT_MEMORY_LIMIT = 2 ** 30;

/**
 * Runs a module. Throws a DiagnosticError where the module is not well-formed, and where the program is erroneous or meets a
 * limit; what it printed before that has gone to the sinks.
 */
export function interpret(module: VirModule, options: InterpretOptions = {}): InterpretResult {
  if (options.isVerified !== true) {
    const faults = verifyVir(module);
    if (faults.some(({ severity }) => severity === 'error' || severity === 'internal'))
      throw new DiagnosticError(faults);
  }
  const stdout = new OutputStream(options.stdout);
  const stderr = new OutputStream(options.stderr);
  const memory = new Memory(options.memoryLimit ?? DEFAULT_MEMORY_LIMIT);
  const host: Host = {
    types: module.tables.types,
    memory,
    stdin: new InputStream(options.stdin),
    stdout,
    stderr,
  };
  const entry = entryFunction(module, options.entry ?? 'main');
  const fuel = options.fuel ?? DEFAULT_CONFIG.fuel;
  const machine = new Machine(module, memory, {
    fuel,
    callDepth: options.callDepth ?? DEFAULT_CONFIG.callDepth,
  });
  try {
    const exitCode = runEntry(module, machine, host, options, entry);
    return {
      exitCode,
      stdout: stdout.content(),
      stderr: stderr.content(),
      instructions: fuel - Math.max(0, machine.fuel),
    };
  } catch (thrown) {
    // A trap that no instruction caused: a global that is too large.
    if (thrown instanceof Trap) fail(thrown.code, thrown.values, module.functionPositionOf(entry));
    throw thrown;
  } finally {
    stdout.flush();
    stderr.flush();
  }
}

function runEntry(
  module: VirModule,
  machine: Machine,
  host: Host,
  options: InterpretOptions,
  entry: FunctionId,
): number {
  const { tables } = module;
  const program = new Program(module, machine, host.memory, (id) =>
    externalCaller(host, options.externals ?? {}, tables.functionName(id)),
  );
  const decoded = program.decoded(entry);
  const registers = decoded.template.slice();
  if (tables.types.memberCount(tables.functionType(entry)) > 0)
    passArguments(program, registers, [tables.name, ...(options.args ?? [])]);
  try {
    return exitCodeOf(machine.run(decoded, registers), module, entry);
  } catch (thrown) {
    if (thrown instanceof ProgramExit) return thrown.exitCode;
    throw thrown;
  }
}

/** The function to start with: fn() or fn(i32, ptr<…>), with an integer result or none. */
function entryFunction(module: VirModule, name: string): FunctionId {
  const { tables } = module;
  const { types } = tables;
  const nameId = tables.names.find(name);
  const id = nameId === undefined ? undefined : tables.findFunction(nameId);
  if (id === undefined || module.function(id).blockCount === 0) fail('VCT0643', { name });
  const type = tables.functionType(id);
  const result = types.result(type);
  const count = types.memberCount(type);
  const hasGoodParameters =
    count === 0 ||
    (count === 2 && isInt(module, types.memberType(type, 0)) && types.isPointer(types.memberType(type, 1)));
  if (!hasGoodParameters || !(result === types.void || isInt(module, result)))
    fail('VCT0644', { name, type: types.text(type) }, module.functionPositionOf(id));
  return id;
}

function isInt(module: VirModule, type: number): boolean {
  const { types } = module.tables;
  return type === types.i32 || type === types.u32;
}

/** Puts argc and argv, which ends with a null pointer as C says, into the first two parameters. */
function passArguments(program: Program, registers: Registers, args: readonly string[]): void {
  const { memory } = program;
  const vector = memory.allocate('global', 'argv', (args.length + 1) * 8, 8);
  args.forEach((text, index) => {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const object: MemoryObject = memory.allocate('global', `argv[${index}]`, bytes.length, 1);
    object.write(0, bytes);
    vector.storePointer(index * 8, new Pointer(object, 0));
  });
  vector.storePointer(args.length * 8, NULL_POINTER);
  registers[1] = args.length;
  registers[2] = new Pointer(vector, 0);
}

function exitCodeOf(result: Slot, module: VirModule, entry: FunctionId): number {
  const { types } = module.tables;
  if (types.result(module.tables.functionType(entry)) === types.void) return 0;
  if (result === undefined) fail('VCT0615', { use: 'the exit code' }, module.functionPositionOf(entry));
  return Number(integerFromBits(8, BigInt(result as Wide)));
}
