import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.ts';
import { makeUnjailed } from '../../src/process/unjailed.ts';
import { makeScene, never, nodeProject, onlyCommand, steady, testFile } from './support.ts';

const plan = (...entries: string[]) => ({ part: 'plan' as const, plan: entries });

describe('where commands come from', () => {
  it('runs what the judge commit suggests, and reads names and counts from the output', async () => {
    const { repo, deps, base } = await makeScene(nodeProject);
    const commit = repo.commit('broken', { 'src/sum.js': 'export const sum = (a, b) => a - b;\n' });
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit, judge: base, entries: {} }, never);
    expect(steady(report)).toEqual({
      commit,
      tree: repo.git('rev-parse', `${commit}^{tree}`),
      judge: base,
      source: 'discovery',
      status: 'failed',
      commands: [
        {
          argv: ['npm', 'run', 'test'],
          label: 'npm run test',
          cwd: '.',
          exit: 1,
          status: 'failed',
          reason: 'exit 1, 1 of 1 tests fail',
          durationMs: 0,
          counts: { passed: 0, failed: 1, skipped: 0, failing: ['test/sum.test.js > adds'] },
          reader: 'tap',
          newFailures: ['test/sum.test.js > adds'],
          output: '',
          cached: false,
          origin: 'discovery',
        },
      ],
      checkChanged: [],
    });
  });

  it('always runs the own checks of the project, and after them what the plan adds', async () => {
    const { deps, base } = await makeScene(nodeProject);
    const request = { run: 'r', name: 'T1', commit: base, judge: base };
    const labels = async (entries: Parameters<typeof runChecks>[1]['entries']) => {
      const report = await runChecks(deps, { ...request, entries }, never);
      return [report.source, report.status, ...report.commands.map(({ label, origin }) => `${label} (${origin})`)];
    };
    expect(await labels({})).toEqual(['discovery', 'passed', 'npm run test (discovery)']);
    expect(await labels({ plan: ['true', 'echo ok', 'node --version'] })).toEqual([
      'discovery',
      'passed',
      'npm run test (discovery)',
      'true (plan)',
      'echo ok (plan)',
      'node --version (plan)',
    ]);
    expect(await labels({ plan: ['node --version'], settings: [{ run: ['true', 'a b'] }] })).toEqual([
      'settings',
      'passed',
      "true 'a b' (settings)",
      'node --version (plan)',
    ]);
    // The same command is run once, however it is written.
    expect(await labels({ plan: ['npm test', 'npm run test', 'npm run -s test'] })).toEqual([
      'discovery',
      'passed',
      'npm run test (discovery)',
    ]);
    expect(await labels({ part: 'added', plan: ['npm test', 'node --version'] })).toEqual([
      'plan',
      'passed',
      'node --version (plan)',
    ]);
    expect(await labels({ part: 'plan', plan: ['npm test'] })).toEqual(['plan', 'passed', 'npm test (plan)']);
  });

  it('is unverified where a plan names only commands that cannot fail, and there is nothing else', async () => {
    const { deps, base } = await makeScene({ 'README.md': 'hello\n' });
    const run = async (...commands: string[]) => {
      const request = { run: 'r', name: 'T1', commit: base, judge: base, entries: { plan: commands } };
      return (await runChecks(deps, request, never)).status;
    };
    expect(await run('true', 'echo ok', 'node --version')).toBe('unverified');
    expect(await run('true', 'test -f README.md')).toBe('passed');
  });

  it('is unverified where there is nothing to run', async () => {
    const { deps, base, started } = await makeScene({ 'README.md': 'hello\n' });
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries: {} }, never);
    expect({ source: report.source, status: report.status, commands: report.commands }).toEqual({
      source: 'none',
      status: 'unverified',
      commands: [],
    });
    expect(started).toEqual([]);
  });

  it('refuses a plan with an operator before anything runs, and shows the rewrite', async () => {
    const { deps, base, started } = await makeScene(nodeProject);
    const entries = plan('node --version', 'npm test; rm -rf /');
    const refused = runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    await expect(refused).rejects.toMatchObject({
      code: 'bad-plan',
      message: expect.stringMatching(/^verify\[1\]: /),
      hint: expect.stringContaining('npm test'),
    });
    expect(started).toEqual([]);
  });

  it('refuses settings that need a shell, as settings', async () => {
    const { deps, base } = await makeScene(nodeProject);
    const entries = { settings: ['npm test | tee log'] };
    const refused = runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    await expect(refused).rejects.toMatchObject({ code: 'bad-config' });
  });
});

