/**
 * Pipes wherever a repository can have a file that Forge or git opens. Whoever opens one for reading waits for ever. Every
 * command of `forge --help` has to end by itself there, and no git may outlive it, also when it is killed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, until } from '../cli/support.ts';

const inCheckout = `
  .gitignore .gitattributes .gitmodules .mailmap src/.gitignore src/deep/.gitignore AGENTS.md CLAUDE.md
  .env .nvmrc .tool-versions Makefile pyproject.toml tsconfig.json .forge/config.local.yaml
  .forge/.gitignore .forge/roles/developer.md .forge/memory/lessons.md .forge/workflows/own.mjs
  .forge/gates/gates.yaml .forge/store/config.yaml .forge/notes.md .forge/store/tasks/TASK-1.json
  .forge/store/bugs/BUG-1.json .forge/store/sprints/S1.json .gsd/STATE.md .gsd/PROJECT.md
  .gsd/REQUIREMENTS.md .gsd/milestones/M001/M001-ROADMAP.md plan/README.md plan/execution-log.md
  plan/plans/conventions.md plan/plans/M-001-a.md plan/reports/acceptance.md design/README.md
  design/M-001.md prd/README.md
`
  .trim()
  .split(/\s+/);
const alsoSettings = ['.forge/config.yaml', '.forge/script.yaml', 'package.json'];
const inGit = ['info/exclude', 'info/attributes', 'packed-refs', 'refs/heads/other', 'objects/info/alternates'];

/** By command, what is typed after it. Nothing that needs more than the repository. */
const commands: Readonly<Record<string, readonly string[]>> = {
  run: ['Add a multiplication', '--yes'],
  attach: [],
  watch: ['--once'],
  resume: [],
  retry: [],
  list: [],
  status: [],
  show: [],
  diff: [],
  logs: [],
  report: [],
  answer: [],
  pause: [],
  cancel: ['--yes'],
  land: [],
  undo: ['--yes'],
  cleanup: ['--yes'],
  record: [],
  rehearse: ['recording.json'],
  init: [],
  trust: [],
  doctor: [],
  agents: [],
  memory: [],
  notify: [],
  completion: ['bash'],
  task: ['list'],
  bug: ['list'],
  sprint: ['status'],
  enhance: [],
  dashboard: [],
  why: ['src/add.js:1'],
  'check-plan': ['plan'],
  store: ['list'],
  collate: [],
  rebuild: [],
  upgrade: [],
  health: [],
  accounts: [],
  supervise: ['status'],
  statusline: [],
  config: [],
  waves: ['Add a multiplication', '--yes'],
  modules: ['Add a multiplication', '--yes'],
  pipeline: ['list'],
  milestone: ['status'],
  design: ['design', '--yes'],
};
/** Served until somebody ends them, or without a repository. */
const elsewhere = ['ui', 'mcp', 'demo'];

const every = Object.keys(commands);
/** Where all of them stop at the same place. */
const some = ['run', 'list', 'status', 'init', 'trust', 'doctor', 'memory', 'milestone', 'check-plan', 'config'];

function plant(project: Project, paths: readonly string[], below = project.root): void {
  for (const path of paths) {
    const file = join(below, path);
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
  }
}

/** Ends by itself: whoever hangs is killed by the test's own limit, and named. */
async function ends(project: Project, args: readonly string[]): Promise<string> {
  const { child, ended } = project.start(args);
  child.stdin?.end();
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const { code, signal, stdout, stderr } = await ended;
  clearTimeout(limit);
  const left = gitsIn(project.root);
  return signal === null && code !== 70 && left.length === 0
    ? ''
    : `${args.join(' ')}: ${signal ?? `exit ${code}`} ${left.join(' ')} ${stdout}${stderr}`.slice(0, 2000);
}

/** Process ids of gits that work on the repository. */
function gitsIn(root: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return (
        /(?:^|\/)git\0/.test(line) &&
        (line.includes(root) || execFileSync('readlink', [`/proc/${pid}/cwd`], { encoding: 'utf8' }).trim() === root)
      );
    } catch {
      return false;
    }
  });
}

describe('a repository full of pipes', () => {
  it('is known to every command', () => {
    const help = makeProject().start(['--help']);
    return help.ended.then(({ stdout }) => {
      const named = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name ?? '');
      expect(named.filter((name) => !elsewhere.includes(name)).toSorted()).toEqual(Object.keys(commands).toSorted());
    });
  });

  it.concurrent.each([
    ['in the checkout', inCheckout, [], every],
    ['in the checkout and in place of settings', [...inCheckout, ...alsoSettings], [], some],
    ['in the git directory', [], inGit, every],
    ['in place of the configuration of git', [], ['config'], some],
  ] as const)('lets every command end: %s', async (_name, paths, gitPaths, names) => {
    const project = makeProject({ script: [] });
    plant(project, paths);
    plant(project, gitPaths, join(project.root, '.git'));
    const faults: string[] = [];
    for (const name of names) {
      const fault = await ends(project, [name, ...(commands[name] ?? [])]);
      if (fault !== '') faults.push(fault);
    }
    expect(faults).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('leaves no git behind when the command is killed', async () => {
    const project = makeProject();
    plant(project, ['.gitignore']);
    const { child, ended } = project.start(['doctor']);
    await until(() => gitsIn(project.root).length > 0, 'a git that waits');
    child.kill('SIGKILL');
    await ended;
    await until(() => gitsIn(project.root).length === 0, 'the end of the git');
    expect(existsSync(project.root)).toBe(true);
  });
});
