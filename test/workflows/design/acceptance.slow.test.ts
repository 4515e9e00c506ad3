/** Acceptance and phases in every way they can go: classes of failures and their routes, PARTIAL's answers, phase fixes. */
import { describe, expect, it } from 'vitest';
import { playDesign } from './scene.ts';
import { accepted, done, e2eTests, failing, plannedAs } from './scripted-agents.ts';
import { testLine } from './tiny-design.ts';

const failure = (criterion: string, kind: string, modules: readonly string[] = []) => ({
  criterion,
  class: kind,
  modules,
  expected: 'this',
  actual: 'that',
});
/** One criterion of the feature that need not be there asks for something that no module does. */
const wanting = (text = 'bold') =>
  e2eTests({
    'e2e/show.test.js': testLine('F-002/AC2 both words are bold', `src/print.js has ${text}`),
  });

describe('acceptance', () => {
  it('sends a bug to a developer who may not touch tests, and a gap of the design to the plans with an approval', async () => {
    const { result, questions, world, asked, events, document } = await playDesign({
      script: {
        'accept/test#1': {
          reply: accepted([failure('F-002/AC2', 'implementation', ['M-003'])]),
          files: { ...wanting(), 'src/print.js': 'the tester was here' },
        },
        'accept/fix#2': {
          reply: done(),
          files: {
            'src/print.js': 'M-003 done bold\n',
            'e2e/show.test.js': testLine('F-002/AC2 both words', 'src/print.js has M'),
          },
        },
        'accept/test#2': {
          reply: accepted([failure('F-001/AC2', 'design-gap', ['M-002'])]),
          files: wanting('bold'),
        },
      },
    });
    expect(result?.status).toBe('done');
    expect(world.briefs.get('accept/fix#2')).toContain('F-002/AC2 (implementation): this → that');
    expect(asked.filter((key) => key.startsWith('accept/'))).toEqual([
      'accept/test#1',
      'accept/fix#2',
      'accept/test#2',
    ]);
    expect(world.files()['e2e/show.test.js']).toContain('src/print.js has bold');
    expect(world.log()).toContain('fix(M-003): satisfy acceptance criteria');
    expect(world.log()).toContain('test(e2e): add E2E acceptance tests');
    expect(events).toContain('Acceptance fix 1 dispatched');
    expect(questions).toEqual(['approve']);
    expect(document('reports/acceptance.md')).toMatch(/^<!-- generated-by: acceptance-tester-subagent; version: 1 -->/);
  });

  it('extends the plans where the design has a gap, and asks about a criterion that is not clear', async () => {
    const { result, questions, world, document } = await playDesign({
      script: {
        'accept/test#1': {
          reply: accepted([failure('F-002/AC2', 'design-gap', ['M-003']), failure('F-002/AC1', 'prd-ambiguity')]),
          files: wanting(),
        },
        'accept/classify#1/gaps/M-003/planner#1': { reply: plannedAs('M-003', 'Print in italics') },
        'accept/classify#1/gaps/M-003/changes/planner#1': { reply: plannedAs('M-003', 'Print in bold') },
        'accept/fix#2': { reply: done(), files: { 'src/print.js': 'M-003 done bold\n' } },
        'accept/test#2': { reply: accepted(), files: wanting() },
      },
      answers: {
        // Words about the plans change them: they are not a yes.
        'accept/classify#1/gaps/approve': { option: 'modify', text: 'Not italics' },
        'accept/classify#1/gaps/approve#2': 'yes',
        'accept/classify#1/prd/1': { option: 'clarify', text: 'Seen means printed' },
      },
    });
    expect(result?.status).toBe('done');
    expect(questions).toEqual([
      'approve',
      'accept/classify#1/gaps/approve',
      'accept/classify#1/gaps/approve#2',
      'accept/classify#1/prd/1',
    ]);
    expect(world.briefs.get('accept/classify#1/gaps/M-003/changes/planner#1')).toContain('Not italics');
    expect(world.briefs.get('accept/fix#2')).toContain('Print in bold');
    expect(world.briefs.get('accept/test#2')).toContain('F-002/AC1: Seen means printed');
    expect(world.tiers.get('accept/test#2')).toBe('heavy');
    expect(document('plans/plan-M-003-print.md')).toContain('Print in bold');
    expect(world.log()).toContain('docs(plan): re-plan from acceptance — F-002/AC2');
  });

  it('lets a person waive a criterion with an issue: then the gap is tracked, and the rest passes', async () => {
    const { result, document, questions } = await playDesign({
      script: {
        'accept/test#1': {
          reply: accepted([failure('F-002/AC2', 'prd-ambiguity')]),
          files: e2eTests({
            'e2e/all.test.js': (e2eTests()['e2e/all.test.js'] ?? '').replace(/.*F-002\/AC2.*\n/, ''),
            'test/x.test.js': '',
          }),
        },
        'M-003/test#1': {
          reply: { result: 'pass', total: 1, summary: 'Good' },
          files: { 'test/modules/M-003.test.js': testLine('F-002/AC1 in M-003', 'src/print.js has M-003') },
        },
        'accept/test#2': { reply: accepted() },
      },
      answers: {
        'accept/classify#1/prd/1': { option: 'waive', text: 'later' },
        'accept/classify#1/prd/1#2': { option: 'threshold' },
        'accept/classify#1/prd/1#3': { option: 'waive', text: 'tracked in acme/echo#12' },
      },
    });
    expect(result?.status).toBe('done');
    // An answer that lacks what its option needs is asked for again.
    expect(questions.filter((key) => key.includes('/prd/'))).toHaveLength(3);
    expect(document('reports/acceptance.md')).toContain('acme/echo#12');
  });

  it.each([
    ['merge', 'done'],
    ['abort', 'failed'],
  ] as const)('PARTIAL: a person may %s it', async (option, status) => {
    const without = (e2eTests()['e2e/all.test.js'] ?? '').replace(/.*F-002\/AC2.*\n/, '');
    const { result, questions, document, world } = await playDesign({
      script: {
        'M-003/test#1': {
          reply: { result: 'pass', total: 1, summary: 'Good' },
          files: { 'test/modules/M-003.test.js': testLine('F-002/AC1 in M-003', 'src/print.js has M-003') },
        },
        'accept/test#*': { reply: accepted(), files: { 'e2e/all.test.js': without } },
      },
      answers: { 'accept/decide*': option },
    });
    expect(questions).toEqual(['approve', 'accept/decide#8']);
    expect(result?.status).toBe(status);
    expect(result?.output).toMatchObject({ verdict: 'PARTIAL', criteria: { passed: 4, total: 5 } });
    expect(document('reports/acceptance.md')).toContain('**PARTIAL**');
    expect(document('README.md').includes('PARTIAL (80%)')).toBe(true);
    expect(world.log().includes('docs(plan): mark implementation complete')).toBe(option === 'merge');
  });

  it('PARTIAL: a person may have it fixed further, with guidance', async () => {
    const without = (e2eTests()['e2e/all.test.js'] ?? '').replace(/.*F-002\/AC2.*\n/, '');
    const { result, world, questions } = await playDesign({
      script: {
        'M-003/test#1': {
          reply: { result: 'pass', total: 1, summary: 'Good' },
          files: { 'test/modules/M-003.test.js': testLine('F-002/AC1 in M-003', 'src/print.js has M-003') },
        },
        'accept/test#9': { reply: accepted(), files: e2eTests() },
        'accept/test#*': { reply: accepted(), files: { 'e2e/all.test.js': without } },
      },
      answers: { 'accept/decide*': { option: 'continue', text: 'Both words matter most' } },
    });
    expect(questions).toEqual(['approve', 'accept/decide#8']);
    expect(world.briefs.get('accept/test#9')).toContain('Both words matter most');
    expect(result).toMatchObject({ status: 'done', output: { verdict: 'PASS' } });
  });

  it('fails below the threshold, names orphans, and does not offer to merge', async () => {
    const { result, facts, document } = await playDesign({
      script: {
        'accept/test#*': {
          reply: accepted(),
          files: { 'e2e/all.test.js': testLine('it says something', 'src/core.js has done') },
        },
        'M-00*/test#1': { reply: { result: 'pass', total: 0, summary: 'Good' } },
      },
      answers: { 'accept/decide*': 'abort' },
    });
    const asked = facts.flatMap((fact) =>
      fact.type === 'question.asked' && fact.key.startsWith('accept/decide') ? [JSON.stringify(fact.data)] : [],
    );
    expect(asked[0]).not.toContain('Merge it with these gaps');
    expect(asked[0]).toContain('0 % of the criteria pass, 80 % are needed');
    expect(document('reports/acceptance.md')).toContain('- e2e/all.test.js::it says something');
    expect(result).toMatchObject({ status: 'failed', output: { verdict: 'FAIL' } });
  });
});

