// `npm run demo`: a small repository, scripted agents, a kill -9 in the middle, a resume, and a look around.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const area = mkdtempSync(join(tmpdir(), 'forge-demo-'));
const root = join(area, 'geometry');
const git = (...args) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=You', '-c', 'user.email=you@example.org', ...args], {
    encoding: 'utf8',
  }).trimEnd();

const files = {
  'package.json': `${JSON.stringify({ name: 'geometry', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/square.js': 'export const square = (a) => a * a;\n',
  'src/shapes.js': "export const shapes = ['square'];\n",
  'test/square.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { square } from '../src/square.js';\ntest('square', () => assert.equal(square(3), 9));\n",
};
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
git('init', '-q', '-b', 'main');
git('add', '-A');
git('commit', '-qm', 'A little geometry');

const run = (mode, env = {}) =>
  spawnSync(process.execPath, [new URL('host.mjs', import.meta.url).pathname, mode, root, join(area, 'data')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });

console.log('Three tasks, three scripted agents, one of them wrong at first:\n');
const first = run('start', { DIE_AFTER: '36' });
if (first.signal !== 'SIGKILL') process.exit(first.status ?? 1);
console.log('\nForge was killed with SIGKILL. Resuming:\n');
const second = run('resume');
if (second.status !== 0) process.exit(second.status ?? 1);

console.log('\nThe result, every commit verified by the engine:\n');
console.log(git('log', '--graph', '--oneline', '--stat', 'forge/geometry').replaceAll(/^/gm, '  '));
console.log(`\nYour branch is where it was: ${git('log', '-1', '--oneline', 'main')}`);
console.log(
  `Everything any agent wrote is kept: ${git('for-each-ref', 'refs/forge').split('\n').length} refs under refs/forge/geometry/`,
);
console.log(
  `\nLook around:\n  cd ${root}\n  git diff main forge/geometry\n  git for-each-ref refs/forge\n  forge list`,
);
