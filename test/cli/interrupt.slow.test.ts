/** Runs that are left and taken up again: Ctrl-C, a kill, a pause from elsewhere, a process of its own, a cancel. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { developed, makeProject, type Project, script, until } from './support.ts';

/** Sleeps for a minute in its first attempts, and then does the work. What it counts in is ignored by git. */
function sleepy(times: number): readonly object[] {
  const count = `n=$(cat n.tmp 2>/dev/null || echo 0); echo $((n+1)) > n.tmp; [ $n -ge ${times} ] || sleep 60`;
  return script({ develop: [{ exec: ['sh', '-c', count] }, ...developed] });
}

function sleepyProject(times: number): Project {
  return makeProject({ script: sleepy(times), files: { '.gitignore': '*.tmp\n' } });
}

async function runName(project: Project): Promise<string> {
  const listed = JSON.parse((await project.forge('list', '--json')).stdout) as { run: string }[];
  return listed[0]?.run ?? '';
}

/** The developer is asleep, in its attempt of that number: it has counted so far in its workspace. */
function asleep(project: Project, run: string, attempt: number): Promise<boolean> {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  const isAsleep = (): boolean => {
    const [repository = ''] = existsSync(area) ? readdirSync(area) : [];
    const counter = join(area, repository, run, 'W1/tree/n.tmp');
    return existsSync(counter) && readFileSync(counter, 'utf8').trim() === String(attempt);
  };
  return until(isAsleep, 'a sleeping developer');
}

describe('leaving and going on', () => {
  it('pauses on Ctrl-C with 130, and again from elsewhere; a process of its own finishes it', async () => {
    const project = sleepyProject(2);
    const first = project.start(['run', 'Add a multiplication', '--yes', '--json']);
    const run = await until(() => project.runs()[0], 'a run');
    await asleep(project, run, 1);
    first.child.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 130, signal: null });
    expect(JSON.parse((await project.forge('status', '--json')).stdout)).toMatchObject({
      status: 'paused',
      reason: 'interrupted at the terminal',
    });

    const detached = await project.forge('resume', '--detach', '--json');
    expect(detached).toMatchObject({ code: 0, stderr: '' });
    const { pid } = JSON.parse(detached.stdout) as { pid: number };
    expect(JSON.parse((await project.forge('status', '--json')).stdout)).toMatchObject({ status: 'running', pid });
    expect(await project.forge('resume', run, '--budget', '1')).toMatchObject({ code: 5 });
    expect(await project.forge('cleanup', run)).toMatchObject({ code: 2 });
    await asleep(project, run, 2);
    const watching = project.start(['attach']);
    await until(() => watching.printed().includes('developing'), 'someone who watches');
    expect(await project.forge('pause')).toMatchObject({ code: 0 });
    const watched = await watching.ended;
    expect(watched.code).toBe(130);
    expect(watched.stdout).toContain('Paused: asked for by forge pause');
    expect(await project.forge('pause')).toMatchObject({ code: 2 });

    const last = await project.forge('resume', '--into', 'main');
    expect(last).toMatchObject({ code: 0, stderr: '' });
    expect(project.git('rev-parse', 'main')).toBe(project.git('rev-parse', `forge/${run}`));
    expect(project.git('show', 'main:src/mul.js')).toBe('export const mul = (a, b) => a * b;');
    expect(await project.forge('resume', run)).toMatchObject({ code: 2 });
    // The limits that came with the refused resume are nobody's.
    expect(JSON.parse((await project.forge('status', run, '--json')).stdout)).toMatchObject({
      budget: { text: '$10, 20M tokens, 8 h' },
    });
  });

  it('goes on after a kill, and a second Ctrl-C leaves at once', async () => {
    const project = sleepyProject(2);
    const first = project.start(['run', 'Add a multiplication', '--yes']);
    const run = await until(() => project.runs()[0], 'a run');
    await asleep(project, run, 1);
    first.child.kill('SIGKILL');
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(JSON.parse((await project.forge('list', '--json')).stdout)).toMatchObject([{ run, status: 'interrupted' }]);
    const second = project.start(['resume']);
    await asleep(project, run, 2);
    second.child.kill('SIGINT');
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 130 });
    const noted = await project.forge('run', ' ');
    expect(noted.code).toBe(2);
    expect(await project.forge('resume')).toMatchObject({ code: 0, stderr: '' });
  });

  it('starts by itself, and a run that nobody works on can be cancelled', async () => {
    const project = makeProject();
    const started = await project.forge('run', 'Add a multiplication', '--detach');
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const run = await runName(project);
    expect(started.stdout).toContain(`${run} runs in the background`);
    await until(() => project.facts(run).some((fact) => fact.type === 'run.suspended'), 'a run that waits');
    const cancelled = await project.forge('cancel', '--yes', '--reason', 'a mistake', '--json');
    expect(cancelled).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ run, status: 'cancelled', reason: 'a mistake' });
    expect(await project.forge('cancel', run)).toMatchObject({ code: 2 });
    expect(await project.forge('attach', run)).toMatchObject({ code: 1 });
  });
});
