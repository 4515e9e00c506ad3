/** What the agent of a phase is told, and what gives way. */
import { describe, expect, it } from 'vitest';
import type { PipelinePhase } from '../../../src/policy/pipeline-settings.ts';
import {
  changeSection,
  type PhaseBrief,
  phasePrompt,
  simplifiedPrompt,
} from '../../../src/workflows/pipeline/phase-brief.ts';
import { renderSections } from '../../../src/policy/sections.ts';

const phase = (role: string): PipelinePhase => ({
  command: role,
  role,
  maxIterations: 2,
  context: { architecture: true, prior_summaries: 'last-three' },
});

const summary = (at: number, verdict: string) => ({
  objective: `objective ${at}`,
  verdict,
  key_changes: [],
  findings: [`finding ${at}`],
  written_at: `2026-01-0${at}T00:00:00.000Z`,
});

const brief = (role: string, more: Partial<PhaseBrief> = {}): PhaseBrief => ({
  kind: 'task',
  id: 'S1-T1',
  record: {
    summaries: {
      plan: summary(1, 'n/a'),
      review_plan: summary(2, 'approved'),
      implementation: summary(3, 'n/a'),
      code_review: summary(4, 'approved'),
    },
  },
  phase: phase(role),
  agentName: `S1-T1:supervisor:${role}:1`,
  iteration: 1,
  revisions: 0,
  architecture: 'Stones.',
  guidance: '',
  role: 'You are careful.',
  overlay: 'The task.',
  paths: ['docs'],
  outputs: [],
  material: [],
  sentBack: '',
  resultText: 'Answer in JSON.',
  ...more,
});

const titles = (prompt: string): readonly string[] =>
  [...prompt.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

describe('the prompt of a phase', () => {
  it('has its parts in a fixed order', () => {
    expect(titles(phasePrompt(brief('review-code')))).toEqual([
      'Architecture',
      'What earlier phases came to',
      'Review loop',
      'Your role',
      'Project context',
      'Where things are',
      'What to do',
      'How to end',
    ]);
  });

  it('tells the last three summaries, and a reviewer where in the loop it is', () => {
    const prompt = phasePrompt(brief('review-code', { revisions: 1 }));
    expect(prompt).toContain('### review_plan (approved)\nobjective 2');
    expect(prompt).not.toContain('objective 1');
    expect(prompt).toContain(
      'Iteration: 2 of 2\nIs the last iteration: yes\nIf you ask for a revision now, a person decides.',
    );
    expect(titles(phasePrompt(brief('implement')))).not.toContain('Review loop');
  });

  it('is shorter the second time: no architecture, no summaries', () => {
    const prompt = simplifiedPrompt(brief('review-code'), 'it said nothing');
    expect(titles(prompt)).toEqual([
      'Review loop',
      'Your role',
      'Where things are',
      'What to do',
      'Project context',
      'This is a second attempt',
      'How to end',
    ]);
    expect(prompt).toContain('You must give a result.');
  });
});

describe('a long change', () => {
  const diff = `diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n${'+line\n'.repeat(5000)}`;
  const { record } = brief('approve');

  it('is shown to its reviewer, and later gives way to what the review said', () => {
    expect(changeSection('review-code', record, diff)).toEqual({ title: 'The change', text: diff, budget: 60_000 });
    const shown = renderSections([changeSection('approve', record, diff)]);
    expect(shown).toContain(
      '[left out: the summary of review-code says what matters of it]\n### code_review (approved)',
    );
    expect(shown).toContain('- finding 4\nFiles it changes, to look at where you have to:\n- src/a.js');
    expect(shown).toContain('Left out: The change: its summary the summary of review-code is shown instead.');
    expect(shown).not.toContain('+line');
  });

  it('stays when nobody approved it, or when it is short', () => {
    expect(changeSection('approve', {}, diff)).not.toHaveProperty('summary');
    expect(changeSection('approve', record, 'short')).not.toHaveProperty('summary');
  });
});
