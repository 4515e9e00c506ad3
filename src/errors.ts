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
  /** A record, a state or a gate that its rules do not allow. */
  'record-refused': 1,
  'unknown-run': 2,
  'journal-corrupt': 5,
  'journal-newer': 5,
  'blob-unreadable': 5,
  'journal-write-failed': 5,
  'run-exists': 2,
  'lease-held': 5,
  'lease-foreign': 5,
  'lease-lost': 5,
  'replay-diverged': 5,
  /** A repository's own workflow. */
  'workflow-failed': 2,
  'bad-effect': 70,
  'effect-key-reused': 70,
  'workflow-unfinished': 70,
  /** A workflow wants to move a ref to what was not checked. */
  unproven: 70,
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
  'disk-full': 5,
  'not-writable': 5,
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

/** What the system says when the machine, not Forge, is in the way: by its code, with what a person can do. */
const machineHints: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: make room and try again.',
  EDQUOT: 'Your quota on this disk is used up: make room and try again.',
  EROFS: 'It can only be read from: Forge needs to write there.',
  EACCES: 'Your user may not do that there: look at who owns it.',
  EPERM: 'Your user may not do that there: look at who owns it.',
  ENOTDIR: 'There is a file where a directory should be: move it away.',
  EISDIR: 'There is a directory where a file should be: move it away.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n) and try again.',
  ENFILE: 'Too many files are open on this machine: close some programs and try again.',
  ENAMETOOLONG: 'A name is longer than this system allows: use a shorter one.',
  ELOOP: 'Symbolic links lead in a circle there: name a path that ends somewhere.',
  EIO: 'The disk cannot be read or written: look at the machine first.',
};

const machineCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  ENAMETOOLONG: 'bad-input',
  ELOOP: 'bad-input',
};

/**
 * What the machine refused, as a failure; undefined for anything that is not the machine's. A missing file is not among
 * them: what Forge looks for it has to have made.
 */
export function machineFailure(error: unknown): ForgeError | undefined {
  if (error instanceof ForgeError || !(error instanceof Error)) return undefined;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const hint = machineHints[code];
  if (hint !== undefined) {
    const short = message.length > 400 ? `${message.slice(0, 300)}…` : message;
    return new ForgeError(machineCodes[code] ?? 'not-writable', short, { hint, cause: error });
  }
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.map(machineFailure).find((found) => found !== undefined);
}

const machineTexts: readonly (readonly [RegExp, string])[] = [
  [/no space left on device/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
];

/** The same for what a program printed: one sentence instead of everything it said. */
export function machineFailureIn(text: string, what: string): ForgeError | undefined {
  const found = machineTexts.find(([pattern]) => pattern.test(text));
  if (found === undefined) return undefined;
  const [, code] = found;
  const place = /(?:'([^'\n]+)'|(\/[^\s:']+)): (?:no space|disk quota|read-only)/i.exec(text);
  const where = place?.[1] ?? place?.[2];
  const message = `${what} could not write${where === undefined ? '' : ` to ${where}`}`;
  return new ForgeError(machineCodes[code] ?? 'not-writable', message, { hint: machineHints[code] ?? '' });
}

/** What a thrown thing says, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
