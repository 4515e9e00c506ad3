/** The command line itself: help, what it refuses, completion, and that asking for help loads nothing heavy. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsOf, commands, groupSummaries } from '../../src/cli/commands.ts';
import { helpTextOf, helpTexts } from '../../src/cli/examples.ts';
import { commandHelp, groupHelp, overviewHelp } from '../../src/cli/help.ts';
import { workflowCommands } from '../../src/cli/workflow-command.ts';
import { makeProject, scriptedConfig } from './support.ts';

describe('forge', () => {
  it('lists every command and describes each with its flags', async () => {
    const project = makeProject();
    const { code, stdout } = await project.start(['--help']).ended;
    expect(code).toBe(0);
    for (const { name, summary } of commands)
      if (!name.includes(' ')) expect(stdout).toContain(`${name.padEnd(12)}${summary}`);
    for (const [group, summary] of Object.entries(groupSummaries))
      expect(stdout).toContain(`${group.padEnd(12)}${summary}`);
    expect(await project.forge('cleanup', '--help')).toEqual({
      code: 0,
      signal: null,
      stdout: `forge cleanup [run] [options]

  Remove what a run keeps: workspaces, refs, journal.
  The published branch stays.
  Without a name, it asks which run you mean; a script has to name the run or
  pass --yes.

  --all      every finished run
  --force    also remove work that exists nowhere else
  --yes, -y  do not ask; without a name, take the newest run that fits
  --json     print data for scripts

Examples:
  forge cleanup x1y2   # one run
  forge cleanup --all  # every finished run
`,
      stderr: '',
    });
  });

  it('has help with examples for every command, which an 80-column terminal holds', () => {
    expect(Object.keys(helpTexts).sort()).toEqual(commands.map(({ name }) => name).sort());
    for (const entry of [...commands, ...workflowCommands]) {
      const text = helpTextOf(entry);
      expect(text?.examples.length, entry.name).toBeGreaterThan(0);
      const lines = commandHelp(entry, text, actionsOf(entry.name)).split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      // What is shown as an example must be understood.
      for (const [command] of text?.examples ?? []) {
        const [, called = '', ...flags] = /forge (\w[\w -]*)(.*)$/.exec(command) ?? [];
        expect(`${called} `.startsWith(`${entry.name} `) || entry.name === 'forge', command).toBe(true);
        for (const [, flag = ''] of (flags[0] ?? '').matchAll(/--([a-z-]+)/g)) {
          expect(Object.keys(entry.flags), command).toContain(flag);
        }
      }
    }
    const groups = Object.entries(groupSummaries).map(([group, summary]) =>
      groupHelp(group, summary, actionsOf(group)),
    );
    expect(
      [overviewHelp(commands, workflowCommands), ...groups]
        .flatMap((text) => text.split('\n'))
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it('refuses what it does not know, with what was probably meant', async () => {
    const project = makeProject();
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await project.forge(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await refused('staus')).toBe('forge: There is no command "staus"\n  Did you mean status?\n');
    expect(await refused('rnu')).toBe('forge: There is no command "rnu"\n  Did you mean run?\n');
    expect(await refused('run', '--plan-olny', 'x')).toBe(
      'forge: run has no option --plan-olny\n  Did you mean --plan-only?\n',
    );
    expect(await refused('run', 'add', 'mul')).toBe(
      'forge: run: unexpected argument "mul"\n  Put the requirement in quotes.\n',
    );
    expect(await refused('completion')).toBe('forge: completion needs <shell>\n  See forge completion --help.\n');
    expect(await refused('run', '--parallel', 'many', 'x')).toBe(
      'forge: --parallel many is not a number of tasks\n  Use 1 to 64.\n',
    );
    expect(await refused('run', '--file')).toContain("forge: run: Option '-f, --file <value>' argument missing");
  });

  it('finds actions of a group, lists them, and refuses what a group does not know', async () => {
    const project = makeProject();
    const group = await project.forge('sprint');
    expect(group).toMatchObject({ code: 0, stdout: expect.stringContaining('sprint run <sprint>') });
    expect(await project.forge('sprint', '--help')).toEqual(group);
    expect(await project.forge('help', 'sprint')).toEqual(group);
    expect((await project.forge('pipeline', '--help')).stdout).toContain('pipeline gate <record> <phase>');
    expect(await project.forge('help', 'pipeline', 'gate')).toEqual(await project.forge('pipeline', 'gate', '--help'));
    expect(await project.forge('pipeline', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('→') });
    expect(await project.forge('pipeline', 'lst')).toMatchObject({
      code: 2,
      stderr: 'forge: pipeline has no action "lst"\n  Did you mean pipeline list?\n',
    });
    expect(await project.forge('pipeline', 'list', '--commit', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('pipeline list has no option --commit'),
    });
    expect(await project.forge('pipeline', 'gate', 'T1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('pipeline gate needs <phase>'),
    });
  });

  it('refuses a bad request before anything exists', async () => {
    const project = makeProject();
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await project.forge(...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('run', '  ')).toContain('forge: There is no requirement\n');
    expect(await refused('run', 'x', '--agent', 'acter')).toBe(
      'forge: There is no agent "acter"\n  Did you mean actor?\n',
    );
    project.write({ '.forge/config.yaml': `${scriptedConfig}budget: { roles: { tesster: { usd: 1 } } }\n` });
    expect(await refused('run', 'x')).toBe(
      'forge: budget.roles.tesster: there is no role "tesster"\n  Did you mean tester? A role of your own has a file .forge/roles/tesster.md.\n',
    );
    project.write({ '.forge/config.yaml': scriptedConfig });
    expect(await refused('run', 'x', '--budget', '0')).toContain('"0" cannot be read: "0" lets nothing be done.\n');
    expect(await refused('run', 'x', '--workflow', 'wavs')).toBe(
      'forge: There is no workflow "wavs"\n  Did you mean waves?\n',
    );
    expect(await refused('run', 'x', '--lite', '--barriers')).toBe(
      'forge: run has no option --lite\n  It is an option of the workflow modules: forge modules, or add --workflow modules.\n',
    );
    expect(await refused('run', 'x', '--parallel', '2')).toBe(
      'forge: --parallel cannot be used with the workflow waves\n  waves works on one task at a time. Leave it out, or choose another workflow, such as modules.\n',
    );
    expect(await refused('waves', 'x', '--parallel', '2')).toContain('forge: waves has no option --parallel\n');
    expect(await refused('rehearse', '--from-history', 'HEAD..HEAD', '--workflow', 'modules')).toContain(
      '--workflow has no effect with --from-history',
    );
    expect(await refused('run', '--file', 'nowhere.md')).toContain('The requirement cannot be read');
    expect(await refused('status', 'nothing')).toContain('forge: There is no run "nothing"\n');
    project.write({ '.forge/config.yaml': 'parallel: lots\n' });
    expect(await refused('run', 'x')).toContain('.forge/config.yaml, parallel');
    // All mistakes at once, and what only reads works all the same.
    project.write({
      '.forge/config.yaml': `parallel: lots\nagents: { a: { driver: scripted, script: s } }\nroles: { tester: b }\ncolour: red\n`,
    });
    const mistakes = await refused('run', 'x');
    for (const part of ['has 3 mistakes', '- parallel: ', '- colour: ', '- roles.tester: There is no agent "b"'])
      expect(mistakes).toContain(part);
    expect(await project.forge('list')).toMatchObject({ code: 0, stderr: '' });
    expect(await project.forge('memory')).toMatchObject({ code: 0 });
    expect(await project.forge('doctor')).toMatchObject({ code: 5, stdout: expect.stringContaining('has 3 mistakes') });
    project.write({ '.forge/config.yaml': 'agents: {}\n' });
    expect(await refused('run', 'x')).toContain('forge: No agent is configured\n  Install one');
    expect(await refused('run', 'x', '--detach')).toContain('forge: No agent is configured\n');
    project.write({ '.forge/config.yaml': scriptedConfig });
    mkdirSync(dirname(project.directory('')), { recursive: true });
    writeFileSync(project.directory('').replace(/\/$/, ''), 'mine\n');
    expect(await project.forge('list')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("/runs'\n  There is a file where a directory should be: move it away.\n"),
    });
    rmSync(project.directory('').replace(/\/$/, ''));
    expect((await project.forge('list', '--json')).stdout).toBe('[]\n');
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('ends quietly where nobody reads', async () => {
    const project = makeProject();
    expect((await project.start(['list']).unread()).code).toBe(0);
    expect((await project.start(['--help']).unread()).code).toBe(0);
    expect((await project.start(['staus']).unread()).code).toBe(2);
    const { child, ended } = project.start(['list', '--json']);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes completion that the shell can read', async () => {
    const project = makeProject();
    const { code, stdout } = await project.forge('completion', 'bash');
    expect(code).toBe(0);
    const script = `${stdout}\nCOMP_WORDS=(forge cle) COMP_CWORD=1; _forge; echo "\${COMPREPLY[@]}"
forge() { echo sums-1; }; COMP_WORDS=(forge land su) COMP_CWORD=2; _forge; echo "\${COMPREPLY[@]}"
COMP_WORDS=(forge run --pl) COMP_CWORD=2; _forge; echo "\${COMPREPLY[@]}"`;
    const completed = execFileSync('bash', ['--norc', '-c', script], { cwd: project.root, encoding: 'utf8' });
    expect(completed).toBe('cleanup\nsums-1\n--plan-only\n');
    for (const { name, words } of commands.filter((entry) => !entry.name.includes(' '))) {
      if (words[0] === 'run' || words[0] === 'run?')
        expect(stdout).toMatch(new RegExp(`^ +${name}\\) .*forge list --names`, 'm'));
      else expect(stdout).toMatch(new RegExp(`^ +${name}\\) words=`, 'm'));
    }
    for (const shell of ['zsh', 'fish']) {
      const written = await project.forge('completion', shell);
      for (const { name } of commands) for (const word of name.split(' ')) expect(written.stdout).toContain(word);
    }
    expect((await project.forge('completion', 'tcsh')).code).toBe(2);
  });

  it('loads nothing but the table for help', () => {
    const source = resolve(import.meta.dirname, '../../src');
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, target = ''] of text.matchAll(/^(?:import|export)\b(?! type)[^;]*?from '([^']+)'/gm)) {
        // What is part of Node costs nothing more.
        if (target.startsWith('node:')) continue;
        if (!target.startsWith('.')) throw new Error(`${file} loads ${target}`);
        visit(join(dirname(file), target));
      }
    };
    visit(join(source, 'cli/main.ts'));
    const isHead = (name: string): boolean => /^workflows\/[a-z-]+\/definition\.ts$/.test(name);
    const all = [...loaded].map((file) => relative(source, file)).sort();
    expect(all.filter(isHead).length).toBe(workflowCommands.length);
    const names = all.filter((name) => !isHead(name));
    expect(names).toEqual([
      'api/own-process.ts',
      'cli/backlog-commands.ts',
      'cli/commands.ts',
      'cli/help.ts',
      'cli/main.ts',
      'cli/milestone-commands.ts',
      'cli/perform-command-line.ts',
      'cli/project-commands.ts',
      'cli/record-commands.ts',
      'cli/run-commands.ts',
      'cli/shared-flags.ts',
      'cli/user-commands.ts',
      'cli/workflow-command.ts',
      'errors.ts',
      'process/inherited.ts',
      'version.ts',
      // The heads of workflows are data.
      'workflows/definition.ts',
      'workflows/registry.ts',
    ]);
  });
});
