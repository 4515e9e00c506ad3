/** Modes besides a whole run: plans that a person edits, plans that are there, and the next delivery of a changed design. */
import { describe, expect, it } from 'vitest';
import { base } from '../../engine/support.ts';
import { playDesign, type Scene } from './scene.ts';
import { done, plannedAs, source } from './scripted-agents.ts';
import { designDir, designFiles, type Files, planDir } from './tiny-design.ts';

describe('plans that a person looks at', () => {
  it('are planned again in words, edited in a checkout, checked again, or rejected with a reason', async () => {
    const plan = `${planDir}/plans/plan-M-002-shout.md`;
    const first = await playDesign({ answers: { approve: { option: 'no', text: 'not this year' } } });
    expect(first.result).toMatchObject({ status: 'failed', reason: 'the plans were not approved: not this year' });
    const good = (first.world.files()[plan] ?? '').replace('Write it', 'Write it loudly');
    const { result, questions, facts, world } = await playDesign({
      script: {
        'edit/take': { files: { [plan]: good.replaceAll('src/shout.js', '../outside.js') } },
        'plan#3/changes/*': { reply: plannedAs('M-003', 'Print faster') },
        'edit#2/take': { files: { [plan]: good, 'src/sneaked.js': 'in' } },
      },
      answers: {
        approve: 'edited',
        'approve#2': 'edited',
        'approve#3': { text: 'M-003 should print faster' },
        'approve#4': 'yes',
      },
    });
    const details = facts.flatMap((fact) => (fact.type === 'question.asked' ? [fact.data as { detail?: string }] : []));
    expect(details[0]?.detail).toContain(`change the files in /offered/${planDir} and answer "edited"`);
    expect(details[1]?.detail).toContain('The edited plans cannot be used:');
    expect(details[1]?.detail).toContain('../outside.js');
    expect(questions).toEqual(['approve', 'approve#2', 'approve#3', 'approve#4']);
    expect(world.log()).toContain('docs(plan): take edited plans');
    expect(world.log()).toContain('docs(plan): revise implementation plans');
    expect([...world.briefs.keys()].filter((key) => key.includes('changes'))).toEqual([
      'plan#3/changes/round#1/M-003/planner#1',
    ]);
    expect(world.briefs.get('M-002/develop#1')).toContain('Write it loudly');
    expect(world.files()['src/sneaked.js']).toBeUndefined();
    expect(result?.status).toBe('done');
  });
});

describe('--execute', () => {
  it('goes on where an earlier run stopped: merged modules stay, open ones are asked about, tested phases are not tested again', async () => {
    const stopped = await playDesign({
      script: {
        'M-002/develop#1*': { trouble: 'x' },
        'M-002/develop#2*': { trouble: 'x' },
        'M-003/develop#1*': { trouble: 'x' },
        'M-003/develop#2*': { trouble: 'x' },
      },
      answers: { '*/broken/choice': 'abort' },
    });
    expect(stopped.result?.status).toBe('failed');
    const left = stopped.world.files();
    expect(left[`${planDir}/README.md`]).toMatch(/\| M-002 \| 2 \| Done \| Decision/);
    const { result, questions, asked, document, world } = await playDesign({
      files: left,
      input: { mode: 'execute' },
      answers: { 'open/M-002': { text: 'Use fewer words' }, 'open/M-003': 'again' },
    });
    expect(questions).toEqual(['open/M-002', 'open/M-003', 'approve']);
    expect(asked.some((key) => key.startsWith('M-001/') || key.startsWith('phase-1/'))).toBe(false);
    expect(world.briefs.get('open/M-002/planner#1')).toContain('Use fewer words');
    expect(result).toMatchObject({ status: 'done', output: { verdict: 'PASS' } });
    expect(document('README.md')).toMatch(/\| 1 \| 1 \| 1\/1 \| Pass \| Done \|/);
  });

  it('refuses plans that cannot be read or are missing, and builds nothing', async () => {
    const { world } = await playDesign();
    const files = { ...world.files() };
    delete (files as Record<string, string>)[`${planDir}/plans/plan-M-003-print.md`];
    const { result, asked } = await playDesign({
      files: { ...files, [`${planDir}/plans/plan-M-002-shout.md`]: '# Plan: M-002\n\nNothing.\n' },
      input: { mode: 'execute' },
    });
    expect(result?.reason).toContain('plan-M-002-shout.md');
    expect(asked).toEqual([]);
  });
});

