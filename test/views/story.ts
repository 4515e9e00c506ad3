/**
 * A complete `waves` run with a truncated reply, a fix round, an integration test and lessons, prefixes of it,
 * and one that ends without a verdict.
 */
import { agent, check, commitOf, effect, evidence, merge, opened, started, type Step } from './steps.ts';

const task = (id: string, title: string, more: { writes: string[]; depends?: string[]; complexity?: 'M' | 'L' }) => ({
  id,
  title,
  objective: `${title}.`,
  ...more,
  verify: ['npm test'],
  doneWhen: `${title} works`,
});

export const tasks = [
  task('T1', 'Parse queries', { writes: ['src/query.js', 'test/query.test.js'], complexity: 'L' }),
  task('T2', 'Show results with the matching words marked', { writes: ['src/show.js'], depends: ['T1', 'T3'] }),
  task('T3', 'Rank results', { writes: ['src/rank.js', 'test/rank.test.js'] }),
  task('T4', 'Remember the last ten searches', { writes: ['src/history.js'], depends: ['T1'], complexity: 'L' }),
];

const overview = {
  techStack: 'Node 20, no dependencies',
  architecture: 'A parser, a ranker and a renderer, joined in src/cli.js',
  businessLogic: 'A search finds notes by words, best match first',
  keyDecisions: ['Ranking counts words, no stemming', 'History is a JSON file'],
};
export const plannerReply = {
  overview,
  tasks,
  waves: [
    ['T1', 'T3'],
    ['T2', 'T4'],
  ],
  clarifications: [],
  knowledgeApplied: ['L1'],
  risks: ['Large note files may be slow'],
};
const question = { question: 'Where is the history kept?', why: 'It decides T4.', options: ['In a file', 'In memory'] };

const bug = {
  title: 'Search is case sensitive',
  category: 'unit',
  severity: 'major',
  wave: 1,
  files: ['src/query.js'],
  reproduction: 'search Hello',
  expected: '1 note',
  actual: '0 notes',
};
const crossBug = {
  title: 'History forgets the ranking',
  category: 'integration',
  severity: 'minor',
  wave: 2,
  files: ['src/history.js'],
};
const handoff = {
  filesModified: ['src/query.js', 'src/rank.js', 'src/index.js'],
  keyInterfaces: ['parse(text): Query', 'rank(query, notes): Note[]'],
  stateDependencies: [],
  deviations: ['rank takes the parsed query'],
};

const waves = {
  slug: 'search-notes',
  requirement: 'Search the notes by words.\nBest match first.',
  overview,
  waves: plannerReply.waves,
  warnings: ['The complexity adds up to 12; up to 15 fits one wave.'],
  knowledgeApplied: ['Tests of this project need NODE_ENV=test.'],
  confirmedDecisions: [{ question: question.question, answer: 'In a file' }],
};

export const opening: readonly Step[] = [
  [
    'run.created',
    '',
    {
      run: 'search-notes-x1y2',
      title: 'Search the notes by words.',
      workflow: 'waves',
      workflowVersion: 1,
      base: commitOf('0'),
      branch: 'main',
      root: '/repo',
      input: {
        requirement: waves.requirement,
        slug: 'search-notes',
        agents: { planner: 'worker', developer: 'worker', tester: 'worker', learner: 'worker' },
      },
      settings: { agents: { worker: { driver: 'scripted', script: 'script.json' } }, checks: { run: ['npm test'] } },
      forge: '0.1.0',
    },
  ],
  opened,
];

const lesson = {
  id: 'L1',
  category: 'Tests',
  keywords: ['env'],
  text: 'Tests of this project need NODE_ENV=test.',
  scope: 'project',
  date: '2026-01-01',
  applied: 2,
};

/** Up to the question whether to go ahead. */
export const planning: readonly Step[] = [
  ...opening,
  ...effect('memory.recall', 'recall', { query: 'x', limit: 12 }, { lessons: [lesson] }),
  ...agent('plan#1', {
    role: 'planner',
    reply: { ...plannerReply, clarifications: [question] },
    commit: commitOf('0'),
  }),
  [
    'question.asked',
    'clarify/1',
    {
      title: question.question,
      detail: question.why,
      options: [
        { id: '1', label: 'In a file', recommended: true },
        { id: '2', label: 'In memory' },
      ],
      topic: 'clarification',
    },
  ],
  ['question.answered', 'clarify/1', { option: '1' }],
  ...agent('plan#2', { role: 'planner', reply: plannerReply, commit: commitOf('0') }),
  ['note.recorded', 'proposal', { text: 'the plan as proposed', data: { ...waves, tasks } }],
  [
    'question.asked',
    'approve',
    {
      title: 'Go ahead with this plan?',
      options: [
        { id: 'yes', label: 'Yes, start', recommended: true },
        { id: 'no', label: 'No, stop here' },
      ],
      freeText: true,
      topic: 'approval',
    },
  ],
];

