/**
 * Tells a person what a run has to say, while it runs. It hears facts after they are on disk and can neither stop nor
 * slow a run. Exactly once: how far it has come is kept beside the run before anything is sent, so a process that dies
 * in between sends too little rather than twice; a question nobody heard of, and an end, is sent when the run is opened
 * again.
 */
import type { Fact } from '../engine/facts.ts';
import type { Observer } from '../engine/observers.ts';
import type { RunArtifacts } from '../engine/run-artifacts.ts';
import { messageOf } from '../errors.ts';
import { type Notification, notificationOf } from './notification.ts';
import { isQuietTime, type NotifySettings } from './notify-settings.ts';
import { readNotifySettings } from './read-settings.ts';
import { sendNotification } from './send-notification.ts';

export interface NotifierPlace {
  readonly artifacts: RunArtifacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly redact: (text: string) => string;
}

const cursorFile = 'notified.json';

/** How far it has come, and whether that is the end of the run. */
interface Cursor {
  readonly seq: number;
  readonly isOver: boolean;
}

/** Of a run that is over: its process died before anybody was told, and somebody wanted to be. */
export async function hasUntoldEnd(artifacts: Pick<RunArtifacts, 'read'>): Promise<boolean> {
  const cursor = await readCursor(artifacts);
  return cursor?.isOver === false;
}

/** The fact that ended a run that nobody has opened since. */
function endOf(facts: readonly Fact[]): Fact | undefined {
  const turn = facts.findLast(({ type }) => type === 'run.opened' || type === 'run.ended');
  return turn?.type === 'run.ended' ? turn : undefined;
}

function startsLanding(facts: readonly Fact[]): boolean {
  return facts.findLast(({ type }) => type === 'landing.started' || type === 'run.ended')?.type === 'landing.started';
}

export function runNotifier(place: NotifierPlace, before: readonly Fact[]): Observer {
  try {
    const { settings } = readNotifySettings(place.env);
    return settings.channels.length === 0 ? { name, take: () => {} } : notifier(place, settings, before);
  } catch (error) {
    // Said when the run begins, and like everything else here no reason to stop it.
    return {
      name,
      take: () => {
        throw error;
      },
    };
  }
}

const name = 'Telling you about the run';

function notifier(
  { artifacts, env, redact }: NotifierPlace,
  settings: NotifySettings,
  before: readonly Fact[],
): Observer {
  let about = aboutRun(before);
  /** A run that is over was opened to land its result: its second end is no news. */
  let isLanding = startsLanding(before);
  let failure: unknown;
  const noted = (error: unknown): void => {
    failure ??= error;
  };
  let working = catchUp().catch(noted);

  async function catchUp(): Promise<void> {
    if (about.isRehearsal) return;
    // Without a cursor nobody was told anything yet. What was over before anybody wanted to be told is no news.
    const cursor = await readCursor(artifacts);
    const answered = new Set(before.flatMap((fact) => (fact.type === 'question.answered' ? [fact.key] : [])));
    const end = cursor === undefined ? undefined : endOf(before);
    const isNews = end !== undefined && !startsLanding(before.filter(({ seq }) => seq < end.seq));
    const news = before.filter(
      (fact) => (fact === end && isNews) || (fact.type === 'question.asked' && !answered.has(fact.key)),
    );
    await tell(news.filter(({ seq }) => seq > (cursor?.seq ?? 0)));
    if (end !== undefined && cursor?.isOver !== true)
      await keep({ seq: Math.max(end.seq, cursor?.seq ?? 0), isOver: true });
  }

  async function tell(facts: readonly Fact[]): Promise<void> {
    const messages = facts.flatMap((fact) => {
      const isSecondEnd = fact.type === 'run.ended' && isLanding;
      if (fact.type === 'run.ended' || fact.type === 'landing.started') isLanding = fact.type === 'landing.started';
      return isSecondEnd ? [] : (notificationOf(about.run, about.title, fact) ?? []);
    });
    const wanted = messages.filter(({ kind }) => settings.on.includes(kind));
    const last = facts.at(-1);
    const turn = facts.findLast(({ type }) => type === 'run.opened' || type === 'run.ended');
    if (last === undefined || (wanted.length === 0 && turn === undefined)) return;
    await keep({ seq: last.seq, isOver: turn?.type === 'run.ended' });
    if (isQuietTime(settings.quiet, new Date())) return;
    await Promise.all(wanted.map((message) => sendEverywhere(settings, redacted(message, redact), env)));
  }

  function keep(cursor: Cursor): Promise<void> {
    return artifacts.write(cursorFile, JSON.stringify(cursor));
  }

  return {
    name,
    take: (facts) => {
      if (about.run === '') about = aboutRun(facts);
      if (about.isRehearsal) return;
      working = working.then(() => tell(facts)).catch(noted);
    },
    settled: async () => {
      await working;
      const reason = failure;
      failure = undefined;
      if (reason !== undefined) throw reason;
    },
  };
}

function aboutRun(facts: readonly Fact[]): {
  readonly run: string;
  readonly title: string;
  readonly isRehearsal: boolean;
} {
  const created = facts.find((fact) => fact.type === 'run.created');
  const { run = '', title = '' } = created?.data ?? {};
  const settings = created?.data.settings as { readonly rehearsal?: unknown } | null | undefined;
  return { run, title, isRehearsal: settings?.rehearsal === true };
}

function redacted(message: Notification, redact: (text: string) => string): Notification {
  return { ...message, title: redact(message.title), text: redact(message.text) };
}

/** One channel that fails is said on standard error and does not keep the others from theirs. */
async function sendEverywhere(
  settings: NotifySettings,
  message: Notification,
  env: NotifierPlace['env'],
): Promise<void> {
  const terminal = process.stderr.isTTY ? (text: string) => void process.stderr.write(text) : undefined;
  const surroundings = { env, platform: process.platform, terminal, now: new Date() };
  const sent = await Promise.all(settings.channels.map((channel) => sendNotification(channel, message, surroundings)));
  const reasons = sent.flatMap((one, at) =>
    one.status === 'failed' && !isExpected(settings, at, terminal) ? [one.reason] : [],
  );
  if (reasons.length > 0) throw new Error(reasons.join('; '));
}

/** A run in the background has no terminal, and a terminal channel has nothing to do there. */
function isExpected(settings: NotifySettings, at: number, terminal: unknown): boolean {
  const channel = settings.channels[at];
  return terminal === undefined && channel !== undefined && 'terminal' in channel;
}

async function readCursor(artifacts: Pick<RunArtifacts, 'read'>): Promise<Cursor | undefined> {
  try {
    const bytes = await artifacts.read(cursorFile);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
    const { seq, isOver } = (value ?? {}) as { readonly seq?: unknown; readonly isOver?: unknown };
    return typeof seq === 'number' ? { seq, isOver: isOver === true } : undefined;
  } catch (error) {
    throw new Error(`${cursorFile} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
