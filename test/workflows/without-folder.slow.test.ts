/** With the folder of any one workflow and its lines in the registry taken away, everything else still type-checks. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtinDefinitions } from '../../src/workflows/registry.ts';
import { tempDir } from '../support/temp.ts';

const project = join(import.meta.dirname, '../..');

it.each(builtinDefinitions.map(({ name }) => name))(
  'the rest compiles without %s',
  (name) => {
    const copy = tempDir();
    cpSync(join(project, 'src'), join(copy, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(project, file), join(copy, file));
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    rmSync(join(copy, 'src/workflows', name), { recursive: true });
    const registry = join(copy, 'src/workflows/registry.ts');
    const lines = readFileSync(registry, 'utf8').split('\n');
    const isOwn = (line: string): boolean => line.includes(`'./${name}/`) || line.trim() === `${name}Definition,`;
    expect(lines.filter(isOwn)).toHaveLength(2);
    writeFileSync(registry, lines.filter((line) => !isOwn(line)).join('\n'));
    const tsc = join(project, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', 'tsconfig.build.json', '--noEmit'], { cwd: copy, stdio: 'pipe' });
  },
  600_000,
);
