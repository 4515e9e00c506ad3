/**
 * A run of `pipeline` for the proofs: a task with a revision and friction, one whose gate is closed, one that has to be
 * repaired, a bug by the short route; then the review of the sprint and the retrospective.
 */
import {
  backlog,
  bugRecord,
  built,
  approved,
  done,
  idOf,
  planned,
  reply,
  revision,
  sprint,
  taskRecord,
  usage,
} from '../cli/pipeline-story.ts';
import { makeRepository, type Scenario } from './scenario.ts';

const short = [
  { command: 'implement', role: 'implement' },
  { command: 'commit', role: 'commit' },
];

/** As the settings would say. */
export const crashPipelines = {
  careful: {
    phases: [
      { command: 'plan', role: 'plan' },
      { command: 'review-plan', role: 'review-plan', maxIterations: 2 },
      ...short,
    ],
  },
  gated: { gates: '```gates phase=implement\nartifact docs/agreed.md min=10\n```\n', phases: short },
  short: { phases: short },
};

const job = (key: string, ...steps: readonly object[]): object => ({ when: { key }, do: steps });
const directory = `engineering/sprints/${sprint}/${idOf('T01')}`;

const script = [
  job(`${idOf('T01')}/plan#1/agent`, planned(directory), usage, done()),
  job(`${idOf('T01')}/review-plan#1/agent`, revision()),
  job(
    `${idOf('T01')}/plan#2/agent`,
    planned(directory),
    usage,
    done({ friction: [{ issue: 'No style', subkind: 'skill_missing' }] }),
  ),
  job(`${idOf('T01')}/review-plan#2/agent`, approved()),
  job(`${idOf('T01')}/implement#1/agent`, ...built('T01'), usage, done()),
  job(`${idOf('T03')}/implement#1/agent`, ...built('T03', -1), usage, done()),
  job(`${idOf('T03')}/implement#1/repair#1/agent`, ...built('T03'), usage, done()),
  job('BUG-001/triage#1/agent', reply({ objective: 'A wrong sign', route: 'A' })),
  job('BUG-001/implement#1/agent', ...built('fixed'), done()),
  job(`review/${sprint}/architect`, reply({ verdict: 'partial', summary: 'One is missing' })),
  job(
    `retro/${sprint}/librarian`,
    reply({ summary: 'It went', lessons: [{ category: 'Testing', keywords: [], text: 'Use node --test.' }] }),
  ),
  { when: { role: '{supervisor,architect}' }, repeat: true, do: [usage, approved()] },
  { when: { role: 'halt-advisor' }, repeat: true, do: [reply({ what: 'It stopped.', next: ['Look at it'] })] },
  { when: { role: 'engineer' }, repeat: true, do: [usage, done()] },
];

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'test/one.test.js': "import test from 'node:test';\ntest('one', () => {});\n",
  ...backlog(
    [
      taskRecord('T01', { pipeline: 'careful' }),
      taskRecord('T02', { pipeline: 'gated' }),
      taskRecord('T03', { pipeline: 'short', dependencies: [idOf('T01')] }),
    ],
    [bugRecord('BUG-001')],
  ),
};

export const crashRequest = `${sprint} BUG-001`;

export function makePipelineScenario(area: string): Scenario {
  return makeRepository(area, { ...files, '.forge/script.json': JSON.stringify(script) });
}
