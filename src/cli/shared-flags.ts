/** Flags that several commands have, with the same meaning everywhere. Nothing is imported here but types. */
import type { OptionSpec, OptionSpecs } from '../workflows/workflow-options.ts';
import type { CommandFlag } from './commands.ts';

export const jsonFlag: CommandFlag = { summary: 'print data for scripts' };
export const factsFlag: CommandFlag = { summary: 'print one fact per line' };
export const intoFlag: CommandFlag = { value: 'branch', summary: 'move this branch of yours to the result at the end' };
export const agentFlag: CommandFlag = { value: 'name', summary: 'let this agent do all the work from now on' };
export const yesFlag: CommandFlag = { short: 'y', summary: 'take the recommended answers' };
export const newestFlag: CommandFlag = {
  short: 'y',
  summary: 'do not ask; without a name, take the newest run that fits',
};
export const takeOverFlag: CommandFlag = { summary: 'take it from a process on a host that is gone for good' };
export const detachFlag: CommandFlag = { short: 'd', summary: 'run in the background' };
export const parallelFlag: CommandFlag = { value: 'n', summary: 'how many tasks may run at once' };

/** The options of a workflow as flags. */
export function optionFlags(options: OptionSpecs): Readonly<Record<string, CommandFlag>> {
  return Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, optionFlag(spec)]));
}

function optionFlag(spec: OptionSpec): CommandFlag {
  if (spec.type === 'boolean') return { summary: spec.summary };
  const words = spec.type === 'choice' ? spec.choices.join('|') : '';
  // More words than a line of help can hold are named in the summary.
  const value = spec.type === 'choice' ? (words.length > 14 ? 'choice' : words) : (spec.placeholder ?? spec.type);
  return { value, summary: spec.summary };
}
