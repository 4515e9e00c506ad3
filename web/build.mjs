/** Builds the dashboard and the viewer of reports, unless nothing they are made of is newer than what was built last. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '..');
const stamp = join(root, 'dist/web/built');
const newest = (directory) =>
  Math.max(
    ...readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(directory, name)).mtimeMs,
    ),
  );
const sources = ['web', 'src/views', 'src/policy'].map((name) => newest(join(root, name)));
const isBuilt = existsSync(stamp) && existsSync(join(root, 'dist/web-report/viewer.js'));
if (!isBuilt || statSync(stamp).mtimeMs < Math.max(...sources)) {
  rmSync(stamp, { force: true });
  const configFile = join(root, 'web/vite.config.ts');
  await build({ configFile });
  await build({ configFile, mode: 'report' });
  mkdirSync(join(root, 'dist/web'), { recursive: true });
  writeFileSync(stamp, '');
}
