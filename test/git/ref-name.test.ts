import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentPrefix,
  capturePrefix,
  integrationRef,
  lastNumber,
  makeRunId,
  refComponent,
  undonePrefix,
} from '../../src/git/ref-name.ts';

/** What git says about a ref name; a few in one process would not tell which. */
function isValid(ref: string): boolean {
  try {
    execFileSync('git', ['check-ref-format', ref], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The same rules, for many names: a component of letters, digits, `.`, `_`, `-`. */
const component = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*$/;

describe('makeRunId', () => {
  it.each([
    ['Fix the login!', 'k3f9', 'fix-the-login-k3f9'],
    ['Größe  prüfen', 'ab', 'gro-e-prufen-ab'],
    ['日本語のタイトル', 'x1', 'run-x1'],
    ['🦊🔥', 'x1', 'run-x1'],
    ['../../etc/passwd', 'x1', 'etc-passwd-x1'],
    ['a.lock', 'x.lock', 'a-lock-x-lock'],
    ['--force', '-f', 'force-f'],
    ['', '', 'run'],
    ['a'.repeat(500), 'x1', `${'a'.repeat(40)}-x1`],
    ['ﬁle @{u} ~^:?*[\\', 'x1', 'file-u-x1'],
  ])('%j and %j', (title, suffix, expected) => {
    expect(makeRunId(title, suffix)).toBe(expected);
  });

  it('is a valid component for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (title, suffix) => {
          const run = makeRunId(title, suffix);
          expect(run).toMatch(component);
          expect(run.length).toBeLessThanOrEqual(81);
          expect(refComponent(run)).toBe(run);
        },
      ),
    );
  });
});

describe('refComponent', () => {
  it('keeps safe names, changes others, and never lets two names meet', () => {
    expect(['T3', 'check-T3', 'a.b_c'].map(refComponent)).toEqual(['T3', 'check-T3', 'a.b_c']);
    const odd = ['a b', 'a-b', 'a/b', 'a..b', 'a.lock', 'a.', '.a', '-a', '', '..', 'ü', '@{'];
    const names = odd.map(refComponent);
    expect(new Set(names).size).toBe(odd.length);
    for (const name of names) expect(isValid(`refs/forge/${name}/1`), name).toBe(true);
  });

  it('is a valid component for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const made = refComponent(name);
        expect(made).toMatch(component);
        expect(made).not.toMatch(/\.lock$|\.$/i);
      }),
    );
  });
});

describe('refs of a run', () => {
  it('keep tasks and the names of the run itself apart', () => {
    expect(integrationRef('r1')).toBe('refs/forge/r1/integration');
    expect(capturePrefix('r1', 'integration')).toBe('refs/forge/r1/task-integration/');
    expect(capturePrefix('r1', 'undone')).toBe('refs/forge/r1/task-undone/');
    expect(agentPrefix('r1', 'T1')).toBe('refs/forge/r1/T1/agent/');
    expect(undonePrefix('r1')).toBe('refs/forge/r1/undone/');
  });

  it('are numbered', () => {
    const refs = [
      'refs/forge/r/T/1',
      'refs/forge/r/T/12',
      'refs/forge/r/T/agent/99',
      'refs/forge/r/T/007',
      'refs/forge/r/T2/50',
    ];
    expect(lastNumber(refs, 'refs/forge/r/T/')).toBe(12);
    expect(lastNumber([], 'refs/forge/r/T/')).toBe(0);
  });
});
