/** Gates that settings name by a path: agreed to by their bytes, and used as they were agreed to. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settingsSchema } from '../../src/policy/settings.ts';
import { trustQuestion } from '../../src/policy/trust.ts';
import { readOwnFiles, withOwnGates } from '../../src/trust/own-files.ts';
import { tempDir } from '../support/temp.ts';

const settings = settingsSchema.parse({
  pipelines: { default: { phases: [{ command: 'plan', role: 'plan' }], gates: 'gates.md' } },
});

it('a changed file is asked about again, and a run keeps the text that was agreed to', () => {
  const root = tempDir();
  const ask = () => trustQuestion({ settings, files: readOwnFiles(root, settings).files });
  writeFileSync(join(root, 'gates.md'), 'strict');
  const own = readOwnFiles(root, settings);
  const before = ask();
  expect(before?.points).toContain('gates.md says when a phase of a pipeline may start');
  writeFileSync(join(root, 'gates.md'), 'loose');
  expect(ask()?.digest).not.toBe(before?.digest);
  expect(withOwnGates(settings, own.gates).pipelines['default']?.gates).toBe('strict\n');
});

it('a link is refused, and a file that is not there is for those who need it', () => {
  const root = tempDir();
  expect(readOwnFiles(root, settings).files).toEqual([]);
  symlinkSync('/etc/hostname', join(root, 'gates.md'));
  expect(() => readOwnFiles(root, settings)).toThrow(/gates\.md is a link/);
});
