/**
 * What a driver's test needs: a workspace with a real jail, a sink that remembers, clocks that tests command,
 * and a way to see whether a process is left. Everything lives in one temporary directory.
 */
import {
  existsSync,
  mkdirSync,
  writeFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentJob, AgentSink, TranscriptEntry } from '../../src/agents/agent.ts';
import type { WatchClock } from '../../src/agents/watchdog.ts';
import type { Usage } from '../../src/policy/usage.ts';
import { bubblewrapJail } from '../../src/process/bubblewrap.ts';
import type { ProcessIdentity } from '../../src/process/process.ts';

export interface Workshop {
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly tmp: string;
  /** An argument no other process of this machine has; `sleep` takes it. */
  readonly marker: string;
  job(detail?: Partial<AgentJob>): AgentJob;
  close(): void;
}

export function makeWorkshop(): Workshop {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'forge-agent-')));
  const [tree, home, tmp] = ['tree', 'home', 'tmp'].map((name) => join(root, name)) as [string, string, string];
  for (const directory of [tree, home, tmp]) mkdirSync(directory);
  // As a workspace has it: an agent may commit.
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Agent\n\temail = agent@example.org\n');
  const job: AgentJob = {
    run: 'r1',
    key: 'T1/develop#1',
    role: 'developer',
    task: 'T1',
    attempt: 1,
    prompt: 'Do the work.',
    resultSchema: {},
    workspace: {
      tree,
      jail: bubblewrapJail(),
      policy: { writable: [tree], readable: [], home, tmp, network: 'loopback' },
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', FORGE_WORKSPACE: tree },
    },
    session: undefined,
    limits: { wallMs: 3_600_000, idleMs: 300_000, outputBytes: 1_000_000 },
  };
  return {
    root,
    tree,
    home,
    tmp,
    marker: `9${process.pid}${Math.floor(Math.random() * 1e6)}`,
    job: (detail) => ({ ...job, ...detail }),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface Recorder extends AgentSink {
  readonly processes: readonly ProcessIdentity[];
  readonly sessions: readonly string[];
  readonly usages: readonly Usage[];
  readonly entries: readonly TranscriptEntry[];
  /** Every entry's text, joined. */
  text(): string;
}

export function recorder(detail: Partial<AgentSink> = {}): Recorder {
  const processes: ProcessIdentity[] = [];
  const sessions: string[] = [];
  const usages: Usage[] = [];
  const entries: TranscriptEntry[] = [];
  return {
    processes,
    sessions,
    usages,
    entries,
    text: () => entries.map(({ text }) => text).join('\n'),
    async started(identity) {
      processes.push(identity);
      await detail.started?.(identity);
    },
    async session(id) {
      sessions.push(id);
      await detail.session?.(id);
    },
    usage: (total) => void usages.push(total),
    entry: (entry) => void entries.push(entry),
  };
}

/** Time stands still: nothing is ever idle or late. */
export const frozenClock: WatchClock = {
  now: () => 0,
  wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

/** Time stands still until the condition holds, then every wait takes a moment and counts in full. */
export function clockFrom(condition: () => boolean): WatchClock {
  let time = 0;
  return {
    now: () => time,
    async wait(ms, signal) {
      do await pause(2);
      while (!signal.aborted && !condition());
      if (!signal.aborted) time += ms;
    },
  };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

/** Command lines of running processes that hold the text. */
export function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => (existsSync(`/proc/${pid}`) ? commandLine(pid) : ''))
    .filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
