/** A run stops at its budget with nothing lost, goes on with a higher one, and what was used is what the model counted. */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../support/temp.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { brief, makeStory, oneJob, type Story } from './builtin-story.ts';
import { makeProject, until } from './support.ts';

const tokens = { input: 8000, output: 100 };
const script = [
  {
    name: 'developer',
    says: brief,
    answers: [
      { calls: [{ write: { path: 'hello.txt', content: 'hello\n' } }], tokens },
      { calls: [{ run: 'cat hello.txt' }], tokens },
      { calls: [{ submit: { summary: 'said' } }], tokens },
    ],
  },
];

/** With an agent of its own protocol that no record knows, so that nobody meters it: it hangs, and the next time it works. */
function softProject() {
  const home = tempDir();
  // Where Forge is root, an agent runs as somebody else and reads only what everybody may read.
  chmodSync(home, 0o755);
  const built = join(import.meta.dirname, '../../.build/test/agents/acp-agent');
  for (const name of ['acp-agent.js', 'mcp-client.js']) copyFileSync(join(built, name), join(home, name));
  const result = { call: { tool: 'submit_result', args: { summary: 'said' } } };
  const usage = { inputTokens: 300, outputTokens: 20 };
  const plays = [
    { steps: [{ write: { path: 'begun', content: '' } }, { hang: true }] },
    { steps: [{ write: { path: 'hello.txt', content: 'hello\n' } }, result], answer: { usage } },
  ];
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(home, 'agent.js'),
    `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
const own = process.env.HOME + '/.acp-agent';
const play = existsSync('begun') ? 1 : 0;
mkdirSync(own, { recursive: true });
writeFileSync(own + '/play.json', JSON.stringify(${JSON.stringify(plays)}[play]));
await import('./acp-agent.js');
`,
  );
  const config = JSON.stringify({
    agents: { own: { driver: 'acp', run: [process.execPath, join(home, 'agent.js')] } },
  });
  return makeProject({ config, files: { '.forge/workflows/one.mjs': oneJob } });
}

let story: Story | undefined;
afterEach(() => story?.model.close());

describe('a budget', () => {
  it('ends the run as limited in the middle of a job, and a higher one lets the same session finish', async () => {
    story = await makeStory({ script });
    const { project, model } = story;
    const limited = await project.forge('run', brief, '--workflow', 'one', '--yes', '--budget', '28k tokens');
    expect({ code: limited.code, calls: model.tally().calls }).toEqual({ code: 4, calls: 2 });
    const run = story.run();
    const before = await story.status();
    expect(before).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(
        /^The run has 11k tokens left of its limit of 28k tokens; at least 1\dk tokens would be needed\.$/,
      ),
      budget: { limit: { tokens: 28_000 }, used: { tokens: 16_200, turns: 2, attempts: 1 } },
    });
    expect(limited.stdout).toContain('Stopped by a limit: The run has 11k tokens left');
    expect(limited.stderr).toContain(`forge resume ${run} --budget <limit>`);
    const resumed = await project.forge('resume', run, '--budget', '80k tokens');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    const counted = model.tally();
    expect(counted).toEqual({ calls: 3, inputTokens: 24_000, outputTokens: 300 });
    expect(await story.status()).toMatchObject({
      status: 'done',
      budget: { limit: { tokens: 80_000 }, used: { tokens: 24_300, turns: 3, attempts: 2 } },
    });
    // One conversation: nothing was asked twice.
    expect(model.calls.map(({ place, problem }) => [place, problem])).toEqual(
      [0, 1, 2].map((place) => [place, undefined]),
    );
  });

  it('has lost the whole allotment of an agent nobody meters that was cut off with Forge, and the summary says so', async () => {
    const project = softProject();
    expect(await project.forge('trust', '--yes')).toMatchObject({ code: 0 });
    const going = project.start(['run', brief, '--workflow', 'one', '--yes', '--budget', '9M tokens']);
    const run = await until(() => project.runs()[0], 'a run');
    const facts = () => readFileSync(join(project.directory(run), 'journal.jsonl'), 'utf8');
    // Written by the agent: it is in the middle of its turn.
    const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
    const begun = () =>
      existsSync(area) && readdirSync(area, { recursive: true }).some((path) => String(path).endsWith('T1/tree/begun'));
    await until(begun, 'an agent at work');
    going.child.kill('SIGKILL');
    await going.ended;
    const allotment = Number(/"type":"reserved".*?"tokens":(\d+)/.exec(facts())?.[1]);
    expect(allotment).toBeGreaterThan(1_000_000);
    const status = async () => JSON.parse((await project.forge('status', run, '--json')).stdout) as object;
    expect(await status()).toMatchObject({
      status: 'interrupted',
      budget: { used: { tokens: allotment, attempts: 1 } },
    });
    const resumed = await project.forge('resume', run);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(await status()).toMatchObject({
      status: 'done',
      budget: { used: { tokens: allotment + 320, attempts: 2 } },
    });
    expect(resumed.stdout.replace(/\s+/g, ' ')).toMatch(
      /Set aside for work that was cut off, and counted as used: \$[\d.]+, 1\.\dM tokens/,
    );
  });

  it('that is too small to begin with begins nothing', async () => {
    story = await makeStory({ script, settings: { budget: { tokens: 5000 } } });
    const { code, stderr } = await story.project.forge('run', brief, '--workflow', 'one', '--yes');
    expect({ code, calls: story.model.calls.length }).toEqual({ code: 4, calls: 0 });
    expect(stderr).toContain('--budget <limit>');
    expect(await story.status()).toMatchObject({
      reason: 'The run has 5000 tokens left of its limit of 5000 tokens; at least 21k tokens would be needed.',
      budget: { used: {} },
    });
  });
});
