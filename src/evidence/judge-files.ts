/**
 * Which files judge a commit, what a commit changes in them, and what to lay over its checkout so that the
 * base judges. The rule: nothing an agent writes into these files may help it pass, and what its code needs
 * (dependencies, fixtures) must still work. Four kinds of file:
 * - runner configuration, tool settings, `.forge/`, what an interpreter loads unasked (`sitecustomize.py`, compiled
 *   Python, entry points of installed packages): the base's file; one that the base lacks is removed.
 * - package.json, pyproject.toml, setup.cfg, conftest.py: the commit's file with the judging parts of the
 *   base; a part that cannot be told apart safely means the base's file. See judge/*.ts for each.
 * - tsconfig.json: the commit's, unless it changes what a type check looks at or how strictly.
 * - Cargo.toml, go.mod and Java builds: the commit's file (it holds the dependencies); changes of lines that switch
 *   tests off are reported for a person, not undone.
 * - `.pnp.cjs`, `go.work`: say where packages come from, dependencies among them. The commit's file, reported; one
 *   that the base lacks could bring any runner and is removed.
 * Test data (`fixtures/`, `testdata/`) and `node_modules` judge nothing by their names. Files that a check only mentions
 * are found by following it; see checks/judge-closure.ts.
 */
import { compilerChanges, compilerOverlay } from './judge/compiler-options.ts';
import { conftestChange, conftestOverlay } from './judge/conftest.ts';
import { packageChanges, packageOverlay } from './judge/package-json.ts';
import { sectionChanges, sectionOverlay } from './judge/sections.ts';
import { switchChanges } from './judge/switches.ts';

export interface JudgeDiff {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The path is a symbolic link in the commit; `after` is then its target, not a file's text. */
  readonly symlink?: boolean;
}

export interface JudgeChange {
  readonly path: string;
  /** What changed, e.g. `scripts.test: "node --test" → "true"`. */
  readonly what: string;
}

export function judgeChanges(diff: readonly JudgeDiff[]): JudgeChange[] {
  return diff.flatMap((entry) => {
    const kind = judgeKind(entry.path);
    if (kind === undefined || (entry.before === entry.after && entry.symlink !== true)) return [];
    if (entry.symlink === true) return [{ path: entry.path, what: 'is a symbolic link' }];
    return judges[kind].changes(entry.before, entry.after).map((what) => ({ path: entry.path, what }));
  });
}

export interface JudgeVersions {
  readonly path: string;
  readonly base: string | undefined;
  readonly commit: string | undefined;
  readonly symlink?: boolean;
}

/** The content to lay over the checkout; undefined means that the file must not be there. */
export function judgeOverlay(versions: JudgeVersions): { readonly content: string | undefined } {
  const { base } = versions;
  const commit = versions.symlink === true ? undefined : versions.commit;
  const kind = judgeKind(versions.path);
  if (kind === undefined) return { content: versions.commit };
  // Gone, or a link: the base's, whole. A deleted package.json would take the scripts with it.
  if (commit === undefined) return { content: base };
  return { content: judges[kind].overlay(base, commit) };
}

export function isJudgeFile(path: string): boolean {
  return judgeKind(path) !== undefined;
}

type JudgeKind = 'config' | 'resolution' | 'package' | 'toml' | 'ini' | 'conftest' | 'compiler' | 'switches';

interface Judge {
  changes(before: string | undefined, after: string | undefined): string[];
  overlay(base: string | undefined, commit: string): string | undefined;
}

const judges: Readonly<Record<JudgeKind, Judge>> = {
  config: { changes: wholeChange, overlay: (base) => base },
  resolution: { changes: wholeChange, overlay: (base, commit) => (base === undefined ? undefined : commit) },
  package: { changes: packageChanges, overlay: packageOverlay },
  toml: {
    changes: (before, after) => sectionChanges('toml', before, after),
    overlay: (base, commit) => sectionOverlay('toml', base, commit),
  },
  ini: {
    changes: (before, after) => sectionChanges('ini', before, after),
    overlay: (base, commit) => sectionOverlay('ini', base, commit),
  },
  conftest: { changes: conftestChange, overlay: conftestOverlay },
  compiler: { changes: compilerChanges, overlay: compilerOverlay },
  switches: { changes: switchChanges, overlay: (_base, commit) => commit },
};

