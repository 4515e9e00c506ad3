/**
 * `npm run check`: types, lint, format, dead code, packaging, architecture. Two at a time, since none needs another's
 * result. Each prints one line; what failed prints everything it said. All of them run, so one call names all mistakes.
 */
import { spawn } from 'node:child_process';
import { delimiter, resolve } from 'node:path';

/** The longest first. */
const steps = [
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['types', 'tsc -p tsconfig.json --noEmit'],
  ['types of the web app', 'tsc -p web/tsconfig.json'],
  ['dead code', 'knip'],
  ['dead code in production', 'knip --production'],
  ['packaging', 'publint'],
  ['architecture', 'vitest run --project=shared test/architecture.test.ts'],
  ['format', 'biome format .'],
];

const root = resolve(import.meta.dirname, '..');
const env = { ...process.env, PATH: `${resolve(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
const queue = [...steps];
const failed = [];

async function work() {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const [name, command] = step;
    const started = performance.now();
    const { code, output } = await run(command);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (code === 0) continue;
    failed.push(name);
    console.log(`  ${command}\n${output}`);
  }
}

function run(command) {
  const [program, ...args] = command.split(' ');
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 1, output: `${error.message}\n` }));
    child.once('close', (code) => done({ code, output: Buffer.concat(pieces).toString('utf8') }));
  });
}

await Promise.all([work(), work()]);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
