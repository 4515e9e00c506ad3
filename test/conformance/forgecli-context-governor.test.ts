/** The observed governor worked on the results of tools; ours works on the sections of a prompt. Each case is decided. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contextMeter, governContext, type Section } from '../../src/policy/context-governor.ts';
import { readVectors } from './read-vectors.ts';

const names = readVectors('forgecli-context-governor', z.object({ name: z.string() })).map(({ name }) => name);
const long = 'What the file says, in a sentence that is longer than a pointer to it.';
const texts = (sections: readonly Section[]) => governContext(sections).sections.map(({ text }) => text);
const record = {
  taskId: 'T1',
  status: 'draft',
  title: 't',
  estimate: 'S',
  path: 'p',
  summaries: { plan: { objective: 'o' } },
};
const fields = ['status', 'title', 'dependencies', 'description'];

const decided: Readonly<Record<string, () => void>> = {
  'first read passes': () => expect(texts([{ title: '/a', text: long, budget: 500 }])).toEqual([long]),
  'second read same target': () =>
    expect(
      texts([
        { title: '/a', text: long, budget: 500 },
        { title: '/a again', text: long, budget: 500 },
      ]),
    ).toEqual([long, '[the same as "/a" above]']),
  'different target': () =>
    expect(
      texts([
        { title: '/a', text: long, budget: 500 },
        { title: '/b', text: `${long}!`, budget: 500 },
      ]),
    ).toEqual([long, `${long}!`]),
  'store record trimmed': () => {
    const { estimate: _estimate, path: _path, ...kept } = record;
    expect(texts([{ title: 'T1', text: JSON.stringify(record), budget: 5000, fields }])).toEqual([
      JSON.stringify(kept),
    ]);
  },
  'malformed json': () => expect(texts([{ title: 'T1', text: 'not json', budget: 500, fields }])).toEqual(['not json']),
  clamp: () =>
    expect(texts([{ title: 'bash', text: 'x'.repeat(5000), budget: 1000 * 4, keep: 'head' }])).toEqual([
      `${'x'.repeat(4000)}\n[1 lines elided]`,
    ]),
  // A blank before the percent sign, as the house writes it.
  meter: () => expect(contextMeter(100_000, 200_000)).toBe('ctx: 100k / 200k (50 %)'),
  'steer once': () => {
    const full = [{ title: 'a', text: 'x'.repeat(3000), budget: 5000 }];
    const options = { window: 900, checkpoint: 'PLAN-SUMMARY.json' };
    expect(governContext(full, options).steer).toContain('PLAN-SUMMARY.json');
    expect(governContext(full, { ...options, window: 9000 }).steer).toBeUndefined();
  },
  shed: () =>
    expect(
      texts([{ title: 'T1', text: long, budget: 500, summary: { name: 'PLAN-SUMMARY.json', text: 'o' } }]),
    ).toEqual(['[left out: PLAN-SUMMARY.json says what matters of it]\no']),
};

it.each(names)('%s', (name) => {
  const decide = decided[name];
  expect(decide, `no decision for ${name}`).toBeDefined();
  decide?.();
});
