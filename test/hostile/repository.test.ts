/**
 * Repositories that a person has cloned and should not have trusted, each against the real binary. Whatever it brings
 * along: nothing outside the repository changes, nothing of it is run that nobody agreed to, and Forge ends with a
 * sentence or does its work. A new kind of hostility is a new row.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTree } from '../git/support.ts';
import { makeProject, type Project, scriptedConfig } from '../cli/support.ts';
import { agreeAt } from '../support/agreed.ts';
import { tempDir } from '../support/temp.ts';

const requirement = 'Add a multiplication';
const slug = 'add-multiplication';

interface Row {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: string;
  /** After the first commit, as an archive could bring it; `outside` is a directory of the person's. */
  readonly plant?: (root: string, outside: string) => void;
  /** Whether the person has agreed to what the settings say. */
  readonly agreed?: boolean;
  readonly args?: readonly string[];
  readonly code: number;
  readonly says?: RegExp;
}

const planOnly = ['run', requirement, '--plan-only', '--yes'];

/** A path of the repository leads to a file or directory of the person's. */
const linked =
  (path: string, target = 'precious.txt') =>
  (root: string, outside: string): void => {
    rmSync(join(root, path), { recursive: true, force: true });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(join(outside, target), join(root, path));
  };

const piped =
  (path: string) =>
  (root: string): void => {
    rmSync(join(root, path), { recursive: true, force: true });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    execFileSync('mkfifo', [join(root, path)]);
  };

const workflow = (more: string): string =>
  `${more}\nexport const workflow = { name: 'own', version: 1, run: async () => ({ status: 'done' }) };\n`;
const ownWorkflow = ['run', requirement, '--workflow', 'own', '--yes'];

const rows: Readonly<Record<string, Row>> = {
  // Documents are written over what is there, never through it.
  'a plan document that is a link': { plant: linked(`.forge/${slug}-plan.md`), code: 0 },
  'a plan document that is a link to nothing yet': { plant: linked(`.forge/${slug}-plan.md`, 'new.txt'), code: 0 },
  'what was once the name of a temporary file, as a link': { plant: linked(`.forge/${slug}-plan.md.tmp`), code: 0 },
  'a plan document that is a hard link': {
    plant: (root, outside) => linkSync(join(outside, 'precious.txt'), join(root, `.forge/${slug}-plan.md`)),
    code: 0,
  },
  'a plan document that is a pipe': { plant: piped(`.forge/${slug}-plan.md`), code: 0 },
  'a plan document that is a directory': {
    plant: (root) => mkdirSync(join(root, `.forge/${slug}-plan.md/x`), { recursive: true }),
    code: 0,
  },
  'an ignore file that is a link to nothing yet': { plant: linked('.forge/.gitignore', 'new.txt'), code: 0 },
  'an ignore file of the repository that is a link': { plant: linked('.gitignore'), code: 0 },
  // Settings, roles, workflows, scripts: no link, no pipe, no directory, nothing huge.
  '.forge itself as a link': { plant: linked('.forge', 'forge'), code: 2, says: /\.forge is a link/ },
  'settings that are a link': { plant: linked('.forge/config.yaml'), code: 2, says: /config\.yaml is a link/ },
  'settings that are a pipe': { plant: piped('.forge/config.yaml'), code: 2, says: /config\.yaml is a pipe/ },
  'settings that are a directory': {
    plant: (root) => {
      rmSync(join(root, '.forge/config.yaml'));
      mkdirSync(join(root, '.forge/config.yaml'));
    },
    code: 2,
    says: /config\.yaml is a directory/,
  },
  'settings that are huge': {
    plant: (root) => truncateSync(join(root, '.forge/config.yaml'), 1e9),
    code: 2,
    says: /config\.yaml is larger than/,
  },
  'a script that is a link': { plant: linked('.forge/script.yaml'), code: 2, says: /script\.yaml is a link/ },
  'roles behind a link': { plant: linked('.forge/roles', 'forge/roles'), code: 2, says: /\.forge\/roles is a link/ },
  'a role that is a link': { plant: linked('.forge/roles/developer.md'), code: 2, says: /developer\.md is a link/ },
  'a role that is a pipe': { plant: piped('.forge/roles/developer.md'), code: 2, says: /developer\.md is a/ },
  'workflows behind a link': {
    plant: linked('.forge/workflows', 'forge/workflows'),
    code: 2,
    says: /workflows is a link/,
  },
  'a workflow that is a link': { plant: linked('.forge/workflows/own.mjs'), code: 2, says: /own\.mjs is a link/ },
  // Whatever weakens a guarantee is agreed to first.
  'prices that make work free': {
    config: `${scriptedConfig}prices: { "*": { input: 0, output: 0 } }\n`,
    agreed: false,
    code: 2,
    says: /\* counts as \$0 in and \$0 out/,
  },
  'a budget without a limit in dollars': {
    config: `${scriptedConfig}budget: { minutes: 1000 }\n`,
    agreed: false,
    code: 2,
    says: /a run may use 16\.6 h, and nothing else/,
  },
  'a role in capitals': {
    files: { '.forge/roles/Developer.MD': 'Obey.' },
    agreed: false,
    code: 2,
    says: /Developer\.MD tells agents what to do/,
  },
  'a workflow nobody agreed to': {
    files: { '.forge/workflows/own.mjs': workflow('') },
    agreed: false,
    args: ownWorkflow,
    code: 2,
    says: /own\.mjs runs in Forge itself/,
  },
  // What a workflow imports is agreed to with it, and what cannot be known is not run.
  'an import of a package': importing("import 'left-pad';", /left-pad/),
  'an import of files': importing("import { readFileSync } from 'node:fs';", /node:fs/),
  'an import with a computed name': importing("await import(['..', 'x.mjs'].join('/'));", /line 1: import\(\)/),
  'an import from outside the repository': importing("import '../../../../../etc/x.mjs';", /outside the repository/),
  'an import of what is in the git directory': importing("import '../../.git/x.mjs';", /outside the repository/),
  'an import of a link': {
    ...importing("import './helper.mjs';", /helper\.mjs is a link/),
    plant: linked('.forge/workflows/helper.mjs'),
  },
  'eval of something': importing("eval('1');", /eval could load other code/),
  'a function made of text': importing("(() => {}).constructor('return 1')();", /constructor could load/),
  'require by another way': importing("process.getBuiltinModule('module').createRequire('/')('x');", /could load/),
  // A run is never what a repository says is one.
  'a file where runs once were': { plant: (root) => writeFileSync(join(root, '.forge/runs'), 'x'), code: 0 },
  'a link where runs once were': { plant: linked('.forge/runs', 'forge'), code: 0 },
};

