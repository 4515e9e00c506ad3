/**
 * Landing and cleaning up, at their edges: what a person accepted is not asked again, a cancelled run stays cancelled, a
 * branch that a linked worktree has checked out, a submodule, and a cleanup that dies at every git call.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';
import { developed, job, learned, module, overview, passed, reply, task } from './waves-story.ts';

const time = { timeout: 600_000 };
const proposal = {
  overview,
  tasks: ['T1', 'T2', 'T3', 'T4'].map((id) => task(id, id === 'T1' || id === 'T3' ? {} : { kind: 'docs', verify: [] })),
  waves: [
    ['T1', 'T2'],
    ['T3', 'T4'],
  ],
};

/** The first wave changes a file it did not declare, which a person has to accept; the second is merged before. */
async function parked(): Promise<{ project: Project; run: string }> {
  const project = makeProject({
    config:
      'agents: { actor: { driver: scripted, script: .forge/script.yaml } }\nchecks: { run: ["node --test"] }\nscope: { undeclared: ask }\n',
    script: [
      job('plan#1', reply(proposal)),
      job('W1/develop#1', ...module('T1'), { write: { path: 'NOTES.md', content: 'more\n' } }, developed()),
      job('W1/test#1', passed()),
      job('W2/develop#1', ...module('T3'), developed()),
      job('W2/test#1', passed()),
      job('integration/test#1', passed()),
      learned(),
    ],
  });
  expect(await project.forge('run', 'Add numbers')).toMatchObject({ code: 3 });
  expect(await project.forge('answer', '--option', 'yes')).toMatchObject({ code: 3 });
  return { project, run: project.runs()[0] ?? '' };
}

function commitMine(project: Project): string {
  project.write({ 'mine.txt': 'mine\n' });
  project.git('add', 'mine.txt');
  project.git('commit', '-qm', 'mine');
  return project.git('rev-parse', 'HEAD');
}

const questions = (project: Project, run: string): number =>
  project.facts(run).filter(({ type }) => type === 'question.asked').length;

it('what was accepted while it was built is not asked again where the branch has moved', time, async () => {
  const { project, run } = await parked();
  expect(await project.forge('answer', '--option', 'accept')).toMatchObject({ code: 0 });
  const asked = questions(project, run);
  const mine = commitMine(project);
  expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 0, stderr: '' });
  expect(questions(project, run)).toBe(asked);
  expect(project.git('merge-base', mine, 'main')).toBe(mine);
  expect(project.git('show', 'main:NOTES.md')).toBe('more');
});

it('a cancelled run lands what it merged and stays cancelled', time, async () => {
  const { project, run } = await parked();
  expect(await project.forge('cancel', run)).toMatchObject({ code: 0 });
  const mine = commitMine(project);
  expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 2 });
  expect(project.git('rev-parse', 'main')).toBe(mine);
  expect(await project.forge('land', run, '--into', 'main', '--force')).toMatchObject({ code: 0 });
  expect(project.git('show', 'main:src/T3.js')).toContain('T3');
  expect(project.git('merge-base', mine, 'main')).toBe(mine);
  expect(JSON.parse((await project.forge('list', '--json')).stdout)).toMatchObject([{ run, status: 'cancelled' }]);
  expect(await project.forge('resume', run)).toMatchObject({ code: 2 });
});

it('a moved branch that a linked worktree has checked out moves with its files; a submodule stays', time, async () => {
  const project = makeProject();
  const library = join(project.root, '../library');
  execFileSync('git', ['clone', '-q', project.root, library], { env: project.env });
  project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  project.commit('a submodule');
  expect(await project.forge('run', 'Add a multiplication', '--yes')).toMatchObject({ code: 0 });
  const [run = ''] = project.runs();
  const inside = project.git('-C', join(project.root, 'lib'), 'rev-parse', 'HEAD');
  // The branch goes to a worktree of its own, and moves there.
  project.git('switch', '-qc', 'side');
  const linked = join(project.root, '../linked');
  project.git('worktree', 'add', '-q', linked, 'main');
  writeFileSync(join(linked, 'mine.txt'), 'mine\n');
  project.git('-C', linked, 'add', 'mine.txt');
  project.git('-C', linked, 'commit', '-qm', 'mine');
  const mine = project.git('rev-parse', 'main');
  expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 0, stderr: '' });
  expect(project.git('rev-parse', 'main~1')).toBe(mine);
  expect(readFileSync(join(linked, 'src/mul.js'), 'utf8')).toContain('mul');
  expect(project.git('-C', linked, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(project.root, 'src/mul.js'))).toBe(false);
  expect(project.git('-C', join(project.root, 'lib'), 'rev-parse', 'HEAD')).toBe(inside);
  expect(await project.forge('undo', run)).toMatchObject({ code: 0 });
  expect(project.git('rev-parse', 'main')).toBe(mine);
  expect(existsSync(join(linked, 'src/mul.js'))).toBe(false);
});

it('a cleanup that dies at a git call is finished by the next one, and takes nothing of the person', time, async () => {
  const project = makeProject();
  expect(await project.forge('run', 'Add a multiplication', '--yes')).toMatchObject({ code: 0 });
  const [run = ''] = project.runs();
  expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 0 });
  const mine = commitMine(project);
  const bin = join(project.root, '../bin');
  mkdirSync(bin);
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  // Two calls at once may count themselves alike or pass by a number: the first one that has come that far dies.
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/bash\necho x >> ${bin}/calls\n[ "$(wc -l < ${bin}/calls)" -ge "$(cat ${bin}/at)" ] && mkdir ${bin}/died 2>/dev/null || exec ${real} "$@"\n[ -e ${bin}/after ] && ${real} "$@" > /dev/null\nkill -9 $PPID\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const path = { PATH: `${bin}:${project.env['PATH'] ?? ''}` };
  let deaths = 0;
  for (let at = 1; at < 400; at += 3) {
    rmSync(join(bin, 'calls'), { force: true });
    rmSync(join(bin, 'after'), { force: true });
    rmSync(join(bin, 'died'), { recursive: true, force: true });
    if (at % 2 === 0) writeFileSync(join(bin, 'after'), '');
    writeFileSync(join(bin, 'at'), String(at));
    const { code } = await project.start(['cleanup', run], path).ended;
    expect(project.git('rev-parse', 'main')).toBe(mine);
    expect(project.git('status', '--porcelain', '--untracked-files=no')).toBe('');
    if (code === 0) break;
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(2);
  expect(JSON.parse((await project.forge('list', '--json')).stdout)).toEqual([]);
  // The branch of the result is the person's by then.
  expect(project.git('for-each-ref', '--format=%(refname)', 'refs/forge')).toBe('');
});
