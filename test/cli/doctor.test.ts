/** What forge doctor finds, and when it ends with 5. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, pathWith } from './support.ts';

describe('forge doctor', () => {
  it('names the agents it finds, and ends with 5 where one that has work to do is missing', async () => {
    const project = makeProject({
      config: 'agents: { worker: { driver: command, run: [no-such-agent] }, codex: { driver: acp, agent: codex } }\n',
      trusted: false,
    });
    const PATH = pathWith('node', 'git', 'sh', 'bwrap', 'prlimit', 'setpriv', 'unshare');
    const { code, stdout } = await project.forgeWith({ PATH }, 'doctor');
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
