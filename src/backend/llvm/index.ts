/** The LLVM back end (009). */

export { emitLlvm, type LlvmOptions } from './emit.js';
export { KNOWN_TARGETS, LOWEST_LLVM_MAJOR } from './target.js';
