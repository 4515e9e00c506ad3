/** A run of `modules` in which a module is mended by the debugger and another is blocked: recorded, and had again. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agreeAt } from '../support/agreed.ts';
import { built, done, job, reply, script } from './modules-story.ts';
import { makeProject } from './support.ts';

describe('a recorded run of modules', () => {
  it('is had again with its retries and its failures, in whatever order modules finish', async () => {
    const project = makeProject({
      script: script([
        job('m1/develop#1', ...built('m1', { value: -1 }), done('m1')),
        job('m1/overseer#1', reply({ classification: 'stuck', evidence: 'm1() is negative' })),
        job('m1/debug#1', ...built('m1'), done('m1', { rootCause: 'a wrong sign' })),
        job('m2/develop#1', ...built('m2', { value: -9 }), done('m2')),
        job('m2/overseer#1', reply({ classification: 'blocked', evidence: 'no access' })),
      ]),
    });
    const file = join(project.root, '..', 'recording.yaml');
    const first = await project.forge('run', 'Build five modules', '--workflow', 'modules', '--yes', '--json');
    expect(first.code).toBe(1);
    const [run = ''] = project.runs();
    expect(await project.forge('record', run, file)).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(project.root, '.forge', 'script.yaml'));
    agreeAt(project.root, project.env);
    const rehearsed = await project.forge('rehearse', file, '--keep', '--parallel', '5');
    expect(rehearsed).toMatchObject({ code: 0 });
    expect(rehearsed.stdout).toContain(`The same tree: ${project.git('rev-parse', `forge/${run}^{tree}`)}`);
    const [again = ''] = project.runs().filter((name) => name !== run);
    const outcomes = (name: string) =>
      (project.facts(name) as unknown as readonly { type: string; key: string; data: { status: string } }[])
        .filter(({ type }) => type === 'task.ended')
        .map(({ key, data }) => `${key} ${data.status}`)
        .sort();
    expect(outcomes(again)).toEqual(outcomes(run));
  });
});
