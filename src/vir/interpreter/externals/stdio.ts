/** Input and output: <stdio.h> without FILE, and the two calls of POSIX that take file descriptors. */

import type { OutputStream } from '../streams.js';
import type { HostCall, HostFunction } from './host-call.js';
import { formatted } from './printf.js';

const NEWLINE = 0x0a;

/** The built-ins of this file, by name. */
export const STDIO: Readonly<Record<string, HostFunction>> = {
  printf(call) {
    const bytes = formatted(call, call.string(0), 1);
    call.host.stdout.write(bytes);
    return bytes.length;
  },
  dprintf(call) {
    const bytes = formatted(call, call.string(1), 2);
    descriptor(call).write(bytes);
    return bytes.length;
  },
  sprintf(call) {
    const bytes = formatted(call, call.string(1), 2);
    call.write(0, terminated(bytes));
    return bytes.length;
  },
  snprintf(call) {
    const limit = call.size(1);
    const bytes = formatted(call, call.string(2), 3);
    if (limit > 0) call.write(0, terminated(bytes.subarray(0, limit - 1)));
    return bytes.length;
  },
  puts(call) {
    call.host.stdout.write(call.string(0));
    call.host.stdout.writeByte(NEWLINE);
    return 1;
  },
  putchar(call) {
    const byte = call.int(0) & 255;
    call.host.stdout.writeByte(byte);
    return byte;
  },
  getchar(call) {
    return call.host.stdin.readByte();
  },
  read(call) {
    const bytes = call.host.stdin.read(call.size(2));
    if (call.int(0) !== 0) return -1;
    call.write(1, bytes);
    return bytes.length;
  },
  write(call) {
    const bytes = call.bytes(1, call.size(2));
    descriptor(call).write(bytes);
    return bytes.length;
  },
};

function descriptor(call: HostCall): OutputStream {
  const number = call.int(0);
  if (number === 1) return call.host.stdout;
  if (number === 2) return call.host.stderr;
  return call.fail(`the file descriptor ${number}, where 1 or 2 is expected`);
}

/** Bytes and the zero that ends a string. */
export function terminated(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + 1);
  result.set(bytes);
  return result;
}