function importing(code: string, says: RegExp): Row {
  return { files: { '.forge/workflows/own.mjs': workflow(code) }, args: ownWorkflow, code: 2, says };
}

/** A directory of the person's, with what a link may want to lead to. */
function personal(): string {
  const outside = tempDir('outside');
  const files = {
    'precious.txt': 'export PATH\n',
    'forge/config.yaml': scriptedConfig,
    'forge/roles/developer.md': 'Obey.\n',
    'forge/workflows/own.mjs': workflow(''),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(outside, path)), { recursive: true });
    writeFileSync(join(outside, path), content);
  }
  return outside;
}

describe('a hostile repository', () => {
  it.each(Object.entries(rows))('%s', async (_, row) => {
    const outside = personal();
    const before = listTree(outside, '');
    const project = makeProject({
      trusted: row.agreed ?? true,
      ...(row.config === undefined ? {} : { config: row.config }),
      ...(row.files === undefined ? {} : { files: row.files }),
    });
    row.plant?.(project.root, outside);
    if (row.agreed !== false) agreeAt(project.root, project.env);
    const { code, stderr, stdout } = await project.forge(...(row.args ?? planOnly));
    expect({ code, stderr }, stdout).toEqual({ code: row.code, stderr: expect.stringMatching(row.says ?? /^/) });
    expect(stderr).not.toMatch(/^ +at /m);
    expect(listTree(outside, '')).toEqual(before);
    if (row.code !== 0) expect(project.runs()).toEqual([]);
  });

  it('brings lessons, a lock and a whole run along, and none of it is followed', async () => {
    const donor = makeProject();
    expect((await donor.forge('run', requirement, '--yes')).code).toBe(0);
    const [run = ''] = donor.runs();
    const outside = personal();
    const before = listTree(outside, '');
    const project = makeProject();
    const planted = join(project.root, '.forge/runs', run);
    cpSync(donor.directory(run), planted, { recursive: true });
    const journal = join(planted, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
    for (const path of ['journal.jsonl', 'inbox']) expect(existsSync(join(planted, path))).toBe(true);
    linked('.forge/memory/testing.md')(project.root, outside);
    symlinkSync('/dev/zero', join(project.root, '.forge/memory/.lock'));
    project.git('add', '-f', '.forge/runs');
    project.git('commit', '-qm', 'hostile');
    const text = readFileSync(journal, 'utf8');

    const { code, stdout, stderr } = await project.forge('run', requirement, '--yes');
    expect({ code }, stdout + stderr).toEqual({ code: 0 });
    expect(stderr).toContain('.forge/runs in this checkout is ignored');
    expect(stderr.match(/is ignored/g)).toHaveLength(1);
    expect(project.runs()).not.toContain(run);
    expect(readFileSync(journal, 'utf8')).toBe(text);
    expect((await project.forge('list')).stdout).not.toContain(run);
    expect(await project.forge('resume', run)).toMatchObject({ code: 2, stderr: expect.stringContaining('no run') });
    expect(listTree(outside, '')).toEqual(before);
    expect(lstatSync(join(project.root, '.forge/memory/testing.md')).isSymbolicLink()).toBe(true);
  });

  it('changes what its workflow imports after the person agreed, and that is not run', async () => {
    const outside = personal();
    const helper = (text: string): string => `export const said = ${JSON.stringify(text)};\nconsole.error(said);\n`;
    const own = workflow("import { said } from '../../tools/helper.mjs';\nimport { deliver } from 'forge/workflow';");
    const project = makeProject({ files: { '.forge/workflows/own.mjs': own, 'tools/helper.mjs': helper('agreed') } });
    const first = await project.forge(...ownWorkflow);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('agreed\n') });
    writeFileSync(join(project.root, 'tools/helper.mjs'), helper('changed'));
    const second = await project.forge(...ownWorkflow, '--fresh');
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('tools/helper.mjs is imported') });
    expect(second.stderr).not.toContain('changed\n');
    for (const args of [['resume'], ['retry'], ['answer']]) {
      expect((await project.forge(...args)).stderr).not.toContain('changed\n');
    }
    expect(listTree(outside, '')).toEqual(listTree(personal(), ''));
  });
});

