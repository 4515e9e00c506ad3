/** Which run a command means: the newest that fits, part of a name, and never a guess where something would be lost. */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

let project: Project;
let first: string;
let second: string;

const statuses = async (): Promise<Record<string, string>> => {
  const lines = JSON.parse((await project.forge('list', '--json')).stdout) as { run: string; status: string }[];
  return Object.fromEntries(lines.map(({ run, status }) => [run, status]));
};

beforeAll(async () => {
  project = makeProject();
  expect(await project.forge('run', 'Add a multiplication', '--plan-only')).toMatchObject({ code: 0 });
  first = project.runs()[0] ?? '';
  expect(await project.forge('run', 'Subtract numbers', '--plan-only')).toMatchObject({ code: 0 });
  second = project.runs().find((run) => run !== first) ?? '';
});

describe('a run that is not named', () => {
  it('is the newest one for what only looks', async () => {
    expect(JSON.parse((await project.forge('status', '--json')).stdout)).toMatchObject({ run: second });
    expect(JSON.parse((await project.forge('show', '--json')).stdout)).toMatchObject({ line: { run: second } });
    expect((await project.forge('report')).stdout).toContain(second);
    // A word that is no run's is a task of the newest.
    expect(await project.forge('logs', 'T9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The run ${second} has no logs of "T9"`),
    });
    expect(await project.forge('record', 'work.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run that is over'),
    });
    expect(await project.forge('diff')).toMatchObject({
      code: 2,
      stderr: `forge: The run ${second} has merged nothing (waiting)\n  See where it stands: forge status ${second}\n`,
    });
    expect(await project.forge('land', '--into', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run with a result to land'),
    });
  });

  it('can be named by either end, and several candidates are listed', async () => {
    const end = first.slice(-4);
    expect(JSON.parse((await project.forge('status', end, '--json')).stdout)).toMatchObject({ run: first });
    expect(JSON.parse((await project.forge('status', 'sub', '--json')).stdout)).toMatchObject({ run: second });
    expect(await project.forge('status', `${first.slice(0, -1)}_`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Did you mean ${first}?`),
    });
  });

  it('is never guessed where something would be destroyed', async () => {
    const before = await statuses();
    const refused = await project.forge('cancel');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('forge cancel needs the name of a run. A cancelled run is over for good');
    expect(refused.stderr).toContain(
      `  forge cancel ${second}\n  forge cancel ${first}\n  or, for the newest: --yes\n`,
    );
    expect(await project.forge('cancel', '--json')).toMatchObject({ code: 2, stdout: '' });
    expect(await project.forge('cleanup')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run that is over'),
    });
    expect(await project.forge('undo')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run that moved a branch'),
    });
    expect(await statuses()).toEqual(before);

    expect(await project.forge('cancel', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${second} is cancelled and cannot be resumed.`),
    });
    expect(await statuses()).toEqual({ [first]: 'waiting', [second]: 'cancelled' });
    expect(await project.forge('cancel', first.slice(-4))).toMatchObject({ code: 0 });
  });

  it('is one of many that are cleaned up together, when that is agreed to', async () => {
    const asked = await project.forge('cleanup', '--all');
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('forge cleanup --all --yes') });
    expect(asked.stderr).toContain('This would remove 2 runs');
    expect(await project.forge('cleanup', '--all', first)).toMatchObject({ code: 2 });
    expect(Object.keys(await statuses())).toHaveLength(2);
    const cleaned = await project.forge('cleanup', '--all', '--yes', '--json');
    expect(cleaned.code).toBe(0);
    expect(JSON.parse(cleaned.stdout)).toMatchObject({ removed: [{ run: first }, { run: second }], kept: [] });
    expect(await statuses()).toEqual({});
    expect(await project.forge('cleanup', '--all', '--yes')).toMatchObject({
      code: 0,
      stdout: 'There is no run that is over.\n',
    });
  });
});
