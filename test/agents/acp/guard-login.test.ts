/** What a job leaves in a mounted login's directory that would act on the person's own sessions is taken back. */
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { guardLogin } from '../../../src/agents/acp/guard-login.ts';
import { tempDir } from '../../support/temp.ts';

it('mounts what is there read-only, and puts back what was added or redirected', () => {
  const login = tempDir('forge-login');
  const at = (name: string) => join(login, name);
  writeFileSync(at('settings.json'), '{}');
  symlinkSync('elsewhere', at('agents'));
  const guard = guardLogin(login, ['settings.json', 'agents', 'hooks', 'skills']);
  expect(guard.readOnly).toEqual([at('settings.json')]);
  expect(guard.restore()).toEqual([]);
  mkdirSync(at('hooks'));
  writeFileSync(join(at('hooks'), 'start'), 'evil');
  writeFileSync(at('token'), 'refreshed');
  expect(guard.restore()).toEqual([at('hooks')]);
  expect([existsSync(at('hooks')), existsSync(at('token')), readlinkSync(at('agents'))]).toEqual([
    false,
    true,
    'elsewhere',
  ]);
});
