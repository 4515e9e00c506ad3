/**
 * Tools for somebody who coordinates modules on their own, from inside a client: validate a plan and a module, remember,
 * keep count of attempts, look at logs, save where they are.
 */
import { iterationState } from '../api/iteration-state.ts';
import { perform } from '../api/operation.ts';
import { recallLessons, scopeName } from '../api/recall-lessons.ts';
import { runEvents } from '../api/run-events.ts';
import { saveLesson } from '../api/save-lesson.ts';
import { sessionState } from '../api/session-state.ts';
import { validateModule } from '../api/validate-module.ts';
import { validatePlan } from '../api/validate-plan.ts';
import { adds, looksOnly, type ServerTool, serverTool } from './tool.ts';

const validate = serverTool({
  name: 'validate',
  title: 'Validate a module',
  description:
    'Checks files, syntax, contracts between files, then runs the commands, and says whether another attempt is worth it: PASS, RETRY_WITH_DEBUGGER or ESCALATE. What is in cwd now is measured on a copy, in a jail, so nothing there is changed; commands are argument lists without a shell; package scripts and runner configuration count as they are in the last commit unless acceptScripts is set. Counts one attempt of the module.',
  input: validateModule.input,
  hints: adds,
  call: async (args, { context, signal, progress }) => {
    const prepared = await perform(validateModule, context, args);
    let started = 0;
    return prepared.perform({
      signal,
      started: () => {
        started += 1;
        progress(`command ${started} started`);
      },
    });
  },
});

const validatePlanTool = serverTool({
  name: 'validate_plan',
  title: 'Validate a plan',
  description:
    'Says whether a plan of modules can be run: required fields, dependency cycles, unknown dependencies, paths, commands that need a shell or are not installed; warns of files that modules without an order between them both change. Reads planPath, the plan itself, or the newest file in .forge/plans.',
  input: validatePlan.input,
  hints: looksOnly,
  call: (args, { context }) => perform(validatePlan, context, args),
});

const memoryRecall = serverTool({
  name: 'memory_recall',
  title: 'Recall lessons',
  description:
    'Lessons of earlier work that have to do with a query, best first: of this project, of all of yours (global), or both.',
  input: recallLessons.input,
  hints: looksOnly,
  call: async (args, { context }) => {
    const { lessons, isFallback, problems } = await perform(recallLessons, context, args);
    const memories = lessons.map(({ text, scope, date, ...lesson }) => ({
      ...lesson,
      pattern: text,
      scope: scopeName(scope),
      timestamp: date,
    }));
    const message =
      memories.length === 0
        ? 'No memories found.'
        : isFallback
          ? `No keyword matches for ${JSON.stringify(args.query)}. Showing the ${memories.length} that were used most.`
          : undefined;
    return { memories, ...(message === undefined ? {} : { message }), ...(problems.length === 0 ? {} : { problems }) };
  },
});

const memorySave = serverTool({
  name: 'memory_save',
  title: 'Save a lesson',
  description:
    'Keeps one lesson for later work, in a Markdown file that a person can read and edit. One that is known already is not added again.',
  input: saveLesson.input.omit({ date: true }),
  hints: { ...adds, idempotentHint: true },
  call: async (args, { context }) => {
    const { status, scope } = await perform(saveLesson, context, args);
    return status === 'saved'
      ? `Saved to ${scope} memory [${args.category}]: ${args.pattern}`
      : `Duplicate pattern already in ${scope} memory, skipped.`;
  },
});

const iterationStateTool = serverTool({
  name: 'iteration_state',
  title: 'Attempts at a module',
  description:
    'How often a module was tried, with scores, issues and root causes: get it, add an attempt (update), or begin anew (reset). For a run of Forge the journal tells.',
  input: iterationState.input,
  hints: adds,
  call: async (args, { context }) => {
    const answer = await perform(iterationState, context, args);
    if (answer.action === 'get') return answer.state;
    if (answer.action === 'update') return { updated: true, attempt: answer.attempt, stagnant: answer.stagnant };
    return `Reset iteration state for ${args.moduleId}${args.runId === undefined ? '' : ` (run ${args.runId})`}`;
  },
});

const forgeLogs = serverTool({
  name: 'forge_logs',
  title: 'What a run wrote down',
  description:
    'Entries of a run, newest last, by module, phase (planning, execution, review, validation, retry, integration, memory, session) and severity. The newest run when none is named.',
  input: runEvents.input,
  hints: looksOnly,
  call: async (args, { context }) => {
    const { runId, entries } = await perform(runEvents, context, args);
    const message =
      entries.length > 0 ? {} : { message: runId === undefined ? 'No logs found.' : `No entries for ${runId}.` };
    return { runId: runId ?? null, entries, total: entries.length, ...message };
  },
});

const sessionStateTool = serverTool({
  name: 'session_state',
  title: 'Save and find a session',
  description:
    'Saves the state of your own coordination under a runId, loads it again, or lists what there is, runs of Forge included; those with completedCount < totalCount can be gone on with.',
  input: sessionState.input,
  hints: { ...adds, idempotentHint: true },
  call: (args, { context }) => perform(sessionState, context, args),
});

export const moduleTools: readonly ServerTool[] = [
  validate,
  validatePlanTool,
  memoryRecall,
  memorySave,
  iterationStateTool,
  forgeLogs,
  sessionStateTool,
];
