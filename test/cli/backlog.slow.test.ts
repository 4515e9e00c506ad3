/**
 * A sprint as a new user has it, through the binary: a wish becomes a sprint by an interview that is answered later, the
 * plan is changed in words, tasks are planned, run, escalated and taken up again, bugs are triaged and fixed, the sprint is
 * reviewed, and guidance gets better by a diff. At a terminal, interviews check answers at once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  actionsOf,
  approved,
  backlog,
  built,
  done,
  idOf,
  planned,
  reply,
  storedEvents,
  storedRecord,
  taskRecord,
  usage,
} from './pipeline-story.ts';
import { openScreen } from './screen.ts';
import { makeProject } from './support.ts';

const wish = { title: 'Numbers', goal: 'Right numbers', requirements: ['one() is positive'] };
const question = (title: string) => ({ question: title, options: ['Euro', 'Dollar'] });
const config = `agents:
  rehearsal: { driver: scripted, script: .forge/script.yaml }
`;

/** The first attempt at the second task stops: its plan is never approved. */
const undecided: object = {
  when: { key: 'S01-T02/review-plan#1/agent' },
  do: [reply({ verdict: 'n/a', objective: 'No idea' })],
};

const script: readonly object[] = [
  {
    when: { key: 'intake#1' },
    do: [reply({ ...wish, questions: [question('Which currency?'), question('Which rounding?')] })],
  },
  { when: { key: 'intake#*' }, repeat: true, do: [usage, reply(wish)] },
  {
    when: { key: 'plan#1' },
    repeat: true,
    do: [reply({ tasks: [{ id: 'T01', title: 'One', dependencies: ['T09'] }] })],
  },
  {
    when: { key: 'plan#*' },
    repeat: true,
    do: [
      reply({
        tasks: [
          { id: 'T01', title: 'One', estimate: 'S' },
          { id: 'T02', title: 'Two', dependencies: ['T01'] },
        ],
      }),
    ],
  },
  undecided,
  ...['S01-T01', 'S01-T02'].flatMap((id) => [
    {
      when: { key: `${id}/plan#*/agent` },
      repeat: true,
      do: [planned(`engineering/sprints/S01/${id}`), usage, done()],
    },
    {
      when: { key: `${id}/implement#*/agent` },
      repeat: true,
      do: [...built(id.slice(4)), usage, done({ friction: [{ issue: 'No style guide', subkind: 'skill_missing' }] })],
    },
  ]),
  { when: { key: 'BUG-001/triage#*/agent' }, repeat: true, do: [reply({ objective: 'A wrong sign', route: 'A' })] },
  { when: { key: 'BUG-001/implement#*/agent' }, repeat: true, do: [...built('fixed'), done()] },
  {
    when: { key: 'review/S01/architect' },
    repeat: true,
    do: [reply({ verdict: 'complete', summary: 'All is there' })],
  },
  { when: { key: 'retro/S01/librarian' }, repeat: true, do: [reply({ summary: 'It went well' })] },
  {
    when: { key: 'enhance#*' },
    repeat: true,
    do: [
      reply({
        summary: 'A style guide',
        changes: [{ role: 'engineer', add: ['Follow docs/style.md'], why: 'It was missed' }],
      }),
    ],
  },
  { when: { role: '{supervisor,qa-engineer,architect}' }, repeat: true, do: [usage, approved()] },
  { when: { role: 'halt-advisor' }, repeat: true, do: [reply({ what: 'It stopped.' })] },
  { when: { role: '{engineer,collator}' }, repeat: true, do: [usage, done()] },
];

