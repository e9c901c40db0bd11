#!/usr/bin/env node
/** The `vct` command: finds the subcommand, and turns whatever happens into an exit code (010 §6). */

import { type Diagnostic, DiagnosticError } from '../diag/diagnostic.js';
import { diagnosticsToJson, renderDiagnostics } from '../diag/render.js';
import { diagnosticsToSarif } from '../diag/sarif.js';
import { completeConfig } from '../driver/index.js';
import { diagnosticsOf } from '../driver/repro.js';
import { buildCommand } from './build.js';
import { type CommandLine, readCommandLine } from './command-line.js';
import { emitCommand } from './emit.js';
import { sources } from './read-input.js';
import { keepRepro, reproCommand } from './repro.js';
import { runCommand } from './run.js';
import { BrokenPipe, writeStandard } from './streams.js';
import { helpText, UsageError } from './usage.js';
import { verifyCommand } from './verify.js';
import { packageVersion, versionText } from './version.js';

/** 010 §6. */
const EXIT = { ok: 0, diagnostics: 1, usage: 2, internal: 70 } as const;

const COMMANDS: Readonly<Record<string, (line: CommandLine) => number | Promise<number>>> = {
  run: runCommand,
  build: buildCommand,
  emit: emitCommand,
  verify: (line) => {
    report(verifyCommand(line), line);
    return EXIT.ok;
  },
  repro: (line) => {
    const found = reproCommand(line);
    report(found, line);
    return found.length === 0 ? EXIT.ok : exitOf(found);
  },
};

type Manner = Pick<CommandLine, 'json' | 'sarif' | 'stack'>;

/** How diagnostics are shown; known as soon as the command line is read. */
let manner: Manner = { json: false, sarif: false, stack: false };

/** The command line, once it is understood. */
let understood: CommandLine | undefined;

async function main(given: readonly string[]): Promise<number> {
  // Even a command line that is not understood may say how errors are to be shown.
  manner = {
    json: given.includes('--json'),
    sarif: given.includes('--sarif'),
    stack: given.includes('--stack'),
  };
  const line = readCommandLine(given);
  manner = line;
  understood = line;
  if (line.json && line.sarif) throw new UsageError('--json and --sarif exclude each other');
  if (line.help || line.words[0] === 'help') {
    writeStandard(1, helpText());
    return EXIT.ok;
  }
  completeConfig(line.config);
  if (line.version || line.words[0] === 'version') {
    writeStandard(1, versionText(line.config.core));
    return EXIT.ok;
  }
  const name = line.words[0];
  if (name === undefined) throw new UsageError('which command?');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  return command(line);
}

/** Writes diagnostics to standard error: text, JSON or SARIF. */
function report(diagnostics: readonly Diagnostic[], { json, sarif }: Manner): void {
  if (json) writeStandard(2, `${diagnosticsToJson(diagnostics)}\n`);
  else if (sarif) writeStandard(2, `${diagnosticsToSarif(diagnostics, { version: packageVersion() })}\n`);
  else if (diagnostics.length > 0) {
    const colour = process.stderr.isTTY === true && !process.env.NO_COLOR;
    writeStandard(2, renderDiagnostics(diagnostics, { source: (file) => sources.get(file), colour }));
  }
}

/** The exit code of what was thrown, which is told to the user first. */
function explain(thrown: unknown): number {
  if (thrown instanceof BrokenPipe) return EXIT.ok;
  if (thrown instanceof UsageError) {
    writeStandard(2, `vct: ${thrown.message}\nsee vct --help\n`);
    return EXIT.usage;
  }
  const diagnostics = diagnosticsOf(thrown);
  report(diagnostics, manner);
  const fault = diagnostics.find((item) => item.severity === 'internal');
  if (fault !== undefined) keep(fault);
  if (manner.stack && thrown instanceof Error && !(thrown instanceof DiagnosticError))
    writeStandard(2, `${thrown.stack}\n`);
  return exitOf(diagnostics);
}

function exitOf(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.some((item) => item.severity === 'internal') ? EXIT.internal : EXIT.diagnostics;
}

/** Writes the bundle of an internal error where one was asked for. That this fails must not hide the error itself. */
function keep(fault: Diagnostic): void {
  if (understood === undefined) return;
  try {
    const words = keepRepro(understood, fault);
    // Whoever asked for JSON or SARIF gets nothing else.
    if (words !== undefined && !manner.json && !manner.sarif) writeStandard(2, words);
  } catch (thrown) {
    report(diagnosticsOf(thrown), manner);
  }
}

function explainSafely(thrown: unknown): number {
  try {
    return explain(thrown);
  } catch {
    // Standard error is gone too: the exit code is all that is left to say.
    return thrown instanceof UsageError ? EXIT.usage : exitOf(diagnosticsOf(thrown));
  }
}

process.on('uncaughtException', (thrown) => process.exit(explainSafely(thrown)));
process.exitCode = await main(process.argv.slice(2)).catch(explainSafely);
