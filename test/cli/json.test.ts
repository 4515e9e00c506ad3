/** What scripts are given: the fields that docs/runs.md names are there, and nothing else is printed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

async function read(project: Project, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await project.forge(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const keys = (value: unknown): readonly string[] => Object.keys(value as object).sort();

describe('--json', () => {
  it('gives every command its documented fields', async () => {
    const project = makeProject();
    const run = await project.forge('run', 'Add a multiplication', '--yes', '--json');
    const facts = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(keys(facts[0])).toEqual(['at', 'data', 'hash', 'key', 'seq', 'type', 'v']);
    expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
    expect(facts.at(-1)?.type).toBe('run.ended');

    const line = [
      'at',
      'createdAt',
      'questions',
      'reason',
      'run',
      'status',
      'title',
      'updatedAt',
      'usage',
      'where',
      'workflow',
    ];
    const [listed] = (await read(project, 'list')) as object[];
    expect(keys(listed)).toEqual(line);
    const status = await read(project, 'status');
    expect(keys(status)).toEqual(
      [...line, 'base', 'branch', 'budget', 'integration', 'isHeld', 'output', 'seq', 'tasks'].sort(),
    );
    const shown = (await read(project, 'show')) as { line: object; summary: object };
    expect(keys(shown)).toEqual(['line', 'output', 'plan', 'planText', 'receipts', 'summary']);
    expect(keys(shown.line)).toEqual(line);
    expect(shown.summary).toMatchObject({
      status: 'done',
      findings: [],
      lessons: { added: 1, applied: [], learned: [{ text: 'Use node --test.' }] },
      tasks: [{ key: 'W1', parts: ['T1'], figures: { rounds: 1, bugs: 0 } }],
    });
    const wave = (await read(project, 'show', 'W1')) as { task: object };
    expect(keys(wave.task)).toEqual(['effects', 'outcome', 'receipts', 'task']);
    const logs = await project.forge('logs', 'W1', '--json');
    for (const entry of logs.stdout.trimEnd().split('\n')) {
      expect(keys(JSON.parse(entry))).toEqual(['at', 'key', 'number', 'source', 'text', 'type']);
    }
    const findings = (await read(project, 'doctor')) as { name: string; ok: boolean }[];
    for (const finding of findings) expect(keys(finding)).toEqual(['detail', 'hint', 'name', 'ok', 'optional']);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node', 'jail', 'repository', 'settings', 'agents']),
    );
  });
});

describe('forge doctor', () => {
  it('names the agents it finds, and ends with 5 where one that has work to do is missing', async () => {
    const project = makeProject({
      config: 'agents: { worker: { driver: command, run: [no-such-agent] }, codex: { driver: acp, agent: codex } }\n',
      trusted: false,
    });
    const { code, stdout } = await project.forge('doctor');
    expect(code).toBe(5);
    expect(stdout).toMatch(
      /^! agents: none of those Forge knows is on PATH \(claude, codex, opencode, gemini, goose, copilot, qwen\)\n {4}Install one, such as: npm install -g @agentclientprotocol\/claude-agent-acp@[\d.]+\. Then run forge init/m,
    );
    expect(stdout).toContain('✗ agent worker: no-such-agent is not on PATH\n    Install no-such-agent.\n');
    expect(stdout).toContain('! agent codex: ');
    expect(stdout).toContain('! trust: ');
    expect(stdout).toContain('\nMissing: agent worker.\n');
  });

  it('ends with 5 for settings without an agent or with mistakes, with 0 where none are needed', async () => {
    const project = makeProject();
    expect(await project.forge('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('✓ agent actor: starts\nForge can work here.\n'),
    });
    rmSync(join(project.root, '.forge/script.yaml'));
    expect(await project.forge('doctor')).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('✗ agent actor: .forge/script.yaml is not there\n    Write it'),
    });
    project.write({ '.forge/config.yaml': 'agents: {}\n' });
    expect(await project.forge('doctor')).toMatchObject({
      code: 5,
      stdout: expect.stringContaining(
        '✗ project agents: .forge/config.yaml names none, so no run can start\n    Install',
      ),
    });
    project.write({ '.forge/config.yaml': 'parallel: many\n' });
    expect(await project.forge('doctor')).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('✗ settings: .forge/config.yaml, parallel: '),
    });
    rmSync(join(project.root, '.forge/config.yaml'));
    expect(await project.forge('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('! project: .forge/config.yaml is not there yet\n    Write it: forge init\n'),
    });
    const plain = join(project.root, '../plain');
    mkdirSync(plain);
    for (const hint of ['is not in a git repository', 'has no commit yet']) {
      expect(await project.start(['doctor'], {}, plain).ended).toMatchObject({
        code: 5,
        stdout: expect.stringMatching(new RegExp(`✗ repository: .*${hint}(.|\\n)*Missing: repository`)),
      });
      execFileSync('git', ['init', '-q', plain]);
    }
    const bare = join(project.root, '../bin');
    mkdirSync(bare);
    symlinkSync(process.execPath, join(bare, 'node'));
    expect(await project.forgeWith({ PATH: bare }, 'doctor')).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^Missing: .*repository/m),
    });
  });
});
