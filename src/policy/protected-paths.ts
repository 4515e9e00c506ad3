/**
 * Paths whose content runs, or tells programs what to do, on the person's own machine or in their project's automation:
 * git hooks, editors, agents, shells, package managers, CI. A task changes none of them by the way. Pure.
 *
 * Names are compared as the file systems of macOS and Windows would take them: in any case, without characters that
 * they ignore, by their short names (`GITHUB~1`), without streams (`.git::$INDEX_ALLOCATION`) or dots at their end.
 */
import { type CoverageIndex, coverageOf } from '../plan/coverage.ts';
import { literalPath, type Pattern, patternsMeet } from '../plan/path-pattern.ts';

const git = ['.git*', '**/.git', '**/.gitmodules', '**/.gitattributes', '**/.githooks', '**/.hg', '**/.jj'];
const hooks = [
  '**/.husky',
  '**/.huskyrc*',
  '**/lefthook*.y*ml',
  '**/lefthook*.toml',
  '**/lefthook*.json',
  '**/.lefthook*',
  '**/.lefthook*/**',
  '**/.lintstagedrc*',
  '**/lint-staged.config.*',
  '**/.pre-commit-config.y*ml',
  '**/.pre-commit-hooks.y*ml',
  '**/.overcommit.yml',
  '**/.simple-git-hooks*',
];
const editors = [
  '**/.vscode',
  '**/.idea',
  '**/.fleet',
  '**/.zed',
  '**/.exrc',
  '**/.nvim*',
  '**/.nvim*/**',
  '**/.vim',
  '**/.vimrc',
  '**/.dir-locals.el',
  '**/*.code-workspace',
  '**/*.sublime-project',
  '**/.vs',
  '**/.run',
  '**/.theia',
  '**/.idx',
  '**/.replit',
  '**/.devcontainer',
  '**/.devcontainer.json',
  '**/.gitpod.yml',
];
const agents = [
  '**/.claude',
  '**/.mcp.json',
  '**/.cursor',
  '**/.codex',
  '**/.gemini',
  '**/.qwen',
  '**/.opencode',
  '**/opencode.json*',
  '**/.copilot',
  '**/.goose',
  '**/.continue',
  '**/.aider*',
  '**/.windsurf',
  '**/.roo',
  '**/.amazonq',
  '**/.kiro',
  '**/.claude.json',
  '**/.cline',
  '**/.augment',
  '**/.trae',
  '**/.junie',
  '**/.factory',
  '**/.warp',
  '**/.amp',
  '**/.kilocode',
  '**/.openhands',
  '**/.crush*',
  '**/crush.json',
];
const shells = [
  '**/.envrc',
  '**/.direnvrc',
  '**/.tool-versions',
  '**/.mise',
  '**/.mise.toml',
  '**/mise.toml',
  '**/.config/mise',
  '**/.asdfrc',
];
/** Read by interpreters and debuggers that are started in the directory. */
const startups = ['**/.irbrc', '**/.pryrc', '**/.pdbrc', '**/.rprofile', '**/.gdbinit', '**/.lldbinit'];
const packages = ['**/.npmrc', '**/.yarnrc*', '**/.yarn', '**/.pnpmfile.*', '**/.pypirc', '**/.cargo', '**/.bundle'];
const automation = [
  '.ci',
  '.github/workflows',
  '.github/actions',
  '.github/dependabot.y*ml',
  '.forgejo',
  '.gitea',
  '.builds',
  '**/.renovaterc*',
  '**/renovate.json*',
  '**/CODEOWNERS',
  '.gitlab',
  '**/.gitlab-ci.y*ml',
  '.circleci',
  '**/Jenkinsfile*',
  '**/azure-pipelines*',
  '.azure-pipelines',
  '.azuredevops',
  '.buildkite',
  '.drone.*',
  '.travis.yml',
  '.appveyor.yml',
  'appveyor.yml',
  'bitbucket-pipelines.yml',
  '.woodpecker*',
  '.woodpecker/**',
  '.teamcity',
  '.tekton',
  '.semaphore',
  '.cirrus.*',
  'cloudbuild.y*ml',
  'buildspec.y*ml',
];

