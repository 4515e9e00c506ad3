/** Comments on lines go where a run can use them: into its plan, into another round, or into a run that follows. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { answerQuestion } from '../../src/api/answer-question.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { requestChanges } from '../../src/api/request-changes.ts';
import { developed, makeProject, type Project, plan, script, until } from '../cli/support.ts';

const asks = `import { z } from 'zod';

export const workflow = {
  name: 'asks',
  version: 1,
  argument: { name: 'record', kind: 'text', summary: 'the name of a record' },
  roles: { developer: { result: z.object({ summary: z.string() }).loose(), access: 'write' } },
  async run(bench) {
    const { agents, requirement } = bench.run.input;
    const resultSchema = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] };
    const options = [{ id: 'again', label: 'Go on (say how)' }, { id: 'stop', label: 'Stop', recommended: true }];
    let prompt = requirement;
    for (let round = 1; ; round += 1) {
      const { commit } = await bench.perform('agent.run', 'T1/develop#' + round, {
        agent: agents.developer, role: 'developer', task: 'T1', attempt: round, workspace: 'T1',
        commit: bench.run.base, prompt, resultSchema,
      });
      const answer = await bench.ask('T1/decide#' + round, { title: 'Good?', options, freeText: true, topic: 'decision' });
      if (answer.option === 'stop') return { status: 'done', output: { commit } };
      prompt = answer.text ?? '';
    }
  },
};
`;

const comments = [{ path: 'src/mul.js', line: 1, quote: 'export const mul', text: 'Say what it returns' }];
const words = 'Change this:\n- src/mul.js:1 (`export const mul`): Say what it returns';

const removed = [{ path: 'src/add.js', line: 1, isRemoved: true, quote: 'export const add', text: 'Keep it' }];
const wordsOfRemoved = 'Change this:\n- src/add.js:1 before the change, removed (`export const add`): Keep it';

const worker = {
  where: 'apart' as const,
  program: process.execPath,
  args: [resolve(import.meta.dirname, '../../dist/cli/work-child.js')],
};

function send(project: Project, run: string, about: readonly object[] = comments) {
  const context = openContext({ cwd: project.root, env: project.env, worker });
  return performOperation(requestChanges, context, { run, comments: about });
}

function creationOf(project: Project, run: string): unknown {
  const [created] = project.facts(run) as unknown as readonly { readonly data: unknown }[];
  return created?.data;
}

function answersOf(project: Project, run: string): readonly unknown[] {
  const facts = project.facts(run) as readonly { readonly type: string; readonly data?: unknown }[];
  return facts.flatMap(({ type, data }) => (type === 'question.answered' ? [data] : []));
}

function asked(project: Project, run: string, times: number): Promise<unknown> {
  const count = (): number => project.facts(run).filter(({ type }) => type === 'question.asked').length;
  return until(() => count() >= times, `question ${times} of ${run}`);
}

it('a plan that waits for approval is planned again with them', async () => {
  const project = makeProject({
    script: [
      { when: { role: 'planner' }, do: [{ reply: plan }] },
      { when: { role: 'planner' }, do: [{ reply: plan }] },
      ...script(),
    ],
  });
  await project.forge('run', 'Add a multiplication');
  const [run = ''] = project.runs();
  await asked(project, run, 1);
  expect(await send(project, run)).toMatchObject({ how: 'answered', run });
  await asked(project, run, 2);
  expect(answersOf(project, run)).toEqual([{ option: 'modify', text: words, by: 'person' }]);
  await project.forge('cancel', run);
});

it('work that waits for a decision goes another round with them; a run that is over is followed by another', async () => {
  const project = makeProject({
    script: [...[1, 2, 3].map(() => ({ when: { role: 'developer' }, do: developed })), ...script()],
    files: { '.forge/workflows/asks.mjs': asks },
  });
  await project.forge('run', 'R-1', '--workflow', 'asks');
  const [run = ''] = project.runs();
  await asked(project, run, 1);
  expect(await send(project, run)).toMatchObject({ how: 'answered', run, question: 'T1/decide#1' });
  await asked(project, run, 2);
  expect(answersOf(project, run)).toEqual([{ text: words, by: 'person' }]);

  // Two people answer at once: one answer counts, and the other person is told.
  const context = openContext({ cwd: project.root, env: project.env, worker });
  const both = [{ option: 'again', text: 'Faster' }, { text: 'Slower' }];
  const ends = await Promise.allSettled(
    both.map((answer) => performOperation(answerQuestion, context, { run, question: 'T1/decide#2', ...answer })),
  );
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [late] = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  expect(late).toMatch(/Somebody else answered first|asks nothing|does not ask/);
  await asked(project, run, 3);

  // Nothing was merged, so there is nothing a run could follow from.
  const stopped = await project.forge('answer', run, '--option', 'stop');
  expect({ code: stopped.code, said: stopped.stderr }).toEqual({ code: 0, said: '' });
  await until(() => project.facts(run).some(({ type }) => type === 'run.ended'), 'its end');
  await expect(send(project, run)).rejects.toThrow('so there is no result to change');

  // What was merged is where the next run begins.
  await project.forge('run', 'Add a multiplication', '--yes');
  const built = project.runs().find((name) => name !== run) ?? '';
  const follow = await send(project, built);
  expect(follow.how).toBe('started');
  await asked(project, follow.run, 1);
  expect(creationOf(project, follow.run)).toMatchObject({ workflow: 'waves', input: { requirement: words } });
  await project.forge('cancel', follow.run);
});

it('a run of which nothing was merged is asked again, with what was wrong', async () => {
  const broken = [...developed.slice(0, -1), { crash: 3 }];
  const planned = { when: { role: 'planner' }, do: [{ reply: plan }] };
  const project = makeProject({
    script: [planned, { when: { role: 'developer' }, repeat: true, do: broken }, planned, ...script()],
  });
  expect((await project.forge('run', 'Add a multiplication', '--yes')).code).toBe(1);
  const [run = ''] = project.runs();
  const again = await send(project, run, removed);
  expect(again).toMatchObject({ how: 'started', from: project.git('rev-parse', 'main') });
  await asked(project, again.run, 1);
  const intro = 'An earlier run tried this, and nothing of it was merged. Its work had these faults.';
  expect(creationOf(project, again.run)).toMatchObject({
    workflow: 'waves',
    input: { requirement: `Add a multiplication\n\n${intro}\n\n${wordsOfRemoved}` },
  });
  await project.forge('cancel', again.run);
});
