/**
 * Moves refs of runs through one `git update-ref` that stays while moves come, instead of one process per move. Each move
 * is a transaction of its own, one after the other. A move that does not work ends the git: the caller then asks a new
 * one, which says why. It ends by itself a moment after the last move, and with Forge however Forge ends.
 */
import { Buffer } from 'node:buffer';
import type { RunningProcess } from '../process/process.ts';
import type { Repository } from './git.ts';
import { refCall } from './engine-dir.ts';
import { startGit } from './run-git.ts';

interface Session {
  readonly running: Promise<RunningProcess>;
  readonly startedAt: number;
  /** The move before. */
  last: Promise<unknown>;
  /** Whoever waits for an answer; undefined says that there will be none. */
  answered: ((line: string | undefined) => void) | undefined;
  text: string;
  idle: NodeJS.Timeout | undefined;
}

const sessions = new Map<string, Session>();
const idleMs = 2000;
/** Long before the limit on time that every git has. */
const longestMs = 5 * 60_000;

export interface RefTransaction {
  /** As `update-ref -z --stdin` takes them. */
  readonly instructions: string;
  readonly reason: string;
  readonly env: Readonly<Record<string, string>>;
}

/** True once the refs have moved; false when it is not known that they have. */
export async function moveInSession(repo: Repository, transaction: RefTransaction): Promise<boolean> {
  const key = JSON.stringify([repo.gitDir, transaction.reason, transaction.env]);
  const session = sessionOf(repo, key, transaction);
  const move = session.last.then(() => moveNext(session, key, transaction.instructions));
  session.last = move;
  return move;
}

/** Never rejects. */
async function moveNext(session: Session, key: string, instructions: string): Promise<boolean> {
  clearTimeout(session.idle);
  if (sessions.get(key) !== session) return false;
  try {
    const running = await session.running;
    running.setAwaited(true);
    running.stdin?.write(Buffer.from(`start\0${instructions}commit\0`));
    if ((await nextLine(session)) !== 'start: ok' || (await nextLine(session)) !== 'commit: ok')
      return end(session, key);
    running.setAwaited(false);
    session.idle = setTimeout(() => end(session, key), idleMs).unref();
    return true;
  } catch {
    return end(session, key);
  }
}

function end(session: Session, key: string): false {
  if (sessions.get(key) === session) sessions.delete(key);
  session.running.then(({ stdin }) => stdin?.end()).catch(() => undefined);
  return false;
}

function sessionOf(repo: Repository, key: string, { reason, env }: RefTransaction): Session {
  const known = sessions.get(key);
  if (known !== undefined && performance.now() - known.startedAt < longestMs) return known;
  if (known !== undefined) void known.last.then(() => end(known, key));
  const session: Session = {
    running: startGit(['update-ref', '-z', '-m', reason, '--stdin'], { ...refCall(repo), stdin: 'open', env }),
    startedAt: performance.now(),
    last: Promise.resolve(),
    answered: undefined,
    text: '',
    idle: undefined,
  };
  sessions.set(key, session);
  session.running.then(
    (running) => {
      running.stdin?.on('error', () => undefined);
      running.onStdout((chunk) => {
        session.text += chunk.toString('latin1');
        answer(session);
      });
      void running.result.then(() => {
        if (sessions.get(key) === session) sessions.delete(key);
        clearTimeout(session.idle);
        session.text += '\0\n';
        answer(session);
      });
    },
    () => end(session, key),
  );
  return session;
}

/** The next line that git says; undefined when it has ended. */
function nextLine(session: Session): Promise<string | undefined> {
  return new Promise((resolve) => {
    session.answered = resolve;
    answer(session);
  });
}

function answer(session: Session): void {
  const line = session.text.indexOf('\n');
  const { answered } = session;
  if (line === -1 || answered === undefined) return;
  const said = session.text.slice(0, line);
  // A git that has ended goes on saying so.
  if (said !== '\0') session.text = session.text.slice(line + 1);
  session.answered = undefined;
  answered(said === '\0' ? undefined : said);
}