const approval: readonly Step[] = [
  ['question.answered', 'approve', { option: 'yes' }],
  ['note.recorded', 'waves', { text: 'the waves as approved', data: waves }],
  [
    'plan.accepted',
    'plan',
    { plan: { objective: waves.requirement, tasks, risks: plannerReply.risks, decisions: overview.keyDecisions } },
  ],
  ...check('baseline', 'passed', { passed: 4 }),
];

const redGreen = (result: string, files: string[]) => ({
  files,
  result,
  reason: result === 'red' ? '2 tests failed without the change.' : 'Did not load.',
});

const waveOne: readonly Step[] = [
  ['task.started', 'W1', { task: 'W1' }],
  ...effect('integration.read', 'W1/base', { task: 'W1' }, { commit: commitOf('0'), judge: commitOf('0') }),
  ...agent('W1/develop#1', {
    role: 'developer',
    reply: { status: 'success', summary: 'Parser and ranker are there.', unitTests: '2 files', handoff },
    commit: commitOf('1'),
    changes: [
      { path: 'src/query.js', status: 'added' },
      { path: 'src/rank.js', status: 'added' },
      { path: 'test/query.test.js', status: 'added' },
    ],
  }),
  ...agent('W1/test#1', { role: 'tester', reply: { result: 'fail' }, commit: commitOf('1') }),
  ...agent('W1/test#1/recovery#2', {
    role: 'tester',
    attempt: 2,
    reply: {
      result: 'fail',
      unit: { passed: 7, total: 8 },
      integration: { passed: 2, total: 2 },
      bugs: [bug],
      summary: 'One bug.',
    },
    commit: commitOf('1'),
  }),
  ...check('W1/verify#1/check', 'passed', { passed: 11 }),
  ...evidence('W1/verify#1/evidence', [redGreen('red', ['test/query.test.js'])]),
  ...agent('W1/develop#2', {
    role: 'developer',
    reply: { status: 'success', summary: 'Folded case.', bugsFixed: [bug.title] },
    commit: commitOf('2'),
    changes: [{ path: 'src/query.js', status: 'modified' }],
  }),
];

const waveOneEnd: readonly Step[] = [
  ...agent('W1/test#2', {
    role: 'tester',
    reply: {
      result: 'pass',
      unit: { passed: 8, total: 8 },
      integration: { passed: 2, total: 2 },
      skipped: [{ test: 'search over the network', reason: 'no network here' }],
    },
    commit: commitOf('2'),
  }),
  ...check('W1/verify#2/check', 'passed', { passed: 12 }),
  ...evidence('W1/verify#2/evidence', [redGreen('red', ['test/query.test.js', 'test/rank.test.js'])]),
  ...merge('W1', commitOf('3'), {
    changed: ['src/query.js', 'src/rank.js', 'src/index.js'],
    flags: [{ path: 'src/index.js', case: 'undeclared', action: 'allow', reason: 'not declared by W1' }],
  }),
  ...effect('workspace.drop', 'W1/drop', { workspace: 'W1' }, { dropped: true, reason: '' }),
  ['task.ended', 'W1', { task: 'W1', status: 'done', commit: commitOf('2') }],
];

const waveTwo: readonly Step[] = [
  ['task.started', 'W2', { task: 'W2' }],
  ...effect('integration.read', 'W2/base', { task: 'W2' }, { commit: commitOf('3'), judge: commitOf('0') }),
  ...agent('W2/develop#1', {
    role: 'developer',
    reply: { status: 'success', summary: 'Results and history.', handoff: { keyInterfaces: ['show(notes): string'] } },
    commit: commitOf('4'),
    changes: [{ path: 'src/show.js', status: 'added' }],
  }),
  ...agent('W2/test#1', {
    role: 'tester',
    reply: { result: 'pass', unit: { passed: 4, total: 4 } },
    commit: commitOf('4'),
  }),
  ...check('W2/verify#1/check', 'passed', { passed: 14 }),
  ...evidence('W2/verify#1/evidence', [redGreen('absent', ['test/show.test.js'])]),
  ...merge('W2', commitOf('5'), { changed: ['src/show.js'] }),
  ...effect('workspace.drop', 'W2/drop', { workspace: 'W2' }, { dropped: true, reason: '' }),
  ['task.ended', 'W2', { task: 'W2', status: 'done', commit: commitOf('4') }],
];

