/**
 * How long a person waits before anything is said: commands against bare Node, in a repository with many runs, and how
 * many modules each command loads. Ratios of one run on one machine; counts are exact.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/engine/clock.ts';
import { Journal } from '../src/engine/files/journal.ts';
import { type Figure, sideBySide } from './ratio.ts';

const binary = join(import.meta.dirname, '../src/cli/main.js');
const [manyRuns, manyFacts] = [500, 1000];
/** The run that waits for an answer. */
const asking = 'run-1';

export async function startFigures(quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 7 : 25;
  const area = mkdtempSync(join(tmpdir(), 'forge-bench-start-'));
  const root = join(area, 'repository');
  const env = { ...process.env, HOME: area, XDG_STATE_HOME: join(area, 'state') };
  const node = (...args: string[]): void => {
    execFileSync(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  };
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  try {
    execFileSync('git', ['init', '-q', root], { env });
    execFileSync('git', ['-C', root, ...author, 'commit', '-q', '--allow-empty', '-m', 'first'], { env });
    // The first look gives the repository its id; the next one makes what later looks need.
    node(binary, 'list');
    const id = readFileSync(join(root, '.git/forge/repository-id'), 'utf8').trim();
    makeRuns(join(area, 'state/forge/repositories', id, 'runs'), quick ? 50 : manyRuns);
    node(binary, 'list');
    const figures: Figure[] = [];
    const commands = [
      { args: ['--help'], aim: 2 },
      { args: ['list'], aim: 2.5 },
      { args: ['status', 'run-7'], aim: 2.5 },
      { args: ['show', 'run-7'], aim: 2.5 },
      { args: ['logs', 'run-7'], aim: 2.5 },
      { args: ['answer', asking, '--option', 'yes', '--no-resume'], aim: 2.5 },
    ];
    for (const { args, aim } of commands) {
      const measured = await sideBySide(
        rounds,
        () => node(binary, ...args),
        () => node('-e', '0'),
      );
      const { own, others } = modulesOf(area, root, args);
      figures.push({
        name: `forge ${args.join(' ')} / node -e 0, ${quick ? 50 : manyRuns} runs of ${manyFacts} facts`,
        value: measured.ratio,
        aim,
        detail: `${milliseconds(measured)}; ${own} modules of its own, ${others} of dependencies`,
      });
    }
    figures.push(await firstLineFigure(root, env, rounds));
    return figures;
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

/** At a terminal a person sees at once that something happens. `script` makes the terminal. */
async function firstLineFigure(root: string, env: NodeJS.ProcessEnv, rounds: number): Promise<Figure> {
  const firstLine = (...words: readonly string[]): Promise<void> => {
    const child = spawn('script', ['-qec', words.join(' '), '/dev/null'], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return new Promise((resolve) => {
      child.stdout.once('data', () => child.kill('SIGKILL'));
      child.once('close', () => resolve());
    });
  };
  const measured = await sideBySide(
    rounds,
    () => firstLine(process.execPath, binary, 'run', 'x'),
    () => firstLine(process.execPath, '-p', '0'),
  );
  return {
    name: 'forge run until its first line / node -p 0',
    value: measured.ratio,
    aim: 3,
    detail: milliseconds(measured),
  };
}

/** Runs that are over, with one journal's text under many names: what is read does not depend on who wrote it. */
function makeRuns(runs: string, count: number): void {
  const first = join(runs, 'run-0');
  mkdirSync(first, { recursive: true });
  const journal = Journal.create({ file: join(first, 'journal.jsonl'), clock: systemClock, unsafeNoSync: true });
  const base = '0'.repeat(40);
  const created = { run: 'run-0', title: 'A run', workflow: 'bench', workflowVersion: 1, base, root: '/r', forge: '0' };
  journal.append('run.created', '', { ...created, input: {}, settings: {} });
  for (let at = 0; at < (manyFacts - 2) / 2; at += 1) {
    journal.append('step.started', `s${at}`, { kind: 'round', title: `Step ${at}` });
    journal.append('step.ended', `s${at}`, { status: 'done', detail: 'as planned' });
  }
  const unfinished = readFileSync(journal.file);
  journal.append('run.ended', '', { status: 'done' });
  journal.close();
  const text = readFileSync(journal.file);
  for (let at = 1; at < count; at += 1) {
    mkdirSync(join(runs, `run-${at}`));
    writeFileSync(join(runs, `run-${at}`, 'journal.jsonl'), text);
  }
  ask(join(runs, asking, 'journal.jsonl'), unfinished);
}

/** Each answer is left in its inbox, because nobody works on it. */
function ask(file: string, begun: Buffer): void {
  writeFileSync(file, begun);
  const { journal } = Journal.open({ file, clock: systemClock, unsafeNoSync: true });
  journal.append('question.asked', 'q', { title: 'Go on?', options: [{ id: 'yes', label: 'Yes' }] });
  journal.append('run.suspended', '', { reason: 'waiting' });
  journal.close();
}

/** As the engine that runs them counts them. */
function modulesOf(area: string, root: string, args: readonly string[]): { own: number; others: number } {
  const coverage = mkdtempSync(join(area, 'coverage-'));
  const env = { ...process.env, HOME: area, XDG_STATE_HOME: join(area, 'state'), NODE_V8_COVERAGE: coverage };
  execFileSync(process.execPath, [binary, ...args], { cwd: root, env, stdio: 'ignore' });
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  const others = urls.filter((url) => url.includes('/node_modules/')).length;
  return { own: urls.length - others, others };
}

function milliseconds({ subjectMs, referenceMs }: { subjectMs: number; referenceMs: number }): string {
  return `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`;
}
