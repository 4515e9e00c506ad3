/**
 * `forge land` on a branch that has moved, by the real binary: a clean landing, conflicts that go to the agent and then to
 * a person, a branch that somebody rewound.
 */
import { describe, expect, it } from 'vitest';
import { openScreen } from './screen.ts';
import { makeProject, type Project, type ProjectOptions, script } from './support.ts';

const time = { timeout: 600_000 };
const resolved = 'export const mul = (a, b) => b * a;\n';
const done = { reply: { status: 'success', summary: 'Settled' } };
const settle = (key: string, ...steps: readonly object[]): object => ({ when: { key }, do: [...steps, done] });

/** A run that is done, and then a commit of the person's on main. */
async function finished(options: ProjectOptions = {}): Promise<{ project: Project; run: string }> {
  const project = makeProject(options);
  const ended = await project.forge('run', 'Add a multiplication', '--yes');
  expect(ended).toMatchObject({ code: 0 });
  return { project, run: project.runs()[0] ?? '' };
}

function commitMine(project: Project, files: Readonly<Record<string, string>> = { 'mine.txt': 'mine\n' }): string {
  project.write(files);
  return project.commit('mine');
}

const theirs = { 'src/mul.js': '// By hand.\nexport const mul = (a, b) => a * b * 1;\n' };

describe('landing on a branch that has moved', () => {
  it('lands on top, says so, lands once, and is undone', time, async () => {
    const { project, run } = await finished();
    const mine = commitMine(project);
    const landed = await project.forge('land', run, '--into', 'main');
    const at = project.git('rev-parse', 'main');
    expect(landed).toMatchObject({ code: 0, stderr: '' });
    expect(landed.stdout).toContain('main has moved: putting the result on top of it');
    expect(landed.stdout).toContain(
      `main is now at ${at.slice(0, 12)} (${run}).\n  To take it back: forge undo ${run}\n`,
    );
    expect(project.git('rev-parse', 'main~1')).toBe(mine);
    expect(project.git('status', '--porcelain')).toBe('');
    const shown = await project.forge('show', run);
    expect(shown.stdout).toMatch(/landed +on main as [0-9a-f]{7}/);
    expect(shown.stdout).not.toContain('forge land');
    expect((await project.forge('status', run)).stdout).toContain('Land on main');
    expect(JSON.parse((await project.forge('show', run, '--json')).stdout)).toMatchObject({
      line: { status: 'done' },
      summary: { landing: { into: 'main', landed: true, commit: at } },
    });
    // Once is enough, also when people have gone on.
    const later = commitMine(project, { 'later.txt': 'later\n' });
    const again = await project.forge('land', run, '--into', 'main', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ run, branch: 'main', commit: at, moves: [] });
    expect(project.git('rev-parse', 'main')).toBe(later);
    project.git('reset', '-q', '--hard', at);
    expect(await project.forge('undo', run)).toMatchObject({ code: 0 });
    expect(project.git('rev-parse', 'main')).toBe(mine);
    const json = await project.forge('land', run, '--into', 'main', '--json');
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      run,
      branch: 'main',
      moves: [{ ref: 'refs/heads/main', before: mine, after: project.git('rev-parse', 'main') }],
    });
  });

  it('has the agent settle a conflict, which may change nothing else, and checks what it made', time, async () => {
    const { project, run } = await finished({
      script: [
        settle(
          'land#1/1/resolve',
          { write: { path: 'src/mul.js', content: resolved } },
          { write: { path: 'src/add.js', content: 'export const add = (a, b) => b + a;\n' } },
        ),
        settle('land#1/3/resolve', { write: { path: 'src/mul.js', content: resolved } }),
        settle('land#2/1/resolve', { write: { path: 'src/mul.js', content: 'export const mul = () => 0;\n' } }),
        ...script(),
      ],
    });
    const mine = commitMine(project, theirs);
    const landed = await project.forge('land', run, '--into', 'main');
    expect(landed).toMatchObject({ code: 0, stderr: '' });
    expect(project.git('show', 'main:src/mul.js')).toBe(resolved.trimEnd());
    expect(project.git('show', 'main:src/add.js')).toBe('export const add = (a, b) => a + b;');
    expect(project.git('rev-parse', 'main~1')).toBe(mine);
    const prepared = project
      .facts(run)
      .filter(({ type, key }) => type === 'effect.finished' && /land#1.*prepare$/.test(key));
    expect(JSON.stringify(prepared)).toContain('files that are not in conflict were changed: src/add.js');
    // Settled wrongly: the checks see it, and nothing moves.
    project.git('branch', 'other', mine);
    const wrong = await project.forge('land', run, '--into', 'other');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('forge: other was not moved: on top of other, checks failed'),
    });
    expect(project.git('rev-parse', 'other')).toBe(mine);
    expect(JSON.parse((await project.forge('list', '--json')).stdout)).toMatchObject([{ run, status: 'done' }]);
  });

  it('asks a person when the agent cannot: by a command, or at the terminal', time, async () => {
    const left = { write: { path: 'src/mul.js', content: '>>>>>>> half\n' } };
    const { project, run } = await finished({
      script: [
        ...['land#1/1', 'land#1/3', 'land#2/1', 'land#2/3'].map((key) => settle(`${key}/resolve`, left)),
        ...script(),
      ],
    });
    const mine = commitMine(project, theirs);
    const asked = await project.forge('land', run, '--into', 'main');
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('main and the result changed the same places');
    expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain('conflict markers are left in src/mul.js');
    expect(asked.stderr).toContain(`forge answer ${run} land#1/5/conflict --option leave (recommended) | --text "…"`);
    expect(asked.stderr).not.toContain('When it is done');
    expect(project.git('rev-parse', 'main')).toBe(mine);
    expect(await project.forge('answer', run, '--option', 'leave')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('main was not moved: main changed the same places: src/mul.js'),
    });
    // What does not hold the branch would throw its commits away.
    const screen = openScreen(project, ['land', run, '--into', 'main'], { columns: 100, rows: 40 });
    const shown = await screen.shows(/git switch -c settled \w+/);
    const marked = /git switch -c settled (\w+)/.exec(shown)?.[1] ?? '';
    screen.press(`forge/${run}`, 'Enter');
    await screen.shows(/does\s+not\s+start\s+from\s+the\s+commit/);
    project.git('switch', '-qc', 'settled', marked);
    project.write({ 'src/mul.js': resolved });
    project.commit('settled');
    project.git('switch', '-q', 'main');
    screen.press('settled', 'Enter');
    await screen.shows('main is now at');
    expect(await screen.exit()).toBe(0);
    expect(project.git('show', 'main:src/mul.js')).toBe(resolved.trimEnd());
    expect(project.git('rev-parse', 'main~1')).toBe(mine);
  });
});

describe('runs and branches in unusual states', () => {
  it('lands a branch that was rewound without what was taken off it, and names one that is gone', time, async () => {
    const project = makeProject();
    const first = project.git('rev-parse', 'main');
    commitMine(project, { 'unwanted.txt': 'unwanted\n' });
    expect(await project.forge('run', 'Add a multiplication', '--yes')).toMatchObject({ code: 0 });
    const [run = ''] = project.runs();
    project.git('reset', '-q', '--hard', first);
    expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 0, stderr: '' });
    expect(project.git('rev-parse', 'main~1')).toBe(first);
    expect(project.git('ls-tree', '--name-only', 'main')).not.toContain('unwanted.txt');
    project.git('switch', '-q', '-c', 'elsewhere');
    project.git('branch', '-qD', 'main');
    expect(await project.forge('land', run, '--into', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no branch "main" to land on'),
    });
  });
});
