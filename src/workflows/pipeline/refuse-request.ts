/** Requests that cannot work, told before a run begins: unknown ids, modes and parts. Nothing is started for a slip. */
import { ForgeError } from '../../errors.ts';
import { executionModes } from '../../pipelines/sprint-order.ts';
import { didYouMean, didYouMeanId } from '../../records/suggest-words.ts';
import type { WorkflowRequest } from '../definition.ts';
import type { pipelineOptions } from './definition.ts';
import { readIds } from './pipeline-input.ts';

export const pipelineParts = ['run', 'intake', 'plan', 'review', 'retro', 'enhance'] as const;

export function refuseRequest({ argument, options, repository }: WorkflowRequest<typeof pipelineOptions>): void {
  refuseWord('--do', options.do, pipelineParts);
  refuseWord('--mode', options.mode, executionModes);
  // A wish is not an id.
  if (options.do === 'intake' || options.do === 'enhance') return;
  const known = repository.records();
  const missing = readIds(argument).filter((id) => !known.includes(id));
  const [first] = missing;
  if (first === undefined) return;
  const place =
    known.length === 0
      ? 'There are no records yet. Begin with forge sprint new "<wish>".'
      : 'See forge store list task, bug or sprint.';
  throw new ForgeError('record-refused', `There is no record ${missing.join(', ')}`, {
    hint: didYouMeanId(first, known) || place,
  });
}

function refuseWord(flag: string, word: string | undefined, words: readonly string[]): void {
  if (word === undefined || words.includes(word)) return;
  throw new ForgeError('bad-input', `${flag} cannot be ${JSON.stringify(word)}`, {
    hint: [didYouMean(word, words), `Use one of ${words.join(', ')}.`].filter(Boolean).join(' '),
  });
}
