/**
 * A run with a fix loop, a truncated reply, a session and a question answered in words is recorded and had again without
 * its script: the same jobs, the same answers, the same tree. Then the project changes, and the rehearsal tells.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { agreeAt } from '../support/agreed.ts';
import { makeProject, type Project } from './support.ts';
import { bug, developed, failed, job, learned, module, nearly, passed, plan, reply, task } from './waves-story.ts';

const secret = 'correct-horse-battery-staple';
const planned = plan([['T1', 'T2']], {
  tasks: [task('T1', { writes: ['src', 'test', 'notes.txt', 'run.sh', 'first', 'long.txt'] }), task('T2')],
});
const clarifications = [{ question: 'Which?', why: 'It decides.', options: ['a', 'b'] }];
const script = [
  job('plan#1', reply({ ...planned, clarifications })),
  job('plan#2', { usage: { inputTokens: 700, outputTokens: 70, costUsd: 0.5 } }, reply(planned)),
  job(
    'W1/develop#1',
    { say: `Writing both, with ${secret}` },
    { session: 'developer-1' },
    ...module('T1', 0),
    ...module('T2'),
    { write: { path: 'src/T1.bin.js', content: `// ${'x'.repeat(200)}\n` } },
    { delete: 'notes.txt' },
    { exec: ['chmod', '+x', 'run.sh'] },
    { exec: ['ln', '-s', 'src/T1.js', 'first'] },
    nearly,
  ),
  job('W1/develop#1/recovery#2', developed()),
  job('W1/test#1', failed(bug('T2 is too small', { files: ['src/T2.js'] }))),
  job('W1/develop#2', ...module('T2', 2), { append: { path: 'long.txt', content: 'the end\n' } }, developed()),
  job('W1/test#2', passed()),
  job('W1/develop#3', ...module('T1', 3), developed()),
  { when: { role: 'tester' }, repeat: true, do: [passed()] },
  learned(),
];
const files = {
  'notes.txt': 'old\n',
  'run.sh': '#!/bin/sh\n',
  'long.txt': Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join(''),
};

interface Judged {
  readonly type: string;
  readonly run: string;
  readonly same: boolean;
  readonly tree: string;
  readonly differences: readonly object[];
  readonly unrecorded: readonly { readonly key: string; readonly message: string }[];
  readonly removed: boolean;
}

const lastLine = (text: string): Judged => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as Judged;

describe('a recorded run', () => {
  let project: Project;
  let file: string;
  let tree: string;

  beforeAll(async () => {
    project = makeProject({ script, files, env: { WORK_TOKEN: secret } });
    file = join(project.root, '..', 'recording.yaml');
    const ended = await project.forge('run', 'Count things', '--yes', '--record', file);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`in ${file}\n  forge rehearse ${file}`);
    tree = project.git('rev-parse', `forge/${project.runs()[0]}^{tree}`);
    // From here on nobody has the script.
    rmSync(join(project.root, '.forge', 'script.yaml'));
    project.commit('without the script');
    agreeAt(project.root, project.env);
  });

  it('is one file that says what each agent did, and what people answered', () => {
    const recording = parse(readFileSync(file, 'utf8')) as {
      base: string;
      answers: readonly { key: string }[];
      result: { status: string; tree: string };
      entries: readonly { when: { key: string }; took: string; do: readonly object[] }[];
    };
    expect(recording.result).toMatchObject({ status: 'done', tree });
    expect(recording.base).toBe(project.git('rev-parse', 'HEAD~1'));
    expect(recording.answers.map(({ key }) => key)).toContain('approve');
    const keys = recording.entries.map(({ when }) => when.key);
    expect(keys).toEqual(
      expect.arrayContaining(['plan#1', 'plan#2', 'W1/develop#1', 'W1/develop#1/recovery#2', 'W1/develop#2', 'learn']),
    );
    const first = recording.entries.find(({ when }) => when.key === 'W1/develop#1');
    expect(first?.took).toMatch(/^\d+ms$/);
    expect(first?.do).toEqual([
      { session: 'developer-1' },
      { say: 'Writing both, with [redacted:WORK_TOKEN]' },
      { delete: 'notes.txt' },
      { link: { path: 'first', to: 'src/T1.js' } },
      { write: { path: 'run.sh', content: '#!/bin/sh\n', mode: '755' } },
      { write: { path: 'src/T1.bin.js', content: `// ${'x'.repeat(200)}\n` } },
      ...module('T1', 0).slice(0, 1),
      ...module('T2').slice(0, 1),
      ...module('T1', 0).slice(1),
      ...module('T2').slice(1),
      { reply: 'I am nearly finished, I only have to' },
    ]);
    const second = recording.entries.find(({ when }) => when.key === 'W1/develop#2');
    expect(second?.do).toContainEqual({ patch: expect.stringContaining('+the end\n') });
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
  });

  it('is had again with the same tree, and leaves nothing behind', async () => {
    const refs = project.git('for-each-ref');
    const status = project.git('status', '--porcelain', '--ignored');
    const lessons = readFileSync(join(project.root, '.forge', 'memory', 'testing.md'), 'utf8');
    const rehearsed = await project.forge('rehearse', file);
    expect(rehearsed).toMatchObject({ code: 0, stderr: '' });
    expect(rehearsed.stdout).toContain(`The same tree: ${tree}`);
    expect(rehearsed.stdout).toContain('is removed again (--keep would keep it).');
    expect(project.git('for-each-ref')).toBe(refs);
    expect(project.git('status', '--porcelain', '--ignored')).toBe(status);
    expect(readFileSync(join(project.root, '.forge', 'memory', 'testing.md'), 'utf8')).toBe(lessons);
    expect(project.runs()).toHaveLength(1);
  });

  it('is a run like any other while it is kept, with the jobs, answers and figures that were recorded', async () => {
    const rehearsed = await project.forge('rehearse', file, '--keep', '--json');
    expect(rehearsed.code).toBe(0);
    const { run, ...judged } = lastLine(rehearsed.stdout);
    expect(judged).toMatchObject({ type: 'rehearsal.judged', same: true, tree, differences: [], removed: false });
    expect(project.git('rev-parse', `forge/${run}^{tree}`)).toBe(tree);
    const [original = ''] = project.runs().filter((name) => name !== run);
    const told = (name: string, type: string) =>
      (project.facts(name) as unknown as readonly { type: string; key: string; data: object }[]).filter(
        (fact) => fact.type === type,
      );
    const jobs = (name: string) =>
      told(name, 'effect.finished')
        .filter(({ data }) => 'outcome' in (data as { output: object }).output)
        .map(({ key, data }) => {
          const { usage, session, status } = (data as { output: { outcome: Record<string, unknown> } }).output.outcome;
          return { key, usage, session, status };
        });
    expect(jobs(run)).toEqual(jobs(original));
    const answered = (name: string) =>
      told(name, 'question.answered').map(({ key, data }) => ({ key, ...data, by: '' }));
    expect(answered(run)).toEqual(answered(original));
    expect(await project.forge('rehearse', '--check', run)).toMatchObject({ code: 0 });
  });

  it('tells what a changed project makes of it', async () => {
    const usual = scopeSettingsSchema.parse({}).protectedPaths;
    const config = readFileSync(join(project.root, '.forge/config.yaml'), 'utf8');
    project.write({
      '.forge/config.yaml': `${config}scope: { protectedPaths: [${[...usual, 'run.sh'].map((path) => `"${path}"`).join(', ')}] }\n`,
    });
    const known = project.runs();
    const rehearsed = await project.forge('rehearse', file, '--json');
    // The plan names the file, so a person is asked. Nobody answered that when it was recorded.
    expect(rehearsed.code).toBe(3);
    expect(rehearsed.stderr).toContain('note: other settings than when it was recorded: scope');
    const [run = ''] = project.runs().filter((name) => !known.includes(name));
    expect(rehearsed.stderr).toContain(`forge rehearse --check ${run}`);
    expect(await project.forge('answer', run, '--option', 'refuse')).toMatchObject({ code: 1 });
    project.write({ '.forge/config.yaml': config });
    const compared = await project.forge('rehearse', '--check', run, '--json');
    expect(compared.code).toBe(1);
    const { same, differences, removed } = lastLine(compared.stdout);
    expect({ same, removed }).toEqual({ same: false, removed: false });
    expect(differences).toContainEqual({ path: 'src/T1.js', what: 'missing' });
  });

  it('names what it has nothing for, with what comes near', async () => {
    const recording = parse(readFileSync(file, 'utf8')) as { entries: { when: { key: string } }[] };
    const shorter = join(project.root, '..', 'shorter.yaml');
    const entries = recording.entries.filter(({ when }) => when.key !== 'W1/develop#2');
    writeFileSync(shorter, stringify({ ...recording, entries }));
    const rehearsed = await project.forge('rehearse', shorter, '--json');
    expect(rehearsed.code).toBe(1);
    const { unrecorded } = lastLine(rehearsed.stdout);
    expect(unrecorded).toMatchObject([{ key: 'W1/develop#2' }]);
    expect(unrecorded[0]?.message).toMatch(
      /no unused entry for role developer.*Near: entry \d+ (wants key|was used by) W1\/develop#/,
    );
  });

  it('is refused where it cannot be had, before anything exists', async () => {
    const before = project.runs();
    const text = readFileSync(file, 'utf8');
    const other = join(project.root, '..', 'other.yaml');
    const refusal = async (content: string) => {
      writeFileSync(other, content);
      const { code, stderr } = await project.forge('rehearse', other);
      return `${code} ${stderr}`;
    };
    expect(await refusal(text.replace(/^base: \w+$/m, `base: ${'ab'.repeat(20)}`))).toContain(
      'which is not in this repository',
    );
    expect(await refusal(text.replace('recording: 1', 'recording: 2'))).toContain(
      'made by a newer Forge (recording 2)',
    );
    expect(await refusal('- when: {}\n  do: []\n')).toMatch(/^2 .*cannot be rehearsed/);
    expect(await refusal(text.replace('- delete: notes.txt', '- dance: true'))).toContain('step 3');
    expect(await project.forge('rehearse')).toMatchObject({ code: 2 });
    expect(await project.forge('rehearse', join(project.root, 'nothing.yaml'))).toMatchObject({ code: 2 });
    expect(await project.forge('record', before[0] ?? '', join(project.root, 'package.json'))).toMatchObject({
      code: 2,
    });
    expect(existsSync(join(project.root, '.forge', 'script.yaml'))).toBe(false);
    expect(project.runs()).toEqual(before);
  });
});
