#!/usr/bin/env node
/** The `vct` command: finds the subcommand, and turns whatever happens into an exit code (010 §6). */

import { type Diagnostic, DiagnosticError, diagnostic } from '../diag/diagnostic.js';
import { diagnosticsToJson, renderDiagnostics } from '../diag/render.js';
import { completeConfig } from '../driver/index.js';
import { buildCommand } from './build.js';
import { type CommandLine, readCommandLine } from './command-line.js';
import { emitCommand } from './emit.js';
import { sources } from './read-input.js';
import { runCommand } from './run.js';
import { BrokenPipe, writeStandard } from './streams.js';
import { helpText, UsageError } from './usage.js';
import { verifyCommand } from './verify.js';
import { versionText } from './version.js';

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
};

/** How diagnostics are shown; known as soon as the command line is read. */
let manner: Pick<CommandLine, 'json' | 'stack'> = { json: false, stack: false };

async function main(given: readonly string[]): Promise<number> {
  // Even a command line that is not understood may say how errors are to be shown.
  manner = { json: given.includes('--json'), stack: given.includes('--stack') };
  const line = readCommandLine(given);
  manner = line;
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

/** Writes diagnostics to standard error: text, or JSON. */
function report(diagnostics: readonly Diagnostic[], { json }: Pick<CommandLine, 'json'>): void {
  if (json) writeStandard(2, `${diagnosticsToJson(diagnostics)}\n`);
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
  if (thrown instanceof DiagnosticError) {
    report(thrown.diagnostics, manner);
    const isOurs = thrown.diagnostics.some((item) => item.severity === 'internal');
    return isOurs ? EXIT.internal : EXIT.diagnostics;
  }
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  report([diagnostic('VCT0001', { detail })], manner);
  if (manner.stack && thrown instanceof Error) writeStandard(2, `${thrown.stack}\n`);
  return EXIT.internal;
}

function explainSafely(thrown: unknown): number {
  try {
    return explain(thrown);
  } catch {
    // Standard error is gone too.
    return EXIT.internal;
  }
}

process.on('uncaughtException', (thrown) => process.exit(explainSafely(thrown)));
process.exitCode = await main(process.argv.slice(2)).catch(explainSafely);
