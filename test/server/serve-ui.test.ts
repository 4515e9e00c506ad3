/** The dashboard's door: who gets in, who does not, and what leaves. Real HTTP on loopback. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Admission } from '../../src/server/admission.ts';
import { RateLimit } from '../../src/server/rate-limit.ts';
import { type RunningDashboard, serveUi } from '../../src/server/serve-ui.ts';
import { makeProject, type Project } from '../cli/support.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const call = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

describe('the dashboard server', () => {
  let project: Project;
  let dashboard: RunningDashboard;
  let cookie = '';
  const worker = { where: 'apart' as const, program: process.execPath, args: [] };
  const open = (): Promise<RunningDashboard> =>
    serveUi({ cwd: project.root, env: project.env, worker, all: false, port: 0 });
  const json = { 'content-type': 'application/json' };
  const call = (operation: string, input: object, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(dashboard.port, `/api/call/${operation}`, {
      method: 'POST',
      headers: { ...json, cookie, ...headers },
      body: JSON.stringify({ input }),
    });

  beforeAll(async () => {
    project = makeProject();
    dashboard = await open();
    const link = new URL(dashboard.link());
    const answer = await ask(dashboard.port, link.pathname + link.search);
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    const set = String(answer.headers['set-cookie']);
    expect(set).toMatch(/^forge-\d+=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    cookie = set.split(';', 1)[0] ?? '';
  });
  afterAll(() => dashboard.close());

  it('lets a link in once', async () => {
    const link = new URL(dashboard.link());
    const path = link.pathname + link.search;
    expect((await ask(dashboard.port, path)).headers['set-cookie']).toBeDefined();
    expect((await ask(dashboard.port, path)).headers['set-cookie']).toBeUndefined();
    expect((await ask(dashboard.port, '/open?token=guess')).headers['set-cookie']).toBeUndefined();
  });

  it('answers nobody without the cookie', async () => {
    const without = { method: 'POST', headers: json, body: '{}' };
    expect(await ask(dashboard.port, '/api/call/describe-start', without)).toMatchObject({ status: 401 });
    expect(await ask(dashboard.port, '/api/events?s=[]')).toMatchObject({ status: 401 });
    expect(await ask(dashboard.port, '/api/about', { headers: { cookie: `${cookie}x` } })).toMatchObject({
      status: 401,
    });
    expect(await ask(dashboard.port, '/api/about', { headers: { cookie } })).toMatchObject({ status: 200 });
  });

  it('refuses other names, other pages and other ways of asking', async () => {
    const about = (headers: Record<string, string>): Promise<Answer> =>
      ask(dashboard.port, '/api/about', { headers: { cookie, ...headers } });
    expect(await about({ host: `evil.example:${dashboard.port}` })).toMatchObject({ status: 421 });
    expect(await about({ host: '127.0.0.1' })).toMatchObject({ status: 421 });
    expect(await about({ origin: 'http://evil.example' })).toMatchObject({ status: 403 });
    expect(await about({ origin: 'null' })).toMatchObject({ status: 403 });
    expect(await about({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toMatchObject({
      status: 403,
    });
    expect(await call('describe-start', {}, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    const got = await ask(dashboard.port, '/api/call/pause-run?run=x', { headers: { cookie } });
    expect(got).toMatchObject({ status: 404 });
  });

  it('offers the operations of the dashboard and no others', async () => {
    for (const name of ['init-project', 'trust-project', 'store-write', 'constructor', 'watch-runs']) {
      expect(await call(name, {})).toMatchObject({ status: 404 });
    }
    const start = await call('describe-start', {});
    expect(start.status).toBe(200);
    expect(JSON.parse(start.text)).toMatchObject({ root: project.root, agents: expect.any(Array) as unknown });
  });

  it('says what is wrong in words, and takes no more than it can carry', async () => {
    expect(await call('inspect-run', { run: 'none' })).toMatchObject({ status: 400 });
    expect(JSON.parse((await call('inspect-run', { run: 'none' })).text)).toMatchObject({ code: 'unknown-run' });
    expect(JSON.parse((await call('inspect-run', { other: 1 })).text)).toMatchObject({ code: 'bad-input' });
    // Refused by what it says of itself, before any of it is read.
    const large = { cookie, ...json, 'content-length': '3145728' };
    const refused = ask(dashboard.port, '/api/call/start-run', { method: 'POST', headers: large, body: 'x' });
    expect(await refused).toMatchObject({ status: 413 });
    // The same on every route that changes something.
    const link = { method: 'POST', body: 'x' };
    expect(await ask(dashboard.port, '/api/link', { ...link, headers: large })).toMatchObject({ status: 413 });
    expect(await ask(dashboard.port, '/api/link', { ...link, headers: { cookie } })).toMatchObject({ status: 415 });
    const elsewhere = await ask(dashboard.port, '/api/call/describe-start', {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify({ repository: '../../etc', input: {} }),
    });
    expect(elsewhere).toMatchObject({ status: 400 });
  });

  it('serves the app and no file beside it', async () => {
    const page = await ask(dashboard.port, '/');
    expect(page).toMatchObject({ status: 200 });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.text).not.toMatch(/<script(?![^>]*src)/);
    for (const path of [
      '/../package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '//etc/passwd',
    ]) {
      const answer = await ask(dashboard.port, path);
      expect(answer.text).not.toContain('"name": "forge"');
      expect(answer.text).not.toContain('root:');
    }
  });

  it('sends a first page of less than 250 kB', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const page = await ask(dashboard.port, '/', {});
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    const sizes = await Promise.all(
      ['/', ...files].map(async (path) => (await ask(dashboard.port, path, { headers })).headers['content-length']),
    );
    const total = sizes.reduce((sum, size) => sum + Number(size ?? Number.NaN), 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(250_000);
  });

  it('is not kept busy by strangers', async () => {
    const knocks = Array.from({ length: 300 }, () => ask(dashboard.port, '/api/about'));
    const statuses = (await Promise.all(knocks)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const others = Array.from({ length: 300 }, () =>
      ask(dashboard.port, '/api/about', { headers: { origin: 'http://evil.example' } }),
    );
    await Promise.all(others);
    expect(await ask(dashboard.port, '/api/about', { headers: { cookie } })).toMatchObject({ status: 200 });
  });

  it('knows a browser again when it comes back', async () => {
    const { port } = dashboard;
    await dashboard.close();
    dashboard = await serveUi({ cwd: project.root, env: project.env, worker, all: false, port });
    expect(await ask(port, '/api/about', { headers: { cookie } })).toMatchObject({ status: 200 });
  });

  it('stays on this machine unless a person insists', async () => {
    const options = { cwd: project.root, env: project.env, worker, all: false, port: 0 };
    await expect(serveUi({ ...options, host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'bad-input',
      hint: expect.stringContaining('ssh -L') as unknown,
    });
  });
});

describe('admission', () => {
  it('forgets a link after ten minutes and a cookie after a month', () => {
    let now = 0;
    const admission = new Admission(Buffer.alloc(32, 1), () => now);
    admission.port = 4000;
    const late = admission.makeToken();
    now += 11 * 60_000;
    expect(admission.admit(late)).toBeUndefined();
    const [cookie = ''] = (admission.admit(admission.makeToken()) ?? '').split(';', 1);
    expect(admission.isAdmitted(`a=b; ${cookie}`)).toBe(true);
    admission.port = 4001;
    expect(admission.isAdmitted(cookie.replace('4000', '4001'))).toBe(false);
    admission.port = 4000;
    now += 31 * 86_400_000;
    expect(admission.isAdmitted(cookie)).toBe(false);
  });

  it('takes a steady pace of requests', () => {
    let now = 0;
    const limit = new RateLimit({ perSecond: 2, burst: 3 }, () => now);
    expect([1, 2, 3, 4].map(() => limit.take())).toEqual([true, true, true, false]);
    now += 500;
    expect([limit.take(), limit.take()]).toEqual([true, false]);
  });
});
