/**
 * A run in which everything goes wrong once and is mended: begun in a process of its own, asked about from elsewhere,
 * truncated replies of every role, too many waves, a tester's bug, red checks, bugs of the whole. It ends well.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseLessons } from '../../src/memory/lesson-file.ts';
import { makeProject, type Project, until } from './support.ts';
import {
  bug,
  developed,
  failed,
  job,
  learned,
  module,
  nearly,
  passed,
  plan,
  reply,
  type Story,
  storyOf,
} from './waves-story.ts';

const memory = '## Numbers (numbers)\n- [2026-01-02,3] Numbers are integers here.\n';
const [lesson] = parseLessons(memory, 'memory').lessons;
const waves = [
  ['T1', 'T2'],
  ['T3', 'T4'],
];
const clarifications = [
  { question: 'Which numbers?', why: 'It decides the type.', options: ['integers', 'all'] },
  { question: 'How many?', options: ['one', 'two'] },
];

const script = [
  job('plan#1', reply(plan(waves, { clarifications }))),
  job('plan#2', reply(plan([['T1'], ['T2'], ['T3'], ['T4']]))),
  job('plan#3', nearly),
  job('plan#3/recovery#2', reply(plan(waves, { knowledgeApplied: [lesson?.id, 'no such lesson'] }))),

  job('W1/develop#1', ...module('T1'), { session: 'developer-0' }, nearly),
  job(
    'W1/develop#1/recovery#2',
    { session: 'developer-1' },
    developed({ handoff: { keyInterfaces: ['T1(): number'], deviations: ['T2 is part of T1'] } }),
  ),
  job('W1/test#1', reply({ result: 'fail', bugs: [] })),
  job(
    'W1/test#1/recovery#2',
    { session: 'tester-1' },
    reply({
      result: 'pass',
      skipped: [{ test: 'in a browser', reason: 'there is none' }],
      bugs: [bug('T1 is too small', { files: ['src/T1.js'] }), bug('in a browser', { category: 'integration' })],
    }),
  ),
  job('W1/develop#2', ...module('T1', 2), developed({ handoff: { keyInterfaces: ['T1(): a larger number'] } })),
  job('W1/test#2', passed()),

  job('W2/develop#1', ...module('T3', -1), developed()),
  job('W2/test#1', passed()),
  job('W2/develop#2', ...module('T3'), developed()),
  job('W2/test#2', passed()),

  job(
    'integration/test#1',
    failed(
      bug('T1 and T3 disagree', { category: 'integration', wave: 'cross-wave', files: ['src/T3.js', 'src/T1.js'] }),
      bug('T3 is too small', { wave: 2 }),
    ),
  ),
  job('integration/fix#1/W1', ...module('T1', 3), developed()),
  job('integration/fix#1/W2', ...module('T3', 3), developed()),
  job('integration/test#2', passed()),

  job('learn', nearly),
  { ...learned('Ask whether numbers are integers.'), when: { key: 'learn/recovery#2' } },
];

describe('a run that mends everything', () => {
  let project: Project;
  let story: Story;
  let printed: string;

  beforeAll(async () => {
    project = makeProject({ script, files: { '.forge/memory/numbers.md': memory } });
    expect(await project.forge('trust', '--yes')).toMatchObject({ code: 0 });
    expect(await project.forge('run', 'Add numbers', '--detach')).toMatchObject({ code: 0, stderr: '' });
    const run = await until(() => project.runs()[0], 'a run');
    await until(() => project.facts(run).some(({ type }) => type === 'run.suspended'), 'a run that waits');
    expect(await project.forge('answer', 'clarify/1', '--option', '2', '--no-resume')).toMatchObject({ code: 0 });
    expect(await project.forge('answer', 'clarify/2', '--text', 'three')).toMatchObject({ code: 3 });
    const ended = await project.forge('answer', '--option', 'yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    printed = ended.stdout;
    story = storyOf(project);
  });

  it('asks only while it plans, and clarifications only once', () => {
    expect(story.questions).toEqual(['clarify/1', 'clarify/2', 'approve']);
    expect(story.input('plan#2').prompt).toContain('- Which numbers? all\n- How many? three\n');
    expect(story.document('plan.md')).toMatch(
      /## Confirmed Decisions\n\n- Which numbers\? → all\n- How many\? → three\n/,
    );
  });

  it('plans again without asking when there are too many waves, and when there is no plan', () => {
    expect(story.input('plan#3').prompt).toContain('Plan again with fewer waves:\n- 4 waves are more than 3.');
    const recovery = story.input('plan#3/recovery#2').prompt;
    expect(recovery).toContain('Plan again with fewer waves:');
    expect(recovery).toContain('This is a recovery');
    expect(JSON.parse(story.document('waves.json'))).toMatchObject({
      suggested_waves: waves.map((tasks, index) => ({ wave: index + 1, tasks })),
    });
  });

  it('gives the planner what was learnt, and counts what it made use of', () => {
    expect(story.input('plan#1').prompt).toContain(`- ${lesson?.id}: Numbers are integers here.`);
    expect(story.document('plan.md')).toMatch(/## Knowledge Applied\n\n- Numbers are integers here\.\n/);
    const files = readFileSync(join(project.root, '.forge/memory/numbers.md'), 'utf8');
    expect(files).toMatch(/,4,0\.6\] Numbers are integers here\.\n/);
    expect(story.input('learn/recovery#2').prompt).toContain('Numbers are integers here.');
    expect(story.end.output).toMatchObject({ lessonsAdded: 1 });
  });

  it('runs in this order, each role with its access', () => {
    expect(story.jobs).toEqual(script.map((entry) => (entry as { when: { key: string } }).when.key));
    const access = (role: RegExp): string[] => [
      ...new Set(story.jobs.filter((key) => role.test(key)).map((key) => story.input(key).access)),
    ];
    expect(access(/^(plan|learn)/)).toEqual(['read']);
    expect(access(/^(W|integration)/)).toEqual(['write']);
  });

  it('sends real bugs to the sessions that know, and never a skipped test', () => {
    const { prompt, session } = story.input('W1/develop#2');
    expect(prompt).toContain('## Bugs to fix\n\n- [major] T1 is too small (src/T1.js)\n\n');
    expect(prompt).not.toContain('in a browser');
    expect(session).toBe('developer-1');
    expect(story.input('W1/test#2')).toMatchObject({ session: 'tester-1' });
    expect(story.input('W1/test#2').prompt).toContain('## Bugs reported as fixed\n\n- [major] T1 is too small');
    expect(story.document('test-W1.md')).toContain('in a browser: there is none');
    expect(printed).toContain('skipped: in a browser: there is none');
  });

  it('lets red checks beat a pass', () => {
    expect(printed).toContain(' › Round 1: checks failed (node --test: exit 1, ');
    const { prompt } = story.input('W2/develop#2');
    expect(prompt).not.toContain('## Bugs to fix');
    expect(prompt).toMatch(/## What the checks say\n\nnode --test: exit 1, 1 of \d+ tests fail\n/);
  });

  it('hands over what a fix changed, and keeps what it did not', () => {
    expect(story.input('W2/develop#1').prompt).toContain(
      'W1\nFiles modified: (none)\nKey interfaces: T1(): a larger number\nState dependencies: (none)\nDeviations from the plan: T2 is part of T1',
    );
    const handoff = story.document('handoff-W1.md');
    expect(handoff).toContain('T1(): a larger number');
    expect(handoff).toContain('T2 is part of T1');
    expect(handoff).not.toContain('T1(): number');
  });

  it('sends bugs of the whole to their waves, across waves to the earliest', () => {
    const one = story.input('integration/fix#1/W1');
    const two = story.input('integration/fix#1/W2');
    expect(one).toMatchObject({ session: 'developer-1' });
    expect(one.prompt).toContain('T1 and T3 disagree');
    expect(one.prompt).not.toContain('T3 is too small');
    expect(one.prompt).toContain('## Tasks of W1 (of 2 waves)');
    expect(two.prompt).toContain('T3 is too small');
    expect(two.prompt).not.toContain('T1 and T3 disagree');
    expect(two.prompt).toContain('## Tasks of W2 (of 2 waves)');
    expect(story.input('integration/test#1').prompt).toMatch(/## Tasks of W1 [^]*## Tasks of W2 /);
  });

  it('ends with everything merged and counted', () => {
    expect(story.outcomes).toEqual({ W1: 'done', W2: 'done' });
    expect(story.end).toMatchObject({
      status: 'done',
      output: { bugsFound: 3, bugsFixed: 3, remainingBugs: [], unverified: [], branch: `forge/${story.run}` },
    });
    expect(project.git('show', `forge/${story.run}:src/T1.js`)).toBe('export const T1 = () => 3;');
    expect(JSON.parse(story.document('metrics.json'))).toMatchObject({
      status: 'completed',
      total_waves: 2,
      bugs_found: 3,
      bugs_fixed: 3,
      knowledge_lessons_added: 1,
      wave_efficiency: { total_tasks: 4, total_waves: 2, tasks_per_wave: 2, single_task_waves: 0, complexity_sum: 16 },
    });
  });
});