describe('a command', () => {
  it('gets a clean environment and its own variables and directory', async () => {
    process.env['FORGE_TEST_TOKEN'] = 'not-for-you';
    const { deps, base, log } = await makeScene({ 'pkg/a.txt': 'a\n' });
    const script = 'console.log(JSON.stringify({ ...process.env, cwd: process.cwd() }))';
    const entries = { part: 'plan' as const, plan: [{ run: ['node', '-e', script], cwd: 'pkg', env: { MODE: 'x' } }] };
    await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    delete process.env['FORGE_TEST_TOKEN'];
    const { PATH, HOME, TMPDIR, GIT_CEILING_DIRECTORIES, PWD, cwd, ...rest } = JSON.parse(log('T1/1-first.log'));
    expect(rest).toEqual({
      CI: '1',
      LANG: 'C.UTF-8',
      MODE: 'x',
      NO_COLOR: '1',
      GIT_TERMINAL_PROMPT: '0',
      npm_config_update_notifier: 'false',
      npm_config_offline: 'true',
    });
    expect({ PATH, HOME, TMPDIR, cwd }).toEqual({
      PATH: process.env['PATH'],
      HOME: `${GIT_CEILING_DIRECTORIES}/home`,
      TMPDIR: `${GIT_CEILING_DIRECTORIES}/tmp`,
      cwd: `${GIT_CEILING_DIRECTORIES}/tree/pkg`,
    });
    expect(PWD).toBe(cwd);
  });

  it('that takes too long is unverified with exit 124, and is not run again', async () => {
    const { deps, base, started } = await makeScene({ 'a.txt': 'a\n' });
    const entries = { part: 'plan' as const, plan: [{ run: ['sleep', '60'], timeout: 0.1 }] };
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    const { exit, status, reason } = onlyCommand(report);
    expect({ exit, status, reason, whole: report.status }).toEqual({
      exit: 124,
      status: 'unverified',
      reason: 'timed out after 0.1 s',
      whole: 'unverified',
    });
    expect(started).toHaveLength(1);
  });

  it('that prints without end is stopped; beginning and end are kept, the log has all of it', async () => {
    const { deps, base, started, log } = await makeScene({ 'a.txt': 'a\n' }, { outputBytes: 200_000 });
    const report = await runChecks(
      deps,
      { run: 'r', name: 'T1', commit: base, judge: base, entries: plan('yes') },
      never,
    );
    const { exit, status, reason, output } = onlyCommand(report);
    expect({ exit, status, reason }).toEqual({
      exit: null,
      status: 'unverified',
      reason: 'stopped after 200000 bytes of output',
    });
    expect(output.length).toBeLessThan(11_000);
    expect(output).toMatch(/^(?:y\n)+\[\.\.\. 189\d{3} bytes left out \.\.\.\]\n+(?:y\n)+$/);
    expect(log('T1/1-first.log')).toHaveLength(200_000);
    expect(started).toHaveLength(1);
  });

  it.each(['bubblewrap', 'none'])('that cannot be started says why, jail: %s', async (name) => {
    const { deps, base } = await makeScene({ 'a.txt': 'a\n' }, name === 'none' ? { jail: makeUnjailed() } : {});
    const entries = {
      part: 'plan' as const,
      plan: ['no-such-program-here --x', './run.sh', './a.txt', { run: 'true', cwd: 'missing' }],
    };
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    expect(report.commands.map(({ exit, status, reason }) => [exit, status, reason])).toEqual([
      [127, 'unverified', 'no-such-program-here is not installed'],
      [127, 'unverified', './run.sh is not in the commit'],
      [127, 'unverified', './a.txt is not executable'],
      [127, 'unverified', 'the directory missing does not exist in the commit'],
    ]);
  });

  it('is aborted with the reason of the signal, and leaves no checkout', async () => {
    const control = new AbortController();
    const { deps, base, repo } = await makeScene(
      { 'a.txt': 'a\n' },
      { started: () => control.abort(new Error('paused')) },
    );
    const request = { run: 'r', name: 'T1', commit: base, judge: base, entries: plan('sleep 60') };
    await expect(runChecks(deps, request, control.signal)).rejects.toThrow('paused');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(readdirSync(join(deps.repo.dataDir, 'workspaces', deps.repo.id, 'r'))).toEqual([]);
  });
});

