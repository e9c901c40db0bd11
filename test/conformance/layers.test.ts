/**
 * Who may know whom (design §4, 001): a room imports only from rooms above it, never sideways between the two back ends nor
 * between hir and vir. One row a sentence of the spec.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');

/** For each room, the rooms that its files may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  diag: [],
  traits: ['diag', 'ir'],
  types: ['diag', 'traits', 'ir'],
  ir: ['diag', 'traits', 'types'],
  core: ['diag', 'traits', 'types', 'ir'],
  hir: ['diag', 'traits', 'types', 'ir', 'core'],
  vir: ['diag', 'traits', 'types', 'ir', 'core'],
  opt: ['diag', 'traits', 'types', 'ir', 'core', 'vir'],
  // 008/R1, 009/R1: a back end reads VIR and what stands above it; it never asks the HIR (005/L-34).
  'backend/c': ['diag', 'traits', 'types', 'ir', 'core', 'vir'],
  'backend/llvm': ['diag', 'traits', 'types', 'ir', 'core', 'vir'],
  driver: ['diag', 'traits', 'types', 'ir', 'core', 'hir', 'vir', 'opt', 'backend/c', 'backend/llvm'],
  cli: ['diag', 'ir', 'core', 'hir', 'vir', 'backend/llvm', 'driver'],
};

/** Single imports that the table would forbid, each with its reason. */
const EXCEPTIONS: readonly string[] = [];

function roomOf(path: string): string {
  const parts = path.split('/');
  if (parts.length === 1) return parts[0] as string;
  return parts[0] === 'backend' ? `${parts[0]}/${parts[1]}` : (parts[0] as string);
}

test('001/A-1, 005/L-34: every import goes to a room above', () => {
  const faults: string[] = [];
  for (const name of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name === 'index.ts') continue;
    const path = name.replaceAll('\\', '/');
    const room = roomOf(path);
    const allowed = MAY_IMPORT[room];
    expect(allowed, `room ${room} of ${path} is in the table`).toBeDefined();
    const text = readFileSync(join(SOURCE, name), 'utf8');
    for (const [, target] of text.matchAll(/from '(\.[^']+)'/g)) {
      const file = relative(SOURCE, join(SOURCE, path, '..', target as string)).replaceAll('\\', '/');
      const other = roomOf(file.replace(/\.js$/, '.ts'));
      if (other !== room && !allowed?.includes(other) && !EXCEPTIONS.includes(`${path} ${file}`)) {
        faults.push(`${path} imports ${file}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

test('008/R1, 009/R2: no back end calls another program', () => {
  for (const name of readdirSync(join(SOURCE, 'backend'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(join(SOURCE, 'backend', name), 'utf8');
    expect(text, name).not.toMatch(/child_process|node:/);
  }
});