describe('a sprint from a wish to its end', () => {
  it('goes the whole way, with questions that are answered later', { timeout: 900_000 }, async () => {
    const project = makeProject({ config, script });
    const forge = (...args: string[]) => project.forge(...args);
    // The interview waits where nobody is at a terminal.
    const asked = await forge('sprint', 'new', 'Numbers that are right');
    expect(asked.code).toBe(3);
    const [run = ''] = project.runs();
    for (const key of ['intake/1', 'intake/2'])
      expect((await forge('answer', run, key, '--option', '1', '--no-resume')).code).toBe(0);
    const proposed = await forge('resume', run);
    expect(proposed.code).toBe(3);
    expect(proposed.stdout).toContain('one() is positive');
    expect(proposed.stderr).not.toContain('--edit');
    const changed = await forge('answer', run, '--option', 'modify', '--text', 'Shorter');
    expect(changed.code).toBe(3);
    const agreed = await forge('answer', run, '--option', 'yes');
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toContain('wrote S01, Numbers. Plan it next: forge sprint plan S01');
    expect(storedRecord(project, 'sprints', 'S01')).toMatchObject({ status: 'planning', goal: 'Right numbers' });

    // A plan that cannot work goes back; somebody adds a task meanwhile, and ids do not clash.
    const plan = await forge('sprint', 'plan', 'S01');
    expect(plan.code).toBe(3);
    const planRun = project.runs().find((one) => one !== run) ?? '';
    expect((await forge('answer', planRun, '--option', 'no')).code).toBe(1);
    expect(existsSync(join(project.root, '.forge/store/tasks'))).toBe(false);
    expect((await forge('sprint', 'plan', 'S01', '--yes', '--fresh')).stdout).toContain('wrote S01-T01, S01-T02');
    expect(storedRecord(project, 'tasks', 'S01-T02')).toMatchObject({ dependencies: ['S01-T01'], status: 'draft' });

    // One phase at a time, then all of it.
    // What a phase wrote is part of the result also where a run stops early: the next run finds the plan in its commit.
    const one = await forge('task', 'plan', 'S01-T01', '--yes', '--into', 'main');
    expect(one.code, one.stdout + one.stderr).toBe(0);
    expect(storedRecord(project, 'tasks', 'S01-T01')['status']).toBe('plan-approved');
    expect(project.git('ls-tree', '-r', '--name-only', 'main')).toContain('S01-T01/PLAN.md');
    const first = await forge('task', 'run', 'S01-T01', '--yes', '--into', 'main');
    expect(first.stdout).not.toContain('escalated');
    expect(storedRecord(project, 'tasks', 'S01-T01')['status']).toBe('committed');

    const stopped = await forge('sprint', 'run', 'S01', '--yes');
    expect(stopped.code).toBe(1);
    expect(storedRecord(project, 'tasks', 'S01-T02')['status']).toBe('escalated');
    expect(stopped.stdout).toContain('Collated: ');
    // The reviewer has an opinion now.
    project.write({ '.forge/script.yaml': stringify(script.filter((step) => step !== undecided)) });
    const again = await forge('task', 'run', 'S01-T02', '--again', '--yes');
    expect(again.code, again.stdout).toBe(0);
    expect(storedRecord(project, 'tasks', 'S01-T02')['status']).toBe('committed');
    expect(actionsOf(project, 'S01-T02', 'S01')).toContain('review-plan verdict_malformed');
    expect(readFileSync(join(project.root, '.forge/store/events/S01/progress.log'), 'utf8')).toContain(
      'forced task S01-T02',
    );

    expect((await forge('bug', 'new', 'Wrong sign')).code).toBe(0);
    expect((await forge('bug', 'triage', 'BUG-001', '--yes')).code).toBe(0);
    expect(storedRecord(project, 'bugs', 'BUG-001')['status']).toBe('triaged');
    expect((await forge('bug', 'fix', 'BUG-001', '--yes')).code).toBe(0);
    expect(storedRecord(project, 'bugs', 'BUG-001')).toMatchObject({ status: 'fixed' });

    const status = await forge('sprint', 'status', 'S01');
    expect(status.stdout).toContain('2 of 2 done');
    expect(status.stdout).toContain('by phase:');
    expect(status.stdout).toContain('by role:');
    expect((await forge('sprint', 'review', 'S01', '--yes')).code).toBe(0);
    expect(storedRecord(project, 'sprints', 'S01')['status']).toBe('completed');
    expect((await forge('sprint', 'retro', 'S01', '--yes')).code).toBe(0);
    expect(storedRecord(project, 'sprints', 'S01')['status']).toBe('retrospective-done');

    const enriched = await forge('rebuild', '--enrich');
    expect(enriched.stdout).toContain('engineer, skill_missing, 2 times');
    expect((await forge('rebuild')).stdout).toBe('The packs are up to date.\n');
    const enhanced = await forge('enhance', '--yes');
    expect(enhanced.stdout).toContain('+- Follow docs/style.md');
    expect(existsSync(join(project.root, '.forge/roles/engineer.md'))).toBe(false);
    expect((await forge('enhance', '--apply')).code).toBe(0);
    expect(readFileSync(join(project.root, '.forge/roles/engineer.md'), 'utf8')).toContain('- Follow docs/style.md\n');
    expect((await forge('enhance', '--apply')).code).toBe(1);
    expect(storedEvents(project, 'S01').every((event) => event['model'] !== '')).toBe(true);
    expect((await forge('store', 'validate')).stdout).not.toContain('✗');
  });
});

it('interviews at a terminal check answers at once, and whoever leaves writes nothing', {
  timeout: 120_000,
}, async () => {
  const project = makeProject({ files: backlog([taskRecord('T01')]) });
  const screen = openScreen(project, ['task', 'new'], { columns: 90 });
  await screen.shows('Title of the task:');
  screen.press('Round down', 'Enter');
  await screen.shows('What is it about?');
  screen.press('Enter');
  await screen.shows('Size:');
  screen.press('huge', 'Enter');
  await screen.shows('A size is S, M, L or XL.');
  screen.press('m', 'Enter');
  await screen.shows('After which tasks?');
  screen.press(idOf('T01'), 'Enter');
  await screen.shows(`Wrote ${idOf('T02')}: Round down`);
  expect(await screen.exit()).toBe(0);
  expect(storedRecord(project, 'tasks', idOf('T02'))).toMatchObject({ estimate: 'M', dependencies: [idOf('T01')] });
  const left = openScreen(project, ['bug', 'new', 'It is wrong'], { columns: 90 });
  await left.shows('Severity');
  left.press('C-c');
  await left.shows('Nothing was written');
  expect(await left.exit()).toBe(1);
  expect(existsSync(join(project.root, '.forge/store/bugs'))).toBe(false);
});
