/** A process that was stopped by a signal lives and hears nothing: that is seen, so that nobody waits for it in silence. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { identifyProcess, isAlive, isSuspended } from '../../src/process/identity.ts';

it('is told from one that works', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error('the child must exist');
  try {
    expect({ alive: isAlive(identity), suspended: isSuspended(identity) }).toEqual({ alive: true, suspended: false });
    child.kill('SIGSTOP');
    while (!isSuspended(identity)) await new Promise((again) => setImmediate(again));
    expect(isAlive(identity)).toBe(true);
    child.kill('SIGCONT');
    while (isSuspended(identity)) await new Promise((again) => setImmediate(again));
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  expect(isSuspended(identity)).toBe(false);
});
