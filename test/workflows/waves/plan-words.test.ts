/** A person who wants another plan says so in words; the planner hears them, with the plan they were shown. */
import { expect, it } from 'vitest';
import { planWaves } from '../../../src/workflows/waves/plan-waves.ts';
import { wavesInputSchema } from '../../../src/workflows/waves/waves-input.ts';
import { play, ran, report } from '../moves/support.ts';

const agents = { planner: 'a', developer: 'a', tester: 'a', learner: 'a' };
const planned = (title: string) => ({
  overview: { techStack: 'node', architecture: '', businessLogic: '', keyDecisions: [] },
  tasks: [{ id: 'T1', title, writes: ['a.js'], verify: ['npm test'] }],
  waves: [['T1']],
  clarifications: [],
  knowledgeApplied: [],
  risks: [],
});

it('is planned again, asked about again, and only then approved', async () => {
  const input = wavesInputSchema.parse({ requirement: 'Search', slug: 'search', agents });
  const played = await play(
    (bench) => planWaves(bench, input, report()),
    {
      'memory.recall': [{ lessons: [], problems: [] }],
      'agent.run': [ran(1, planned('Guess')), ran(1, planned('Ask first'))],
      'forecast.make': () => ({ text: '', limits: 'no limit', soft: [] }),
    },
    { approve: 'modify', 'approve#2': 'yes' },
  );
  expect(played.end).toMatchObject({
    status: 'done',
    output: { status: 'approved', plan: { tasks: [{ title: 'Ask first' }] } },
  });
  expect(played.questions).toEqual(['approve', 'approve#2']);
  const again = played.asked.find(({ key }) => key === 'plan#2')?.input['prompt'] as string;
  expect(again).toContain('asks for this');
  expect(again).toContain('"title": "Guess"');
});
