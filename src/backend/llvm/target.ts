/**
 * What the LLVM text says about a target: its data layout (009/R19) and how narrow integers are extended at calls.
 *
 * The strings are those that clang prints for the target. A row per architecture and object format; the LLVM major picks
 * between the spellings of one row, because LLVM refuses a module whose layout is not its own.
 */

import { fail } from '../../diag/diagnostic.js';

/** The lowest LLVM major whose text is written: the first with today's alignment of i128 (009/R10). */
export const LOWEST_LLVM_MAJOR = 18;

/** Facts about one target triple. */
export interface LlvmTarget {
  readonly triple: string;
  readonly dataLayout: string;
  /** Which arguments the caller extends to 32 bits, as clang has it for the target. */
  readonly extension: ExtensionRule;
}

/** narrow: every integer below 32 bits. boolean: i1 alone. none: the callee extends what it needs. */
export type ExtensionRule = 'narrow' | 'boolean' | 'none';

type ObjectFormat = 'elf' | 'macho' | 'coff';

const X86_64 = 'p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128';
const MIXED_POINTERS = 'p270:32:32-p271:32:32-p272:64:64-';
const MANGLING: Readonly<Record<ObjectFormat, string>> = { elf: 'e-m:e-', macho: 'e-m:o-', coff: 'e-m:w-' };
const AARCH64: Readonly<Record<ObjectFormat, string>> = {
  elf: 'i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128',
  macho: 'i64:64-i128:128-n32:64-S128',
  coff: 'p:64:64-i32:32-i64:64-i128:128-n32:64-S128',
};

/** Triples that `vct --help` lists; others with the same architecture and system are known too. */
export const KNOWN_TARGETS = [
  'x86_64-unknown-linux-gnu',
  'x86_64-unknown-linux-musl',
  'x86_64-unknown-freebsd',
  'x86_64-apple-macosx11.0.0',
  'x86_64-pc-windows-msvc',
  'x86_64-w64-windows-gnu',
  'aarch64-unknown-linux-gnu',
  'aarch64-unknown-linux-musl',
  'arm64-apple-macosx11.0.0',
  'aarch64-pc-windows-msvc',
] as const;

/** The facts about a triple, for the text of one LLVM major. Fails for a target or a major that is not known. */
export function llvmTarget(triple: string, llvmMajor: number): LlvmTarget {
  if (!Number.isInteger(llvmMajor) || llvmMajor < LOWEST_LLVM_MAJOR) fail('VCT0801', { version: llvmMajor });
  const architecture = architectureOf(triple);
  const format = objectFormatOf(triple);
  if (architecture === undefined || format === undefined) return fail('VCT0800', { target: triple });
  return {
    triple,
    dataLayout: architecture === 'x86_64' ? `${MANGLING[format]}${X86_64}` : aarch64Layout(format, llvmMajor),
    extension: extensionRule(architecture, format),
  };
}

/** LLVM 19 added the alignment of function pointers, LLVM 20 the mixed-size pointer address spaces. */
function aarch64Layout(format: ObjectFormat, llvmMajor: number): string {
  const pointers = llvmMajor >= 20 ? MIXED_POINTERS : '';
  const functionPointers = llvmMajor >= 19 ? '-Fn32' : '';
  return `${MANGLING[format]}${pointers}${AARCH64[format]}${functionPointers}`;
}

function architectureOf(triple: string): 'x86_64' | 'aarch64' | undefined {
  if (!/^[A-Za-z0-9_.+-]+$/.test(triple)) return undefined;
  const name = triple.split('-')[0];
  if (name === 'x86_64' || name === 'amd64') return 'x86_64';
  return name === 'aarch64' || name === 'arm64' ? 'aarch64' : undefined;
}

function objectFormatOf(triple: string): ObjectFormat | undefined {
  const [, ...parts] = triple.split('-');
  for (const part of parts) {
    if (/^(linux|freebsd|netbsd|openbsd)/.test(part)) return 'elf';
    if (/^(darwin|macos|ios)/.test(part)) return 'macho';
    if (/^(windows|mingw)/.test(part)) return 'coff';
  }
  return undefined;
}

function extensionRule(architecture: 'x86_64' | 'aarch64', format: ObjectFormat): ExtensionRule {
  if (format === 'coff') return architecture === 'x86_64' ? 'boolean' : 'none';
  return architecture === 'x86_64' || format === 'macho' ? 'narrow' : 'none';
}
