/**
 * Why a program that a person can run is missing in the jail: it lies in their home, where a version manager or a virtual
 * environment put it. Looks at PATH and the disk, starts nothing. A module that `python -m` lacks may lie in the
 * person's own site-packages.
 */
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { HiddenProgram } from '../policy/check-report.ts';
import { toolchainOf } from '../policy/toolchain.ts';

/** Undefined where the program is not on this machine either, or not in a place that a jail hides. */
export function findHidden(
  program: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): HiddenProgram | undefined {
  const home = realHome(env);
  if (home === undefined || program.includes('/')) return undefined;
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => isAbsolute(directory));
  const path = directories.map((directory) => join(directory, program)).find(isProgram);
  if (path === undefined) return userModule(program, home);
  const real = realpathSync(path);
  const visible = ['/usr', '/bin', '/sbin', '/opt', '/nix', '/lib'].some((root) => real.startsWith(`${root}/`));
  if (visible && !path.startsWith(`${home}/`)) return undefined;
  const { name, readable, env: variables } = toolchainOf({ program, path, real, home, exists: existsSync });
  return readable.length === 0
    ? undefined
    : { program, at: path, manager: name, readable: [...readable], env: variables };
}

function userModule(module: string, home: string): HiddenProgram | undefined {
  const base = join(home, '.local');
  const libraries = existsSync(join(base, 'lib')) ? readdirSync(join(base, 'lib')) : [];
  const holds = (library: string): boolean =>
    ['', '.py'].some((end) => existsSync(join(base, 'lib', library, 'site-packages', `${module}${end}`)));
  const library = libraries.find((each) => /^python3?[\d.]*$/.test(each) && holds(each));
  if (library === undefined || !/^[A-Za-z_]\w*$/.test(module)) return undefined;
  const at = join(base, 'lib', library);
  return { program: module, at, manager: 'pip install --user', readable: [at], env: { PYTHONUSERBASE: base } };
}

function realHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    return realpathSync(env['HOME'] ?? homedir());
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
