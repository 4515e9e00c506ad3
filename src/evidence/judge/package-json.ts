/**
 * The judging part of a package.json: its scripts, the settings of runners and linters kept in it, and where
 * the packages of runners come from. Dependencies, `type` and `exports` are code, not judges; nor are new entries of
 * `imports`, but one that exists keeps its target, because tests may import their tools by it.
 * Overlay: the commit's file with the base's scripts and settings. A script that the base does not have judges
 * nothing the base judged; it stays only if it is a plain call of a whole test suite (`node --test`,
 * `vitest run`), so that a project whose first commit brings its package.json can be checked with `npm test`,
 * while `"test": "true"` disappears and the check fails for want of a script. A runner's package that was
 * redirected (file:, git, alias) gets the base's version back; a plain version change is only reported. A package
 * that takes a runner's name, or has a program of that name (`bin`), would be found in its place: that goes too. Members of
 * `workspaces` that the base has stay, because checks go through all of them.
 */
import { runnerCommand, scriptWords } from '../runner-command.ts';

export function packageChanges(before: string | undefined, after: string | undefined): string[] {
  if (after === undefined) return ['deleted'];
  const commit = parsed(after);
  if (commit === undefined) return ['is not a valid package.json'];
  const base = before === undefined ? {} : parsed(before);
  if (base === undefined) return ['was not a valid package.json and is one now'];
  return [
    ...differences('scripts', scriptsOf(base), scriptsOf(commit)),
    ...judgingKeys.flatMap((key) => difference(key, base[key], commit[key])),
    ...runnerSources(base, commit).map(({ path, from, to }) => `${path}: ${shown(from)} → ${shown(to)}`),
    ...shadowing(base, commit).map(({ what }) => what),
    ...leftOut(base, commit),
    ...redirected(base, commit)
      .map((name) => difference(`imports.${name}`, importsOf(base)[name], importsOf(commit)[name]))
      .flat(),
  ];
}

export function packageOverlay(base: string | undefined, commit: string): string | undefined {
  const theirs = parsed(commit);
  if (theirs === undefined) return base;
  const ours = (base === undefined ? undefined : parsed(base)) ?? {};
  const scripts = Object.fromEntries([...plainAdditions(ours, theirs), ...Object.entries(scriptsOf(ours))]);
  const judging: Record<string, unknown> = {};
  for (const key of judgingKeys) if (Object.hasOwn(ours, key)) judging[key] = ours[key];
  if (Object.keys(scripts).length > 0 || Object.hasOwn(ours, 'scripts')) judging['scripts'] = scripts;
  const kept = Object.entries(theirs).filter(([key]) => key !== 'scripts' && !judgingKeys.includes(key));
  const merged: Record<string, unknown> = Object.fromEntries([...kept, ...Object.entries(judging)]);
  for (const { group, name, from, to } of runnerSources(ours, theirs)) {
    if (!isRedirected(to)) continue;
    // A redirection of something the base did not declare has nothing to go back to: it goes.
    const others = Object.entries(record(merged[group])).filter(([each]) => each !== name);
    merged[group] = Object.fromEntries(from === undefined ? others : [...others, [name, from]]);
  }
  for (const { key } of shadowing(ours, theirs)) {
    if (Object.hasOwn(ours, key)) merged[key] = ours[key];
    else delete merged[key];
  }
  if (leftOut(ours, theirs).length > 0) merged['workspaces'] = ours['workspaces'];
  if (redirected(ours, theirs).length > 0) merged['imports'] = { ...importsOf(theirs), ...importsOf(ours) };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

const judgingKeys: readonly string[] =
  'jest vitest mocha ava tap c8 nyc wireit config eslintConfig eslintIgnore prettier stylelint standard xo playwright karma stryker jasmine nx babel packageManager volta'.split(
    ' ',
  );

type Json = Readonly<Record<string, unknown>>;

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function scriptsOf(file: Json): Json {
  return record(file['scripts']);
}

/** Flags that do not choose which tests run nor what counts as passing. */
const harmless =
  /^(?:--test|--run|--ci|--coverage|--runInBand|--silent|--verbose|--no-watch|--watch=false|--enable-source-maps|--experimental-[\w-]+|--test-reporter=\w+|--reporter=\w+|-q|-v)$/;

function plainAdditions(base: Json, commit: Json): [string, unknown][] {
  const ours = scriptsOf(base);
  return Object.entries(scriptsOf(commit)).filter(([name, script]) => {
    if (Object.hasOwn(ours, name) || typeof script !== 'string') return false;
    // npm runs `pretest` before a script of the base: that would be a change of it.
    const wrapped = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return (wrapped === undefined || !Object.hasOwn(ours, wrapped)) && isPlainSuite(script);
  });
}

function isPlainSuite(script: string): boolean {
  const commands = scriptWords(script);
  const words = commands?.length === 1 ? commands[0] : undefined;
  if (words === undefined) return false;
  if (words.join(' ') === 'tsc --noEmit' || words.join(' ') === 'tsc') return true;
  const command = runnerCommand(words);
  if (command === undefined || !command.certain || command.positionals.length > 0) return false;
  // The runner by its own name: a path could be a program of the commit.
  return command.start.every((word) => /^[\w-]+$/.test(word)) && command.flags.every((flag) => harmless.test(flag));
}

/** Below an installed packages directory: the files that are a runner, or start one. */
export function isInstalledRunner(path: string): boolean {
  const [, name = ''] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name.startsWith('.bin') || runnerPackages.has(name) || /^(?:jest-|@jest\/|@vitest\/)/.test(name);
}

const runnerPackages = new Set(
  'vitest vite jest mocha ava tap tape c8 nyc jasmine karma playwright @playwright/test cypress typescript tsx ts-node eslint prettier oxlint @biomejs/biome chai expect @jest/globals jest-cli @vitest/expect @vitest/runner uvu turbo nx npm-run-all cross-env'.split(
    ' ',
  ),
);
const runnerPrograms = new Set([...runnerPackages, ...'node npm npx pnpm yarn bun tsc biome'.split(' ')]);
const groups = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
] as const;

