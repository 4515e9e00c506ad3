/**
 * Secrets in the environment, in files of the repository and in what a model says: none of them is in a run's journal,
 * transcripts, logs, documents or on the terminal, nor in the home or workspace of the agent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brief, makeStory, providerKey } from './builtin-story.ts';
import { developed, makeProject, script } from './support.ts';

const secrets = {
  environment: 'planted-environment-3fa91c0d77',
  /** Not in the environment: known by its shape. */
  file: 'ghp_Zq8vT2mKx4Lw7RnB5cYd1HfJ6sPgAe3UoV9i',
  model: 'sk-ant-api03-Yw5nQ8rT1vX4zB7dF0hJ3mL6pS9uC2eG5kN8qR1tV4xZ7bD0fH3jM6pS-AA',
};

it('no secret is left anywhere', async () => {
  const story = await makeStory({
    env: { DEPLOY_TOKEN: secrets.environment },
    files: { 'notes.txt': `token ${secrets.file}\n` },
    script: [
      {
        name: 'developer',
        says: brief,
        answers: [
          { text: `I found ${secrets.model} and ${secrets.environment}.`, calls: [{ read: 'notes.txt' }] },
          { calls: [{ run: `echo ${secrets.environment}; cat notes.txt; env` }] },
          { calls: [{ write: { path: 'hello.txt', content: 'hello\n' } }] },
          { calls: [{ run: `printf %s ${secrets.environment} | base64; exit 3` }] },
          { calls: [{ submit: { summary: `With ${secrets.model} and ${secrets.environment} done` } }] },
        ],
      },
    ],
  });
  const { project, model } = story;
  try {
    const ended = await project.forge('run', brief, '--workflow', 'one', '--yes');
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    const run = story.run();
    const logs = await project.forge('logs', run, 'T1');
    // What was said, run and changed can be read all the same.
    expect(logs.stdout).toContain('I found [redacted] and [redacted:DEPLOY_TOKEN].');
    expect(logs.stdout).toMatch(/ tool: Write hello\.txt\n +Created hello\.txt/);
    expect(logs.stdout).toMatch(/ tool: echo \[redacted:DEPLOY_TOKEN\]; cat notes\.txt; env\n/);
    expect(logs.stdout).toMatch(/ tool: printf .* \(failed\)\n +exit code 3\n/);
    expect(logs.stdout).toContain('changed: hello.txt (added)');
    expect(logs.stdout).toContain(
      'ended: with its result: {"summary":"With [redacted] and [redacted:DEPLOY_TOKEN] done"}',
    );
    const told = [ended, logs];
    for (const words of [['logs', run, '--json'], ['show', run], ['status', run, '--json'], ['agents']])
      told.push(await project.forge(...words));
    const all = [...Object.values(secrets), providerKey, Buffer.from(secrets.environment).toString('base64')];
    for (const secret of all) {
      expect(told.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('\n')).not.toContain(secret);
      expect(filesWith(project.directory(''), secret)).toEqual([]);
    }
    // The key and what the agent was not given never entered its jail at all.
    const data = join(project.env['HOME'] ?? '', '.local/share/forge');
    for (const secret of [providerKey]) expect(filesWith(data, secret)).toEqual([]);
    expect(model.calls.every(({ key }) => key === providerKey)).toBe(true);
    const seen = model.calls.map(({ request }) => JSON.stringify(request.turns)).join('\n');
    expect(seen).not.toContain(providerKey);
    expect(seen).not.toContain('DEPLOY_TOKEN=');
  } finally {
    await model.close();
  }
});

function filesWith(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

it('what copied files hold is left nowhere, also with settings that were mended in between', async () => {
  const hidden = ['token-alone-4242', 'hunter2-longpass', 'netrc-word-8888'];
  const files = ['token', '.env', '.netrc'].map((name) => `keys/${name}`);
  const leak = { exec: ['cat', ...files] };
  const config = (copy: readonly string[]): string =>
    `agents: { actor: { driver: scripted, script: .forge/script.yaml } }\nchecks: { run: ["node --test"] }\nworkspace: { copy: ${JSON.stringify(copy)} }\n`;
  const project = makeProject({
    config: config(['keys']),
    script: script({ develop: [leak, { say: `Found ${hidden.join(' ')}` }, ...developed] }),
    files: { '.gitignore': 'keys\n' },
  });
  project.write({
    'keys/token': `${hidden[0]}\n`,
    'keys/.env': `DB=postgres://me:${hidden[1]}@db/x\n`,
    'keys/.netrc': `machine host login me password ${hidden[2]}\n`,
  });
  const first = await project.forge('run', 'Add a multiplication', '--yes');
  expect({ code: first.code, stderr: first.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a regular file'),
  });
  // A directory cannot be copied. Files can, and the run goes on with them.
  project.write({ '.forge/config.yaml': config(files) });
  project.commit('Name the files');
  const ended = await project.forge('resume', '--yes');
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  const logs = await project.forge('logs');
  expect(logs.stdout).toContain('Found [redacted] [redacted] [redacted]');
  for (const secret of hidden) {
    expect(`${ended.stdout}${logs.stdout}`).not.toContain(secret);
    expect(filesWith(project.directory(''), secret)).toEqual([]);
  }
});

it('a requirement that holds a secret names the run without it', async () => {
  const secret = 'urlpass-9991-sekrit';
  const project = makeProject({ env: { SERVICE_TOKEN: secret } });
  const ended = await project.forge('run', `Multiply with ${secret}`, '--plan-only', '--yes');
  expect(ended.code).toBe(0);
  const [run = ''] = project.runs();
  expect(run).toMatch(/^multiply-redacted-service-token-/);
  // The same words find the same run.
  const again = await project.forge('run', `Multiply with ${secret}`, '--plan-only', '--yes');
  expect(project.runs()).toEqual([run]);
  const listed = await project.forge('list', '--json');
  expect([ended, again, listed].map(({ stdout, stderr }) => stdout + stderr).join('\n')).not.toContain(secret);
  expect(filesWith(project.directory(''), secret)).toEqual([]);
});