const integration: readonly Step[] = [
  ...effect('integration.read', 'integration/base', {}, { commit: commitOf('5'), judge: commitOf('0') }),
  ...agent('integration/test#1', {
    role: 'tester',
    reply: { result: 'fail', unit: { passed: 12, total: 12 }, integration: { passed: 3, total: 4 }, bugs: [crossBug] },
    commit: commitOf('5'),
  }),
  ...check('integration/verify#1/check', 'passed', { passed: 14 }),
  ...evidence('integration/verify#1/evidence'),
  ...agent('integration/fix#1/W2', {
    role: 'developer',
    reply: { status: 'success', summary: 'History keeps the ranking.', bugsFixed: [crossBug.title] },
    commit: commitOf('6'),
    changes: [{ path: 'src/history.js', status: 'modified' }],
  }),
  ...agent('integration/test#2', {
    role: 'tester',
    reply: {
      result: 'pass',
      unit: { passed: 12, total: 12 },
      integration: { passed: 4, total: 4 },
      skipped: [{ test: 'search over the network', reason: 'no network here' }],
    },
    commit: commitOf('6'),
  }),
  ...check('integration/verify#2/check', 'passed', { passed: 15 }),
  ...evidence('integration/verify#2/evidence'),
  ...merge('I1', commitOf('7'), { changed: ['src/history.js'] }),
];

const ending: readonly Step[] = [
  ...effect('integration.read', 'learn/base', {}, { commit: commitOf('7'), judge: commitOf('0') }),
  ...agent('learn', {
    role: 'learner',
    reply: {
      lessons: [{ category: 'Search', keywords: ['case', 'query'], text: 'Queries are compared in lower case.' }],
    },
    commit: commitOf('7'),
  }),
  ...effect('memory.save', 'save', {}, { added: 1, merged: 0, files: ['.forge/memory/search.md'] }),
  ...effect('integration.read', 'final', {}, { commit: commitOf('7'), judge: commitOf('0') }),
  ...effect(
    'branch.publish',
    'publish',
    { commit: commitOf('7') },
    { ref: 'refs/heads/forge/search-notes-x1y2', after: commitOf('7') },
  ),
  [
    'run.ended',
    '',
    {
      status: 'done',
      output: {
        outcomes: [
          { task: 'W1', status: 'done', reason: '' },
          { task: 'W2', status: 'done', reason: '' },
        ],
        bugsFound: 2,
        bugsFixed: 2,
        remainingBugs: [],
        lessonsAdded: 1,
        unverified: [],
        branch: 'forge/search-notes-x1y2',
      },
    },
  ],
];

export const approved: readonly Step[] = [...planning, ...approval];
/** The fix of wave 1 is done and its tester at work again. */
export const midway: readonly Step[] = [
  ...approved,
  ...waveOne,
  started('agent.run', 'W1/test#2', { role: 'tester', attempt: 1 }),
];
export const complete: readonly Step[] = [
  ...approved,
  ...waveOne,
  ...waveOneEnd,
  ...waveTwo,
  ...integration,
  ...ending,
];

/** Wave 1 never gets a usable test; wave 2 depends on it. */
export const unverified: readonly Step[] = [
  ...approved,
  ['task.started', 'W1', { task: 'W1' }],
  ...agent('W1/develop#1', {
    role: 'developer',
    reply: { status: 'partial', summary: 'Half of it.' },
    commit: commitOf('1'),
    changes: [{ path: 'src/query.js', status: 'added' }],
  }),
  ...agent('W1/test#1', { role: 'tester', reply: 'I am nearly' }),
  ...agent('W1/test#1/recovery#2', { role: 'tester', attempt: 2, reply: undefined }),
  ...agent('W1/test#1/recovery#3', {
    role: 'tester',
    attempt: 3,
    reply: { result: 'fail', bugs: [] },
    commit: commitOf('1'),
  }),
  [
    'task.ended',
    'W1',
    { task: 'W1', status: 'failed', reason: 'unverified: the tester: no usable reply', commit: commitOf('1') },
  ],
  ['task.started', 'W2', { task: 'W2' }],
  ['task.ended', 'W2', { task: 'W2', status: 'skipped', reason: 'depends on W1, which is failed' }],
  ...agent('learn', { role: 'learner', reply: { lessons: [] } }),
  [
    'run.ended',
    '',
    {
      status: 'failed',
      reason: 'W1: unverified: the tester: no usable reply',
      output: {
        outcomes: [],
        bugsFound: 0,
        bugsFixed: 0,
        remainingBugs: [],
        lessonsAdded: 0,
        unverified: ['W1: the tester: no usable reply'],
      },
    },
  ],
];
