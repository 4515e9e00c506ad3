/**
 * A complete `modules` run: a diamond of four modules where one is fixed by a debugger, one is sent back by its reviewer,
 * and the final review sends one file back; prefixes of it; and one where a module is blocked.
 */
import { agent, check, commitOf, effect, evidence, merge, opened, started, type Step } from './steps.ts';

interface Story {
  readonly title?: string;
  /** Said by agents wherever they may say something. */
  readonly words?: string;
  /** In runs of the first, what mends the final review's findings has its keys beside its task's. */
  readonly version?: number;
}

export function modulesStory({ title = 'Search the notes by words', words = 'as it should', version = 2 }: Story = {}) {
  const task = (id: string, name: string, depends: string[], more: object = {}) => ({
    id,
    title: name,
    objective: `${name}.`,
    depends,
    writes: [`src/${id}.js`, `test/${id}.test.js`],
    verify: ['npm test'],
    doneWhen: `${name} works`,
    ...more,
  });
  const tasks = [
    task('m1', 'Parse queries', [], { complexity: 'L' }),
    task('m2', 'Rank results', ['m1'], { writes: ['src/m2.js', 'src/shared.js'], costBudget: { maxRetries: 2 } }),
    task('m3', 'Mark the matching words', ['m1'], { writes: ['src/m3.js', 'src/shared.js'] }),
    task('m4', 'Search command', ['m2', 'm3'], { complexity: 'S' }),
  ];
  const plan = {
    objective: title,
    techStack: { language: 'JavaScript', testCommand: 'npm test', buildCommand: '', lintCommand: '' },
    tasks,
    decisions: ['No dependency'],
    risks: ['Large note files may be slow'],
  };
  const finding = (more: object = {}) => ({
    file: 'src/m2.js',
    line: 3,
    severity: 'error',
    category: 'contract-mismatch',
    element: 'rank',
    claim: `rank ignores its second argument, ${words}`,
    evidence: 'src/m4.js:3 calls rank(query, notes)',
    suggestion: '',
    ...more,
  });

  const planning: readonly Step[] = [
    [
      'run.created',
      '',
      {
        run: 'search-notes-x1y2',
        title,
        workflow: 'modules',
        workflowVersion: 1,
        base: commitOf('0'),
        branch: 'main',
        root: '/repo',
        input: {
          requirement: title,
          slug: 'search-notes',
          agents: { architect: 'worker', worker: 'worker' },
          parallel: 3,
        },
        settings: { agents: { worker: { driver: 'scripted', script: 's.json' } }, checks: { run: ['npm test'] } },
        forge: '0.1.0',
      },
    ],
    opened,
    ...agent('plan#1', {
      role: 'architect',
      reply: { techStack: plan.techStack, tasks, decisions: plan.decisions, risks: plan.risks },
      commit: commitOf('0'),
    }),
    ...effect(
      'forecast.make',
      'forecast',
      {},
      { text: 'about $2 to $5, 300k tokens, 20 minutes (a guess)', limits: '$10, 8 h', soft: ['worker'] },
    ),
    [
      'note.recorded',
      'proposal',
      {
        text: 'the plan as proposed',
        data: {
          slug: 'search-notes',
          requirement: title,
          plan,
          order: [['m1'], ['m2', 'm3'], ['m4']],
          warnings: ['m4: it has no test of its own'],
          knownRisks: [`Workers clobber shared files, ${words}`],
          knowledgeApplied: ['Tests of this project need NODE_ENV=test.'],
          dirty: ['src/m4.js', 'notes.txt'],
          dirtyOverlap: ['src/m4.js'],
          lite: false,
        },
      },
    ],
    [
      'question.asked',
      'approve',
      {
        title: 'Go ahead with this plan?',
        options: [
          { id: 'yes', label: 'Yes, start', recommended: true },
          { id: 'modify', label: 'Plan it differently (say how)' },
          { id: 'no', label: 'No, stop here' },
        ],
        freeText: true,
        topic: 'approval',
      },
    ],
  ];

  const approved: readonly Step[] = [
    ...planning,
    ['question.answered', 'approve', { option: 'yes' }],
    ['plan.accepted', 'plan', { plan }],
    ...check('baseline', 'passed', { passed: 4 }),
  ];

  const contracts = (key: string, failed: readonly string[] = []): Step[] =>
    effect(
      'contracts.check',
      key,
      {},
      {
        results: ['src/a.js', 'src/b.js', ...failed].map((file) => ({
          type: 'contract_check',
          passed: !failed.includes(file),
          file,
          line: 0,
          message: failed.includes(file) ? `expects what nobody exports, ${words}` : '',
          name: `contract ${file}`,
        })),
      },
    );
  const begun = (id: string, key = id): Step[] => [
    ['task.started', key, { task: id }],
    ...effect('integration.read', `${id}/base`, { task: id }, { commit: commitOf('0'), judge: commitOf('0') }),
  ];
  const worked = (id: string, more: { round?: number; reply?: object } = {}): Step[] =>
    agent(`${id}/develop#${more.round ?? 1}`, {
      role: 'worker',
      reply: { status: 'done', summary: `Did ${id}, ${words}`, filesChanged: [], ...more.reply },
      commit: commitOf('1'),
      changes: [{ path: `src/${id}.js`, status: 'added' }],
    });
  const reviewed = (key: string, findings: readonly object[] = []): Step[] =>
    agent(key, { role: 'reviewer', reply: { findings }, commit: commitOf('1') });
  const validated = (id: string, round = 1): Step[] => [
    ...contracts(`${id}/validate#${round}/contracts`),
    ...check(`${id}/validate#${round}/check`, 'passed', { passed: 6 }),
    ...evidence(`${id}/validate#${round}/evidence`, [
      { files: [`test/${id}.test.js`], result: 'red', reason: '1 test failed without the change.' },
    ]),
  ];
  const ended = (id: string, more: { commit?: string; data?: object; key?: string } = {}): Step => [
    'task.ended',
    more.key ?? id,
    {
      task: id,
      status: 'done',
      commit: more.commit ?? commitOf('2'),
      data: { attempts: 1, retries: 0, score: 1, notes: [], warnings: [], ...more.data } as unknown as null,
    },
  ];

  const first: readonly Step[] = [
    ...approved,
    ...begun('m1'),
    ...worked('m1'),
    ...reviewed('m1/review#1'),
    ...validated('m1'),
    ...merge('m1', commitOf('2'), { changed: ['src/m1.js'] }),
    ended('m1'),
  ];
  const failing: readonly Step[] = [
    ...first,
    ...begun('m2'),
    ...begun('m3'),
    ...worked('m2'),
    ...worked('m3'),
    ...reviewed('m2/review#1'),
    ...reviewed('m3/review#1', [
      finding({ file: 'src/m3.js', element: 'mark', claim: 'mark reads a name that nobody sets' }),
      finding({ file: 'src/m3.js', severity: 'warning', category: 'style', claim: 'a long line' }),
    ]),
    ...contracts('m2/validate#1/contracts', ['src/m2.js']),
    ...check('m2/validate#1/check', 'failed', { passed: 5, failing: ['rank'] }),
    ...effect('transcript.summarise', 'm2/tools#1', {}, {}),
    ...agent('m2/overseer#1', {
      role: 'overseer',
      reply: { classification: 'missing_context', evidence: 'It never read src/m1.js', suggested_unblock: '' },
    }),
  ];
  const midway: readonly Step[] = [
    ...failing,
    started('agent.run', 'm2/debug#1', { role: 'debugger', attempt: 1 }),
    started('agent.run', 'm3/develop#2', { role: 'worker', attempt: 1 }),
    [
      'effect.progressed',
      'm3/develop#2',
      { attempt: 1, note: 'waiting for the limit of worker until 2026-04-28T12:00:00.000Z' },
    ],
  ];
  const modules: readonly Step[] = [
    ...failing,
    ...agent('m2/debug#1', {
      role: 'debugger',
      reply: { status: 'done', summary: 'Mended.', rootCause: `a wrong sign, ${words}` },
      commit: commitOf('3'),
    }),
    ...worked('m3', { round: 2 }),
    ...reviewed('m2/debug#1/review'),
    ...reviewed('m3/review#2'),
    ...validated('m2', 2),
    ...validated('m3'),
    ...merge('m2', commitOf('4'), {
      changed: ['src/m2.js', 'src/extra.js'],
      flags: [{ path: 'src/extra.js', case: 'undeclared', action: 'allow', reason: 'not declared by m2' }],
    }),
    ended('m2', {
      commit: commitOf('4'),
      data: { attempts: 2, retries: 1, notes: [`cause: a wrong sign, ${words}`] },
    }),
    ...merge('m3', commitOf('5'), { changed: ['src/m3.js'] }),
    ended('m3', {
      commit: commitOf('5'),
      data: {
        warnings: [finding({ file: 'src/m3.js', severity: 'warning', category: 'style', claim: 'a long line' })],
      },
    }),
    ...begun('m4'),
    ...worked('m4'),
    ...reviewed('m4/review#1'),
    ...validated('m4'),
    ...merge('m4', commitOf('6'), { changed: ['src/m4.js'] }),
    ended('m4', { commit: commitOf('6') }),
  ];
  const lenses = (round: number, found: Readonly<Record<string, readonly object[]>>): Step[] => [
    ...effect('diff.read', `final/diff#${round}`, {}, { text: '', cut: false }),
    ...['A', 'B', 'C'].flatMap((lens): Step[] => [
      ['task.started', `final/review#${round}/${lens}`, { task: lens }],
      ...agent(`final/review#${round}/${lens}`, { role: 'auditor', reply: { findings: found[lens] ?? [] } }),
    ]),
    ...['A', 'B', 'C'].map(
      (lens): Step => ['task.ended', `final/review#${round}/${lens}`, { task: lens, status: 'done' }],
    ),
  ];
  const odd = finding({
    file: 'src/m1.js',
    severity: 'warning',
    category: 'style',
    element: 'x',
    claim: 'an odd name',
  });
  const reviewing: readonly Step[] = [
    ...modules,
    ...lenses(1, { A: [finding(), odd], B: [finding({ line: 6, severity: 'warning', category: 'race' })] }),
  ];
  const complete: readonly Step[] = [
    ...reviewing,
    ...begun('F1-1', 'final/fix#1/F1-1'),
    ...worked('F1-1'),
    ...reviewed('F1-1/review#1'),
    ...validated('F1-1'),
    ...merge('F1-1', commitOf('7'), { changed: ['src/m2.js'] }),
    ended('F1-1', { commit: commitOf('7'), key: 'final/fix#1/F1-1' }),
    ...lenses(2, { A: [odd] }),
    ...agent('learn', {
      role: 'learner',
      reply: { lessons: [{ category: 'convention', keywords: ['rank'], text: `Ranks are numbers, ${words}` }] },
    }),
    ...effect('memory.save', 'save', {}, { added: 1, merged: 0, files: [] }),
    ...effect(
      'branch.publish',
      'publish',
      { commit: commitOf('7') },
      { ref: 'refs/heads/forge/search-notes-x1y2', after: commitOf('7') },
    ),
    ['run.ended', '', { status: 'done', output: { lessonsAdded: 1, branch: 'forge/search-notes-x1y2' } }],
  ];
  const blocked: readonly Step[] = [
    ...first,
    ...begun('m2'),
    ...begun('m3'),
    ...worked('m3', { reply: { status: 'blocked', blocker: 'There is no network' } }),
    ['task.ended', 'm3', { task: 'm3', status: 'blocked', reason: 'There is no network', commit: commitOf('1') }],
    ['task.ended', 'm4', { task: 'm4', status: 'skipped', reason: 'depends on m3, which is blocked' }],
    ...worked('m2'),
    ...reviewed('m2/review#1'),
    ...contracts('m2/validate#1/contracts'),
    ...check('m2/validate#1/check', 'failed', { passed: 5, failing: ['rank'] }),
    ['task.ended', 'm2', { task: 'm2', status: 'failed', reason: 'gave up after 1 attempts', commit: commitOf('1') }],
    ['run.ended', '', { status: 'failed', reason: 'm2: gave up after 1 attempts; m3: There is no network' }],
  ];
  const nested = ([type, key, data]: Step): Step =>
    [type, version === 1 ? key : key.replace(/^F1-1(?=\/)/, 'final/fix#1/F1-1'), data] as Step;
  return { planning, approved, midway, reviewing, complete: complete.map(nested), blocked };
}
