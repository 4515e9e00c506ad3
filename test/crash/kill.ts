/** Runs a proof in processes that are killed, resumes until it ends, and says what came of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { processesWith } from '../support/processes.ts';
import { runsDirectory } from '../support/runs.ts';
import type { HostArguments } from '../proof/host.ts';
import type { Death } from '../proof/place.ts';
import type { Scenario } from '../proof/scenario.ts';

/** A run that can be killed: its repository, its workflow, and what a person sees of it at last. */
export interface Subject<End> {
  readonly workflow: HostArguments['workflow'];
  make(area: string): Scenario;
  look(scenario: Scenario, facts: readonly Fact[]): End;
}

/** At places of the journal, or by the clock. */
export type Deaths = { readonly places: readonly Death[] } | { readonly afterMs: readonly number[] };

export interface Ended<End> {
  readonly end: Standing<End>;
  readonly facts: readonly Fact[];
  readonly kills: number;
  /** Places that the run did not come to any more, or came to before it was their turn. */
  readonly unmet: readonly Death[];
}

/** What must be the same in every run, besides what the subject looks at. */
export type Standing<End> = End & {
  /** Finished keys that were started again, or finished more than once. */
  readonly repeated: readonly string[];
  readonly processes: readonly string[];
};

/** One process dies at the first of the places it comes to, the next at the first of the others, until the run ends. */
export async function runToEnd<End>(subject: Subject<End>, deaths: Deaths): Promise<Ended<End>> {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-crash-')));
  try {
    const scenario = subject.make(area);
    let unmet = 'places' in deaths ? [...deaths.places] : [];
    const times = 'afterMs' in deaths ? [...deaths.afterMs] : [];
    let kills = 0;
    for (;;) {
      const death = await runHost(subject, { scenario, area, deaths: unmet, afterMs: times.shift() });
      if (!death.killed) break;
      unmet = unmet.filter((_, index) => index !== death.met);
      kills += 1;
    }
    const facts = factsOf(scenario);
    const end = {
      ...subject.look(scenario, facts),
      repeated: repeatedKeys(facts),
      processes: processesWith(area).map(({ command }) => command),
    };
    return { end, facts, kills, unmet };
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

/** Children are plain JavaScript: `npm test` compiles the tests first. */
const compiled = import.meta.url.endsWith('.ts')
  ? resolve(import.meta.dirname, '../../.build/test')
  : resolve(import.meta.dirname, '..');
const hostFile = join(compiled, 'proof/host.js');

interface Hosting {
  readonly scenario: Scenario;
  readonly area: string;
  readonly deaths: readonly Death[];
  readonly afterMs: number | undefined;
}

/** Whether the process was killed, by itself at one of the places or by us. */
async function runHost(
  { workflow }: Subject<unknown>,
  { scenario, area, deaths, afterMs }: Hosting,
): Promise<{ killed: boolean; met?: number }> {
  const { root, home, dataDir } = scenario;
  const mode = factsOf(scenario).length === 0 ? 'start' : 'resume';
  const epitaph = join(area, 'epitaph');
  rmSync(epitaph, { force: true });
  const args: HostArguments = { root, dataDir, mode, workflow, deaths, epitaph };
  const child = spawn(process.execPath, [hostFile, JSON.stringify(args)], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs);
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.on('close', (exit, by) => done({ code: exit, signal: by }));
  });
  clearTimeout(timer);
  if (signal === 'SIGKILL') {
    return existsSync(epitaph) ? { killed: true, met: Number(readFileSync(epitaph, 'utf8')) } : { killed: true };
  }
  if (code === 0) return { killed: false };
  throw new Error(`the host failed with ${code ?? signal}:\n${output()}`);
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function factsOf({ root, home }: Scenario): readonly Fact[] {
  const file = join(runsDirectory(root, home), 'proof/journal.jsonl');
  return existsSync(file) ? readJournalFile(file).facts : [];
}

function repeatedKeys(facts: readonly Fact[]): readonly string[] {
  const finished = new Set<string>();
  return facts.flatMap((fact) => {
    if (fact.type !== 'effect.started' && fact.type !== 'effect.finished') return [];
    if (finished.has(fact.key)) return [`${fact.type} ${fact.key}`];
    if (fact.type === 'effect.finished') finished.add(fact.key);
    return [];
  });
}
