/** Code under test can do what it likes in its checkout: it judges nothing, reaches nothing and outlives nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckDeps } from '../../src/checks/check.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import { readProcess } from '../../src/process/process-table.ts';
import { fingerprint, scratch } from '../git/support.ts';
import { makeScene, never, nodeProject, onlyCommand, type Scene } from './support.ts';

const node = (script: string) => ({ run: ['node', '-e', script] });

async function check({ deps, base }: Scene, plan: readonly (string | { run: string[] })[], commit = base) {
  return runChecks(
    deps,
    { run: 'r', name: 'T1', commit, judge: base, entries: { part: 'plan' as const, plan } },
    never,
  );
}

describe('between commands', () => {
  it('build output stays, and everything that judges is put back', async () => {
    const scene = await makeScene({ ...nodeProject, '.npmrc': 'audit=false\n', 'src/deep/x.txt': 'x\n' });
    const sabotage = [
      "const fs = require('fs');",
      'fs.writeFileSync(\'package.json\', \'{"scripts":{"test":"true"}}\');',
      "fs.writeFileSync('src/sum.js', 'export const sum = () => 3;');",
      "fs.rmSync('.npmrc'); fs.symlinkSync('/etc/passwd', '.npmrc');",
      "fs.rmSync('src/deep', { recursive: true }); fs.symlinkSync('/tmp', 'src/deep');",
      "fs.writeFileSync('vitest.config.ts', ''); fs.writeFileSync('test/conftest.py', '');",
      "fs.writeFileSync(process.env.HOME + '/.npmrc', 'script-shell=/bin/true'); fs.writeFileSync(process.env.TMPDIR + '/x', '');",
      "fs.writeFileSync('.git/config', '[core]\\n\\tfsmonitor = touch ran\\n');",
      "fs.mkdirSync('dist'); fs.writeFileSync('dist/package.json', '{}'); fs.writeFileSync('built.txt', '');",
    ].join('');
    const look = [
      "const fs = require('fs');",
      "const names = fs.readdirSync('.').filter((name) => name !== '.git').sort();",
      "console.log(JSON.stringify([names, fs.readdirSync('test'), fs.readdirSync('dist'), fs.readdirSync('src/deep'),",
      "fs.readdirSync(process.env.HOME), fs.readdirSync(process.env.TMPDIR), fs.readFileSync('.npmrc', 'utf8'),",
      "fs.readFileSync('src/sum.js', 'utf8'), fs.readFileSync('.git/config', 'utf8').includes('fsmonitor')]));",
    ].join('');
    await check(scene, [node(sabotage), node(look), 'npm test', 'git status --porcelain']);
    expect(JSON.parse(scene.log('T1/2-first.log'))).toEqual([
      ['.npmrc', 'built.txt', 'dist', 'package.json', 'src', 'test'],
      ['sum.test.js'],
      ['package.json'],
      ['x.txt'],
      [],
      [],
      'audit=false\n',
      nodeProject['src/sum.js'],
      false,
    ]);
    expect(scene.log('T1/3-first.log')).toContain('# pass 1');
    expect(scene.log('T1/4-first.log')).toBe('?? built.txt\n?? dist/\n');
  });

  it('setup outputs are put back, and a commit cannot bring its own', async () => {
    const prepared: string[] = [];
    const setup: CheckDeps['setup'] = {
      outputs: ['tools'],
      decides: () => false,
      key: () => Promise.resolve('1'),
      prepareTree: async ({ judge, tree }) => {
        prepared.push(judge);
        expect(existsSync(join(tree, 'tools'))).toBe(false);
        mkdirSync(join(tree, 'tools'));
        writeFileSync(join(tree, 'tools/judge.js'), 'process.exit(3)\n');
      },
    };
    const scene = await makeScene({ 'a.txt': 'a\n' }, { setup });
    const commit = scene.repo.commit('cheat', { 'tools/judge.js': 'process.exit(0)\n' });
    const cheat = node("require('fs').writeFileSync('tools/judge.js', 'process.exit(0)')");
    const report = await check(scene, [cheat, { run: ['node', 'tools/judge.js'] }], commit);
    expect([report.commands.map(({ exit }) => exit), report.checkChanged]).toEqual([
      [0, 3],
      [{ path: 'tools', what: '1 installed files are part of the commit' }],
    ]);
    // Twice in each of the two passes, always from the judge.
    expect(prepared).toEqual(Array.from({ length: 4 }, () => scene.base));
  });

  it('a checkout that cannot be put right is made anew', async () => {
    const setup: CheckDeps['setup'] = {
      outputs: ['deep/tools'],
      decides: () => false,
      key: () => Promise.resolve('1'),
      prepareTree: async ({ tree }) => void mkdirSync(join(tree, 'deep/tools'), { recursive: true }),
    };
    const scene = await makeScene({ 'a.txt': 'a\n' }, { setup });
    const redirect = node(
      "const fs = require('fs'); fs.rmSync('deep', { recursive: true }); fs.symlinkSync('/tmp', 'deep');",
    );
    const report = await check(scene, [redirect, { run: ['find', 'deep', '-type', 'd'] }]);
    expect(report.commands.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(scene.log('T1/2-first.log')).toBe('deep\ndeep/tools\n');
  });

  it('tracked files come back, whatever stands in their place', async () => {
    const scene = await makeScene({ 'a/b.txt': 'b\n' });
    const wreck = node(
      "const fs = require('fs'); fs.rmSync('.git', { recursive: true }); fs.rmSync('a', { recursive: true }); fs.mkdirSync('a/b.txt/c', { recursive: true });",
    );
    const report = await check(scene, [wreck, { run: ['cat', 'a/b.txt'] }, 'git status --porcelain']);
    expect(report.commands.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect([scene.log('T1/2-first.log'), scene.log('T1/3-first.log')]).toEqual(['b\n', '']);
  });
});

describe('the jail', () => {
  it('has loopback of its own and no way to the host', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const scene = await makeScene({ 'a.txt': 'a\n' });
    const connect = node(
      `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(7))`,
    );
    const own = node(
      "const net = require('net'); const s = net.createServer((c) => c.end()).listen(0, '127.0.0.1', () => net.connect(s.address().port, '127.0.0.1').on('close', () => process.exit(0)).resume());",
    );
    const report = await check(scene, [connect, own]);
    server.close();
    expect(report.commands.map(({ exit }) => exit)).toEqual([7, 0]);
  });

  it('lets nothing be written but the checkout, and shows neither logs nor cache', async () => {
    const outside = scratch('outside');
    const scene = await makeScene({ 'a.txt': 'a\n' });
    const before = fingerprint(scene.repo);
    const { logs, cache = '', repo } = scene.deps;
    const places = [outside, scene.repo.root, repo.objectsDir, repo.gitDir, logs, cache, repo.dataDir, '/usr', '/'];
    // Directories above a mount lie in the jail's own /tmp: a write there may succeed, and goes nowhere.
    const script = [
      `const fs = require('fs');`,
      `for (const place of ${JSON.stringify(places)}) try { fs.writeFileSync(place + '/planted', ''); } catch {}`,
      `console.log(JSON.stringify(${JSON.stringify([logs, cache])}.filter((place) => fs.existsSync(place))));`,
    ].join('\n');
    await check(scene, [node(script)]);
    expect(JSON.parse(scene.log('T1/1-first.log'))).toEqual([]);
    expect(places.filter((place) => existsSync(join(place, 'planted')))).toEqual([]);
    expect(fingerprint(scene.repo)).toEqual(before);
  });

  it('shows declared caches, read-only', async () => {
    const shared = scratch('packages');
    writeFileSync(join(shared, 'x'), 'cached\n');
    const scene = await makeScene({ 'a.txt': 'a\n' }, { readable: [shared, join(shared, 'never-made')] });
    const script = `const fs = require('fs'); process.stdout.write(fs.readFileSync('${shared}/x')); try { fs.writeFileSync('${shared}/x', 'no'); } catch (error) { console.log(error.code); }`;
    await check(scene, [node(script)]);
    expect(scene.log('T1/1-first.log')).toBe('cached\nEROFS\n');
    expect(readFileSync(join(shared, 'x'), 'utf8')).toBe('cached\n');
  });

  it('takes along what a command leaves running', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    const mark = `sleep 600.${process.pid}`;
    const script = `const child = require('child_process').spawn('setsid', ${JSON.stringify(mark.split(' '))}, { detached: true, stdio: 'ignore' }); child.unref(); child.on('spawn', () => process.exit(0));`;
    const report = await check(scene, [node(script)]);
    expect(onlyCommand(report).status).toBe('passed');
    expect(scene.started.map(({ pid }) => readProcess(pid))).toEqual([undefined]);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark);
  });
});
