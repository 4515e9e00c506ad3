/** Upgrades: settings and store step by step, with copies and a way back, and what `forge doctor` says of the structure. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Document } from 'yaml';
import { parseSettings } from '../../src/policy/settings.ts';
import { upgradeSettings } from '../../src/policy/upgrade-settings.ts';
import { planMigration, type StoreStep } from '../../src/store/plan-migration.ts';
import { backlog, sprint, taskRecord } from '../cli/pipeline-story.ts';
import { makeProject } from '../cli/support.ts';

describe('settings', () => {
  it('get their version above the first setting, and keep every comment', () => {
    const text = '# Ours\n# More\n\nagents: {} # none\n\n# parallel: 2\n';
    const upgraded = upgradeSettings(text);
    expect(upgraded).toMatchObject({
      from: 0,
      to: 1,
      text: '# Ours\n# More\n\nversion: 1\nagents: {} # none\n\n# parallel: 2\n',
    });
    expect(upgradeSettings(upgraded.text)).toEqual({ from: 1, to: 1, text: upgraded.text, changes: [] });
    expect(parseSettings(upgraded.text, 'x')).toMatchObject({ version: 1 });
  });

  it('go through every step in turn', () => {
    const steps = [
      { from: 0, change: () => ['one'] },
      {
        from: 1,
        change: (document: Document) => {
          document.set('parallel', 2);
          return ['two'];
        },
      },
    ];
    const { text, changes } = upgradeSettings('# Ours\nagents: {}\n', steps, 2);
    expect(text).toBe('# Ours\nversion: 2\nagents: {}\nparallel: 2\n');
    expect(changes).toEqual(['version 0 → 1: one', 'version 1 → 2: two']);
  });

  it('of a newer Forge are refused with what to do', () => {
    expect(() => parseSettings('version: 7\nwhatever: 1\n', 'x')).toThrow(
      'has version 7; this Forge knows versions up to 1',
    );
  });
});

describe('a store', () => {
  const files = new Map([
    ['bugs/BUG-1.json', JSON.stringify({ bugId: 'BUG-1', status: 'open' })],
    ['notes.json', '{}'],
  ]);

  it('goes through every step in turn, and a file has one change from first to last', () => {
    const steps: readonly StoreStep[] = [
      {
        from: 0,
        plan: (found) => ({
          left: [],
          records: found.size,
          steps: [{ file: 'notes.json', to: 'b.json', text: '{"a":1}', changes: ['to b'] }],
        }),
      },
      {
        from: 1,
        plan: (found) => ({
          left: [],
          records: found.size,
          steps: [{ file: 'b.json', to: 'c.json', text: `${found.get('b.json')}!`, changes: ['to c'] }],
        }),
      },
    ];
    const { steps: planned } = planMigration(files, steps, 2);
    expect(planned.map(({ file, to, text, changes }) => [file, to, text.trim(), changes])).toEqual([
      ['notes.json', 'c.json', '{"a":1}!', ['to b', 'to c']],
      ['STORE.json', 'STORE.json', '{\n  "version": 2\n}', ['version 0 → 2']],
    ]);
  });
});

it('a project is upgraded with copies, says so in doctor, and can be put back byte by byte', async () => {
  const old = Object.fromEntries(
    Object.entries(backlog([taskRecord('T01', { createdAt: '2026-01-01' })])).filter(
      ([path]) => !path.endsWith('STORE.json'),
    ),
  );
  const project = makeProject({ files: old });
  const tree = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(join(project.root, '.forge'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('backups') && !entry.name.startsWith('.'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(project.root.length), readFileSync(path, 'utf8')]),
    );
  const before = tree();
  const doctor = await project.forge('doctor');
  expect(doctor.stdout).toContain('! store: has no version: another tool made it');
  const dry = await project.forge('upgrade', '--dry-run');
  expect(dry.stdout).toContain('3 files would change. Nothing was changed.');
  expect(tree()).toEqual(before);
  const done = await project.forge('upgrade');
  expect(done.stdout).toContain('createdAt "2026-01-01" was removed');
  expect(done.stdout).toContain('Back: forge upgrade --back');
  expect(tree()['/.forge/store/STORE.json']).toBe('{\n  "version": 1\n}\n');
  expect(tree()['/.forge/config.yaml']).toContain('version: 1\n');
  expect((await project.forge('upgrade')).stdout).toBe('Settings and records are up to date.\n');
  expect((await project.forge('doctor')).stdout).toContain('✓ store: version 1, every record fits');
  expect((await project.forge('store', 'read', 'sprint', sprint)).code).toBe(0);
  expect((await project.forge('upgrade', '--back')).code).toBe(0);
  expect(tree()).toEqual(before);
});
