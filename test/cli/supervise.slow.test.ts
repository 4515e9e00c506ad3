/** The supervisor through the binary: a killed run goes on, a paused one does not, one supervisor is enough, the unit. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOnPath } from '../../src/api/known-agents.ts';
import { tempDir } from '../support/temp.ts';
import { developed, makeProject, type Project, script, until } from './support.ts';

/** The developer has counted its attempt and sleeps. */
function asleep(project: Project, run: string): Promise<boolean> {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  const isAsleep = (): boolean => {
    const [repository = ''] = existsSync(area) ? readdirSync(area) : [];
    return existsSync(join(area, repository, run, 'W1/tree/n.tmp'));
  };
  return until(isAsleep, 'a sleeping developer');
}

describe('forge supervise', () => {
  it('continues what was killed and leaves alone what was paused', async () => {
    const slow = 'n=$(cat n.tmp 2>/dev/null || echo 0); echo $((n+1)) > n.tmp; [ $n -ge 1 ] || sleep 600';
    const project = makeProject({
      script: script({ develop: [{ exec: ['sh', '-c', slow] }, ...developed] }),
      files: { '.gitignore': '*.tmp\n' },
    });
    expect(await project.forge('supervise', '--once')).toMatchObject({
      code: 0,
      stdout: 'No run needs to be continued.\n',
    });
    const first = project.start(['run', 'Add a multiplication', '--yes', '--json']);
    const run = await until(() => project.runs()[0], 'a run');
    await asleep(project, run);
    first.child.kill('SIGKILL');
    await first.ended;

    const watching = project.start(['supervise', '--every', '1']);
    await until(() => watching.printed().includes('continued, because its process is gone'), 'a continued run');
    // A second one would start the same runs.
    expect(await project.forge('supervise', '--once')).toMatchObject({ code: 5 });
    await until(() => project.facts(run).at(-1)?.type === 'run.ended', 'the end of the run');
    expect(JSON.parse((await project.forge('status', run, '--json')).stdout)).toMatchObject({ status: 'done' });
    watching.child.kill('SIGTERM');
    expect(await watching.ended).toMatchObject({ code: 0 });
    expect(watching.printed().match(/continued/g)).toHaveLength(1);

    const second = project.start(['run', 'Add a multiplication', '--yes', '--json']);
    const other = await until(() => project.runs().find((one) => one !== run), 'another run');
    await asleep(project, other);
    second.child.kill('SIGINT');
    await second.ended;
    expect(JSON.parse((await project.forge('supervise', '--once', '--json')).stdout)).toEqual([]);
  });

  it('tells of the end of a run whose process died before anybody was told, once', async () => {
    const project = makeProject({ script: script({ develop: developed }) });
    const told = join(project.root, '../told.jsonl');
    const notify = join(project.env['HOME'] ?? '', '.config/forge/notify.yaml');
    mkdirSync(dirname(notify), { recursive: true });
    writeFileSync(notify, `on: [done]\nchannels:\n  - command: [sh, -c, 'cat >> ${told}; echo >> ${told}']\n`);
    expect(await project.forge('run', 'Add a multiplication', '--yes')).toMatchObject({ code: 0 });
    const texts = () =>
      readFileSync(told, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { text: string }).text);
    const look = async () => expect(await project.forge('supervise', '--once')).toMatchObject({ code: 0 });
    await look();
    expect(texts()).toEqual(['It is done.']);
    // As its process leaves it that is killed after its last fact.
    const [run = ''] = project.runs();
    const opened = project.facts(run).findLast(({ type }) => type === 'run.opened');
    writeFileSync(join(project.directory(run), 'notified.json'), JSON.stringify({ seq: opened?.seq, isOver: false }));
    writeFileSync(told, '');
    await look();
    await look();
    expect(texts()).toEqual(['It is done.']);
  });

  it('writes a unit of systemd and removes it', async () => {
    const project = makeProject({ env: { FORGE_STATE_DIR: join(tempDir('forge-unit'), 'a $b "c" 100%') } });
    const written = await project.forge('supervise', '--install', '--json');
    const { file, changed } = JSON.parse(written.stdout) as { file: string; changed: boolean };
    expect([file, changed]).toEqual([
      join(project.env['HOME'] ?? '', '.config/systemd/user/forge-supervise.service'),
      true,
    ]);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^ExecStart="[^"]+node" "[^"]+main\.js" "supervise"$/m);
    expect(text).toContain('Restart=always');
    expect(text).not.toContain('KEY');
    expect(text).toContain(String.raw`a $b \"c\" 100%%"`);
    // systemd says what it does not understand, and exits with 0 all the same.
    if (findOnPath('systemd-analyze', process.env) !== undefined) {
      const env = { ...project.env, XDG_RUNTIME_DIR: tempDir('forge-unit') };
      const verified = spawnSync('systemd-analyze', ['verify', '--user', file], { env, encoding: 'utf8' });
      expect([verified.status, verified.stderr]).toEqual([0, '']);
    }
    expect((await project.forge('supervise', '--install')).stdout).toContain('systemctl --user enable --now');
    await project.forge('supervise', '--uninstall');
    expect(existsSync(file)).toBe(false);
  });
});
