/**
 * How answers of some operations are worded for models: what such tools have always answered, or what fits a conversation.
 * Everything else is answered as the operation gave it. Pure.
 */
import type { JsonOf } from '../api/operation.ts';
import type { OperationName, OperationOutput } from '../api/registry.ts';

type Wording<N extends OperationName> = (output: JsonOf<OperationOutput<N>>) => unknown;

const wordings: { readonly [N in OperationName]?: Wording<N> } = {
  'list-runs': (runs) => ({ runs }),
  'report-run': ({ text }) => text,
  'answer-question': ({ run, answers }) => ({ run, answers }),
  'recall-lessons': ({ lessons, isFallback, problems }) => ({
    memories: lessons.map(({ text, scope, date, ...lesson }) => ({
      ...lesson,
      pattern: text,
      scope: scope === 'user' ? 'global' : 'project',
      timestamp: date,
    })),
    ...(lessons.length === 0 ? { message: 'No memories found.' } : {}),
    ...(lessons.length > 0 && isFallback
      ? { message: `No keyword matches. Showing the ${lessons.length} that were used most.` }
      : {}),
    ...(problems.length === 0 ? {} : { problems }),
  }),
  'save-lesson': ({ status, scope, category, pattern }) =>
    status === 'saved'
      ? `Saved to ${scope} memory [${category}]: ${pattern}`
      : `Duplicate pattern already in ${scope} memory, skipped.`,
  'iteration-state': (answer) => {
    if (answer.action === 'get') return answer.state;
    if (answer.action === 'update') return { updated: true, attempt: answer.attempt, stagnant: answer.stagnant };
    return `Reset iteration state for ${answer.moduleId}${answer.runId === undefined ? '' : ` (run ${answer.runId})`}`;
  },
  'run-events': ({ runId, entries }) => ({
    runId: runId ?? null,
    entries,
    total: entries.length,
    ...(entries.length > 0 ? {} : { message: runId === undefined ? 'No logs found.' : `No entries for ${runId}.` }),
  }),
};

export function answersOf(operation: string): (output: unknown) => unknown {
  const wording = Object.hasOwn(wordings, operation) ? wordings[operation as OperationName] : undefined;
  return (wording as ((output: unknown) => unknown) | undefined) ?? ((output) => output);
}
