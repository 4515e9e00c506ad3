/** Runs the proof scenario in processes that are killed, resumes until it ends, and says what came of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/journal.ts';
import { fold } from '../../src/engine/run-state.ts';
import type { HostArguments } from '../proof/host.ts';
import { makeScenario, type Scenario, userGit } from '../proof/scenario.ts';

export interface EndState {
  readonly status: string;
  readonly output: unknown;
  readonly files: readonly string[];
  readonly shared: string;
  readonly history: readonly string[];
  /** Finished keys that were started again, or finished more than once. */
  readonly repeated: readonly string[];
  readonly captured: readonly string[];
  readonly user: { readonly head: string; readonly status: string; readonly branch: string };
  readonly processes: readonly string[];
}

/** How a process of the run is to die; undefined lets it live. */
export type Death = HostArguments['die'] | { readonly afterMs: number } | undefined;

/** Each death in turn, then to the end without one. `facts` is what the journal holds at last. */
export async function runToEnd(
  deaths: readonly Death[],
): Promise<{ end: EndState; facts: readonly Fact[]; kills: number }> {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-crash-')));
  try {
    const scenario = makeScenario(area);
    let kills = 0;
    for (const death of [...deaths, undefined]) {
      const killed = await runHost(scenario, death);
      if (!killed) break;
      kills += 1;
    }
    const facts = factsOf(scenario);
    return { end: await endState(scenario, facts, area), facts, kills };
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

/** Children are plain JavaScript: `npm test` compiles the tests first. */
const compiled = import.meta.url.endsWith('.ts')
  ? resolve(import.meta.dirname, '../../.build/test')
  : resolve(import.meta.dirname, '..');
const hostFile = join(compiled, 'proof/host.js');

/** True when the process was killed, by itself or by us. */
async function runHost(scenario: Scenario, death: Death): Promise<boolean> {
  const { root, home, dataDir } = scenario;
  const mode = factsOf(scenario).length === 0 ? 'start' : 'resume';
  const die = death !== undefined && 'seq' in death ? { die: death } : {};
  const args: HostArguments = { root, dataDir, mode, ...die };
  const child = spawn(process.execPath, [hostFile, JSON.stringify(args)], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const timer =
    death !== undefined && 'afterMs' in death ? setTimeout(() => child.kill('SIGKILL'), death.afterMs) : undefined;
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.on('close', (exit, by) => done({ code: exit, signal: by }));
  });
  clearTimeout(timer);
  if (signal === 'SIGKILL') return true;
  if (code === 0) return false;
  throw new Error(`the host failed with ${code ?? signal}:\n${output()}`);
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function factsOf({ root }: Scenario): readonly Fact[] {
  const file = join(root, '.forge/runs/proof/journal.jsonl');
  return existsSync(file) ? readJournalFile(file).facts : [];
}

async function endState(scenario: Scenario, facts: readonly Fact[], area: string): Promise<EndState> {
  const state = fold(facts);
  const git = (...args: string[]): string => userGit(scenario, ...args);
  return {
    status: state.status,
    output: state.output,
    files: git('ls-tree', '-r', '--name-only', 'forge/proof').split('\n'),
    shared: git('show', 'forge/proof:src/shared.js'),
    history: git('log', '--format=%s', 'forge/proof').split('\n').sort(),
    repeated: repeatedKeys(facts),
    captured: ['try 1', 'try 2', 'try 3'].filter((text) =>
      git('log', '--all', '--format=', '-p', '--', 'src/e.js').includes(`+${text}`),
    ),
    user: {
      head: git('rev-parse', 'HEAD'),
      status: git('status', '--porcelain'),
      branch: git('branch', '--show-current'),
    },
    processes: await processesOf(area),
  };
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

/** Whatever still runs with this area in its environment. */
async function processesOf(area: string): Promise<readonly string[]> {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return text.includes(area) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')] : [];
      } catch {
        return [];
      }
    });
}
