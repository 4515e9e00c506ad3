/** Preferences in three layers, `forge config`, and the status line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openUsageBook } from '../../src/accounts/usage-book.ts';
import { mergePreferences, preferredOptions } from '../../src/trust/preferences.ts';
import { statusLine } from '../../src/api/status-line.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { makeProject, type Project } from './support.ts';

const layer = (origin: 'user' | 'repository' | 'local', text: string) => ({ origin, path: `${origin}.yaml`, text });

describe('preferences', () => {
  it('of a later layer win, option by option', () => {
    const layers = [
      layer('user', 'milestone: { review: dialectic, rounds: 3 }\nwaves:\n'),
      layer('repository', '# nothing\n'),
      layer('local', 'milestone: { rounds: 0 }'),
    ];
    expect(preferredOptions(layers, 'milestone')).toEqual({ review: 'dialectic', rounds: 0 });
    expect(mergePreferences(layers).map(({ option, origin }) => [option, origin])).toEqual([
      ['review', 'user'],
      ['rounds', 'local'],
    ]);
    expect(preferredOptions(layers, 'waves')).toEqual({});
  });

  it.each(['[1]', 'milestone: 5', 'milestone: { review: [a] }', 'a: {b: 1}\na: {b: 2}', '{'])(
    'that are %s are refused',
    (text) => {
      expect(() => mergePreferences([layer('local', text)])).toThrow('local.yaml');
    },
  );
});

function prefer(project: Project, text: string): void {
  const directory = join(project.env['HOME'] ?? '', '.config/forge');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'preferences.yaml'), text);
}

describe('forge config', () => {
  it('shows each value with its origin, and what a person has not agreed to yet', async () => {
    const project = makeProject({ config: null, trusted: false });
    prefer(project, 'milestone: { review: dialectic, rounds: 2 }\n');
    expect(JSON.parse((await project.forge('config', 'milestone.rounds', '--json')).stdout)).toEqual([
      {
        name: 'milestone.rounds',
        value: 2,
        origin: 'user',
        path: join(project.env['HOME'] ?? '', '.config/forge/preferences.yaml'),
      },
    ]);
    project.write({ '.forge/preferences.yaml': 'milestone: { review: disabled }\n' });
    const shown = JSON.parse((await project.forge('config', 'milestone', '--json')).stdout) as { name: string }[];
    expect(shown.find(({ name }) => name === 'milestone.review')).toEqual({
      name: 'milestone.review',
      value: 'disabled',
      origin: 'repository',
      path: '.forge/preferences.yaml',
      isWaiting: true,
    });
    expect(shown.find(({ name }) => name === 'milestone.repairs')).toMatchObject({ value: 2, origin: 'default' });
    // A cloned repository switches no gate off by itself.
    const refused = await project.forge('milestone', 'Anything', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('.forge/preferences.yaml chooses options of workflows');
    expect(project.runs()).toEqual([]);
    expect((await project.forge('config', 'milestone.revew')).stderr).toContain('milestone.review');
    project.write({ '.forge/preferences.yaml': 'milestone: { reviews: disabled }\n' });
    expect(await project.forge('config')).toMatchObject({ code: 2 });
  });
});

describe('forge statusline', () => {
  it('keeps what Claude Code says about its windows, and never breaks a prompt', async () => {
    const project = makeProject();
    const context = openContext({ cwd: project.root, env: { ...project.env, FORGE_ACCOUNT: 'work' } });
    const given = JSON.stringify({
      workspace: { current_dir: project.root },
      rate_limits: { five_hour: { used_percentage: 92.4, resets_at: Math.floor(Date.now() / 1000) + 3600 } },
    });
    expect(await performOperation(statusLine, context, { given })).toEqual({ text: '5h 92 %', runs: [] });
    const book = openUsageBook(join(project.env['HOME'] ?? '', '.local/state/forge'));
    expect(book.windows('account work', Date.now())).toMatchObject([{ window: '5h', used: 92.4 }]);
    const nowhere = openContext({ cwd: '/', env: project.env });
    expect(await performOperation(statusLine, nowhere, { given: '{broken' })).toEqual({ text: '', runs: [] });
  });
});