describe('runs of a repository', () => {
  const names = async (project: Project, root: string): Promise<readonly string[]> => {
    const listed = execFileSync(process.execPath, [binary, 'list', '--json'], {
      cwd: root,
      env: project.env,
      encoding: 'utf8',
    });
    return (JSON.parse(listed) as { run: string; status: string }[]).map(({ run, status }) => `${run} ${status}`);
  };

  it('survive git clean, a move and a new clone, and are not acted on from another clone', async () => {
    const project = makeProject();
    const origin = join(dirname(project.root), 'origin.git');
    project.git('clone', '-q', '--bare', '.', origin);
    project.git('remote', 'add', 'origin', origin);
    expect((await project.forge(...planOnly)).code).toBe(0);
    const [run = ''] = project.runs();
    const waiting = `${run} waiting`;
    project.git('clean', '-qfdx');
    expect(await names(project, project.root)).toEqual([waiting]);

    const moved = join(dirname(project.root), 'moved');
    renameSync(project.root, moved);
    expect(await names(project, moved)).toEqual([waiting]);

    const second = join(dirname(moved), 'second');
    execFileSync('git', ['clone', '-q', origin, second], { env: project.env });
    expect(await names(project, second)).toEqual([`${run} elsewhere`]);
    expect(forgeIn(second, project, ['resume', run])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`It belongs to another clone: run this command in ${moved}.`),
    });

    rmSync(moved, { recursive: true });
    const third = join(dirname(moved), 'third');
    execFileSync('git', ['clone', '-q', origin, third], { env: project.env });
    expect(await names(project, third)).toEqual([waiting]);
    expect(await names(project, second)).toEqual([`${run} elsewhere`]);
  });
});

const binary = join(import.meta.dirname, '../../dist/cli/main.js');

function forgeIn(cwd: string, { env }: Project, args: readonly string[]): { status: number | null; stderr: string } {
  try {
    execFileSync(process.execPath, [binary, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
    return { status: 0, stderr: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number | null; stderr: string };
    return { status, stderr };
  }
}
