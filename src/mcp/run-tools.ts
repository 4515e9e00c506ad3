/**
 * Forge's own operations as tools: begin a run, see where it stands, answer it, wait for it, pause, resume, retry and
 * end it. Runs are worked on by processes of their own, which stay when the client leaves.
 */
import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestion, askingRun } from '../api/answer-question.ts';
import { cancelRun } from '../api/cancel-run.ts';
import { editablePlan } from '../api/editable-plan.ts';
import { listRuns } from '../api/list-runs.ts';
import { perform } from '../api/operation.ts';
import { pauseRun } from '../api/pause-run.ts';
import { resumableRun } from '../api/resume-run.ts';
import { retryableRun } from '../api/retry-run.ts';
import { runStatus } from '../api/run-status.ts';
import { findSameWork, prepareRun, startRun } from '../api/start-run.ts';
import { ForgeError } from '../errors.ts';
import { builtinDefinitions, defaultWorkflow } from '../workflows/registry.ts';
import { launch } from './launch.ts';
import { adds, ends, looksOnly, type ServerTool, serverTool, type ToolWork } from './tool.ts';

const run = z
  .string()
  .min(1)
  .max(128)
  .describe('its name, or the beginning or end of it; without it, the newest run that fits')
  .optional();
const budget = z.string().max(200).describe('such as $5, 200k tokens, 2h; several with commas').optional();

const workflowNames = `${builtinDefinitions.map(({ name }) => name).join(', ')}, or one of the project`;
const workflowOptionNames = builtinDefinitions
  .flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { summary }]) => `${option} (${name}): ${summary}`),
  )
  .join('; ');

/** One argument of a process is not longer than this. */
const longestRequirement = 100_000;

const start = serverTool({
  name: 'forge_run',
  title: 'Start a run',
  description:
    'Turns a requirement into a verified branch, in a process of its own that goes on when you leave. It asks before it builds: follow it with forge_wait, and answer with forge_answer. The same requirement on the same commit goes on with the run that was begun with it, unless fresh.',
  input: z.strictObject({
    requirement: z.string().min(1).max(longestRequirement),
    workflow: z.string().max(128).describe(workflowNames).default(defaultWorkflow),
    agent: z.string().max(128).describe('one agent for all roles').optional(),
    planOnly: z.boolean().describe('leave it when its plan is ready; answer it to go on').default(false),
    options: z
      .record(z.string(), z.union([z.boolean(), z.number(), z.string()]))
      .describe(workflowOptionNames)
      .default({}),
    parallel: z.number().int().min(1).max(64).optional(),
    budget,
    yes: z.boolean().describe('take the recommended answers, also to the plan, without asking').default(false),
    fresh: z.boolean().default(false),
  }),
  hints: adds,
  call: async (args, work) => {
    const { context } = work;
    const { requirement, workflow, agent, planOnly, options, yes, parallel } = args;
    if (Buffer.byteLength(requirement) > longestRequirement) {
      throw new ForgeError('bad-input', 'The requirement is too long', {
        hint: 'Put it into a file of the project and name that.',
      });
    }
    const request = { requirement, workflow, planOnly, options, ...(agent === undefined ? {} : { agent }) };
    const prepared = await prepareRun(await context.forge(), startRun.input.parse(request), context.env);
    const same = args.fresh ? undefined : await findSameWork(context, prepared);
    if (same !== undefined) return { ...(await resume(work, same.run, { yes, planOnly })), resumed: true };
    const given = Object.entries(options).filter(([, value]) => value !== false);
    const begun = await launch(work, {
      run: prepared.run,
      command: 'run',
      values: {
        'as-run': prepared.run,
        workflow,
        agent,
        budget: args.budget,
        parallel: parallel === undefined ? undefined : String(parallel),
        ...Object.fromEntries(given.flatMap(([name, value]) => (value === true ? [] : [[name, String(value)]]))),
      },
      switches: {
        'plan-only': planOnly,
        yes,
        fresh: args.fresh,
        ...Object.fromEntries(given.flatMap(([name, value]) => (value === true ? [[name, true]] : []))),
      },
      words: [requirement],
    });
    return { ...begun, resumed: false, notices: (await context.forge()).notices };
  },
});

const list = serverTool({
  name: 'forge_list',
  title: 'List runs',
  description: 'The runs of this repository, newest first, with where each stands.',
  input: listRuns.input,
  hints: looksOnly,
  call: async (_args, { context }) => ({ runs: await perform(listRuns, context, {}) }),
});

const status = serverTool({
  name: 'forge_status',
  title: 'Where a run stands',
  description: 'One run: status, tasks with their outcomes, open questions, what was spent, and what came of it.',
  input: z.strictObject({ run }),
  hints: looksOnly,
  call: async (args, { context }) => (await perform(runStatus, context, args)).report,
});