describe('--evolve', () => {
  /** The first delivery, and then the design with these files changed. */
  async function evolve(
    changes: Readonly<Record<string, string | null>>,
    wishes: Parameters<typeof playDesign>[0] = {},
    legacy?: (readme: string) => string,
  ): Promise<Scene & { before: Files }> {
    const { world } = await playDesign();
    const delivered = world.files();
    const readme = `${planDir}/README.md`;
    const before = legacy === undefined ? delivered : { ...delivered, [readme]: legacy(delivered[readme] ?? '') };
    const after = Object.fromEntries(
      Object.entries({ ...before, ...changes }).filter(([, text]) => text !== null),
    ) as Files;
    const target = { name: 'delivery-2-loud', commit: base, at: '2026-05-05T00:00:00Z' };
    const old = { name: 'delivery-1-first', commit: 'b'.repeat(40), at: '2026-05-04T00:00:00Z' };
    const scene = await playDesign({
      ...wishes,
      files: after,
      old: { commit: old.commit, files: before },
      input: {
        mode: 'evolve',
        plan: {
          dir: planDir,
          delivery: 2,
          designDelivery: target.name,
          family: 'autoforge/2026-05-04-echo-aaaa',
          date: '',
        },
        evolve: {
          ...(legacy === undefined ? { baseline: old } : {}),
          target,
          slug: 'loud',
          candidates: [old, target],
          isLegacy: legacy !== undefined,
        },
      },
    });
    return { ...scene, before };
  }

  const shout = `${designDir}/modules/M-002-shout.md`;
  const core = `${designDir}/modules/M-001-core.md`;

  it('rebuilds a changed module alone, keeps the others, and leaves the history of the delivery', async () => {
    const { result, asked, document, world, before } = await evolve(
      {
        [shout]: (designFiles[shout] ?? '').replace('`shout(text) → string`', '`shout(text, times) → string`'),
      },
      { script: { 'M-002/develop#1': { reply: done(), files: source('M-002', ' twice') } } },
    );
    expect(result).toMatchObject({ status: 'done', output: { verdict: 'PASS', tag: 'autoforge-delivery-2-loud' } });
    expect(asked.filter((key) => /develop#/.test(key))).toEqual(['M-002/develop#1']);
    expect(asked.filter((key) => key.includes('planner'))).toEqual(['plan/round#1/M-002/planner#1']);
    expect(world.briefs.get('M-002/develop#1')).toContain('Find what differs between its code and the revised plan');
    expect(world.log()).toContain('feat(M-002): evolve to delivery-2 — Did it');
    for (const subject of [
      'docs(plan): archive delivery-1 acceptance report',
      'docs(plan): re-plan for delivery-2 — delivery-2-loud',
      'docs(plan): finalize autoforge delivery-2',
    ])
      expect(world.log()).toContain(subject);
    expect(document('reports/acceptance-d1.md')).toBe(before[`${planDir}/reports/acceptance.md`]);
    expect(document('.evolve-2/impact.md')).toContain('revised-direct');
    expect(document('versions/2.md')).toContain('delivery-2-loud');
    expect(document('CHANGELOG.md')).toMatch(/^# Changelog\n\n## delivery-2 — .* — delivery-2-loud/);
    expect(document('README.md')).toMatch(/\| M-001 \| 1 \| Kept/);
    expect([...world.tags.keys()]).toEqual(['autoforge-delivery-2-loud']);
  });

  it('keeps one plan of a module whose name changed, under the new name', async () => {
    const readme = `${designDir}/README.md`;
    const { result, world } = await evolve({
      [shout]: (designFiles[shout] ?? '')
        .replace('# M-002: Shout', '# M-002: Yell')
        .replace('shout(text)', 'yell(text)'),
      [readme]: (designFiles[readme] ?? '').replaceAll('Shout', 'Yell'),
    });
    expect(result?.status).toBe('done');
    const plans = Object.keys(world.files()).filter((path) => path.includes('/plan-M-002'));
    expect(plans).toEqual([`${planDir}/plans/plan-M-002-yell.md`]);
  });

  it('follows a changed interface to its users; a person may keep one with a reason, but not what changed itself', async () => {
    const { result, asked, questions, document, facts } = await evolve(
      { [core]: (designFiles[core] ?? '').replace('`word(text) → string`', '`word(text, language) → string`') },
      {
        answers: {
          impact: { text: 'M-001: kept because I say so' },
          'impact#2': { text: 'M-003: kept because it only prints' },
        },
      },
    );
    expect(questions.slice(0, 2)).toEqual(['impact', 'impact#2']);
    const second = facts.find((fact) => fact.type === 'question.asked' && fact.key === 'impact#2');
    expect(JSON.stringify(second?.data)).toContain('M-001 has changed itself');
    expect(asked.filter((key) => key.endsWith('develop#1')).toSorted()).toEqual(['M-001/develop#1', 'M-002/develop#1']);
    expect(document('versions/2.md')).toContain('it only prints');
    expect(result?.status).toBe('done');
  });

  it('removes what the design no longer has, after those who used it were built again', async () => {
    const readme = (designFiles[`${designDir}/README.md`] ?? '')
      .replace(/\| M-003 \|.*\n/, '')
      .replace(/\| M-003 Print →.*\n/, '')
      .replaceAll(' M-003 Print |', '')
      .replace('|---|---|---|---|\n| F-001 Say | ✦ | ✦ | |', '|---|---|---|\n| F-001 Say | ✦ | ✦ |')
      .replace('| F-002 Show | △ | | ✦ |', '| F-002 Show | △ | ✦ |');
    const { result, world, document, waitsFor } = await evolve(
      {
        [`${designDir}/README.md`]: readme,
        [`${designDir}/modules/M-003-print.md`]: null,
        'e2e/all.test.js': null,
      },
      {
        answers: { 'accept/decide*': 'abort' },
        script: { 'accept/test#*': { reply: { summary: 'x', failures: [] }, files: {} } },
      },
    );
    expect(world.log()).toContain('chore(plan): remove modules in delivery-2 — M-003');
    expect(world.files()['src/print.js']).toBeUndefined();
    expect(document('plans/plan-M-003-print.md')).toBe('');
    expect(document('README.md')).not.toMatch(/\| M-003 \|/);
    expect({ waitsFor, status: result?.status }).toEqual({ waitsFor: '', status: 'failed' });
  });

  it('asks whether to deliver a design that only changed its wording', async () => {
    const { result, questions } = await evolve(
      { [shout]: `${designFiles[shout] ?? ''}\n` },
      { answers: { impact: 'no' } },
    );
    expect(questions).toEqual(['impact']);
    expect(result).toMatchObject({ status: 'failed', reason: 'the design changed no module' });
  });

  it('brings a plan directory from before deliveries were counted up to date, with a baseline that a person chooses', async () => {
    const legacy = (readme: string): string =>
      readme
        .split('\n')
        .filter(
          (row) =>
            !/^\| (?:Feature Branch Family|Current Design Delivery|Autoforge Delivery|Autoforge Delivery Tag|Design Commit) \|/.test(
              row,
            ),
        )
        .join('\n');
    const orphan = `${planDir}/plans/plan-M-009-quick-fix.md`;
    const strange = `${planDir}/plans/plan-M-010-strange.md`;
    const { result, questions, world, document } = await evolve(
      {
        [shout]: (designFiles[shout] ?? '').replace('`shout(text) → string`', '`shout(text, times) → string`'),
        [orphan]: fixPlan('M-009', '| Source Issue | acme/echo#21 |'),
        [strange]: fixPlan('M-010', '| Phase | 1 |'),
      },
      { answers: { 'delivered-design': '1', 'orphan/M-010': 'drop' } },
      legacy,
    );
    expect(questions.slice(0, 3)).toEqual(['delivered-design', 'orphan/M-010', 'impact']);
    expect(world.log()).toContain('docs(plan): backfill evolve-mode fields for legacy delivery-1');
    expect(document('README.md')).toMatch(/\| M-009 \|/);
    expect(document('plans/plan-M-010-strange.md')).toBe('');
    expect(document('README.md')).toContain('Legacy delivery (pre-evolve)');
    expect(result?.status).toBe('done');
  });
});

function fixPlan(id: string, row: string): string {
  return `# Plan: ${id} — fix\n\n## Context\n\n| Field | Value |\n|---|---|\n${row}\n\n## Implementation Steps\n\n### Step 1: Fix\n\n**Goal:** fixed\n\n**Files:** \`src/fix.js\`\n\n## Integration Points\n\n## Wiring & Registration\n\n| # | What to wire | Where | Verify signal |\n|---|---|---|---|\n| 1 | it | there | a test |\n\n## Out-of-Scope / Deferred Work\n\n## Acceptance Criteria Mapping\n\n| Criterion | Journey Touchpoints | Implemented in Step | Test in Step | Strict Assertion |\n|---|---|---|---|---|\n| F-001/AC1 | — | 1 | 1 | exactly |\n\n## Files Created\n\n- \`src/fix.js\`\n`;
}
