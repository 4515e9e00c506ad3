/** Flags that several commands have, with the same meaning everywhere. Nothing is imported here but types. */
import type { Flag } from './commands.ts';

export const json: Flag = { summary: 'print data for scripts' };
export const facts: Flag = { summary: 'print one fact per line' };
export const into: Flag = { value: 'branch', summary: 'move this branch of yours to the result at the end' };
export const agent: Flag = { value: 'name', summary: 'let this agent do all the work from now on' };
export const yes: Flag = { short: 'y', summary: 'take the recommended answers' };
export const newest: Flag = { short: 'y', summary: 'do not ask; without a name, take the newest run that fits' };
export const takeOver: Flag = { summary: 'take it from a process on a host that is gone for good' };
export const detach: Flag = { short: 'd', summary: 'run in the background' };
export const parallel: Flag = { value: 'n', summary: 'how many tasks may run at once' };
