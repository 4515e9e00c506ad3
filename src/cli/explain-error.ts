/**
 * What ends a command, as a sentence and an exit code. What the machine refuses (no room, no right, a file where a
 * directory should be) is named as that and is not a bug of ours, though nobody foresaw where it would happen. Pure.
 */
import { ForgeError, machineFailure } from '../errors.ts';

export interface ExplainedError {
  readonly lines: readonly string[];
  readonly code: number;
}

export function explainError(error: unknown): ExplainedError {
  const failure = error instanceof ForgeError ? error : refusalOf(error);
  if (failure !== undefined) {
    const hint = failure.hint === undefined ? [] : [`  ${failure.hint}`];
    return { lines: [`forge: ${failure.message}`, ...hint], code: failure.exitCode };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const end = 'This is a bug in Forge. Nothing of yours was changed beyond what the run recorded.';
  return { lines: [stack, end], code: 70 };
}

function refusalOf(error: unknown): ForgeError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd')
    return new ForgeError('not-writable', 'The directory you are in is gone', {
      hint: 'Change to a directory that exists, for example: cd',
    });
  if (syscall === 'mkdtemp' && code === 'ENOENT')
    return new ForgeError('not-writable', message, {
      hint: 'The directory for temporary files is not there: make it, or set TMPDIR to another.',
    });
  return machineFailure(error);
}
