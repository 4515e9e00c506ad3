/**
 * With the folder of any one workflow and its lines in the registry taken away, everything else still type-checks, and the
 * quick tests of the other workflows and of the moves they share still pass.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtinDefinitions } from '../../src/workflows/registry.ts';
import { tempDir } from '../support/temp.ts';

const project = join(import.meta.dirname, '../..');
const names = builtinDefinitions.map(({ name }) => name);

it.each(names)(
  'the rest compiles, and the other workflows work, without %s',
  (name) => {
    const copy = tempDir();
    for (const folder of ['src', 'test', 'examples'])
      cpSync(join(project, folder), join(copy, folder), { recursive: true });
    for (const file of readdirSync(project).filter((one) =>
      /^(?:package|tsconfig.*|vitest\.config)\.(?:json|ts)$/.test(one),
    ))
      cpSync(join(project, file), join(copy, file));
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    rmSync(join(copy, 'src/workflows', name), { recursive: true });
    const registry = join(copy, 'src/workflows/registry.ts');
    const lines = readFileSync(registry, 'utf8').split('\n');
    const isOwn = (line: string): boolean => line.includes(`'./${name}/`) || line.trim() === `${name}Definition,`;
    expect(lines.filter(isOwn)).toHaveLength(2);
    writeFileSync(registry, lines.filter((line) => !isOwn(line)).join('\n'));
    // Quick tests only, whatever this test itself was started with.
    const { FORGE_TESTS: _, FORGE_CRASH: __, ...env } = process.env;
    const call = (program: string, ...words: readonly string[]) =>
      execFileSync(join(project, 'node_modules/.bin', program), words, { cwd: copy, stdio: 'pipe', env });
    call('tsc', '-p', 'tsconfig.build.json', '--noEmit');
    const others = [...names.filter((other) => other !== name), 'moves'].map((other) => `test/workflows/${other}/`);
    call('vitest', 'run', ...others);
  },
  600_000,
);
