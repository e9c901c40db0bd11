/** <string.h> and <ctype.h>: every byte that they touch is tested as a load or store of the program would be. */

import { NULL_POINTER, Pointer } from '../memory.js';
import { copyMemory, fillMemory, writeRange } from '../memory-steps.js';
import { type HostCall, type HostFunction, readString } from './host-call.js';
import { terminated } from './stdio.js';

/** The built-ins of this file, by name. */
export const STRING: Readonly<Record<string, HostFunction>> = {
  memcpy: (call) => copied(call, false),
  memmove: (call) => copied(call, true),
  memset(call) {
    fillMemory(call.pointer(0), call.int(1) & 255, call.size(2));
    return call.pointer(0);
  },
  memcmp(call) {
    const length = call.size(2);
    return compared(call.bytes(0, length), call.bytes(1, length));
  },
  memchr: (call) => found(call, call.bytes(0, call.size(2)).indexOf(call.int(1) & 255)),
  strlen: (call) => call.string(0).length,
  strnlen: (call) => call.string(0, call.size(1)).length,
  strcmp: (call) => compared(terminated(call.string(0)), terminated(call.string(1))),
  strncmp(call) {
    const limit = call.size(2);
    const left = terminated(call.string(0, limit)).subarray(0, limit);
    return compared(left, terminated(call.string(1, limit)).subarray(0, limit));
  },
  strcpy(call) {
    call.write(0, terminated(call.string(1)));
    return call.pointer(0);
  },
  strncpy(call) {
    const limit = call.size(2);
    const text = call.string(1, limit);
    // The zeros go first, with every test of the whole field.
    fillMemory(call.pointer(0), 0, limit);
    call.write(0, text);
    return call.pointer(0);
  },
  strcat(call) {
    appendString(call, call.string(1));
    return call.pointer(0);
  },
  strncat(call) {
    appendString(call, call.string(1, call.size(2)));
    return call.pointer(0);
  },
  strchr(call) {
    const text = terminated(call.string(0));
    return found(call, text.indexOf(call.int(1) & 255));
  },
  strrchr(call) {
    const text = terminated(call.string(0));
    return found(call, text.lastIndexOf(call.int(1) & 255));
  },
  strstr(call) {
    return found(call, indexOfBytes(call.string(0), call.string(1)));
  },
  strdup(call) {
    const bytes = terminated(call.string(0));
    const { memory } = call.host;
    if (!memory.hasRoom(bytes.length)) return NULL_POINTER;
    const object = memory.allocate('heap', `the heap object of ${bytes.length} bytes`, bytes.length, 16);
    object.write(0, bytes);
    return new Pointer(object, 0);
  },
  isdigit: (call) => classified(call, /[0-9]/),
  isalpha: (call) => classified(call, /[A-Za-z]/),
  isalnum: (call) => classified(call, /[0-9A-Za-z]/),
  isspace: (call) => classified(call, /[ \t\n\v\f\r]/),
  isupper: (call) => classified(call, /[A-Z]/),
  islower: (call) => classified(call, /[a-z]/),
  ispunct: (call) => classified(call, /[!-/:-@[-`{-~]/),
  isprint: (call) => classified(call, /[ -~]/),
  isxdigit: (call) => classified(call, /[0-9A-Fa-f]/),
  toupper(call) {
    const code = call.int(0);
    return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
  },
  tolower(call) {
    const code = call.int(0);
    return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  },
};

function indexOfBytes(text: Uint8Array, pattern: Uint8Array): number {
  for (let at = 0; at + pattern.length <= text.length; at++) {
    let length = 0;
    while (length < pattern.length && text[at + length] === pattern[length]) length++;
    if (length === pattern.length) return at;
  }
  return -1;
}

function copied(call: HostCall, isMove: boolean): Pointer {
  copyMemory(call.pointer(0), call.pointer(1), call.size(2), isMove);
  return call.pointer(0);
}

/** -1, 0 or 1: C promises the sign only. */
function compared(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = (left[at] as number) - (right[at] as number);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}

function found(call: HostCall, index: number): Pointer {
  if (index < 0) return NULL_POINTER;
  const start = call.pointer(0);
  return new Pointer(start.object, start.offset + index);
}

function appendString(call: HostCall, bytes: Uint8Array): void {
  const start = call.pointer(0);
  const tail = terminated(bytes);
  writeRange(new Pointer(start.object, start.offset + readString(start).length), tail);
}

function classified(call: HostCall, pattern: RegExp): number {
  const code = call.int(0);
  return code >= 0 && code < 128 && pattern.test(String.fromCharCode(code)) ? 1 : 0;
}
