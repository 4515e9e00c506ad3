/**
 * A wish becomes a sprint: the product manager asks what only a person can say, all at once, and proposes a goal with
 * requirements; a person agrees, changes it in words, or stops. Questions wait as long as need be, across restarts.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { nextId } from '../../pipelines/next-id.ts';
import type { Section } from '../../policy/sections.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { askOpenQuestions, type ConfirmedDecision } from '../moves/plan-with-person.ts';
import { askLead, dropLead } from './ask-lead.ts';
import type { PipelineInput } from './pipeline-input.ts';
import { type IntakeResult, intakeResult } from './role-results.ts';
import { pipelineRoles } from './roles.ts';

const mostRounds = 6;

export async function runIntake(bench: Bench, input: PipelineInput): Promise<WorkflowResult> {
  const { base } = bench.run;
  const answers: ConfirmedDecision[] = [];
  let asked = false;
  let wish = '';
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await askLead(bench, `intake#${round}`, {
      input,
      role: 'product-manager',
      result: intakeResult,
      commit: base,
      sections: sectionsOf(input.requirement, answers, wish),
      task: asked ? 'Write the sprint. Ask nothing more.' : 'Ask what you have to know, or write the sprint at once.',
      describe: (result) => pipelineRoles['product-manager'].describe?.(result) ?? { status: 'done' },
    });
    if (answer.status !== 'accepted')
      return { status: 'failed', reason: `there is no sprint: ${explainAnswer(answer)}` };
    const { result } = answer;
    if (result.questions.length > 0 && !asked) {
      asked = true;
      answers.push(...(await askOpenQuestions(bench, result.questions, 'intake')));
      continue;
    }
    const decided = await bench.ask(`sprint#${round}`, agreement(result));
    if (decided.option === 'no') return { status: 'failed', reason: 'the sprint was not wanted' };
    if (decided.option === 'yes' && decided.text === undefined) {
      await dropLead(bench, 'product-manager', base);
      return writeSprint(bench, result);
    }
    asked = true;
    wish = decided.text ?? 'Write it differently.';
  }
  return { status: 'failed', reason: `no sprint was agreed on in ${mostRounds} rounds` };
}

function sectionsOf(text: string, answers: readonly ConfirmedDecision[], wish: string): readonly Section[] {
  const answered = answers.map(({ question, answer }) => `- ${question}\n  ${answer}`).join('\n');
  return [
    { title: 'The wish', text, budget: 40_000 },
    ...(answered === '' ? [] : [{ title: 'What was answered', text: answered, budget: 12_000 }]),
    ...(wish === '' ? [] : [{ title: 'What has to be different', text: wish, budget: 4_000 }]),
  ];
}

function agreement({ title, goal, requirements }: IntakeResult) {
  return {
    title: 'Write this sprint?',
    options: [
      { id: 'yes', label: 'Yes, write the record', recommended: true },
      { id: 'modify', label: 'Change it (say how)' },
      { id: 'no', label: 'No, stop here' },
    ],
    freeText: true,
    topic: 'approval',
    page: {
      title,
      sections: [
        { title: 'Goal', isBrief: true, blocks: [{ type: 'text' as const, text: goal }] },
        { title: 'Requirements', isBrief: true, blocks: [{ type: 'list' as const, items: [...requirements] }] },
      ],
    },
  };
}

/** Someone else may take an id between reading and writing: then the next one is tried. */
const mostIds = 5;

type WrittenSprint =
  | { readonly status: 'written'; readonly sprint: string; readonly title: string }
  | { readonly status: 'refused'; readonly reason: string };

async function writeSprint(bench: Bench, result: IntakeResult): Promise<WorkflowResult> {
  const written = await bench.step('record', { kind: 'record', title: 'Sprint', end: describeWritten }, () =>
    writeRecord(bench, result),
  );
  if (written.status === 'refused') return { status: 'failed', reason: written.reason };
  return { status: 'done', output: { sprint: written.sprint, next: `forge sprint plan ${written.sprint}` } };
}

function describeWritten(written: WrittenSprint): StepEndInput {
  if (written.status === 'refused') return { status: 'failed', detail: written.reason };
  const { sprint, title } = written;
  return { status: 'done', detail: `wrote ${sprint}, ${title}. Plan it next: forge sprint plan ${sprint}` };
}

async function writeRecord(bench: Bench, { title, goal, requirements }: IntakeResult): Promise<WrittenSprint> {
  let why = '';
  for (let round = 1; round <= mostIds; round += 1) {
    const key = round === 1 ? '' : `#${round}`;
    const { at, ids, engineering } = await bench.perform('records.read', `known${key}`, { ids: [] });
    const sprintId = nextId(ids['sprint'] ?? [], 'S', 2);
    const after = {
      sprintId,
      title,
      status: 'planning',
      taskIds: [],
      createdAt: at,
      goal,
      description: requirements.map((one) => `- ${one}`).join('\n'),
      path: `${engineering}/sprints/${sprintId}`,
    };
    const { records } = await bench.perform('records.write', `sprint${key}`, {
      at,
      records: [{ entity: 'sprint', id: sprintId, before: null, after }],
    });
    const [answer] = records;
    if (answer?.status === 'written') return { status: 'written', sprint: sprintId, title };
    why = answer?.problem || `${sprintId} was taken meanwhile`;
    if (answer?.status !== 'conflict') break;
  }
  return { status: 'refused', reason: `the sprint was not written: ${why}` };
}
