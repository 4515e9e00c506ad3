import { expect, it } from 'vitest';
import { toolchainOf, toolchainSetting } from '../../src/policy/toolchain.ts';

const home = '/home/ann';
const none = new Set<string>();
const chain = (path: string, real = path, missing: ReadonlySet<string> = none, venv?: string) =>
  toolchainOf({
    program: path.split('/').at(-1) ?? '',
    path,
    real,
    home,
    exists: (each) => (each.endsWith('/pyvenv.cfg') ? each === `${venv}/pyvenv.cfg` : !missing.has(each)),
  });

it.each<[string, ReturnType<typeof chain>, object]>([
  [
    'pyenv',
    chain(`${home}/.pyenv/shims/pytest`),
    { name: 'pyenv', readable: [`${home}/.pyenv`], env: { PYENV_ROOT: `${home}/.pyenv` } },
  ],
  [
    'nvm',
    chain(`${home}/.nvm/versions/node/v22.0.0/bin/npm`),
    { name: 'nvm', readable: [`${home}/.nvm/versions`], env: {} },
  ],
  [
    'cargo, without its credentials',
    chain(`${home}/.cargo/bin/cargo`, undefined, new Set([`${home}/.cargo/git`])),
    {
      name: 'rustup',
      readable: [`${home}/.cargo/bin`, `${home}/.cargo/registry`, `${home}/.rustup`],
      env: { CARGO_HOME: `${home}/.cargo`, RUSTUP_HOME: `${home}/.rustup` },
    },
  ],
  [
    'a link into a manager',
    chain(`${home}/.local/bin/poetry`, `${home}/.local/share/pypoetry/venv/bin/poetry`),
    {
      name: 'a program of your own',
      readable: [`${home}/.local/bin/poetry`, `${home}/.local/share/pypoetry`, `${home}/.cache/pypoetry/virtualenvs`],
      env: {},
    },
  ],
  [
    'a virtual environment',
    chain(`${home}/work/app/.venv/bin/pytest`, undefined, none, `${home}/work/app/.venv`),
    {
      name: 'a virtual environment',
      readable: [`${home}/work/app/.venv`],
      env: { VIRTUAL_ENV: `${home}/work/app/.venv` },
    },
  ],
  [
    'an unpacked program',
    chain(`${home}/tools/zig/bin/zig`),
    { name: 'a program of your own', readable: [`${home}/tools/zig`], env: {} },
  ],
  [
    'a single file',
    chain(`${home}/bin/check`),
    { name: 'a program of your own', readable: [`${home}/bin/check`], env: {} },
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected);
});

it('never shows a home, or what holds credentials', () => {
  const places = ['bin/x', '.local/bin/x', 'x', '.cargo/bin/x', '.volta/bin/x', 'go/bin/x', 'a/b/bin/x', 'a/x'];
  for (const place of places) {
    for (const path of chain(`${home}/${place}`).readable) {
      expect([home, `${home}/.local`, `${home}/.cargo`, `${home}/.config`, '/home', '/']).not.toContain(path);
    }
  }
});

it('is written as a setting', () => {
  expect(toolchainSetting([chain(`${home}/.pyenv/shims/pytest`)])).toBe(
    `jail: { readable: ["${home}/.pyenv"] }\nchecks: { env: {"PYENV_ROOT":"${home}/.pyenv"} }`,
  );
});
