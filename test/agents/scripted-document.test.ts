/** The document is tried: its examples are scripts, it shows every step, and what it says of a script happens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseScript, whenFields } from '../../src/agents/script.ts';
import { stepForms } from '../../src/agents/script-step.ts';
import { scriptedDriver } from '../../src/agents/scripted.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { frozenClock, makeWorkshop, recorder, type Workshop } from './workshop.ts';

const document = readFileSync(new URL('../../docs/scripted-agent.md', import.meta.url), 'utf8');
const blocks = [...document.matchAll(/^```(yaml|json)\n(.*?)^```$/gms)].map((match) => match[2] ?? '');

test.each(blocks.map((block, index) => [index + 1, block] as const))('example %d is a script', (_number, block) => {
  expect(parseScript(block, 'docs').entries.length).toBeGreaterThan(0);
});

test('it shows every step and every field of when', () => {
  const shown = new Set(
    blocks.flatMap((block) => parseScript(block, 'docs').entries.flatMap(({ steps }) => steps.map(({ step }) => step))),
  );
  expect([...shown].sort()).toEqual(Object.keys(stepForms).sort());
  expect(whenFields.filter((field) => !document.includes(`| \`${field}\` |`))).toEqual([]);
});

test('the refusal it quotes is the one that is given', () => {
  const quoted = /```text\n(.*?)\n```/s.exec(document)?.[1];
  expect(() => parseScript('- { do: [] }\n- { do: [sleep: 5] }', 'demo.yaml')).toThrow(quoted);
});

describe('what it promises of its examples:', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = makeWorkshop();
  });
  afterEach(() => workshop.close());
  const never = new AbortController().signal;
  const driver = (block: number) =>
    scriptedDriver({
      script: parseScript(blocks[block] ?? '', 'docs'),
      claimsFile: join(workshop.root, 'claims.jsonl'),
      redactor: createRedactor({}),
      clock: frozenClock,
    });
  const ended = { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 }, durationMs: 0 };

  test('the first one', async () => {
    const agent = driver(0);
    expect(await agent.run(workshop.job(), recorder(), never)).toEqual({
      status: 'replied',
      reply: { status: 'success', summary: 'Added a' },
      usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.01, turns: 0 },
      durationMs: 0,
    });
    expect(readFileSync(join(workshop.tree, 'src/a.js'), 'utf8')).toBe('export const a = 1;\n');
    expect(await agent.run(workshop.job({ key: 'T1/review#1', role: 'reviewer' }), recorder(), never)).toEqual({
      status: 'replied',
      reply: { verdict: 'approved', findings: [] },
      ...ended,
    });
  });

  test('attempts', async () => {
    const agent = driver(1);
    const jobs = [
      { key: 'T1/develop#1', task: 'T1', attempt: 1 },
      { key: 'T2/develop#1', task: 'T2', attempt: 1 },
      { key: 'T1/develop#2', task: 'T1', attempt: 2 },
      { key: 'T2/develop#2', task: 'T2', attempt: 2 },
    ];
    const outcomes = [];
    for (const job of jobs) outcomes.push(await agent.run(workshop.job(job), recorder(), never));
    expect(outcomes).toEqual([
      { status: 'replied', reply: 'I am nearly finished, I only have to', ...ended },
      { status: 'crashed', exit: 1, signal: null, ...ended },
      { status: 'replied', reply: { status: 'success' }, ...ended },
      { status: 'replied', reply: { status: 'success' }, ...ended },
    ]);
  });

  test('misbehaviour', async () => {
    const agent = driver(4);
    const run = (task: string) => agent.run(workshop.job({ key: `${task}/develop#1`, task }), recorder(), never);
    const tasks = ['T2', 'T3', 'T5', 'T6', 'T7'];
    const outcomes = [];
    for (const task of tasks) outcomes.push(await run(task));
    const trouble = { code: 'rate_limit', message: 'Slow down', retryAfterMs: 30_000 };
    expect(outcomes).toEqual([
      { status: 'crashed', exit: 137, signal: 'SIGKILL', ...ended },
      { status: 'trouble', trouble, ...ended },
      { status: 'flooded', outputBytes: 1_000_000, ...ended },
      { status: 'replied', reply: { status: 'success' }, ...ended },
      { status: 'replied', reply: { status: 'success', summary: 'I changed nothing.' }, ...ended },
    ]);
  });
});
