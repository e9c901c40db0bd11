/**
 * The Config: every option of libVCT, under one name in the API and on the command line (010 §3). The option table below
 * drives `vct --help`, the command line's checks and the defaults.
 */

/** Which implementation of the core runs: C++ where it loads, always C++, or always TypeScript. */
export type CoreChoice = 'auto' | 'native' | 'ts';

/** For which compiler C text is written. `c17` uses no extension at all. */
export type Dialect = 'gcc' | 'clang' | 'c17';

/** What a build may set; every field has a default. */
export interface Config {
  /** Which core runs. The environment's `VCT_CORE` counts where this is `auto`. */
  readonly core: CoreChoice;
  /** How many threads lower the functions of a module, at most; the result is the same with any number. */
  readonly threads: number;
  /** Target triple of the LLVM module and of the data layout. */
  readonly target: string;
  /** LLVM major version that the LLVM text is for; 18 or later. */
  readonly llvm: number;
  /** For which compiler C text is written; `auto` is that of the probed compiler, or `gcc` where none is probed. */
  readonly dialect: Dialect | 'auto';
  /** The C compiler to call: a path or a name on the PATH; `auto` probes cc, gcc and clang. */
  readonly compiler: string;
  /** Optimization level: 0 leaves the HIR as it is; above, the HIR optimizer runs. Handed to the C compiler too. */
  readonly optimize: number;
  /** Whether C text maps its lines to the author's source with `#line` (008/R24) and the compiler gets `-g`. */
  readonly debug: boolean;
  /** More arguments for the C compiler, each passed as it is. */
  readonly compilerArguments: readonly string[];
  /** Libraries to link with, as for `-l`. */
  readonly libraries: readonly string[];
  /** How many instructions the interpreter executes before it stops. */
  readonly fuel: number;
  /** How deep calls may nest in the interpreter. */
  readonly callDepth: number;
}

/** One row of the option table. */
export interface OptionRow {
  readonly name: keyof Config;
  readonly kind: 'choice' | 'string' | 'integer' | 'boolean' | 'list';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly help: string;
}

/** Every option, in the order of `--help`. */
export const OPTION_ROWS: readonly OptionRow[] = [
  { name: 'core', kind: 'choice', choices: ['auto', 'native', 'ts'], help: 'which core runs' },
  { name: 'threads', kind: 'integer', minimum: 1, maximum: 64, help: 'threads that lower functions' },
  { name: 'target', kind: 'string', help: 'target triple of the LLVM module' },
  { name: 'llvm', kind: 'integer', minimum: 18, maximum: 99, help: 'LLVM major version of the LLVM text' },
  {
    name: 'dialect',
    kind: 'choice',
    choices: ['auto', 'gcc', 'clang', 'c17'],
    help: 'compiler that the C text is for',
  },
  { name: 'compiler', kind: 'string', help: 'C compiler to call' },
  {
    name: 'optimize',
    kind: 'integer',
    minimum: 0,
    maximum: 3,
    help: 'optimization level; 0 leaves the program as it is written',
  },
  { name: 'debug', kind: 'boolean', help: 'map C lines to the source, and compile with debug information' },
  { name: 'compilerArguments', kind: 'list', help: 'one more argument for the C compiler; may be repeated' },
  { name: 'libraries', kind: 'list', help: 'a library to link with; may be repeated' },
  {
    name: 'fuel',
    kind: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    help: 'instructions that run before the interpreter stops',
  },
  {
    name: 'callDepth',
    kind: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    help: 'how deep calls may nest in the interpreter',
  },
];

/** The defaults. */
export const DEFAULT_CONFIG: Config = Object.freeze({
  core: 'auto',
  threads: 1,
  target: 'x86_64-unknown-linux-gnu',
  llvm: 19,
  dialect: 'auto',
  compiler: 'auto',
  optimize: 2,
  debug: false,
  compilerArguments: [],
  libraries: [],
  fuel: 10_000_000_000,
  callDepth: 10_000,
});
