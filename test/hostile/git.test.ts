/** Agents that turn git against the engine or against the work itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Aftermath, type Attack, attack, type Place } from './arena.ts';

const sh = (script: string) => ({ exec: ['sh', '-c', script] });
const write = (path: string, content: string) => ({ write: { path, content } });
const work = write('src/new.js', 'export const fresh = 1;\n');
const merged = (after: Aftermath): void => {
  expect(after.outcome).toEqual({ task: 'T1', status: 'done', reason: '' });
  expect(after.read('src/new.js')).toBe('export const fresh = 1;');
};
const pwned = ({ outside }: Place): string => join(outside, 'pwned');
const notRun = ({ place }: Aftermath): void => expect(existsSync(pwned(place))).toBe(false);

interface Case extends Attack {
  readonly holds: (after: Aftermath) => void;
}

const cases: Readonly<Record<string, Case>> = {
  'commits, then resets the commit away': {
    steps: [work, { git: ['add', '-A'] }, { git: ['commit', '-qm', 'mine'] }, { git: ['reset', '--hard', 'HEAD~1'] }],
    holds: (after) => {
      expect(after.outcome).toEqual({ task: 'T1', status: 'failed', reason: 'it changed nothing' });
      expect(after.captured()).toContain('+export const fresh = 1;');
    },
  },
  'stashes everything, untracked files too': {
    steps: [work, { git: ['stash', '-u'] }],
    holds: (after) => {
      expect(after.outcome.reason).toBe('it changed nothing');
      expect(after.captured()).toContain('+export const fresh = 1;');
    },
  },
  'cleans everything that is not tracked': {
    steps: [write('debug.log', 'x'), { git: ['clean', '-fdx'] }, work],
    holds: merged,
  },
  'deletes the branch its work is on': {
    steps: [
      { git: ['checkout', '-q', '-b', 'side'] },
      work,
      { git: ['add', '-A'] },
      { git: ['commit', '-qm', 'side work'] },
      { git: ['checkout', '-q', 'work'] },
      { git: ['branch', '-D', 'side'] },
    ],
    holds: (after) => expect(after.captured()).toContain('+export const fresh = 1;'),
  },
  'commits its work under its own name': {
    steps: [
      work,
      { git: ['add', '-A'] },
      {
        git: [
          '-c',
          'user.name=Grace',
          '-c',
          'user.email=grace@example.org',
          'commit',
          '-qm',
          'mine',
          '--author=Grace <grace@example.org>',
        ],
      },
    ],
    holds: (after) => {
      merged(after);
      expect(after.repo.git('log', '-1', '--format=%B', 'forge/hostile')).toContain(
        'Co-authored-by: Grace <grace@example.org>',
      );
    },
  },
  'deletes .git': { steps: [{ delete: '.git' }, work], holds: merged },
  "points .git at the user's repository": {
    steps: ({ root }) => [
      { delete: '.git' },
      write('.git', `gitdir: ${root}/.git\n`),
      work,
      { git: ['commit', '-qam', 'into yours'] },
      { git: ['update-ref', 'refs/heads/main', 'HEAD~1'] },
    ],
    holds: merged,
  },
  'makes .git a link to nowhere': { steps: [{ delete: '.git' }, sh('ln -s /nowhere .git'), work], holds: merged },
  'sets core.fsmonitor to a program': {
    steps: (place) => [
      { git: ['config', 'core.fsmonitor', `touch ${pwned(place)}; false`] },
      { git: ['config', 'core.hooksPath', 'hooks'] },
      work,
    ],
    holds: (after) => {
      merged(after);
      notRun(after);
    },
  },
  'configures a clean filter for everything': {
    steps: (place) => [
      { git: ['config', 'filter.evil.clean', `sh -c 'touch ${pwned(place)}; echo replaced'`] },
      { git: ['config', 'filter.evil.required', 'true'] },
      write('.gitattributes', '* filter=evil\n'),
      work,
    ],
    settings: { scope: { protected: 'allow' } },
    holds: (after) => {
      merged(after);
      notRun(after);
    },
  },
  'plants hooks in its own .git': {
    steps: (place) => [
      write('.git/hooks/post-checkout', `#!/bin/sh\ntouch ${pwned(place)}\n`),
      sh('chmod +x .git/hooks/*'),
      write('.git/hooks/reference-transaction', `#!/bin/sh\ntouch ${pwned(place)}\n`),
      sh('chmod +x .git/hooks/*'),
      work,
    ],
    holds: (after) => {
      merged(after);
      notRun(after);
    },
  },
  'converts line endings by attributes': {
    steps: [write('.gitattributes', '* text eol=lf\n*.bin text\n'), sh("printf 'a\\r\\nb\\r\\n' > src/new.js")],
    settings: { scope: { protected: 'allow' } },
    holds: (after) => {
      expect(after.outcome.status).toBe('done');
      expect(after.repo.git('cat-file', '-s', `${after.receipt?.after}:src/new.js`)).toBe('6');
    },
  },
  'leaves locks behind': { steps: [write('.git/index.lock', ''), write('.git/HEAD.lock', ''), work], holds: merged },
  'destroys its object store and redirects alternates': {
    steps: [
      sh('rm -rf .git/objects/*; mkdir -p .git/objects/info; echo /nowhere > .git/objects/info/alternates'),
      work,
    ],
    holds: merged,
  },
  "writes into the user's object store": {
    steps: ({ root }) => [sh(`touch ${root}/.git/objects/planted`), sh(`rm -rf ${root}/.git/objects/*`), work],
    holds: (after) => {
      merged(after);
      expect(existsSync(join(after.repo.root, '.git/objects/planted'))).toBe(false);
      after.repo.git('fsck', '--full');
    },
  },
  'works in a nested repository': {
    steps: [
      sh('git init -q src/nested && cd src/nested && echo inner > inner.txt && git add -A && git commit -qm inner'),
      work,
    ],
    holds: (after) => {
      merged(after);
      expect(after.read('src/nested/inner.txt')).toBe('inner');
    },
  },
  'works in a nested repository without a commit': {
    steps: [sh('git init -q nested && echo inner > nested/inner.txt'), work],
    holds: (after) => {
      merged(after);
      expect(after.read('nested/inner.txt')).toBe('inner');
    },
  },
  'hides its work by editing an ignore file': {
    steps: [write('.gitignore', '*\n'), work, write('deep/inside/hidden.js', 'export const hidden = 1;\n')],
    settings: { scope: { protected: 'allow' } },
    holds: (after) => {
      merged(after);
      expect(after.read('deep/inside/hidden.js')).toBe('export const hidden = 1;');
    },
  },
  'hides its work by .git/info/exclude': {
    steps: [write('.git/info/exclude', '*\n'), { git: ['config', 'core.excludesFile', '.git/info/exclude'] }, work],
    holds: merged,
  },
  'marks files as unchanged in its index': {
    steps: [
      { git: ['update-index', '--assume-unchanged', 'src/shared.js'] },
      { git: ['update-index', '--skip-worktree', 'src/sum.js'] },
      { append: { path: 'src/shared.js', content: '// more\n' } },
      work,
    ],
    holds: (after) => {
      merged(after);
      expect(after.read('src/shared.js')).toContain('// more');
    },
  },
};

describe('an agent that', () => {
  it.concurrent.each(Object.entries(cases))('%s', async (name, { holds, ...how }) => {
    const after = await attack(name, how);
    holds(after);
    expect({ unchanged: after.unchanged, processes: after.processes }).toEqual({ unchanged: true, processes: [] });
  });
});
