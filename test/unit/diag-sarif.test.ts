/** SARIF 2.1.0: every diagnostic that there is, held against the published schema. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { CATALOGUE, type DiagnosticCode } from '../../src/diag/catalogue.js';
import { type Diagnostic, diagnostic } from '../../src/diag/diagnostic.js';
import { diagnosticsToSarif } from '../../src/diag/sarif.js';

const { resolve } = createRequire(import.meta.url);

function schemaFile(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(name), 'utf8')) as Record<string, unknown>;
}

/** The schema is written in draft 4 of JSON Schema, whose own description comes with ajv. */
function validator() {
  const ajv = new Ajv({
    schemaId: 'id',
    meta: false,
    allErrors: true,
    unknownFormats: 'ignore',
    logger: false,
  });
  ajv.addMetaSchema(schemaFile('ajv/lib/refs/json-schema-draft-04.json'));
  return ajv.compile(schemaFile('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
}

const isValid = validator();

/** The log of the diagnostics, after the schema has accepted it. */
function logOf(items: readonly Diagnostic[], version?: string): Log {
  const text = diagnosticsToSarif(items, version === undefined ? {} : { version });
  const log = JSON.parse(text) as Log;
  expect(isValid(log) ? [] : isValid.errors).toEqual([]);
  return log;
}

const place = { file: 'src/my prog.mini', line: 3, column: 5, length: 4 };

describe('011/D-9: SARIF', () => {
  test('the schema refuses what is no log', () => {
    expect(isValid({ version: '2.1.0', runs: [{}] })).toBe(false);
    expect(isValid({ version: '2.1.0', runs: [], extra: 1 })).toBe(false);
    const log = JSON.parse(diagnosticsToSarif([diagnostic('VCT0200', { block: 'b' })])) as Log;
    Object.assign(log.runs[0]?.results?.[0] as object, { level: 'fatal' });
    expect(isValid(log)).toBe(false);
  });

  test('every code of the catalogue makes a log that the schema accepts', () => {
    const codes = Object.keys(CATALOGUE) as DiagnosticCode[];
    const log = logOf(
      codes.map((code) => diagnostic(code, {}, place, [{ message: 'here', position: place }], 'cc: no')),
    );
    const run = log.runs[0];
    expect(run?.tool.driver.rules?.map((rule) => rule.id)).toEqual([...codes].sort());
    expect(run?.results?.map((result) => result.ruleId)).toEqual(codes);
  });

  test('a result has the rule, the place and the words of its diagnostic', () => {
    const other = diagnostic('VCT0700', {}, undefined);
    const item = diagnostic('VCT0200', { block: 'b' }, place, [
      { message: 'first', position: { file: 'a.mini', line: 1, column: 1 } },
      { message: 'nowhere' },
    ]);
    const run = logOf([other, item], '1.2.3').runs[0];
    const result = run?.results?.[1];
    expect(run?.tool.driver).toMatchObject({ name: 'libVCT', version: '1.2.3' });
    expect(run?.columnKind).toBe('utf16CodeUnits');
    expect(result).toEqual({
      ruleId: 'VCT0200',
      ruleIndex: 0,
      level: 'error',
      message: { text: `block %b has no terminator\n${CATALOGUE.VCT0200.help}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/my%20prog.mini' },
            region: { startLine: 3, startColumn: 5, endColumn: 9 },
          },
        },
      ],
      relatedLocations: [
        {
          id: 0,
          message: { text: 'first' },
          physicalLocation: {
            artifactLocation: { uri: 'a.mini' },
            region: { startLine: 1, startColumn: 1, endColumn: 2 },
          },
        },
        { id: 1, message: { text: 'nowhere' } },
      ],
    });
    expect(run?.tool.driver.rules?.[0]).toEqual({
      id: 'VCT0200',
      shortDescription: { text: CATALOGUE.VCT0200.message },
      help: { text: CATALOGUE.VCT0200.help },
      defaultConfiguration: { level: 'error' },
      properties: { severity: 'error', requirement: '005/L-8' },
    });
    expect(run?.results?.[0]?.locations).toEqual([]);
  });

  test('a fault of libVCT is an error, and the run was no success', () => {
    const run = logOf([diagnostic('VCT0001', { detail: 'x' })]).runs[0];
    expect(run?.results?.[0]?.level).toBe('error');
    expect(run?.invocations?.[0]?.executionSuccessful).toBe(false);
    expect(logOf([]).runs[0]).toMatchObject({ results: [], invocations: [{ executionSuccessful: true }] });
  });

  test.each([
    ['a.vir', 'a.vir'],
    ['<stdin>', '%3Cstdin%3E'],
    ['/tmp/ü?.vir', 'file:///tmp/%C3%BC%3F.vir'],
    ['//host/share', 'file:///host/share'],
    ['C:\\my files\\a.vir', 'file:///C:/my%20files/a.vir'],
    ['back\\slash', 'back%5Cslash'],
    ['half\ud800', 'half%EF%BF%BD'],
    ['c:a', 'c%3Aa'],
  ])('the file %j is the URI %s', (file, uri) => {
    const log = logOf([diagnostic('VCT0001', { detail: 'x' }, { file, line: 1, column: 1 })]);
    expect(log.runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe(uri);
  });
});