interface SourceChange {
  readonly group: string;
  readonly name: string;
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Where a runner's own package is taken from. A runner that is merely new is a dependency like any other. */
function runnerSources(base: Json, commit: Json): SourceChange[] {
  return groups.flatMap((group) => {
    const ours = record(base[group]);
    const theirs = record(commit[group]);
    const names = new Set(
      [...Object.keys(ours), ...Object.keys(theirs)].filter((name) => runnerPackages.has(name.replace(/^\*\*\//, ''))),
    );
    return [...names].sort().flatMap((name) => {
      const from = Object.hasOwn(ours, name) ? ours[name] : undefined;
      const to = Object.hasOwn(theirs, name) ? theirs[name] : undefined;
      const changed = JSON.stringify(from) !== JSON.stringify(to);
      const isNew = from === undefined && !isRedirected(to) && group !== 'overrides' && group !== 'resolutions';
      return changed && !isNew && to !== undefined ? [{ group, name, path: `${group}.${name}`, from, to }] : [];
    });
  });
}

function isRedirected(specifier: unknown): boolean {
  return specifier !== undefined && (typeof specifier !== 'string' || /[:/]/.test(specifier));
}

/** A package of the repository that takes a runner's name, or brings a program of that name, is found in its place. */
function shadowing(base: Json, commit: Json): { readonly key: 'name' | 'bin'; readonly what: string }[] {
  const { name } = commit;
  const takes =
    typeof name === 'string' && runnerPackages.has(name) && base['name'] !== name
      ? [{ key: 'name' as const, what: `name: takes the name of the runner ${name}` }]
      : [];
  const ours = record(base['bin']);
  const programs = Object.entries(record(commit['bin'])).filter(
    ([program, file]) => runnerPrograms.has(program) && JSON.stringify(ours[program]) !== JSON.stringify(file),
  );
  return [
    ...takes,
    ...programs.map(([program]) => ({ key: 'bin' as const, what: `bin: takes the name of the program ${program}` })),
  ];
}

/** Members that checks of all workspaces do not look at any more. A new member is everyday work. */
function leftOut(base: Json, commit: Json): readonly string[] {
  const [ours, theirs] = [workspacesOf(base), workspacesOf(commit)];
  const gone = ours.filter((each) => !each.startsWith('!') && !theirs.includes(each));
  const excluded = theirs.filter((each) => each.startsWith('!') && !ours.includes(each));
  return [
    ...gone.map((each) => `workspaces: ${each} is gone`),
    ...excluded.map((each) => `workspaces: ${each} is new`),
  ];
}

function workspacesOf(file: Json): readonly string[] {
  const { workspaces } = file;
  const listed = Array.isArray(workspaces) ? workspaces : record(workspaces)['packages'];
  return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
}

function importsOf(file: Json): Json {
  return record(file['imports']);
}

/** Entries of the base that lead elsewhere now, or nowhere. */
function redirected(base: Json, commit: Json): readonly string[] {
  const theirs = importsOf(commit);
  return Object.entries(importsOf(base))
    .filter(([name, target]) => JSON.stringify(theirs[name]) !== JSON.stringify(target))
    .map(([name]) => name);
}

function differences(prefix: string, before: Json, after: Json): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) =>
    difference(
      `${prefix}.${key}`,
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
    ),
  );
}

function difference(path: string, before: unknown, after: unknown): string[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${path}: ${shown(before)} → ${shown(after)}`];
}

function shown(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
