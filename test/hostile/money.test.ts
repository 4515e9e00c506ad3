/**
 * Whole runs that try to spend more than they have: a provider that charges more than its request allowed, and an agent
 * that finds the meter's address and asks by itself, with whatever requests it likes.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { attacks } from '../agents/meter/attacks.ts';
import { brief, makeStory, type Story } from '../cli/builtin-story.ts';

let story: Story | undefined;
afterEach(() => story?.model.close());

const tokens = { input: 3000, output: 100 };
const ending = { calls: [{ submit: { summary: 'said' } }], tokens };

describe('money', () => {
  it('that was charged beyond the limit is shown in full, and the run stops as over it', async () => {
    const greedy = { calls: [{ run: 'true' }], tokens: { input: 3_000_000, output: 100 } };
    story = await makeStory({ script: [{ name: 'developer', says: brief, answers: [greedy, greedy, ending] }] });
    const { project, model } = story;
    const { code } = await project.forge('run', brief, '--workflow', 'one', '--yes', '--budget', '1');
    expect({ code, calls: model.tally().calls }).toEqual({ code: 4, calls: 1 });
    expect(await story.status()).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(/^The run is over its limit of \$1, by \$2\.\d+: more was charged than/),
      budget: { limit: { usd: 1 }, used: { usd: expect.closeTo(3.0005, 3) } },
    });
  });

  it('is safe from an agent that asks the meter by itself', async () => {
    const bodies = attacks.filter(({ wire, path, method }) => wire === 'anthropic' && !path && !method);
    const sent = bodies.flatMap(({ body }) => (typeof body === 'string' && body.length < 4000 ? [body] : []));
    const steal = `
const { readdirSync, readFileSync } = require('node:fs');
const environments = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => {
  try { return readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch { return ''; }
});
const [url] = environments.join('\\0').match(/http:\\/\\/127\\.0\\.0\\.1:\\d+\\/[0-9a-f]{64}/) ?? [];
const ask = (body) => fetch(url + '/v1/messages', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  .then(async (answer) => { await answer.text(); return answer.status; }, () => 0);
(async () => {
  const statuses = await Promise.all(${JSON.stringify(sent)}.map(ask));
  for (let round = 0; round < 5; round += 1) statuses.push(...await Promise.all(Array.from({ length: 20 }, () => ask(${JSON.stringify(sent[0])}.replace('"60000"', '4000')))));
  console.log(url === undefined ? 'not found' : 'asked ' + statuses.length + ' ' + JSON.stringify([...new Set(statuses)].sort()));
})();
`;
    story = await makeStory({
      script: [
        {
          name: 'developer',
          says: brief,
          answers: [
            { calls: [{ write: { path: 'steal.cjs', content: steal } }], tokens },
            { calls: [{ run: 'node steal.cjs' }], tokens },
            ending,
          ],
        },
      ],
    });
    const { project, model } = story;
    const { code } = await project.forge('run', brief, '--workflow', 'one', '--yes', '--budget', '$0.5');
    // It was stopped by the limit, or had enough for its own end.
    expect([0, 4]).toContain(code);
    expect(model.calls.length).toBeGreaterThan(5);
    const { inputTokens, outputTokens } = model.tally();
    expect((inputTokens * 1 + outputTokens * 5) / 1e6).toBeLessThanOrEqual(0.5);
    const { budget } = await story.status();
    const { used } = budget as { used: { usd: number } };
    expect(used.usd).toBeLessThanOrEqual(0.5);
    expect(used.usd).toBeGreaterThanOrEqual((inputTokens * 1 + outputTokens * 5) / 1e6 - 1e-6);
  });
});