function wholeChange(before: string | undefined, after: string | undefined): string[] {
  return [before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed'];
}

function judgeKind(path: string): JudgeKind | undefined {
  // make and some file systems do not mind case; a file that differs only there judges as well.
  const parts = path.toLowerCase().split('/');
  const file = parts.at(-1) ?? '';
  if (parts[0] === '.forge') return 'config';
  if (parts.slice(0, -1).some((part) => data.has(part))) return undefined;
  if (file === 'package.json') return 'package';
  if (file === 'pyproject.toml') return 'toml';
  if (file === 'setup.cfg') return 'ini';
  if (file === 'conftest.py') return 'conftest';
  if (/^[tj]sconfig(?:\.[\w.-]+)?\.json$/.test(file)) return 'compiler';
  if (parts.at(-2) === '.mvn' || (parts.at(-2) === 'wrapper' && parts.at(-3) === 'gradle')) return 'config';
  if (/^(?:cargo\.toml|go\.mod|pom\.xml|pnpm-workspace\.ya?ml|(?:build|settings)\.gradle(?:\.kts)?)$/.test(file))
    return 'switches';
  if (parts.at(-2) === '.cargo' && /^config(?:\.toml)?$/.test(file)) return 'config';
  if (parts.at(-2) === '.config' && file === 'nextest.toml') return 'config';
  if (/^(?:\.pnp\.(?:c?js|loader\.mjs)|go\.work)$/.test(file)) return 'resolution';
  if (isLoadedUnasked(parts)) return 'config';
  return configFiles.some((pattern) => pattern.test(file)) ? 'config' : undefined;
}

/** What runs because it lies there: at the start of Python, in place of a source file, as a plugin, as yarn itself. */
function isLoadedUnasked(parts: readonly string[]): boolean {
  const file = parts.at(-1) ?? '';
  const folder = parts.at(-2) ?? '';
  if (/^(?:site|user)customize(?:\.|$)/.test(file) || /^(?:site|user)customize$/.test(folder)) return true;
  if (/\.py[co]$/.test(file)) return true;
  if (file === 'entry_points.txt' && /\.(?:dist|egg)-info$/.test(folder)) return true;
  const yarn = parts.indexOf('.yarn');
  return yarn !== -1 && /^(?:releases|plugins)$/.test(parts[yarn + 1] ?? '');
}

const data = new Set(['node_modules', 'fixtures', '__fixtures__', 'testdata']);

const configFiles: readonly RegExp[] = [
  // Test runners and coverage
  /^(?:vitest|vite|jest|playwright|cypress|ava|karma|wdio|nightwatch|codecept|stryker|web-test-runner|nyc|c8)\.(?:[\w-]+\.)*(?:config|conf|workspace|projects)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)$/,
  /^\.(?:mocharc|nycrc|c8rc|taprc|jasmine|rspec|coveragerc|simplecov|borp)(?:\.[\w.]+)?$|^jasmine\.(?:json|m?js)$|^mocha\.opts$/,
  /^(?:pytest|tox|mypy|ruff)\.(?:ini|toml)$|^\.(?:pytest\.(?:ini|toml)|mypy\.ini|ruff\.toml|flake8|pylintrc)$|^noxfile\.py$/,
  // What starts the runners
  /^(?:gnu)?makefile$|^.+\.mk$|^\.?justfile$|^taskfile\.ya?ml$|^rakefile$|^(?:turbo|nx|lerna|project)\.jsonc?$|^bunfig\.toml$/,
  /^\.npmrc$|^\.yarnrc(?:\.yml)?$|^\.pnpmfile\.[cm]?js$|^\.nvmrc$|^\.node-version$|^\.python-version$|^\.tool-versions$|^rust-toolchain(?:\.toml)?$/,
  /^(?:gradlew|mvnw)(?:\.(?:bat|cmd))?$|^gradle\.properties$|^\.bazelrc$|^phpunit\.xml(?:\.dist)?$|^deno\.jsonc?$|^mise\.toml$|^\.mise\.toml$|^\.sdkmanrc$/,
  // What tools read into the environment of a check, such as NODE_OPTIONS; templates for people are not read
  /^\.env(?:rc)?$|^\.env\.(?!(?:.*\.)?(?:example|sample|template|dist|schema)$)[\w.-]+$/,
  // What rewrites code on its way into a test
  /^babel\.config\.(?:[cm]?[jt]s|json)$|^\.babelrc(?:\.[\w]+)?$|^\.swcrc$/,
  // Linters and formatters, because their commands are checks too
  /^(?:eslint|prettier|stylelint|lint-staged|biome|oxlint)\.config\.[cm]?[jt]s$|^\.(?:eslintrc|prettierrc|stylelintrc|oxlintrc)(?:\.[\w]+)?$/,
  /^\.(?:eslintignore|prettierignore|stylelintignore)$|^biome\.jsonc?$|^\.?clippy\.toml$|^\.golangci\.(?:ya?ml|toml|json)$/,
];