describe('a baseline', () => {
  const twoTests = { ...nodeProject, 'test/old.test.js': testFile('old', 'sum(1, 1)', 3) };

  it('excuses what failed before, and only that', async () => {
    const { repo, deps, base, started } = await makeScene(twoTests);
    const common = { run: 'r', name: 'T1', judge: base, entries: plan('node --test') };
    const baseline = await runChecks(deps, { ...common, commit: base }, never);
    expect([baseline.status, onlyCommand(baseline).newFailures]).toEqual(['failed', ['test/old.test.js > old']]);
    const harmless = repo.commit('harmless', { 'README.md': 'x\n' });
    const before = started.length;
    const same = await runChecks(deps, { ...common, commit: harmless, baseline }, never);
    expect([same.status, onlyCommand(same).reason]).toEqual([
      'passed',
      'exit 1, 1 of 2 tests fail, all already failing on the base',
    ]);
    // Nothing to settle, so nothing is run twice.
    expect(started.length - before).toBe(1);
    const broken = repo.commit('broken', { 'src/sum.js': 'export const sum = (a, b) => a - b;\n' });
    const worse = await runChecks(deps, { ...common, commit: broken, baseline }, never);
    expect([worse.status, onlyCommand(worse).newFailures]).toEqual(['failed', ['test/sum.test.js > adds']]);
  });
});

describe('a failure', () => {
  it('is flaky when it passes from a fresh checkout', async () => {
    // Nothing crosses from one run to the next, so the difference has to come from outside.
    const { deps, base, started } = await makeScene({ 'a.txt': 'a\n' });
    let passes = 0;
    const turning = {
      ...deps,
      jail: {
        ...deps.jail,
        wrap: (...[command, policy]: Parameters<typeof deps.jail.wrap>) => {
          passes += 1;
          return deps.jail.wrap({ ...command, env: { ...command.env, PASS: String(passes) } }, policy);
        },
      },
    };
    const script = 'process.exit(process.env.PASS === "1" ? 3 : 0)';
    const entries = { part: 'plan' as const, plan: [{ run: ['node', '-e', script] }] };
    const request = { run: 'r', name: 'T1', commit: base, judge: base, entries };
    const report = await runChecks(turning, request, never);
    const { exit, status, reason, newFailures } = onlyCommand(report);
    expect({ exit, status, reason, newFailures, whole: report.status }).toEqual({
      exit: 3,
      status: 'flaky',
      reason: 'exit 3; passed when run again',
      newFailures: [],
      whole: 'flaky',
    });
    expect(started).toHaveLength(2);
    // A flaky result is not remembered: the next check runs, and this time passes.
    const next = await runChecks(turning, request, never);
    expect([next.status, onlyCommand(next).cached]).toEqual(['passed', false]);
  });

  it('cannot become flaky by what its first run left behind', async () => {
    const { deps, base, started } = await makeScene({ 'a.txt': 'a\n' });
    const script = [
      "const fs = require('fs');",
      "const marks = ['mark', process.env.HOME + '/mark', process.env.TMPDIR + '/mark', '/tmp/mark', '.git/mark'];",
      'const seen = marks.some((mark) => fs.existsSync(mark));',
      "for (const mark of marks) fs.writeFileSync(mark, '');",
      'process.exit(seen ? 0 : 1);',
    ].join('');
    const entries = { part: 'plan' as const, plan: [{ run: ['node', '-e', script] }] };
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    expect([report.status, onlyCommand(report).reason, started.length]).toEqual(['failed', 'exit 1', 2]);
  });

  it('of a later command is repeated with what the earlier ones make', async () => {
    const { deps, base, started } = await makeScene({ 'a.txt': 'a\n' });
    const entries = {
      part: 'plan' as const,
      plan: [
        { run: ['cp', 'a.txt', 'built.txt'] },
        { run: ['node', '-e', "process.exit(require('fs').readFileSync('built.txt').length)"] },
      ],
    };
    const report = await runChecks(deps, { run: 'r', name: 'T1', commit: base, judge: base, entries }, never);
    expect(report.commands.map(({ status, exit }) => [status, exit])).toEqual([
      ['passed', 0],
      ['failed', 2],
    ]);
    expect(started).toHaveLength(4);
  });
});
