/**
 * Programs of version managers and virtual environments live in a person's home, which no jail shows. From where such a
 * program was found: what would have to be shown, read-only, and which variables tell it where it lives, since HOME is
 * another one inside. Never the home itself, and nothing that holds credentials. Pure: whoever asks looks at the disk.
 */
import { posix } from 'node:path';

/** A program that is on PATH here and cannot be seen by a contained one. */
export interface FoundProgram {
  readonly program: string;
  /** As PATH leads to it, and as it is when every link was followed. */
  readonly path: string;
  readonly real: string;
  readonly home: string;
  readonly exists: (path: string) => boolean;
}

export interface Toolchain {
  /** Who manages it, in a word or two. */
  readonly name: string;
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function toolchainOf({ path, real, home, exists }: FoundProgram): Toolchain {
  const found = [...new Set([path, real])].map((each) => fromManager(each, home) ?? fromPlace(each, home, exists));
  const readable = [...new Set(found.flatMap((each) => each.readable))].filter((each) => exists(each));
  return {
    name: found[0]?.name ?? 'a program of your own',
    readable: readable.filter((each) => !readable.some((other) => other !== each && each.startsWith(`${other}/`))),
    env: Object.assign({}, ...found.map((each) => each.env)) as Record<string, string>,
  };
}

interface Manager {
  readonly name: string;
  /** Below home. */
  readonly root: string;
  readonly readable: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `.cargo` itself holds credentials: only what is needed of it is shown. */
const managers: readonly Manager[] = [
  { name: 'pyenv', root: '.pyenv', readable: ['.pyenv'], env: { PYENV_ROOT: '.pyenv' } },
  { name: 'nvm', root: '.nvm', readable: ['.nvm/versions'] },
  { name: 'fnm', root: '.local/share/fnm', readable: ['.local/share/fnm'] },
  { name: 'volta', root: '.volta', readable: ['.volta'], env: { VOLTA_HOME: '.volta' } },
  { name: 'asdf', root: '.asdf', readable: ['.asdf'], env: { ASDF_DIR: '.asdf', ASDF_DATA_DIR: '.asdf' } },
  {
    name: 'mise',
    root: '.local/share/mise',
    readable: ['.local/share/mise', '.local/bin/mise'],
    env: { MISE_DATA_DIR: '.local/share/mise' },
  },
  {
    name: 'rustup',
    root: '.cargo',
    readable: ['.cargo/bin', '.cargo/registry', '.cargo/git', '.rustup'],
    env: { CARGO_HOME: '.cargo', RUSTUP_HOME: '.rustup' },
  },
  { name: 'rustup', root: '.rustup', readable: ['.rustup'], env: { RUSTUP_HOME: '.rustup' } },
  { name: 'sdkman', root: '.sdkman', readable: ['.sdkman/candidates'] },
  { name: 'rbenv', root: '.rbenv', readable: ['.rbenv'], env: { RBENV_ROOT: '.rbenv' } },
  { name: 'uv', root: '.local/share/uv', readable: ['.local/share/uv'] },
  { name: 'poetry', root: '.local/share/pypoetry', readable: ['.local/share/pypoetry', '.cache/pypoetry/virtualenvs'] },
  { name: 'pipx', root: '.local/share/pipx', readable: ['.local/share/pipx'] },
  { name: 'pipx', root: '.local/pipx', readable: ['.local/pipx'] },
  { name: 'go', root: 'go', readable: ['go/bin', 'go/pkg/mod'], env: { GOMODCACHE: 'go/pkg/mod' } },
  { name: 'go', root: 'sdk', readable: ['sdk', 'go/pkg/mod'], env: { GOMODCACHE: 'go/pkg/mod' } },
  { name: 'bun', root: '.bun', readable: ['.bun/bin'] },
  { name: 'deno', root: '.deno', readable: ['.deno/bin'] },
  { name: 'conda', root: 'miniconda3', readable: ['miniconda3'] },
  { name: 'conda', root: 'anaconda3', readable: ['anaconda3'] },
];

function fromManager(path: string, home: string): Toolchain | undefined {
  const manager = managers.find(({ root }) => path.startsWith(`${posix.join(home, root)}/`));
  if (manager === undefined) return undefined;
  const env = Object.entries(manager.env ?? {}).map(([name, below]) => [name, posix.join(home, below)]);
  return {
    name: manager.name,
    readable: manager.readable.map((below) => posix.join(home, below)),
    env: Object.fromEntries(env) as Record<string, string>,
  };
}

/** A virtual environment, an unpacked program with its own `bin`, or a single file. */
function fromPlace(path: string, home: string, exists: FoundProgram['exists']): Toolchain {
  const root = posix.dirname(posix.dirname(path));
  if (exists(posix.join(root, 'pyvenv.cfg')))
    return { name: 'a virtual environment', readable: [root], env: { VIRTUAL_ENV: root } };
  const isShared = root === home || root === posix.join(home, '.local') || !root.startsWith(`${home}/`);
  const own = posix.basename(posix.dirname(path)) === 'bin' && !isShared;
  return { name: 'a program of your own', readable: [own ? root : path], env: {} };
}

/** The setting that shows it to every run, as it would be written. */
export function toolchainSetting(chains: readonly Pick<Toolchain, 'readable' | 'env'>[]): string {
  const readable = [...new Set(chains.flatMap((each) => each.readable))];
  const env = Object.assign({}, ...chains.map((each) => each.env)) as Record<string, string>;
  const lines = [`jail: { readable: ${JSON.stringify(readable)} }`];
  return (Object.keys(env).length === 0 ? lines : [...lines, `checks: { env: ${JSON.stringify(env)} }`]).join('\n');
}
