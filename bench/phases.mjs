/** The phases of a compilation, each on its own. `cores` says whether the phase differs between native and TypeScript. */

import { emitC } from '../dist/backend/c/index.js';
import { emitLlvm } from '../dist/backend/llvm/index.js';
import { lowerModule } from '../dist/core/index.js';
import { leaveSsa } from '../dist/core/leave-ssa.js';
import { verifyVir } from '../dist/vir/verifier.js';

/** Every phase; `run` gets the shape's builder, its HIR and its VIR. */
export const PHASES = [
  { name: 'build HIR', cores: false, run: ({ build }) => build() },
  { name: 'lower', cores: true, run: ({ hir }, core) => lowerModule(hir, core) },
  { name: 'verify', cores: false, run: ({ vir }) => checked(verifyVir(vir)) },
  { name: 'out-of-SSA', cores: true, run: ({ vir }, core) => leaveSsa(vir, core) },
  {
    name: 'emit C',
    cores: true,
    run: ({ vir }, core) => emitC(vir, { dialect: 'gcc', debug: false, core }),
  },
  {
    name: 'emit LLVM',
    cores: false,
    run: ({ vir }) => emitLlvm(vir, { target: 'x86_64-unknown-linux-gnu', llvm: 19 }),
  },
];

/** A benchmark of a wrong program would measure the error path. */
function checked(diagnostics) {
  if (diagnostics.length > 0) throw new Error(diagnostics[0].message);
}
