import { describe, expect, it } from 'vitest';
import { type Change, scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { judgeScope, type ScopeQuestion, scopeVerdict } from '../../src/policy/scope.ts';

const settings = scopeSettingsSchema.parse({});

function judge(changes: readonly Change[], rest: Partial<ScopeQuestion> = {}) {
  return judgeScope({
    task: 'T1',
    writes: ['src/auth', 'docs/*.md'],
    forbids: [],
    others: [],
    settings,
    ...rest,
    changes,
  });
}

const others = [
  { id: 'T1', writes: ['src/auth', 'src/b.ts'] },
  { id: 'T2', writes: ['src/pay/**'] },
  { id: 'T3', writes: ['**/*.css', 'src/pay/x.ts'] },
];

describe('judgeScope', () => {
  it('has nothing to say about what is declared, deletions included', () => {
    const changes: Change[] = [
      { path: 'src/auth/a.ts', status: 'added' },
      { path: 'src/auth/b.ts', status: 'deleted' },
      { path: 'docs/x.md', status: 'deleted' },
      { path: 'docs/y.md', status: 'type-changed' },
    ];
    expect(judge(changes, { others })).toEqual([]);
  });

  it.each<[string, Change, Partial<ScopeQuestion>, unknown]>([
    [
      'an undeclared change is allowed and flagged',
      { path: 'src/b.ts', status: 'modified' },
      { others },
      [{ path: 'src/b.ts', case: 'undeclared', action: 'allow', reason: 'not declared by T1' }],
    ],
    [
      'an undeclared deletion is refused',
      { path: 'src/b.ts', status: 'deleted' },
      { others },
      [{ path: 'src/b.ts', case: 'deletion', action: 'refuse', reason: 'deleted, but not declared by T1' }],
    ],
    [
      'what another task declares is refused',
      { path: 'src/pay/x.ts', status: 'modified' },
      { others },
      [{ path: 'src/pay/x.ts', case: 'foreign', action: 'refuse', reason: 'declared by T2, T3' }],
    ],
    ['what both declare is fine', { path: 'src/auth/x.css', status: 'modified' }, { others }, []],
    [
      'a protected path is asked about when it is declared',
      { path: '.github/workflows/ci.yml', status: 'modified' },
      { writes: ['.github/workflows/ci.yml'] },
      [
        {
          path: '.github/workflows/ci.yml',
          case: 'protected',
          action: 'ask',
          reason: 'protected by ".github/workflows", and declared by T1',
        },
      ],
    ],
    [
      'a forbidden path is refused although it lies within what is declared',
      { path: 'src/auth/keys.ts', status: 'modified' },
      { forbids: ['src/auth/keys.ts'] },
      [
        {
          path: 'src/auth/keys.ts',
          case: 'forbidden',
          action: 'refuse',
          reason: 'T1 must not change "src/auth/keys.ts"',
        },
      ],
    ],
    [
      'each case that applies is judged by its own setting',
      { path: 'src/pay/y.ts', status: 'deleted' },
      { others, settings: { ...settings, deletion: 'allow', foreign: 'ask' } },
      [
        { path: 'src/pay/y.ts', case: 'foreign', action: 'ask', reason: 'declared by T2' },
        { path: 'src/pay/y.ts', case: 'deletion', action: 'allow', reason: 'deleted, but not declared by T1' },
      ],
    ],
  ])('%s', (_name, change, rest, wanted) => {
    expect(judge([change], rest)).toEqual(wanted);
  });

  it('protects git and forge files of the root by default, not all of .github', () => {
    const paths = [
      '.gitignore',
      '.gitattributes',
      '.forge/config.yaml',
      '.ci/run',
      '.gitlab-ci.yml',
      '.github/FUNDING.yml',
    ];
    const flags = judge(paths.map((path) => ({ path, status: 'modified' })));
    expect(flags.map((flag) => flag.case)).toEqual([...Array<string>(5).fill('protected'), 'undeclared']);
  });

  it('looks up ten thousand tasks quickly enough to try', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ id: `O${i}`, writes: [`src/m${i}/**`] }));
    const changes = Array.from({ length: 2_000 }, (_, i) => ({ path: `src/m${i}/a.ts`, status: 'modified' as const }));
    expect(judge(changes, { others: many }).every((flag) => flag.case === 'foreign')).toBe(true);
  });
});

describe('scopeVerdict', () => {
  const flag = (action: 'refuse' | 'ask' | 'allow') => ({ path: 'x', case: 'undeclared' as const, action, reason: '' });
  it('is the strictest action', () => {
    expect(scopeVerdict([])).toBe('allowed');
    expect(scopeVerdict([flag('allow')])).toBe('allowed');
    expect(scopeVerdict([flag('allow'), flag('ask')])).toBe('ask');
    expect(scopeVerdict([flag('ask'), flag('refuse'), flag('allow')])).toBe('refused');
  });
});
