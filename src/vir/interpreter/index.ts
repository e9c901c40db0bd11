/** The interpreter's face. */

export {
  builtInExternals,
  type External,
  type ExternalCall,
  type Externals,
  type ExternalValue,
  type ProgramPointer,
} from './externals.js';
export { type InterpretOptions, type InterpretResult, interpret } from './interpret.js';
export type { InputSource, OutputSink } from './streams.js';
