import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alternateLine } from '../../src/git/engine-dir.ts';
import { agentExcludeText, escapePattern, excludeText } from '../../src/git/ignore-rules.ts';
import { makeRepo, repoAt, scratch, userGit } from './support.ts';

describe('excludeText', () => {
  it('puts the weakest rules first and leaves out directories the commit tracks', () => {
    const text = agentExcludeText(['src', 'web/node_modules/own'], excludeText('!keep\n*.swp\n', ['.env', 'deps']));
    expect(text).not.toContain('node_modules/');
    expect(text).toContain('\n__pycache__/\n');
    expect(text.endsWith('!keep\n*.swp\n/.env\n/deps\n')).toBe(true);
  });

  it('escapes any name so that git matches it and nothing else', () => {
    const user = makeRepo();
    const names = ['a*b', 'a?b', '[x]', 'back\\slash', '!bang', '#hash', 'trail ', ' lead', 'ü', 'a b'];
    writeFileSync(
      join(user.root, '.git', 'info', 'exclude'),
      names.map((name) => `/${escapePattern(name)}\n`).join(''),
      'latin1',
    );
    const asked = [...names, 'axb', 'x', 'sub/a b'].map((name) => `./${name}\0`).join('');
    const answer = execFileSync('git', ['check-ignore', '-z', '--stdin', '--no-index'], {
      cwd: user.root,
      input: asked,
      encoding: 'utf8',
    });
    expect(answer.split('\0').filter(Boolean)).toEqual(names.map((name) => `./${name}`));
  });
});

describe('alternateLine', () => {
  it('names any directory in a way git reads', async () => {
    for (const name of ['plain', '"quoted"', '#hash', 'new\nline', 'ü b']) {
      const user = makeRepo({ name });
      const borrower = scratch();
      userGit(borrower, ['init', '-q']);
      writeFileSync(
        join(borrower, '.git', 'objects', 'info', 'alternates'),
        alternateLine(join(user.root, '.git', 'objects')),
      );
      const head = user.git('rev-parse', 'HEAD');
      expect(repoAt(borrower).git('cat-file', '-t', head)).toBe('commit');
    }
  });
});
