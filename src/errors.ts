/**
 * Failures of Forge's own environment and of the input it was given: one class, closed codes.
 * A red check, a conflict or an agent that gave up is not a failure; those are values (outcomes).
 * Anything thrown that is not a ForgeError is a bug and exits with 70, but for what the machine itself refused.
 */

/** Every code, with the exit status it leads to. */
export const errorCodes = {
  'bad-input': 2,
  'bad-plan': 2,
  'bad-config': 2,
  'bad-script': 2,
  'not-trusted': 2,
  'unknown-run': 2,
  'journal-corrupt': 5,
  'journal-newer': 5,
  'journal-write-failed': 5,
  'run-exists': 2,
  'lease-held': 5,
  'lease-foreign': 5,
  'lease-lost': 5,
  'replay-diverged': 5,
  'effect-key-reused': 70,
  'workflow-unfinished': 70,
  'limit-reached': 4,
  'jail-unavailable': 5,
  'program-missing': 5,
  'checks-cannot-start': 5,
  'git-missing': 5,
  'git-too-old': 5,
  'git-failed': 5,
  'not-a-repository': 2,
  'repository-unsupported': 2,
  'ref-moved': 5,
  'land-refused': 2,
  'undo-refused': 2,
  'cleanup-refused': 2,
  'checkout-changed': 2,
  'commit-gone': 5,
  'workspace-failed': 5,
  'setup-failed': 5,
  'agent-unavailable': 5,
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ErrorDetail {
  /** What the person can do about it, one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

export class ForgeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ForgeError';
    this.code = code;
    this.hint = detail.hint;
  }

  get exitCode(): number {
    return errorCodes[this.code];
  }
}

/** What a thrown thing says, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
