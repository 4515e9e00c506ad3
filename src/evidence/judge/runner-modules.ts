/**
 * Python looks into the working directory (and PYTHONPATH) before it looks at what is installed: a commit that adds
 * `unittest.py`, `pytest/__init__.py` or a module that these import puts its own code in the runner's place. Which
 * paths would do that, given where commands run and what the judge has. A module that the judge has itself is the
 * project's own. Inside a package (`app/logging.py`) a name takes nobody's place.
 */
import { posix } from 'node:path';

export interface ImportPlaces {
  /** From where modules are imported: working directories, PYTHONPATH. Relative to the repository's root. */
  readonly directories: readonly string[];
  /** Every path of the judge commit. */
  readonly judgePaths: readonly string[];
}

/** The module whose place a file would take, or undefined. A directory, which ends in a slash, may be a package. */
export type RunnerShadow = (path: string) => string | undefined;

export function runnerShadows({ directories, judgePaths }: ImportPlaces): RunnerShadow {
  const places = new Set(
    directories.flatMap((directory) => [directory, ...['src', 'test', 'tests'].map(below(directory))]).map(plain),
  );
  const find = (path: string): { readonly key: string; readonly module: string } | undefined => {
    const [, directory = '', module = ''] = importable.exec(path) ?? [];
    return runnerModules.has(module) && places.has(plain(directory))
      ? { key: `${plain(directory)}/${module}`, module }
      : undefined;
  };
  const own = new Set(judgePaths.map((path) => find(path)?.key));
  return (path) => {
    const found = find(path);
    return found === undefined || own.has(found.key) ? undefined : found.module;
  };
}

/** The files that `python -m name` could start, in the directories that it looks into. */
export function moduleFiles(name: string, directories: readonly string[]): readonly string[] {
  const path = name.replaceAll('.', '/');
  const files = [`${path}.py`, `${path}.pyc`, `${path}/__init__.py`, `${path}/__main__.py`];
  return directories.flatMap((directory) => files.map(below(directory)));
}

function below(directory: string): (name: string) => string {
  return (name) => posix.join(directory, name);
}

function plain(directory: string): string {
  return posix.normalize(directory === '' ? '.' : directory).replace(/(.)\/$/, '$1');
}

/** `name.py`, `name.pyc`, `name.cpython-311-x86_64-linux-gnu.so`, `name/__init__.py`, `name/`. */
const importable =
  /^(?:(.*)\/)?(?!__(?:init|main)__\.)([A-Za-z_]\w*)(?:\.pyc?|(?:\.[\w-]+)?\.(?:so|pyd)|\/__(?:init|main)__\.pyc?|\/)$/;

/** The runners themselves, and what unittest and pytest import on their way. */
const runnerModules = new Set(
  `unittest pytest _pytest pluggy iniconfig py pygments exceptiongroup tomli doctest nose nose2 green behave xdist
  pytest_cov pytest_asyncio coverage tox nox hypothesis mypy pyflakes flake8 pylint ruff black typing_extensions
  __future__ argparse array ast asyncio base64 bdb bisect builtins cProfile calendar cmd code codeop collections
  concurrent contextlib contextvars copy csv dataclasses datetime decimal difflib dis email enum fcntl fnmatch fractions
  functools gc gettext glob gzip hashlib heapq http importlib inspect io ipaddress itertools json keyword linecache
  locale logging netrc numbers opcode operator pathlib pdb pickle pkgutil platform pprint profile pstats queue quopri
  random re readline reprlib runpy select selectors shlex shutil signal socket ssl statistics string struct subprocess
  sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata urllib uuid
  warnings weakref xml zipfile zipimport zlib zoneinfo`.split(/\s+/),
);
