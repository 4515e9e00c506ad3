/** What goes wrong at a provider, through the real binary and Forge's own agent: seen, recorded, and got over or told. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Script } from '../clients/model-server/script.ts';
import { brief, makeStory, type Story } from './builtin-story.ts';
import { until } from './support.ts';

const write = { calls: [{ write: { path: 'hello.txt', content: 'hello\n' } }] };
const submit = { calls: [{ submit: { summary: 'said' } }] };
const story = (answers: Script[number]['answers']): Script => [{ name: 'developer', says: brief, answers }];
const begin = ['run', brief, '--workflow', 'one', '--yes'];

let told: Story | undefined;
afterEach(() => told?.model.close());

describe("a provider's trouble", () => {
  it('that passes is got over in the same session: a limit that is waited for, a failure, a cut stream', async () => {
    told = await makeStory({
      script: story([
        { tries: [{ refuse: 'rate_limit', retryAfter: 1 }, write] },
        { tries: [{ refuse: 'server', retryAfter: 0.1 }, { drop: 'within', text: 'half' }, submit] },
      ]),
    });
    const ended = await told.project.forge(...begin);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/T1\/develop#1: waiting for the limit of 127\.0\.0\.1:\d+ \(STORY_KEY\) until 20/);
    // Whoever reads plain lines is told what the journal has.
    for (const note of told.notes()) expect(ended.stdout).toContain(`T1/develop#1: ${note}`);
    expect(told.notes()).toEqual([
      expect.stringMatching(/^own: rate_limit \(.*\); waiting until 20/),
      expect.stringMatching(/^waiting for the limit of 127\.0\.0\.1:\d+ \(STORY_KEY\) until 20/),
      expect.stringMatching(/^own: server \(.*\); again in 1 s$/),
      expect.stringMatching(/^own: (stream_cut|network) .*; again in \d s$/),
    ]);
    const { budget } = (await told.status()) as { budget: { used: { tokens: number } } };
    const { inputTokens, outputTokens } = told.model.tally();
    // Nobody knows what a cut answer cost: it counts as all that it could have been.
    expect(budget.used.tokens).toBeGreaterThan(inputTokens + outputTokens);
  });

  it('that a person has to mend stops the run with a hint, and a resumed run goes on', async () => {
    told = await makeStory({ script: story([{ tries: [{ refuse: 'authentication' }, write] }, submit]) });
    const ended = await told.project.forge(...begin);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain('forge: authentication: ');
    expect(ended.stderr).toContain('Log in to own again or check its key');
    expect(await told.status()).toMatchObject({ status: 'stopped', budget: { used: { attempts: 1 } } });
    expect(await told.project.forge('resume', told.run())).toMatchObject({ code: 0, stderr: '' });
  });

  it('of one model is solved by another: a refusal, and too long a prompt', async () => {
    const tiers = { standard: 'claude-sonnet-4-5', heavy: 'claude-opus-4-5', max: 'claude-opus-4-6' };
    told = await makeStory({
      agent: { tiers },
      script: story([
        { tries: [{ text: 'I will not.', stop: 'refusal' }, { refuse: 'prompt_too_long' }, write] },
        submit,
      ]),
    });
    expect(await told.project.forge(...begin)).toMatchObject({ code: 0, stderr: '' });
    expect(told.model.calls.map(({ request }) => request.model)).toEqual([
      'claude-sonnet-4-5',
      'claude-opus-4-5',
      'claude-opus-4-6',
      'claude-opus-4-6',
    ]);
    expect(told.notes()).toEqual([
      'own: refusal (I will not.); again with claude-opus-4-5',
      expect.stringMatching(/^own: prompt_too_long \(.*\); again one tier up, max$/),
    ]);
  });

  it('that another agent does not have is handed over to it, which begins a session of its own', async () => {
    told = await makeStory({ script: story([{ tries: [write, write] }, { tries: [{ refuse: 'billing' }, submit] }]) });
    const { project, model } = told;
    const own = { driver: 'builtin', provider: 'anthropic', baseUrl: model.url, maxOutputTokens: 1000 };
    const agents = {
      own: { ...own, key: 'STORY_KEY', model: 'claude-haiku-4-5', next: 'other' },
      other: { ...own, key: 'OTHER_KEY', model: 'claude-sonnet-4-5' },
    };
    project.write({ '.forge/config.yaml': JSON.stringify({ agents }) });
    expect(await project.forge('trust', '--yes')).toMatchObject({ code: 0 });
    const ended = await project.start(begin, { OTHER_KEY: 'another-planted-key-99' }).ended;
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(told.notes()).toEqual([expect.stringMatching(/^own: billing \(.*\); other takes over$/)]);
    expect(model.calls.map(({ key, place }) => [key, place])).toEqual([
      ['planted-provider-key-51c7', 0],
      ['planted-provider-key-51c7', 1],
      ['another-planted-key-99', 0],
      ['another-planted-key-99', 1],
    ]);
    const first = model.calls[2]?.request.turns[0]?.text ?? '';
    expect(first).toContain('- hello.txt (added)');
  });

  it('is waited for until somebody interrupts, and waited for again by whoever resumes', async () => {
    // Long enough for a busy machine to stop and start Forge meanwhile.
    told = await makeStory({ script: story([{ tries: [{ refuse: 'rate_limit', retryAfter: 60 }, write] }, submit]) });
    const { project } = told;
    const going = project.start(begin);
    await until(() => going.printed().includes('waiting for the limit of'), 'a wait');
    const shown = await project.forge('status', told.run());
    expect(shown.stdout).toContain('waiting for the limit of');
    going.child.kill('SIGINT');
    expect((await going.ended).code).toBe(130);
    const calls = told.model.calls.length;
    const again = project.start(['resume', told.run()]);
    await until(() => again.printed().includes('waiting until'), 'another wait');
    expect(told.model.calls.length).toBe(calls);
    expect(await project.forge('pause', told.run())).toMatchObject({ code: 0 });
    await again.ended;
    expect(await project.forge('resume', told.run())).toMatchObject({ code: 0 });
  });
});

describe('a Forge that is killed in the middle of a job', () => {
  it('has used what its meter counted and what was under way, and the session goes on', async () => {
    told = await makeStory({ script: story([write, { tries: [{ silence: 'before' }, submit] }]) });
    const { project, model } = told;
    const going = project.start(begin);
    await model.until((calls) => calls.some(({ state }) => state === 'silent'));
    const drawn = await until(
      () => told?.budget().filter(({ type }) => type === 'drawn')[2]?.amount,
      'what the second request may cost',
    );
    going.child.kill('SIGKILL');
    await going.ended;
    expect(await told.status()).toMatchObject({
      status: 'interrupted',
      budget: { used: { tokens: drawn['tokens'], turns: 2, usd: drawn['usd'] } },
    });
    expect(await project.forge('resume', told.run())).toMatchObject({ code: 0, stderr: '' });
    const last = model.calls.at(-1);
    expect([last?.place, last?.problem]).toEqual([1, undefined]);
    expect(await told.status()).toMatchObject({
      budget: { used: { tokens: (drawn['tokens'] ?? 0) + (last?.tokens?.input ?? 0) + (last?.tokens?.output ?? 0) } },
    });
  });
});
