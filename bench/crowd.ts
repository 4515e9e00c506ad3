/**
 * Many at once, through the command line: agents that only wait, in one run, and runs side by side in one repository.
 * Agents are scripted, each a jailed process of its own. Counted is what Forge itself uses while all of them wait, what it
 * holds open, and whether every module of every run is in its result.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, time } from './ratio.ts';

const binary = join(import.meta.dirname, '../src/cli/main.js');

export async function crowdFigures(quick: boolean): Promise<readonly Figure[]> {
  const agents = quick ? 4 : 64;
  const runs = quick ? 2 : 8;
  return [
    ...(await inProject(agents, quick ? 6 : 90, (project) => waitingFigures(project, agents, quick))),
    await inProject(2, 0, (project) => besideFigure(project, runs)),
  ];
}

interface Project {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly modules: readonly string[];
}

async function waitingFigures(project: Project, agents: number, quick: boolean): Promise<readonly Figure[]> {
  const run = startRun(project, 'crowd', agents);
  const pid = run.child.pid ?? 0;
  await until(() => isOver(run.child) || waitingAgents(pid) >= agents);
  // Those that began last settle first.
  await sleep(quick ? 500 : 3000);
  const [before, began] = [cpuMs(pid), performance.now()];
  await sleep(quick ? 1500 : 10_000);
  const share = (cpuMs(pid) - before) / (performance.now() - began);
  const waiting = waitingAgents(pid);
  const [files, processes] = [readdirSync(`/proc/${pid}/fd`).length, descendants(pid).length];
  await run.done;
  requireModules(project, 'crowd');
  return [
    {
      name: `Forge's own share of a core per ten agents that wait, ${agents} agents in one run`,
      value: (share / agents) * 10,
      ...(quick ? {} : { aim: 0.1 }),
      detail: `${(share * 100).toFixed(1)} % of a core, ${waiting} agents still waited at the end`,
    },
    {
      name: `descriptors per agent, ${agents} agents`,
      value: files / agents,
      detail: `${files} descriptors and ${processes} processes; every module is in the result`,
    },
  ];
}

/** Runs that begin at once and work on the same repository; each has to end with all of its modules. */
async function besideFigure(project: Project, count: number): Promise<Figure> {
  const names = Array.from({ length: count }, (_, at) => `beside-${at + 1}`);
  const alone = await time(() => startRun(project, 'alone', 1).done);
  const together = await time(async () => {
    await Promise.all(names.map((name) => startRun(project, name, 1).done));
  });
  for (const name of names) requireModules(project, name);
  return {
    name: `${count} runs in one repository at once / as many one after the other`,
    value: together / (alone * count),
    detail: `${(together / 1000).toFixed(1)} s; each result holds its modules`,
  };
}

function startRun({ root, env }: Project, name: string, parallel: number) {
  const args = [binary, 'modules', name, '--yes', '--parallel', String(parallel)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (printed += String(chunk)));
  const done = new Promise<void>((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}:\n${printed}`)),
    );
  });
  done.catch(() => undefined);
  return { child, done };
}

/** The branch of a run holds what each of its workers wrote. */
function requireModules({ root, env, modules }: Project, title: string): void {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
  const branches = git('branch', '--list', `forge/${title}-*`, '--format=%(refname:short)').trim().split('\n');
  if (branches.length !== 1) throw new Error(`${title} has ${branches.length} branches`);
  const files = new Set(git('ls-tree', '-r', '--name-only', branches[0] ?? '').split('\n'));
  const lost = modules.filter((id) => !files.has(`src/${id}.js`));
  if (lost.length > 0) throw new Error(`${title} lost ${lost.join(', ')}`);
}

async function inProject<T>(count: number, seconds: number, work: (project: Project) => Promise<T>): Promise<T> {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-bench-')));
  const root = join(area, 'repo');
  const env = { ...process.env, HOME: area, XDG_STATE_HOME: join(area, 'state'), XDG_DATA_HOME: join(area, 'share') };
  const modules = Array.from({ length: count }, (_, at) => `m${at + 1}`);
  try {
    mkdirSync(join(root, '.forge'), { recursive: true });
    writeFileSync(join(root, '.forge/config.yaml'), config);
    writeFileSync(join(root, '.forge/script.yaml'), JSON.stringify(scriptFor(modules, seconds)));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root });
    };
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'first');
    execFileSync(process.execPath, [binary, 'trust', '--yes'], { cwd: root, env, stdio: 'ignore' });
    return await work({ root, env, modules });
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

const config = `agents: { actor: { driver: scripted, script: .forge/script.yaml } }
checks: { run: ["git --version"], timeout: 600 }
`;

function scriptFor(modules: readonly string[], seconds: number): readonly object[] {
  const tasks = modules.map((id) => ({
    id,
    title: `Module ${id}`,
    objective: `Export ${id}().`,
    writes: [`src/${id}.js`],
    verify: ['git --version'],
    doneWhen: `${id}() is a number`,
  }));
  const reply = (value: object): object => ({ reply: value });
  return [
    { when: { role: 'architect' }, repeat: true, do: [reply({ techStack: { language: 'JavaScript' }, tasks })] },
    ...modules.map((id) => ({
      when: { role: 'worker', task: id },
      repeat: true,
      do: [
        { write: { path: `src/${id}.js`, content: `export const ${id} = () => 1;\n` } },
        ...(seconds === 0 ? [] : [{ sleep: `${seconds}s` }]),
        reply({ status: 'done', summary: id, filesChanged: [`src/${id}.js`] }),
      ],
    })),
    { when: { role: 'reviewer' }, repeat: true, do: [reply({ findings: [] })] },
    { when: { role: 'auditor' }, repeat: true, do: [reply({ findings: [] })] },
    { when: { role: 'learner' }, repeat: true, do: [reply({ lessons: [] })] },
  ];
}

/** Children of the jails below a process that are scripted agents. */
function waitingAgents(pid: number): number {
  return descendants(pid).filter((each) => {
    const words = read(`/proc/${each}/cmdline`).split('\0');
    return words.some((word) => word.endsWith('scripted-child.js')) && words[0]?.endsWith('node') === true;
  }).length;
}

function descendants(root: number): readonly number[] {
  const found: number[] = [];
  for (const waiting = [root]; waiting.length > 0; ) {
    const pid = waiting.pop() ?? 0;
    for (const thread of list(`/proc/${pid}/task`)) {
      const children = read(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number);
      found.push(...children);
      waiting.push(...children);
    }
  }
  return found;
}

function cpuMs(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(100);
}
