import { expect, it } from 'vitest';
import { readBlocker } from '../../src/policy/blocker.ts';

it.each([
  ['context limit reached', 'context_overflow', 'tier-up'],
  ['This task is far too broad', 'scope_exceeded', 'stop'],
  ['out of scope: the schema belongs to T4', 'scope_exceeded', 'stop'],
  ["I'm not able to", 'model_refusal', 'other-model'],
  ['bash: psql: command not found', 'tooling_failure', 'stop'],
  ['connection refused', 'external_dependency', 'stop'],
  ['the token parser is unfinished', 'unknown', 'stop'],
  ['we cannot merge before T3', 'unknown', 'stop'],
  ['', 'unknown', 'stop'],
])('%s is %s: %s', (text, kind, next) => {
  const blocker = readBlocker(text);
  expect([blocker.kind, blocker.next]).toEqual([kind, next]);
  expect(blocker.hint).toMatch(/\.$/);
});
