/** What no task changes by the way: programs' own settings and hooks, under every name a file system would take for theirs. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compilePatterns } from '../../src/plan/path-pattern.ts';
import { foldPath, namesProtected, pathGuards, protectedByDefault } from '../../src/policy/protected-paths.ts';
import { scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { judgeScope } from '../../src/policy/scope.ts';

const guard = pathGuards({ protectedPaths: [], unprotected: [] });
const caseOf = (path: string): string | undefined => guard(path)?.case;

const examples = [
  '.husky/pre-commit',
  '.vscode/tasks.json',
  'packages/app/.vscode/settings.json',
  '.idea/workspace.xml',
  '.claude/settings.json',
  '.mcp.json',
  'apps/web/.mcp.json',
  '.envrc',
  'infra/.envrc',
  '.githooks/post-merge',
  '.gitattributes',
  '.gitmodules',
  'vendor/lib/.git/config',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  '.buildkite/pipeline.yml',
  '.devcontainer/devcontainer.json',
  '.cursor/rules/x.md',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.opencode/plugin/x.ts',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.forge/config.yaml',
  'app/.forge/store/tasks/T1.json',
  '.npmrc',
  '.tool-versions',
  '.yarn/releases/yarn.cjs',
  '.cargo/config.toml',
  '.lefthook/pre-push/run.sh',
  'lefthook.toml',
  '.huskyrc.json',
  '.lintstagedrc',
  '.hg/hgrc',
  '.vs/tasks.vs.json',
  'app.sublime-project',
  '.run/Start.run.xml',
  '.kilocode/mcp.json',
  '.crush.json',
  '.config/mise/config.toml',
  '.Rprofile',
  'tools/.gdbinit',
  '.forgejo/workflows/ci.yml',
  '.gitea/workflows/ci.yml',
  'renovate.json5',
];

describe('a protected path', () => {
  it.each(examples)('%s', (path) => expect(caseOf(path)).toBe('protected'));

  it.each(examples)('%s, in capitals', (path) => expect(caseOf(path.toUpperCase())).toBe('protected'));

  it.each([
    '.GitHub/Workflows/CI.yml',
    '.vs\u200ccode/tasks.json',
    '.husky\ufeff/pre-commit',
    'GITHUB~1/workflows/ci.yml',
    'git~1/config',
    'VSCODE~1/tasks.json',
    'HUSKY~2/pre-commit',
    '.husky./pre-commit',
    '.husky /pre-commit',
    '.git::$INDEX_ALLOCATION/config',
    '.envrc:stream',
    '.vscode\\tasks.json',
    '.\u017fimple-git-hooks.json',
    '.K\u0131ro'.replace('K\u0131', '\u212ai') + '/hooks/x.json',
  ])('%j, as another file system would read it', (path) => expect(caseOf(path)).toBe('protected'));

  it.each(['AGENTS.md', 'packages/app/CLAUDE.md', 'agents.MD', '.cursorrules', '.github/copilot-instructions.md'])(
    '%s is a text agents obey',
    (path) => expect(caseOf(path)).toBe('instructions'),
  );

  it.each([
    'src/vscode/index.ts',
    'docs/husky.md',
    'src/index.ts',
    'package.json',
    'github/workflows.md',
    'a~1/b',
    'README.md',
  ])('not %s', (path) => expect(caseOf(path)).toBeUndefined());

  test('whatever the case of its letters', () => {
    const mixed = fc.constantFrom(...examples).chain((path) =>
      fc.array(fc.boolean(), { minLength: path.length, maxLength: path.length }).map((up) =>
        Array.from(path, (char) => char)
          .map((char, index) => (up[index] === true ? char.toUpperCase() : char))
          .join(''),
      ),
    );
    fc.assert(fc.property(mixed, (path) => caseOf(path) === 'protected'));
  });

  test('folding twice is folding once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (path) => foldPath(foldPath(path)) === foldPath(path)),
    );
  });

  test('lifted by name, but not where a person added it', () => {
    const lifted = pathGuards({ protectedPaths: ['.husky/keep'], unprotected: ['.husky'] });
    expect([lifted('.husky/x')?.case, lifted('.husky/keep')?.case, lifted('.vscode/x')?.case]).toEqual([
      undefined,
      'protected',
      'protected',
    ]);
    expect(protectedByDefault.length).toBeGreaterThan(50);
  });
});

describe('a task that declares one', () => {
  const settings = scopeSettingsSchema.parse({});
  const judge = (path: string, writes: readonly string[]) =>
    judgeScope({ task: 'T1', writes, forbids: [], others: [], settings, changes: [{ path, status: 'modified' }] });

  it.each([
    ['.github/workflows/ci.yml', ['.github/workflows/ci.yml'], 'ask'],
    ['.github/workflows/ci.yml', ['.github/**'], 'ask'],
    ['Jenkinsfile', ['Jenkinsfile'], 'ask'],
    ['.github/workflows/ci.yml', ['**'], 'refuse'],
    ['packages/app/.vscode/x.json', ['packages/app/**'], 'refuse'],
    ['Jenkinsfile', ['*'], 'refuse'],
    ['.husky/pre-commit', [], 'refuse'],
    ['AGENTS.md', ['AGENTS.md'], 'ask'],
    ['AGENTS.md', [], 'ask'],
  ])('%s with writes %j: %s', (path, writes, action) => {
    expect(judge(path, writes).find((flag) => flag.case !== 'undeclared')?.action).toBe(action);
  });

  test('by a place of its own that a person protected', () => {
    const [pattern] = compilePatterns(['infra/**']);
    if (pattern === undefined) throw new Error('no pattern');
    expect(namesProtected(compilePatterns(['infra/prod/**']), 'infra/prod/a.tf', pattern)).toBe(true);
    expect(namesProtected(compilePatterns(['**/*.tf']), 'infra/prod/a.tf', pattern)).toBe(false);
  });
});