describe('the integration test of a phase', () => {
  it('is fixed while fewer fail, without touching tests, and both become commits', async () => {
    const { result, world, events, document } = await playDesign({
      script: {
        'phase-1/test#1': {
          reply: failing('together'),
          files: { 'test/phases/phase-1.test.js': testLine('together', 'src/core.js has glue'), 'src/core.js': 'no' },
        },
        'phase-1/fix#2': {
          reply: done(),
          files: { 'src/core.js': 'M-001 done glue\n', 'test/phases/phase-1.test.js': '' },
        },
        'phase-1/test#2': { reply: { result: 'pass', total: 1, summary: 'Together' } },
      },
    });
    expect(result?.status).toBe('done');
    const log = world.log();
    expect(log.indexOf('test(p1): add phase-1 integration tests')).toBeLessThan(
      log.indexOf('fix(p1): resolve phase-1 integration issues'),
    );
    expect(world.files()['test/phases/phase-1.test.js']).toContain('glue');
    expect(events).toContain('Phase 1 integration test: Pass');
    expect(document('reports/integration-phase-1.md')).toContain('2 rounds');
  });

  it('tries another approach after three flat rounds and then asks; breakdowns are asked about too', async () => {
    const { result, questions, world, document } = await playDesign({
      script: { 'phase-1/test#*': { reply: failing('together') }, 'phase-2*/test#*': { trouble: 'overloaded' } },
      answers: { 'phase-1/decide*': 'skip', 'phase-2*/broken/choice': ['retry', 'skip'] },
    });
    expect(world.tiers.get('phase-1/fix#5')).toBe('heavy');
    expect(questions).toContain('phase-1/decide#8');
    expect(questions).toContain('phase-2@2/broken/choice');
    expect(document('README.md')).toMatch(/\| 1 \| 1 \| 1\/1 \| Skipped \|/);
    expect(result?.status).toBe('done');
  });
});
