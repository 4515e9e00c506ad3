/**
 * An agent's finished work as an entry of a script: what it left in its workspace, said, used and answered, so that the
 * scripted agent ends in the same place. Pure. Content is written so that doing it twice changes nothing, because a job
 * that is cut off begins again. Everything goes through the redactor; paths whose content it changed are named.
 */
import { constants } from 'node:os';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import type { Redactor } from '../process/redact.ts';
import { redactValue } from './redact-value.ts';

/** One path, before and after. */
export interface RecordedChange {
  readonly path: string;
  readonly before: RecordedFile | undefined;
  readonly after: RecordedFile | undefined;
  /** A unified diff of this file alone, where there is one. */
  readonly patch?: string | undefined;
}

export interface RecordedFile {
  /** As git has it: `100644`, `100755` or `120000`. */
  readonly mode: string;
  /** For a link: where it leads. Undefined where nobody needs it. */
  readonly content?: Uint8Array | undefined;
}

export interface RecordedJob {
  readonly key: string;
  readonly changes: readonly RecordedChange[];
  readonly outcome: AgentOutcome;
  /** What it said while it worked. */
  readonly said: readonly string[];
}

/** As it is written into a script. */
export type WrittenStep = Readonly<Record<string, unknown>>;

export interface Recorded<T> {
  readonly entry: T;
  /** Paths whose content is not what it was. */
  readonly redacted: readonly string[];
}

export interface WrittenEntry {
  readonly when: { readonly key: string };
  readonly took: string;
  readonly do: readonly WrittenStep[];
}

export function recordJob(job: RecordedJob, redactor: Redactor): Recorded<WrittenEntry> {
  const { key, changes, outcome, said } = job;
  const work = changeSteps(changes, redactor);
  const { usage, session } = outcome;
  const isUsed = Object.values(usage).some((amount) => amount > 0);
  const entry = {
    when: { key },
    took: `${Math.round(outcome.durationMs)}ms`,
    do: [
      ...(session === undefined ? [] : [{ session }]),
      ...said.map((text) => ({ say: redactor.redact(text) })),
      ...work.entry,
      ...(isUsed ? [{ usage: { ...usage } }] : []),
      ...endSteps(outcome, redactor),
    ],
  };
  return { entry, redacted: work.redacted };
}

/** What leads from one tree to the other. Deletions come first: what takes their place may need the room. */
export function changeSteps(changes: readonly RecordedChange[], redactor: Redactor): Recorded<readonly WrittenStep[]> {
  const redacted: string[] = [];
  const gone = changes.filter(({ after }) => after === undefined).map(({ path }) => path);
  const cleared = changes.filter((change) => needsRoom(change, gone)).map(({ path }) => path);
  const steps = changes.flatMap(({ path, before, after, patch }): readonly WrittenStep[] => {
    if (after === undefined) return [];
    const content = Buffer.from(after.content ?? new Uint8Array());
    if (after.mode === link) {
      const to = content.toString('utf8');
      if (redactor.redact(to) !== to) redacted.push(path);
      return [{ link: { path, to: redactor.redact(to) } }];
    }
    const sameMode = before?.mode === after.mode;
    if (sameMode && patch !== undefined && patch.length < content.length && redactor.redact(patch) === patch)
      return [{ patch }];
    const written = writtenContent(content, redactor);
    if (written.isRedacted) redacted.push(path);
    const mode = (before === undefined ? after.mode === '100644' : sameMode) ? {} : { mode: after.mode.slice(-3) };
    return [{ write: { path, ...written.content, ...mode } }];
  });
  return { entry: [...[...gone, ...cleared].map((path) => ({ delete: path })), ...steps], redacted };
}

const link = '120000';

/** A link would be written through, and a directory cannot be written over. */
function needsRoom({ path, before, after }: RecordedChange, gone: readonly string[]): boolean {
  if (after === undefined) return false;
  if (before !== undefined) return (before.mode === link) !== (after.mode === link);
  return gone.some((other) => other.startsWith(`${path}/`));
}

function writtenContent(content: Buffer, redactor: Redactor) {
  const text = asText(content);
  if (text !== undefined) {
    const shown = redactor.redact(text);
    return { content: { content: shown }, isRedacted: shown !== text };
  }
  // One character per byte, so that a secret among bytes that are not text is found too.
  const bytes = content.toString('latin1');
  const shown = redactor.redact(bytes);
  return {
    content: { base64: Buffer.from(shown, 'latin1').toString('base64') },
    isRedacted: shown !== bytes,
  };
}

/** Undefined for what is not text: not UTF-8, or with a NUL byte. */
export function asText(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** How it ended. What took time to end (a watchdog, a limit) ends at once here and has the same consequence. */
function endSteps(outcome: AgentOutcome, redactor: Redactor): readonly WrittenStep[] {
  switch (outcome.status) {
    case 'replied':
      return [{ reply: replyOf(redactValue(outcome.reply, redactor)) }];
    case 'silent':
      return [];
    case 'crashed':
      return [{ crash: exitOf(outcome) }];
    case 'trouble': {
      const { code, message } = outcome.trouble;
      return [{ error: { code, message: redactor.redact(message) } }];
    }
    case 'idle':
    case 'timed-out':
    case 'flooded':
      return [{ say: `(recorded: ${outcome.status})` }, { crash: 1 }];
  }
}

/** A script knows results and free text; what is neither no role accepts either. */
function replyOf(reply: unknown): unknown {
  if (typeof reply === 'string') return reply;
  return typeof reply === 'object' && reply !== null && !Array.isArray(reply) ? reply : JSON.stringify(reply ?? null);
}

function exitOf({ exit, signal }: Extract<AgentOutcome, { status: 'crashed' }>): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  const code = exit ?? (number === undefined ? 1 : 128 + number);
  return Math.min(Math.max(code, 1), 255);
}
