/**
 * One hostile agent against a whole run: a real repository, the scripted agent in the jail, the engine's checks,
 * a merge. After it, whatever it did: the user's files and refs are byte-identical, no process is left, and the
 * outcome and what was captured are there to be looked at.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openForge } from '../../src/compose.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { foldRun, type RunState } from '../../src/engine/run-state.ts';
import type { Receipt } from '../../src/policy/receipt.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { fingerprint, makeRepo, scratch, type TestRepo } from '../git/support.ts';
import { everything } from '../proof/everything.ts';
import { runsDirectory } from '../support/runs.ts';

export type Step = Readonly<Record<string, unknown>>;

export interface Attack {
  /** What the agent does in its first round; it then replies success unless `silent`. */
  readonly steps: readonly Step[] | ((place: Place) => readonly Step[]);
  readonly later?: readonly (readonly Step[])[];
  readonly silent?: boolean;
  readonly task?: Readonly<Record<string, unknown>>;
  readonly others?: readonly Readonly<Record<string, unknown>>[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Beside the files of the sample project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of the sample project. */
  readonly project?: Readonly<Record<string, string>>;
  readonly answer?: 'accept' | 'refuse';
  /** The commands of the plan are all that the workflow names. */
  readonly planned?: boolean;
  readonly limits?: { readonly idleMs: number; readonly wallMs: number };
}

/** Paths outside the workspace that an agent may try to reach. */
export interface Place {
  readonly root: string;
  /** A directory of the user's, writable by this process and not given to any agent. */
  readonly outside: string;
}

export interface Aftermath {
  readonly outcome: { readonly task: string; readonly status: string; readonly reason: string };
  readonly receipt: Receipt | undefined;
  readonly state: RunState;
  readonly facts: readonly Fact[];
  readonly repo: TestRepo;
  readonly place: Place;
  /** Files of the result, or of the last capture where nothing was merged. */
  readonly read: (path: string) => string | undefined;
  /** All text that any ref of the run holds, and that the run wrote about it. */
  readonly captured: () => string;
  readonly written: () => string;
  readonly unchanged: boolean;
  readonly processes: readonly string[];
}

const baseFiles = {
  'package.json': `${JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'src/shared.js': 'export const names = [];\n',
  'test/sum.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\ntest('adds', () => {\n  assert.equal(sum(1, 2), 3);\n  assert.equal(sum(0, 0), 0);\n});\n",
  '.gitignore': '*.log\nnode_modules/\n',
};

export async function attack(name: string, { steps, ...more }: Attack): Promise<Aftermath> {
  const place = { root: '', outside: scratch('outside') };
  writeFileSync(join(place.outside, 'secret.txt'), 'the crown jewels');
  const repo = makeRepo({ name: 'repo', files: { ...(more.project ?? baseFiles), ...more.files } });
  const here = { ...place, root: repo.root };
  const first = typeof steps === 'function' ? steps(here) : steps;
  writeScript(repo, [first, ...(more.later ?? [])], more.silent === true);
  const settings = {
    agents: { worker: { driver: 'scripted', script: join(dirname(repo.root), 'script.json') } },
    checks: { run: ['node --test'], timeout: 600 },
    ...more.settings,
  };
  const before = fingerprint(repo);
  const { engine, repo: opened } = await openForge({
    cwd: repo.root,
    dataDir: repo.dataDir,
    workflows: [everything],
    settings: settingsSchema.parse(settings),
    env: { ...process.env, PLANTED_SECRET_TOKEN: 'planted-secret-value-1234' },
  });
  const task = { id: 'T1', title: name, writes: ['src/new.js'], verify: ['node --test'], ...more.task };
  const input = {
    plan: { objective: name, tasks: [task, ...(more.others ?? [])] },
    ask: false,
    planned: more.planned === true,
    ...(more.limits === undefined ? {} : { limits: more.limits }),
  };
  const handle = await engine.start(
    { run: 'hostile', title: name, workflow: 'everything', base: opened.head, root: repo.root, input, settings },
    {
      onFact: (fact) => {
        const answer = { option: more.answer ?? 'refuse' };
        if (fact.type === 'question.asked') void engine.signal('hostile', { type: 'answer', key: fact.key, answer });
      },
    },
  );
  await handle.ended;
  return lookAround(repo, here, before);
}

function writeScript(repo: TestRepo, rounds: readonly (readonly Step[])[], silent: boolean): void {
  const reply = silent ? [] : [{ reply: { status: 'success', summary: 'All done, all tests pass.' } }];
  const entries = rounds.map((steps) => ({ when: { task: 'T1' }, do: [...steps, ...reply] }));
  const rest = Array.from({ length: 6 }, () => ({ do: reply }));
  writeFileSync(join(dirname(repo.root), 'script.json'), JSON.stringify([...entries, ...rest]));
}

async function lookAround(repo: TestRepo, place: Place, before: Readonly<Record<string, string>>): Promise<Aftermath> {
  const processes = await processesLeft(dirname(repo.root));
  const directory = join(runsDirectory(repo.root), 'hostile');
  const { facts } = readJournalFile(join(directory, 'journal.jsonl'));
  const state = foldRun(facts);
  const outcome = (state.output as Aftermath['outcome'][] | undefined)?.find((one) => one.task === 'T1');
  const outcomeCommit = state.tasks.get('T1')?.outcome?.commit ?? 'HEAD';
  const after = fingerprint(repo);
  return {
    outcome: outcome ?? { task: 'T1', status: state.status, reason: state.reason },
    receipt: state.receipts.find((receipt) => receipt.task === 'T1'),
    state,
    facts,
    repo,
    place,
    read: (path) => {
      try {
        return repo.git('show', `${outcomeCommit}:${path}`);
      } catch {
        return undefined;
      }
    },
    captured: () => repo.git('log', '--all', '-p', '-m', '--format=%H %s', '--text'),
    written: () => readAll(directory),
    unchanged: JSON.stringify(withoutForge(after)) === JSON.stringify(withoutForge(before)),
    processes,
  };
}

/** `.forge/` is ours, and so is the published branch. */
function withoutForge(found: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.entries(found).filter(
    ([path]) => !path.startsWith('.forge/') && !path.startsWith('logs/refs/heads/forge'),
  );
  return Object.fromEntries(
    own.map(([path, text]) => [
      path,
      path === 'refs' ? text.replaceAll(/^\w+ refs\/heads\/forge\/.*\n?/gm, '').trimEnd() : text,
    ]),
  );
}

function readAll(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** What is there at once, but for the engine's own reader of objects, which ends by itself and is waited for. */
async function processesLeft(area: string): Promise<readonly string[]> {
  const isReader = (command: string): boolean => command.endsWith('\0cat-file\0--batch-command\0');
  const left = processesNear(area).filter((command) => !isReader(command));
  while (processesNear(area).some(isReader)) await setTimeout(20);
  return left;
}

function processesNear(area: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return environment.includes(area) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : [];
      } catch {
        return [];
      }
    });
}
