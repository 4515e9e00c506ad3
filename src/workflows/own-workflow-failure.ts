/**
 * What went wrong in a repository's own workflow, as a failure that names its file, and the line where the stack shows it.
 * Failures of the machine, of git or of an agent are not the workflow's, and stay as they are.
 */

import { type ErrorCode, ForgeError, machineFailure, messageOf } from '../errors.ts';
import { pathText } from '../plan/explain-schema.ts';

/** Codes that mean that the workflow used the bench in a way that cannot work. */
const workflowFaults: ReadonlySet<ErrorCode> = new Set([
  'bad-effect',
  'effect-key-reused',
  'workflow-unfinished',
  'unproven',
]);

/** `entry` is the workflow's file in the repository, `copies` the folder of the state directory that it was loaded from. */
export function explainOwnFailure(error: unknown, { entry, copies }: { entry: string; copies: string }): unknown {
  if (error instanceof ForgeError ? !workflowFaults.has(error.code) : machineFailure(error) !== undefined) return error;
  const hint = error instanceof ForgeError && error.code !== 'workflow-unfinished' ? `${error.hint ?? ''} ` : '';
  return new ForgeError('workflow-failed', `${placeIn(error, copies) ?? entry}: ${describe(error)}`, {
    hint: `${hint}Fix the workflow. Forge asks you to agree to the change.`,
    cause: error,
  });
}

/** The topmost line of the stack that lies in the workflow's copy, as a path of the repository. */
function placeIn(error: unknown, copies: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const marker = `/${copies}/`;
  const frame = stack.split('\n').find((line) => line.includes(marker));
  const found = frame === undefined ? null : /^[0-9a-f]{64}\/(.+?:\d+):\d+\)?$/.exec(frame.split(marker)[1] ?? '');
  return found?.[1];
}

/** A schema's refusal is a list; its message would be the list as JSON. */
function describe(error: unknown): string {
  const { issues } = Object(error) as { issues?: unknown };
  if (!Array.isArray(issues)) return messageOf(error);
  const problems = (issues as readonly { path: readonly PropertyKey[]; message: string }[]).map(
    ({ path, message }) => `${pathText(path)}: ${message}`,
  );
  return problems.slice(0, 3).join('; ');
}
