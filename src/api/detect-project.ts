/** What a repository is made of, as far as its files tell: languages, checks, how dependencies are installed. Pure. */
import { discoverChecks, type RepositoryFiles } from '../evidence/discover.ts';

export interface DetectedProject {
  readonly stack: readonly string[];
  readonly checks: readonly { readonly run: readonly string[]; readonly from: string }[];
  readonly setup: DetectedSetup | undefined;
}

export interface DetectedSetup {
  readonly run: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The first file that is there names the language. */
const languages: readonly (readonly [string, readonly string[]])[] = [
  ['TypeScript', ['tsconfig.json']],
  ['Node.js', ['package.json']],
  ['Python', ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt']],
  ['Go', ['go.mod']],
  ['Rust', ['Cargo.toml']],
  ['Java', ['pom.xml', 'build.gradle', 'build.gradle.kts']],
  ['Ruby', ['Gemfile']],
  ['PHP', ['composer.json']],
];

const installers: readonly (readonly [string, readonly string[]])[] = [
  ['package-lock.json', ['npm', 'ci']],
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
];

export function detectProject(files: RepositoryFiles): DetectedProject {
  const paths = new Set(files.paths);
  return {
    stack: languages.filter(([, names]) => names.some((name) => paths.has(name))).map(([language]) => language),
    checks: discoverChecks(files),
    setup: detectSetup(paths),
  };
}

function detectSetup(paths: ReadonlySet<string>): DetectedSetup | undefined {
  if (!paths.has('package.json')) return undefined;
  const found = installers.find(([lock]) => paths.has(lock));
  if (found === undefined) return undefined;
  const [lock, run] = found;
  return { run, inputs: ['package.json', lock], outputs: ['node_modules'] };
}
