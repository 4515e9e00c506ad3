/** Which files secrets are read from before anybody has agreed to the settings that name them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownSecrets } from '../../src/effects/known-secrets.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { tempDir } from '../support/temp.ts';

it('only plain files inside the checkout, also behind a link, and nothing that never ends', () => {
  const outside = tempDir('outside');
  const root = tempDir('checkout');
  writeFileSync(join(outside, 'key'), 'API_TOKEN=violet-anchor-77213\n');
  mkdirSync(join(root, 'config'));
  writeFileSync(join(root, 'config/local.env'), 'API_TOKEN=amber-kettle-44170\n');
  symlinkSync('config/local.env', join(root, '.env'));
  symlinkSync('/dev/zero', join(root, 'endless'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  symlinkSync('pipe', join(root, 'to-pipe'));
  symlinkSync(join(outside, 'key'), join(root, 'away'));
  symlinkSync(outside, join(root, 'directory'));
  const copy = [
    '.env',
    'endless',
    'pipe',
    'to-pipe',
    'away',
    'directory/key',
    '../outside/key',
    '/etc/hostname',
    'none',
  ];
  const settings = settingsSchema.parse({ workspace: { copy } });
  expect(knownSecrets(settings, root, {})).toEqual(['amber-kettle-44170']);
});
