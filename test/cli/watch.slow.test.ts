/** `forge watch` in real terminals of 120, 80 and 40 columns on one live run: three people who look at the same. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { openScreen, type Screen } from './screen.ts';
import { developed, makeProject, type Project, script, until } from './support.ts';

const hostile = 'Thinking\u001b[2J\u001b]0;owned\u0007 about \u202elum <script>alert(1)</script>';
const gate = {
  exec: ['sh', '-c', 'touch here.tmp; until [ -e go.tmp ]; do sleep 0.05; done; rm here.tmp go.tmp'],
};

/** Where an agent waits. */
function workspaceAtGate(project: Project): string | undefined {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  const [repository = ''] = existsSync(area) ? readdirSync(area) : [];
  const trees = project.runs().map((run) => join(area, repository, run, 'W1', 'tree'));
  return trees.find((tree) => existsSync(join(tree, 'here.tmp')));
}

function expectFits(screen: Screen, columns: number): void {
  const lines = screen.shown().split('\n');
  expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(25);
  // However narrow it is, it says how to learn of the other keys.
  expect(lines.findLast((line) => line.trim() !== '')).toContain('? help');
}

it('shows runs, asks, follows agents, shows changes and acts, at every width', async () => {
  const pager = "sh -c 'cat > paged.tmp'";
  const project = makeProject({
    script: script({ develop: [{ say: hostile }, gate, ...developed] }),
    files: { '.gitignore': '*.tmp\n' },
    env: { GIT_PAGER: pager },
  });
  expect((await project.forge('watch')).stderr).toContain('forge watch needs a terminal');

  const wide = openScreen(project, ['watch'], { columns: 120 });
  const usual = openScreen(project, ['watch'], { columns: 80 });
  const narrow = openScreen(project, ['watch'], { columns: 40, env: { NO_COLOR: '1' } });
  const screens = [
    [wide, 120],
    [usual, 80],
    [narrow, 40],
  ] as const;
  await usual.shows('There are no runs yet');
  await project.start(['run', 'Add a multiplication', '--detach']).ended;

  // All are told what needs them. Two begin to answer; one is quicker, and the other is told.
  for (const [screen] of screens) await screen.shows('Needs you (1)');
  for (const [screen, columns] of screens) expectFits(screen, columns);
  await narrow.shows('Go ahead with this plan?');
  narrow.press('a');
  await narrow.shows(/❯ 1\. Yes, start/);
  narrow.press('PPage');
  expectFits(narrow, 40);
  usual.press('a');
  expect(await usual.shows(/❯ 1\. Yes, start {2}recommended/)).toContain('Multiply two numbers');
  usual.press('2');
  await usual.shows(/❯ 2\./);
  usual.press('1', 'Enter');
  await usual.shows('Going on (1)');
  await narrow.shows('Going on (1)');

  // The tree with what the agent says, and beside it the transcript where there is room. Nothing it says is obeyed.
  // Keys that come at once count one after the other.
  for (const [screen] of screens) screen.press('Up', 'Enter');
  const said = 'Thinking about lum <script>alert(1)</script>';
  expect(await wide.shows(/▾ .*Wave 1[\s\S]*│/)).toContain('1 Steps  2 Transcript  3 Changes');
  expect((await wide.shows(said)).replaceAll(/\s+/g, ' ')).toContain('developer');
  usual.press('2');
  await usual.shows(said);
  await usual.shows(/following {2}.*2\/2/);
  usual.press('[');
  await usual.shows(/planner .* 1\/2/);
  usual.press(']', 'f');
  await usual.shows(said);
  narrow.press('Tab');
  await narrow.shows(/\[Transcript\]/);
  for (const [screen, columns] of screens) expectFits(screen, columns);

  // Pause and resume from here; what it does is said first.
  await until(() => workspaceAtGate(project), 'an agent at the gate');
  usual.press('x');
  await usual.shows(/❯ Pause[\s\S]*Stops the run for now, with 1 agent at work/);
  usual.press('Enter');
  await wide.shows(/paused/);
  await usual.shows('Pause: done.');
  usual.press('x');
  await usual.shows(/❯ Resume {2}next/);
  usual.press('Enter');
  await wide.shows(/running/);
  writeFileSync(join(await until(() => workspaceAtGate(project), 'an agent at the gate'), 'go.tmp'), '');
  await wide.shows(/✓ Add a multiplication {2}done/);

  // Changes: files, one of them, and all through the pager.
  usual.press('3');
  await usual.shows(/src\/mul\.js {2}added +\+1 -0/);
  usual.press('Enter');
  await usual.shows('+export const mul = (a, b) => a * b;');
  usual.press('n');
  await usual.shows(/test\/mul\.test\.js {2}2\/2/);
  usual.press('q');
  await usual.shows('2 files');
  usual.press('o');
  const paged = join(project.root, 'paged.tmp');
  await until(() => existsSync(paged) && readFileSync(paged, 'utf8').includes('export const mul'), 'the pager');
  await usual.shows('2 files');

  // What cannot be undone asks twice.
  narrow.press('x');
  await narrow.shows('Clean up');
  narrow.press('G');
  await narrow.shows(/> Clean up|❯ Clean up/);
  narrow.press('Enter');
  await narrow.shows('Press y');
  narrow.press('n');
  await narrow.shows('Nothing was done');

  // A terminal that is made narrower is drawn anew, and leaving gives it back as it was.
  wide.resize(60);
  await wide.shows(/^✓ Add a multiplication/m);
  expectFits(wide, 60);
  usual.press('?');
  await usual.shows('Keys');
  usual.press('q', 'q', 'q');
  expect(await usual.exit()).toBe(0);
  wide.press('C-c');
  expect(await wide.exit()).toBe(0);
});
