/** Programs that are not children in the usual sense: one that goes on by itself, one that has the terminal. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDetached } from '../../src/process/detach.ts';
import { runForeground } from '../../src/process/foreground.ts';
import { tempDir } from '../support/temp.ts';

describe('startDetached', () => {
  it('starts a session of its own with its output in a file for its owner only', async () => {
    const cwd = tempDir();
    const logFile = join(cwd, 'log');
    const tell =
      "const s=require('fs').readFileSync('/proc/self/stat','latin1').split(') ')[1].split(' ');console.log(s[3]===String(process.pid), process.env.A);console.error('end');process.exit(7)";
    const { ended } = await startDetached({
      program: process.execPath,
      args: ['-e', tell],
      cwd,
      env: { A: 'b' },
      logFile,
    });
    expect(await ended).toBe(7);
    expect(readFileSync(logFile, 'utf8')).toBe('true b\nend\n');
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  });

  it('says what cannot be started', async () => {
    const cwd = tempDir();
    const request = { program: '/nowhere/forge', args: [], cwd, env: {}, logFile: join(cwd, 'log') };
    await expect(startDetached(request)).rejects.toThrow('cannot start /nowhere/forge');
  });
});

describe('runForeground', () => {
  it('waits for the end and gives the exit code', async () => {
    const cwd = tempDir();
    const run = (script: string) =>
      runForeground({ program: 'sh', args: ['-c', script], cwd, env: { PATH: process.env['PATH'] } });
    expect(await run('touch made; exit 3')).toBe(3);
    expect(existsSync(join(cwd, 'made'))).toBe(true);
    expect(await run('kill -9 $$')).toBe(null);
    await expect(runForeground({ program: '/nowhere/vi', args: [], cwd, env: {} })).rejects.toThrow(
      'cannot start /nowhere/vi',
    );
  });
});
