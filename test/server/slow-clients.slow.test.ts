/** Programs that open every connection there is and never finish asking: they are cut off, and others get in again. */
import { get } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { serveUi } from '../../src/server/serve-ui.ts';
import { makeProject } from '../cli/support.ts';

/** Whether an ordinary request is answered now. */
function isServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    request.on('error', () => resolve(false));
  });
}

it('is not kept busy for long by requests that never end', async () => {
  const project = makeProject();
  const worker = { where: 'apart' as const, program: process.execPath, args: [] };
  const dashboard = await serveUi({ cwd: project.root, env: project.env, worker, all: false, port: 0 });
  const { port } = dashboard;
  let closed = 0;
  const slow = Array.from({ length: 400 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: `));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    return socket;
  });
  // They go on for ever, a letter at a time.
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a');
  }, 500);
  try {
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(400);
    expect(await isServed(port)).toBe(true);
  } finally {
    clearInterval(drip);
    for (const socket of slow) socket.destroy();
    await dashboard.close();
  }
});
