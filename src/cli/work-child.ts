/**
 * A process that works on one run in the background. It reads an operation and its input as JSON from standard input,
 * performs it, and brings the run to its end as `forge run` would where nobody can be asked. Its output is a log.
 */
import { text } from 'node:stream/consumers';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { claimProcess } from '../api/own-process.ts';
import { loadOperation } from '../api/registry.ts';
import { standingOf } from '../api/run-standing.ts';
import { workRequestSchema } from '../api/work-on-run.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { conductRun } from './conduct.ts';
import { explainError } from './explain-error.ts';
import { openTerminal } from './terminal.ts';

claimProcess();

try {
  process.exitCode = await work();
} catch (error) {
  const { lines, code } = explainError(error);
  for (const line of lines) console.error(line);
  process.exitCode = code;
}

async function work(): Promise<number> {
  const { operation: name, input, yes, planOnly } = workRequestSchema.parse(JSON.parse(await text(process.stdin)));
  const operation = await loadOperation(name);
  if (operation === undefined || operation.kind !== 'command') throw new Error(`${name} does not work on a run`);
  const chronicle = await chronicleSoFar(input['run']);
  return conductRun({
    terminal: openTerminal(),
    json: false,
    yes,
    planOnly,
    ...(chronicle === undefined ? {} : { chronicle }),
    begin: async (context) => {
      await performOperation(operation, context, input);
    },
  });
}

/** Of a run that there is already. */
async function chronicleSoFar(run: unknown): Promise<Chronicle | undefined> {
  try {
    const context = openContext({ cwd: process.cwd() });
    return typeof run === 'string' ? (await standingOf(context, run)).chronicle : undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'unknown-run') return undefined;
    throw error;
  }
}
