/**
 * Functions outside of the module: those that the caller supplies, then the built-in ones. A caller's function sees plain
 * JavaScript values through an `ExternalCall`.
 */

import { DiagnosticError } from '../../diag/diagnostic.js';
import type { TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { TypeTable } from '../../types/type-table.js';
import {
  type Host,
  HostCall,
  type HostFunction,
  type HostResult,
  readString,
} from './externals/host-call.js';
import { MATH } from './externals/math.js';
import { STDIO } from './externals/stdio.js';
import { STDLIB } from './externals/stdlib.js';
import { STRING } from './externals/string.js';
import { NULL_POINTER, Pointer } from './memory.js';
import { readRange, writeRange } from './memory-steps.js';
import type { ExternalCaller } from './program.js';
import { ProgramExit, Trap, trap } from './trap.js';
import { integerFromBits, OddNan, plainFloat, type Slot } from './values.js';

/** An address in the interpreted program, for a caller's external to pass around. */
export type ProgramPointer = Pointer;

/** An argument or result: up to 32 bits and floats are numbers, wider integers bigints. */
export type ExternalValue = number | bigint | ProgramPointer;

/** One call of a caller's external. */
export interface ExternalCall {
  readonly name: string;
  /** Integers in the sign of their type. */
  readonly arguments: readonly ExternalValue[];
  /** The bytes at an address, a copy. */
  readBytes(pointer: ProgramPointer, length: number): Uint8Array;
  /** The string at an address, decoded as UTF-8. */
  readString(pointer: ProgramPointer): string;
  writeBytes(pointer: ProgramPointer, bytes: Uint8Array): void;
  /** Writes to the program's standard output. */
  print(text: string | Uint8Array): void;
}

/** A function that the interpreted program can call. What it returns must suit the declared result type. */
export type External = (call: ExternalCall) => ExternalValue | boolean | undefined;

/** Names, without `@`, and what they call. They take precedence over the built-in ones. */
export type Externals = Readonly<Record<string, External>>;

const BUILT_IN: ReadonlyMap<string, HostFunction> = new Map(
  Object.entries({ ...STDIO, ...STDLIB, ...STRING, ...MATH }),
);

/** The names of the built-in externals, sorted. */
export function builtInExternals(): string[] {
  return [...BUILT_IN.keys()].sort();
}

/** How an external is called by name. */
export function externalCaller(host: Host, externals: Externals, name: string): ExternalCaller {
  const supplied = Object.hasOwn(externals, name) ? externals[name] : undefined;
  const apply = supplied !== undefined ? suppliedFunction(host, name, supplied) : BUILT_IN.get(name);
  if (apply === undefined) return () => trap('VCT0640', { name });
  return (values, types, resultType) => {
    const call = new HostCall(host, name, values, types);
    return resultSlot(call, apply(call), resultType);
  };
}

function suppliedFunction(host: Host, name: string, external: External): HostFunction {
  return (call) => {
    const request: ExternalCall = {
      name,
      arguments: call.values.map((value, index) => plainArgument(call, value, index)),
      readBytes: (pointer, length) => (length === 0 ? new Uint8Array(0) : readRange(pointer, length).slice()),
      readString: (pointer) => new TextDecoder().decode(readString(pointer)),
      writeBytes: (pointer, bytes) => writeRange(pointer, bytes),
      print: (text) => host.stdout.write(typeof text === 'string' ? new TextEncoder().encode(text) : text),
    };
    try {
      const result = external(request);
      return typeof result === 'boolean' ? Number(result) : result;
    } catch (thrown) {
      if (thrown instanceof Trap || thrown instanceof ProgramExit || thrown instanceof DiagnosticError)
        throw thrown;
      return trap('VCT0649', { name, reason: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  };
}

function plainArgument(call: HostCall, value: Slot, index: number): ExternalValue {
  const { types } = call.host;
  const type = call.types[index] as TypeId;
  switch (types.kind(type)) {
    case TypeKind.integer:
      return types.width(type) <= 32 ? call.integer(index) : BigInt(call.integer(index));
    case TypeKind.float:
      return plainFloat(value as number | OddNan);
    case TypeKind.pointer:
      return value as Pointer;
    default:
      return call.fail(`a ${types.text(type)}, which no external function takes`);
  }
}

/** What a function gave, as a value of the type that the program declared. */
function resultSlot(call: HostCall, result: HostResult, type: TypeId): Slot {
  const { types } = call.host;
  switch (types.kind(type)) {
    case TypeKind.void:
      return undefined;
    case TypeKind.integer:
      if (typeof result === 'bigint' || (typeof result === 'number' && Number.isInteger(result)))
        return integerFromBits(types.width(type), BigInt(result));
      break;
    case TypeKind.float:
      if (typeof result === 'number') return types.width(type) === 32 ? Math.fround(result) : result;
      if (result instanceof OddNan) return result;
      break;
    case TypeKind.pointer:
      if (result instanceof Pointer) return result;
      if (result === 0 || result === 0n) return NULL_POINTER;
      break;
  }
  return trap('VCT0649', {
    name: call.name,
    reason: `it gave ${kindOf(result)}, not ${typeText(types, type)}`,
  });
}

function kindOf(result: HostResult): string {
  return result instanceof Pointer
    ? 'a pointer'
    : result === undefined
      ? 'nothing'
      : `the ${typeof result} ${String(result)}`;
}

function typeText(types: TypeTable, type: TypeId): string {
  return types.text(type).slice(0, 200);
}
