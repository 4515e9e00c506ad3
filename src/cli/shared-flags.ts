/** Flags that several commands have, with the same meaning everywhere. Nothing is imported here but types. */
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