const questions = serverTool({
  name: 'forge_questions',
  title: 'What runs ask',
  description:
    'Every open question, of one run or of all: its key, title, detail and options; with the plan where one is to be approved, and the same as text that can be edited and sent back. Answer with forge_answer.',
  input: z.strictObject({ run }),
  hints: looksOnly,
  call: async (args, { context }) => {
    const runs = await perform(listRuns, context, {});
    const asking =
      args.run === undefined ? runs.filter((line) => line.questions.length > 0).map((line) => line.run) : [args.run];
    const found = await Promise.all(asking.map((one) => perform(runStatus, context, { run: one })));
    return {
      questions: found.flatMap(({ report, chronicle }) =>
        report.questions.map((question) => ({
          run: report.run,
          ...question,
          ...(question.plan === undefined ? {} : { editablePlan: editablePlan(chronicle) }),
        })),
      ),
    };
  },
});

const answer = serverTool({
  name: 'forge_answer',
  title: 'Answer a run',
  description:
    'Answers what a run asks, with one of the options, with text (for a plan: the edited plan), or with what is recommended; the run then goes on by itself.',
  input: z.strictObject({
    run,
    question: z.string().max(256).describe('its key; may be left out when only one is open').optional(),
    option: z.string().max(256).optional(),
    text: z
      .string()
      .max(1024 * 1024)
      .optional(),
    recommended: z.boolean().default(false),
  }),
  hints: adds,
  call: async (args, work) => {
    const { context } = work;
    const { run: name } = await askingRun(context, { run: args.run, question: args.question });
    if (args.option === undefined && args.text === undefined && !args.recommended) {
      throw new ForgeError('bad-input', 'There is no answer', { hint: 'Give option, text or recommended.' });
    }
    const { answers } = await perform(answerQuestion, context, { ...args, run: name, resume: false });
    const keys = answers.map((one) => one.question);
    await untilTaken(work, name, keys);
    return { run: name, answers };
  },
});

const looksMs = 100;
const mostLooks = 100;

/**
 * A process at work takes answers from its inbox a moment later, one that was started for them too; whoever waits next
 * must not meet the old question. It may also leave before it looks: then another one goes on.
 */
async function untilTaken(work: ToolWork, name: string, keys: readonly string[]): Promise<void> {
  for (let looks = 0; looks < mostLooks && !work.signal.aborted; looks += 1) {
    const { report, isHeld } = await perform(runStatus, work.context, { run: name });
    if (!report.questions.some((question) => keys.includes(question.key))) return;
    if (isHeld) await sleep(looksMs);
    else await resume(work, name, {});
  }
}

const pause = serverTool({
  name: 'forge_pause',
  title: 'Pause a run',
  description: 'Lets a run rest until forge_resume; what agents have done so far is captured.',
  input: z.strictObject({ run }),
  hints: { ...adds, idempotentHint: true },
  call: (args, { context }) => perform(pauseRun, context, args),
});

const cancel = serverTool({
  name: 'forge_cancel',
  title: 'End a run',
  description:
    'Ends a run for good: it can not be resumed. What it merged and captured stays. To stop it for now, use forge_pause.',
  input: z.strictObject({
    run: run.unwrap().describe('its name, or the beginning or end of it'),
    reason: z.string().max(2000).optional(),
  }),
  hints: ends,
  call: (args, { context }) => perform(cancelRun, context, args),
});

const resumeTool = serverTool({
  name: 'forge_resume',
  title: 'Go on with a run',
  description: 'Goes on with a run that was paused, interrupted or stopped, in a process of its own.',
  input: z.strictObject({ run, budget, yes: z.boolean().default(false) }),
  hints: adds,
  call: async (args, work) => {
    const { run: name } = await resumableRun(work.context, args.run);
    return resume(work, name, { yes: args.yes, budget: args.budget });
  },
});

const retry = serverTool({
  name: 'forge_retry',
  title: 'Try a task again',
  description:
    'Tries a task (or module, or wave) again that was not done, or everything that failed, and goes on with the run.',
  input: z.strictObject({
    run,
    task: z.string().min(1).max(128).describe('without it, everything that failed').optional(),
    yes: z.boolean().default(false),
  }),
  hints: adds,
  call: async (args, work) => {
    const { run: name } = (await retryableRun(work.context, args.run, args.task)).listing;
    const words = args.task === undefined ? [name] : [name, args.task];
    return launch(work, { run: name, command: 'retry', switches: { yes: args.yes }, words });
  },
});

interface ResumeWishes {
  readonly yes?: boolean;
  readonly planOnly?: boolean;
  readonly budget?: string | undefined;
}

function resume(work: ToolWork, name: string, wishes: ResumeWishes) {
  const { yes = false, planOnly = false, budget: limit } = wishes;
  const switches = { yes, 'plan-only': planOnly };
  return launch(work, { run: name, command: 'resume', values: { budget: limit }, switches, words: [name] });
}

export const runTools: readonly ServerTool[] = [
  start,
  list,
  status,
  questions,
  answer,
  pause,
  cancel,
  resumeTool,
  retry,
];
