/** What scripts are given: the fields that docs/runs.md names are there, and nothing else is printed. */
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
      [...line, 'base', 'branch', 'budget', 'directory', 'integration', 'output', 'tasks'].sort(),
    );
    const shown = (await read(project, 'show')) as { line: object; summary: object };
    expect(keys(shown)).toEqual(['line', 'output', 'plan', 'receipts', 'summary']);
    expect(keys(shown.line)).toEqual(line);
    expect(shown.summary).toMatchObject({
      status: 'done',
      bugs: { found: 0, fixed: 0, remaining: [] },
      lessons: { added: 1, applied: 0, texts: ['Use node --test.'] },
      fixRounds: [{ at: 'W1', rounds: 0 }],
      documents: { prefix: '.forge/add-multiplication-', names: expect.arrayContaining(['plan.md', 'metrics.json']) },
    });
    const wave = (await read(project, 'show', 'W1')) as { task: object };
    expect(keys(wave.task)).toEqual(['effects', 'outcome', 'receipts', 'task']);
    const logs = await project.forge('logs', 'W1', '--json');
    for (const entry of logs.stdout.trimEnd().split('\n')) {
      expect(keys(JSON.parse(entry))).toEqual(['at', 'key', 'source', 'text', 'type']);
    }
    const findings = (await read(project, 'doctor')) as { name: string; ok: boolean }[];
    for (const finding of findings) expect(keys(finding)).toEqual(['detail', 'hint', 'name', 'ok', 'optional']);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node', 'jail', 'repository', 'settings', 'agents']),
    );
  });
});

describe('forge doctor', () => {
  it('names the agents it finds, and the configured program that is missing', async () => {
    const project = makeProject({
      config: 'agents: { worker: { driver: command, run: [no-such-agent] }, codex: { driver: acp, agent: codex } }\n',
    });
    const { code, stdout } = await project.forge('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^✗ agents: none of those Forge knows is on PATH \(claude, codex, opencode, gemini, goose, copilot, qwen\)\n {4}Install one, e\.g\. npm install -g @agentclientprotocol\/claude-agent-acp@[\d.]+, or/m,
    );
    expect(stdout).toContain(
      '✗ agent worker: no-such-agent is not on PATH\n    Install no-such-agent, or mend agents.worker',
    );
    expect(stdout).toContain(
      '✗ agent codex: codex-acp is not on PATH\n    npm install -g @agentclientprotocol/codex-acp@',
    );
  });
});