/** Refused when a task changes one that it did not declare, asked about when it did. */
export const protectedByDefault: readonly string[] = [
  '**/.forge/**',
  ...git,
  ...hooks,
  ...editors,
  ...agents,
  ...shells,
  ...startups,
  ...packages,
  ...automation,
];

/** Texts that agents obey in later work: asked about. */
export const instructionsByDefault: readonly string[] = [
  '**/AGENTS.md',
  '**/AGENTS.override.md',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/GEMINI.md',
  '**/QWEN.md',
  '**/.goosehints',
  '**/.cursorrules',
  '**/.windsurfrules',
  '**/.clinerules',
  '**/.roorules*',
  '.github/copilot-instructions.md',
  '.github/instructions',
  '.github/prompts',
  '.github/agents',
  '.github/chatmodes',
  '**/WARP.md',
  '**/.rules',
];

export interface PathGuard {
  readonly case: 'protected' | 'instructions';
  readonly pattern: Pattern;
}

/** What protects a path, if anything does. `unprotected` lifts what is there by default, never what a person added. */
export function pathGuards(settings: {
  readonly protectedPaths: readonly string[];
  readonly unprotected: readonly string[];
}): (path: string) => PathGuard | undefined {
  const own = folded(settings.protectedPaths);
  const lifted = folded(settings.unprotected);
  return (path) => {
    const plain = foldPath(path);
    const added = own.first(plain);
    if (added !== undefined) return { case: 'protected', pattern: added.pattern };
    if (lifted.first(plain) !== undefined) return undefined;
    const guard = usual.first(plain);
    if (guard !== undefined) return { case: 'protected', pattern: guard.pattern };
    const obeyed = instructions.first(plain);
    return obeyed === undefined ? undefined : { case: 'instructions', pattern: obeyed.pattern };
  };
}

/**
 * Does a task name this protected place, rather than cover it by a pattern for everything? Its pattern has to spell out
 * the path, the protected place, or a name with a dot on the way to it.
 */
export function namesProtected(writes: readonly Pattern[], path: string, guard: Pattern): boolean {
  const target = literalPath(path);
  const named = writes.filter((pattern) => pattern.prefix.length > 0 && patternsMeet(pattern, target));
  return named.some(({ prefix }) => {
    const spelled = foldPath(prefix.join('/'));
    const hasDotName = spelled.split('/').some((name) => name.startsWith('.'));
    return hasDotName || spelled === foldPath(path) || patternsMeet(guard, literalPath(spelled));
  });
}

/** A path as the most lenient file system would read it. */
export function foldPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => longName(foldName(name)))
    .join('/');
}

/** Characters that HFS+ leaves out when it compares names. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u2060\u206a-\u206f\ufeff]/g;

function foldName(name: string): string {
  const plain = name.normalize('NFKC').replaceAll(ignored, '').toLowerCase();
  const [main = ''] = plain.split(':');
  const trimmed = main.replace(/[. ]+$/, '');
  return trimmed === '' ? plain : trimmed;
}

/** Of the names above: what Windows may make of them, first six letters and a number. */
const shortNames: ReadonlyMap<string, string> = new Map(
  [...protectedByDefault, ...instructionsByDefault]
    .flatMap((pattern) => pattern.split('/'))
    .filter((name) => name.startsWith('.') && !name.includes('*'))
    .map((name) => [shortStem(name), name.toLowerCase()] as const)
    .concat([['git', '.git']]),
);

function shortStem(name: string): string {
  const [stem = ''] = name.replace(/^\.+/, '').toLowerCase().split('.');
  return stem.replaceAll(/[^a-z0-9_-]/g, '').slice(0, 6);
}

function longName(name: string): string {
  const [, stem] = /^([^~.]{1,6})~\d{1,6}(?:\.[^.]{0,3})?$/.exec(name) ?? [];
  return stem === undefined ? name : (shortNames.get(stem) ?? name);
}

function folded(patterns: readonly string[]): CoverageIndex {
  return coverageOf(patterns.map((pattern) => pattern.toLowerCase()));
}

const usual = folded(protectedByDefault);
const instructions = folded(instructionsByDefault);
