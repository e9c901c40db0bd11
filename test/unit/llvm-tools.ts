/** The LLVM tools that prove what the back end writes. */

import { spawnSync } from 'node:child_process';

import { emitLlvm, type LlvmOptions } from '../../src/backend/llvm/index.js';
import { parseVir } from '../../src/vir/parser.js';

export const LINUX: LlvmOptions = { target: 'x86_64-unknown-linux-gnu', llvm: 19 };

/** The LLVM text of a `.vir` text, in which `{ entry: … ret … }` may stand on one line. */
export function llvmOf(vir: string, options: Partial<LlvmOptions> = {}): string {
  const lines = vir.replace(/\{ entry: (.*?) ?(ret .*) \}$/gm, '{\nentry:\n$1\n$2\n}');
  return emitLlvm(parseVir(lines), { ...LINUX, ...options });
}

/** The lines of a function of LLVM text. */
export function functionText(llvm: string, name: string): string {
  const from = llvm.search(new RegExp(`^define .*@${name.replaceAll('.', '\\.')}\\(`, 'm'));
  return llvm.slice(from, llvm.indexOf('\n}', from) + 2);
}

/** Runs LLVM's verifier; gives what it complains about. */
export function verifierComplaint(llvm: string): string {
  const result = spawnSync('opt-19', ['-passes=verify', '-disable-output', '-'], { input: llvm });
  return String(result.stderr);
}

/** Runs the module's main in LLVM's interpreter and compiler lli. */
export function runLlvm(llvm: string): { readonly stdout: string; readonly status: number | null } {
  const result = spawnSync('lli-19', ['-'], { input: llvm, maxBuffer: 1 << 28 });
  return { stdout: String(result.stdout) + String(result.stderr), status: result.status };
}
