/** Findings as SARIF, held to the schema of the standard. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { type Report, reportOf } from '../../src/views/report/report.ts';
import { sarifReport } from '../../src/views/report/sarif-report.ts';
import { factsUntil, recordedRun } from './recorded-run.ts';

/** The final review has found something, and nobody has fixed it yet. */
const report = reportOf(
  chronicleOf(factsUntil('modules', ({ type, key }) => type === 'step.ended' && key === 'final/round#1')),
);

describe('SARIF', () => {
  const location = z.strictObject({
    physicalLocation: z.strictObject({
      artifactLocation: z.strictObject({
        uri: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[\w.%!~*'()/-]+$/),
        uriBaseId: z.literal('%SRCROOT%'),
      }),
      region: z.strictObject({ startLine: z.number().int().min(1) }).optional(),
    }),
    logicalLocations: z.array(z.strictObject({ name: z.string().min(1) })).optional(),
  });
  /** What 2.1.0 asks of the parts that are used. */
  const sarif = z.strictObject({
    $schema: z.url(),
    version: z.literal('2.1.0'),
    runs: z.tuple([
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string().min(1),
            version: z.string().optional(),
            rules: z.array(
              z.strictObject({ id: z.string().min(1), shortDescription: z.strictObject({ text: z.string().min(1) }) }),
            ),
          }),
        }),
        automationDetails: z.strictObject({ id: z.string() }),
        invocations: z.array(z.strictObject({ executionSuccessful: z.boolean() })),
        columnKind: z.literal('utf16CodeUnits'),
        results: z.array(
          z.strictObject({
            ruleId: z.string().min(1),
            ruleIndex: z.number().int().nonnegative(),
            level: z.enum(['none', 'note', 'warning', 'error']),
            message: z.strictObject({ text: z.string().min(1) }),
            locations: z.array(location).optional(),
            partialFingerprints: z.record(z.string(), z.string().regex(/^[0-9a-f]{32}$/)),
            properties: z.record(z.string(), z.unknown()),
          }),
        ),
      }),
    ]),
  });
  /** The standard's own schema; see sarif/README.md. zod takes relative URIs for wrong, so `location` looks at these. */
  const schemaText = readFileSync(join(import.meta.dirname, 'sarif/sarif-2.1.0-rtm.5.json'), 'utf8');
  const official = z.fromJSONSchema(
    JSON.parse(schemaText.replaceAll('"format": "uri-reference"', '"title": "a URI"')) as z.core.JSONSchema.JSONSchema,
  );
  const read = (one: Report) => {
    const log: unknown = JSON.parse(sarifReport(one));
    expect(official.safeParse(log).error?.issues ?? []).toEqual([]);
    return sarif.parse(log).runs[0];
  };

  it('is held to a schema that refuses what is wrong', () => {
    const log = JSON.parse(sarifReport(report)) as { runs: object[] };
    expect(official.safeParse(log).success).toBe(true);
    expect(official.safeParse({ ...log, version: '2.0.0' }).success).toBe(false);
    expect(official.safeParse({ ...log, runs: [{ ...log.runs[0], tool: {} }] }).success).toBe(false);
    expect(official.safeParse({ ...log, runs: [{ ...log.runs[0], unheardOf: 1 }] }).success).toBe(false);
  });

  it('has what stands, with levels, rules and places', () => {
    const run = read(report);
    expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(['final-review']);
    expect(
      run.results.map(({ ruleId, level, locations }) => [ruleId, level, locations?.[0]?.physicalLocation]),
    ).toEqual([
      [
        'final-review',
        'error',
        { artifactLocation: { uri: 'src/m1.js', uriBaseId: '%SRCROOT%' }, region: { startLine: 1 } },
      ],
    ]);
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(read(reportOf(recordedRun('modules'))).results).toEqual([]);
  });

  it('knows a finding again wherever its line went', () => {
    const one = report.findings.find(({ state }) => state !== 'fixed');
    const moved = { ...report, findings: [{ ...one, line: 99 } as Report['findings'][number]] };
    expect(read(moved).results[0]?.partialFingerprints).toEqual({ 'forgeFinding/v1': one?.fingerprint });
  });

  it('stays within the repository and valid, whatever a reviewer says', () => {
    const finding = (text: string, line: number): Report['findings'][number] => ({
      source: 'review',
      state: 'advisory',
      severity: 'info',
      category: text,
      file: text,
      line,
      element: text.trim(),
      claim: text,
      evidence: text,
      suggestion: '',
      seenBy: [text],
      owner: text,
      key: 'm1/review#1',
      fingerprint: 'a'.repeat(32),
    });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, line) => {
        const run = read({ ...report, findings: [finding(text, line)] });
        expect(run.results[0]?.level).toBe('note');
      }),
    );
    const uri = (file: string): string | undefined =>
      read({ ...report, findings: [finding(file, 1)] }).results[0]?.locations?.[0]?.physicalLocation.artifactLocation
        .uri;
    expect(['/etc/passwd', '../../x y.js', './src\\a.js', 'file:///c:/x', ''].map(uri)).toEqual([
      'etc/passwd',
      'x%20y.js',
      'src/a.js',
      'file%3A/c%3A/x',
      undefined,
    ]);
  });
});
