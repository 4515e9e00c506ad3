import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJudgeFile, judgeChanges, judgeOverlay } from '../../src/evidence/judge-files.ts';

const pkg = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const what = (path: string, before: string | undefined, after: string | undefined): string[] =>
  judgeChanges([{ path, before, after }]).map((each) => each.what);
const overlay = (path: string, base: string | undefined, commit: string | undefined): string | undefined =>
  judgeOverlay({ path, base, commit }).content;
const overlaid = (base: unknown, commit: unknown): unknown =>
  JSON.parse(overlay('package.json', base === undefined ? undefined : pkg(base), pkg(commit)) ?? 'null');

describe('tsconfig.json', () => {
  const strict =
    '{\n  // as strict as can be\n  "compilerOptions": { "strict": true, "target": "es2022", },\n  "include": ["src"],\n}\n';

  it.each<[string, string, string[]]>([
    ['a target', strict.replace('es2022', 'es2024'), []],
    ['a comment', strict.replace('as strict', 'quite as strict'), []],
    ['less strictness', strict.replace('true', 'false'), ['compilerOptions.strict: true → false']],
    ['fewer files', strict.replace('["src"]', '[]'), ['include: ["src"] → []']],
    [
      'another module in the place of one',
      strict.replace('"strict"', '"paths": { "vitest": ["./fake.ts"] }, "strict"'),
      ['compilerOptions.paths: none → {"vitest":["./fake.ts"]}'],
    ],
    ['what cannot be read', '{', ['cannot be read']],
  ])('%s', (_, after, expected) => {
    expect(what('tsconfig.json', strict, after)).toEqual(expected);
    expect(overlay('tsconfig.json', strict, after)).toBe(expected.length === 0 ? after : strict);
  });
});

describe('where packages come from', () => {
  it('is shown for Go and Cargo', () => {
    expect(what('go.mod', 'module a\n', 'module a\n\nreplace example.com/assert => ./fake\n')).toEqual([
      'added: replace example.com/assert => ./fake',
    ]);
    expect(what('go.mod', 'module a\n', 'module a\n\nrequire example.com/b v1.2.0\n')).toEqual([]);
    expect(what('Cargo.toml', '', '[patch.crates-io]\n')).toEqual(['added: [patch.crates-io]']);
  });

  it('stays for imports of the package itself that exist, and is free for new ones', () => {
    const base = { imports: { '#assert': './tools/assert.js' } };
    const fake = { imports: { '#assert': './src/fake.js', '#new': './src/new.js' } };
    expect(what('package.json', pkg(base), pkg(fake))).toEqual([
      'imports.#assert: "./tools/assert.js" → "./src/fake.js"',
    ]);
    expect(overlaid(base, fake)).toEqual({ imports: { '#assert': './tools/assert.js', '#new': './src/new.js' } });
  });
});

describe('isJudgeFile', () => {
  it.each([
    'package.json',
    'packages/a/package.json',
    'vitest.config.ts',
    'vite.config.mjs',
    'vitest.workspace.ts',
    'jest.config.js',
    'jest.config.json',
    'jest.e2e.config.ts',
    '.mocharc.yml',
    'playwright.config.ts',
    'karma.conf.js',
    'pytest.ini',
    'tox.ini',
    'setup.cfg',
    'pyproject.toml',
    'tests/conftest.py',
    'Makefile',
    'makefile',
    'GNUmakefile',
    'justfile',
    'noxfile.py',
    '.npmrc',
    '.nvmrc',
    '.cargo/config.toml',
    '.forge/config.yaml',
    '.forge',
    '.forge/roles/a.md',
    'eslint.config.js',
    'biome.json',
    '.oxlintrc.json',
    '.nycrc.json',
    'Cargo.toml',
    'pom.xml',
    'turbo.json',
    'bunfig.toml',
    'sitecustomize.py',
    'lib/usercustomize/__init__.py',
    'tests/__pycache__/test_a.cpython-311.pyc',
    'evil.egg-info/entry_points.txt',
    '.yarn/releases/yarn-4.0.0.cjs',
    '.pnp.cjs',
    'go.work',
    'pnpm-workspace.yaml',
    'tsconfig.json',
    'packages/a/tsconfig.build.json',
    'go.mod',
    'babel.config.js',
    '.babelrc',
    '.env',
    '.env.test',
    '.envrc',
    'gradlew',
    'gradle/wrapper/gradle-wrapper.jar',
    '.mvn/jvm.config',
  ])('%s judges', (path) => expect(isJudgeFile(path)).toBe(true)); // prettier-ignore

  it.each([
    'src/a.ts',
    '.env.example',
    '.env.local.sample',
    'package-lock.json',
    'test/fixtures/app/package.json',
    'node_modules/x/package.json',
    'docs/.forge/x.md',
    'src/config.ts',
    'makefile.md',
    'Cargo.lock',
    'docs/entry_points.txt',
    'src/customize.py',
    '.yarn/cache/left.zip',
    'src/jest.config-reader.md',
  ])('%s does not', (path) => expect(isJudgeFile(path)).toBe(false)); // prettier-ignore
});

describe('package.json', () => {
  const base = {
    name: 'app',
    scripts: { test: 'node --test', build: 'tsc' },
    jest: { a: 1 },
    devDependencies: { vitest: '4.1.0' },
  };

  it('says which scripts and runner settings changed, and is silent about dependencies and code', () => {
    const commit = {
      ...base,
      type: 'module',
      imports: { '#a': './a.js' },
      dependencies: { left: '1' },
      devDependencies: { vitest: '4.1.0', mocha: '11' },
      scripts: { test: 'true', lint: 'eslint .' },
      jest: { a: 2 },
      mocha: { spec: 'x' },
    }; // prettier-ignore
    expect(what('package.json', pkg(base), pkg(commit))).toEqual([
      'scripts.build: "tsc" → none',
      'scripts.lint: none → "eslint ."',
      'scripts.test: "node --test" → "true"',
      'jest: {"a":1} → {"a":2}',
      'mocha: none → {"spec":"x"}',
    ]);
    expect(what('package.json', pkg(base), pkg({ ...base, dependencies: { left: '1' }, type: 'module' }))).toEqual([]);
    expect(what('package.json', undefined, pkg({ dependencies: { left: '1' } }))).toEqual([]);
    expect(what('packages/a/package.json', undefined, pkg({ scripts: { test: 'true' } }))).toEqual([
      'scripts.test: none → "true"',
    ]);
  });

  it('lays the base’s scripts and settings over the commit’s file, which keeps its dependencies', () => {
    const commit = {
      name: 'app',
      type: 'module',
      dependencies: { left: '1' },
      devDependencies: { vitest: '4.2.0' },
      scripts: { test: 'true', pretest: 'node --test' },
      mocha: {},
    };
    expect(overlaid(base, commit)).toEqual({
      name: 'app',
      type: 'module',
      dependencies: { left: '1' },
      devDependencies: { vitest: '4.2.0' },
      jest: { a: 1 },
      scripts: base.scripts,
    });
  });

  it('keeps a script the base does not have only if it is a plain run of a whole suite', () => {
    const scripts = {
      test: 'node --test',
      unit: 'vitest run',
      spec: 'npx jest --ci',
      types: 'tsc --noEmit',
      fake: 'true',
      none: 'exit 0',
      some: 'node --test a.test.js',
      lax: 'vitest run --passWithNoTests',
      own: './bin/vitest run',
      shell: 'vitest run || true',
      two: 'vitest run && true',
      named: 'vitest run -t nothing',
    }; // prettier-ignore
    const kept = { test: 'node --test', unit: 'vitest run', spec: 'npx jest --ci', types: 'tsc --noEmit' };
    expect(overlaid(undefined, { name: 'new', scripts, dependencies: { a: '1' }, vitest: {} })).toEqual({
      name: 'new',
      dependencies: { a: '1' },
      scripts: kept,
    });
    expect(overlaid({ scripts: {} }, { scripts })).toEqual({ scripts: kept });
    expect(overlaid(undefined, { scripts: { test: 'true' } })).toEqual({});
  });

  it('takes a runner’s package from where the base took it', () => {
    const commit = {
      ...base,
      devDependencies: { vitest: 'file:./fake' },
      overrides: { jest: 'npm:fake@1', left: '2' },
    };
    expect(what('package.json', pkg(base), pkg(commit))).toEqual([
      'devDependencies.vitest: "4.1.0" → "file:./fake"',
      'overrides.jest: none → "npm:fake@1"',
    ]);
    expect(overlaid(base, commit)).toEqual({ ...base, overrides: { left: '2' } });
    expect(what('package.json', pkg(base), pkg({ ...base, devDependencies: { vitest: '4.2.0' } }))).toEqual([
      'devDependencies.vitest: "4.1.0" → "4.2.0"',
    ]);
    expect(what('fake/package.json', undefined, pkg({ name: 'vitest' }))).toEqual([
      'name: takes the name of the runner vitest',
    ]);
  });

  it('takes no runner’s name for the package or its programs', () => {
    const commit = { ...base, name: 'vitest', bin: { vitest: './fake.js', app: './app.js' } };
    expect(what('package.json', pkg(base), pkg(commit))).toEqual([
      'name: takes the name of the runner vitest',
      'bin: takes the name of the program vitest',
    ]);
    expect(overlaid(base, commit)).toEqual(base);
    expect(overlaid(commit, commit)).toEqual(commit);
    const own = { ...base, bin: { app: './app.js' } };
    expect([what('package.json', pkg(base), pkg(own)), overlaid(base, own)]).toEqual([[], own]);
  });

  it('uses the base’s file where the commit’s is broken, gone or a link', () => {
    for (const commit of ['{', '[]', 'null', '{"scripts": ']) {
      expect(what('package.json', pkg(base), commit)).toEqual(['is not a valid package.json']);
      expect(overlay('package.json', pkg(base), commit)).toBe(pkg(base));
      expect(overlay('package.json', undefined, commit)).toBeUndefined();
    }
    expect(what('package.json', pkg(base), undefined)).toEqual(['deleted']);
    expect(overlay('package.json', pkg(base), undefined)).toBe(pkg(base));
    expect(judgeOverlay({ path: 'package.json', base: pkg(base), commit: 'other.json', symlink: true })).toEqual({
      content: pkg(base),
    });
    expect(judgeChanges([{ path: 'package.json', before: 'x', after: 'x', symlink: true }])).toEqual([
      { path: 'package.json', what: 'is a symbolic link' },
    ]);
  });

  it('survives any two JSON files: the scripts and settings of the base are in force', () => {
    const script = fc.oneof(fc.string(), fc.constantFrom('true', 'node --test', 'vitest run', '__proto__'));
    const key = fc.oneof(fc.string(), fc.constantFrom('test', 'pretest', '__proto__', 'constructor'));
    const file = fc.record(
      {
        scripts: fc.oneof(fc.dictionary(key, script), fc.jsonValue()),
        jest: fc.jsonValue(),
        dependencies: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, file, (one, other) => {
        const [before, after] = [JSON.stringify(one), JSON.stringify(other)];
        const content: unknown = JSON.parse(overlay('package.json', before, after) ?? '{}');
        const changed = what('package.json', before, JSON.stringify(content)).filter(
          (line) => !/^scripts\..*: none → "/s.test(line),
        );
        expect(changed).toEqual([]);
      }),
    );
  });
});

describe('pyproject.toml and setup.cfg', () => {
  const base = '[project]\nname = "a"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n';

  it('tells settings of runners from dependencies', () => {
    expect(what('pyproject.toml', base, base.replace('[]', '["x"]'))).toEqual([]);
    expect(what('pyproject.toml', base, base.replace('-ra', '--co'))).toEqual(['[tool.pytest.ini_options] changed']);
    expect(what('pyproject.toml', base, `${base}\n[tool . "coverage".run]\nomit = ["*"]\n`)).toEqual([
      '[tool.coverage.run] added',
    ]);
    expect(what('setup.cfg', '[metadata]\n', '[metadata]\nname = a\n[tool:pytest]\naddopts = --co\n')).toEqual([
      '[tool:pytest] added',
    ]);
    const inString = `${base}\n[tool.x]\ny = """\n[tool.pytest]\n"""\n`;
    expect(what('pyproject.toml', base, inString)).toEqual([]);
  });

  it('lays the base’s sections over the commit’s file', () => {
    const commit =
      '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "--co"\n\n[tool.tox]\nenv = 1\n[tool.poetry]\nx = 1\n';
    expect(overlay('pyproject.toml', base, commit)).toBe(
      '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.poetry]\nx = 1\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n',
    );
    expect(overlay('pyproject.toml', undefined, '[project]\nname = "a"\n[tool.pytest]\nx = 1\n')).toBe(
      '[project]\nname = "a"\n',
    );
    expect(overlay('pyproject.toml', undefined, '[tool.pytest]\nx = 1\n')).toBeUndefined();
    expect(overlay('pyproject.toml', base, undefined)).toBe(base);
  });

  it('is not misled by quotes in an ini file', () => {
    const commit = '[metadata]\ndescription = """\n[tool:pytest]\naddopts = --co\nx = """\n';
    expect(overlay('setup.cfg', '[metadata]\n', commit)).toBe('[metadata]\ndescription = """\n');
  });

  it.each([
    'x = """\n',
    '[tool."py\\u0074est"]\n',
    '[tool.pytest."a]b"]\n',
    '"t\\u006fol".pytest.x = 1\n',
    'tool.pytest.ini_options.addopts = "--co"\n',
    'tool = { pytest = { ini_options = { addopts = "--co" } } }\n',
    '[tool]\npytest.ini_options.addopts = "--co"\n',
  ])('does not take apart what hides settings: %j', (hidden) => {
    expect(overlay('pyproject.toml', base, hidden + base.slice(0, 20))).toBe(base);
    expect(what('pyproject.toml', base, hidden)).toEqual(['keeps tool settings in a form that cannot be told apart']);
  });

  it('survives any text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('[tool.pytest]', '"""', "'''", '[project]', 'x = 1', '[[a', '#', '\r'),
    );
    const text = fc.array(line).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const content = overlay('pyproject.toml', before, after);
        expect(content === before ? [] : what('pyproject.toml', before, content)).toEqual([]);
        expect(what('setup.cfg', before, overlay('setup.cfg', before, after) ?? '')).toEqual([]);
      }),
    );
  });
});

describe('conftest.py', () => {
  const fixtures = 'import pytest\n\n@pytest.fixture\ndef db():\n    return 1\n';
  const hooks = `${fixtures}\ndef pytest_collection_modifyitems(items):\n    items.sort()\n`;

  it('keeps the commit’s fixtures and the base’s hooks', () => {
    const more = `${fixtures}\n@pytest.fixture\ndef user(db):\n    return "pytest_configure"  # pytest_hook\n`;
    expect(overlay('conftest.py', fixtures, more)).toBe(more);
    expect(overlay('tests/conftest.py', undefined, more)).toBe(more);
    expect(what('conftest.py', fixtures, more)).toEqual(['changed, fixtures only']);
    expect(what('conftest.py', undefined, more)).toEqual(['added, fixtures only']);
    expect(overlay('conftest.py', hooks, `${hooks}\n@pytest.fixture\ndef user():\n    return 2\n`)).toContain(
      'def user',
    );
  });

  it.each([
    'def pytest_collection_modifyitems(items):\n    items.clear()\n',
    'collect_ignore = ["test_a.py"]\n',
    'pytest_plugins = ["evil"]\n',
    '@pytest.hookimpl\ndef x(): pass\n',
    'from evil import *\n',
    'exec("x")\n',
    'import _pytest\n',
    '@pytest.fixture(autouse=True)\ndef x(monkeypatch): pass\n',
    'import unittest.mock as m\nm.Mock.assert_called = lambda *a: None\n',
    'import os as o\no._exit(0)\n',
    'raise SystemExit\n',
  ])('goes back to the base for %j', (hook) => {
    expect(overlay('conftest.py', fixtures, `${fixtures}\n${hook}`)).toBe(fixtures);
    expect(overlay('conftest.py', undefined, hook)).toBeUndefined();
    expect(what('conftest.py', fixtures, `${fixtures}\n${hook}`)).toEqual(['hooks changed: the version before judges']);
  }); // prettier-ignore

  it('goes back to the base when a hook of it is edited or removed', () => {
    expect(overlay('conftest.py', hooks, hooks.replace('items.sort()', 'items.clear()'))).toBe(hooks);
    expect(overlay('conftest.py', hooks, fixtures)).toBe(hooks);
  });
});

describe('other files', () => {
  it('come from the base, and vanish if the base has none', () => {
    expect(overlay('vitest.config.ts', 'base', 'commit')).toBe('base');
    expect(overlay('sub/Makefile', undefined, 'commit')).toBeUndefined();
    expect(overlay('.forge/config.yaml', 'base', undefined)).toBe('base');
    expect(overlay('src/a.ts', 'base', 'commit')).toBe('commit');
    expect(
      judgeChanges([
        { path: 'vitest.config.ts', before: 'a', after: 'b' },
        { path: '.npmrc', before: undefined, after: 'b' },
        { path: '.forge/roles/x.md', before: 'a', after: undefined },
        { path: 'Makefile', before: 'a', after: 'a' },
        { path: 'src/a.ts', before: 'a', after: 'b' },
      ]),
    ).toEqual([
      { path: 'vitest.config.ts', what: 'changed' },
      { path: '.npmrc', what: 'added' },
      { path: '.forge/roles/x.md', what: 'deleted' },
    ]); // prettier-ignore
  });

  it('that say where packages come from are the commit’s only where the base has one', () => {
    expect([overlay('.pnp.cjs', undefined, 'x'), overlay('.pnp.cjs', 'base', 'x')]).toEqual([undefined, 'x']);
    expect([what('go.work', undefined, 'x'), what('go.work', 'a', 'x')]).toEqual([['added'], ['changed']]);
    expect(what('pnpm-workspace.yaml', 'packages: []\n', 'packages: [a]\nscriptShell: ./sh\n')).toEqual([
      'added: scriptShell: ./sh',
    ]);
  });

  it('build files stay the commit’s; a switch that turns tests off is told', () => {
    const cargo = '[package]\nname = "a"\n[dependencies]\n';
    expect(what('Cargo.toml', cargo, `${cargo}serde = "1"\n`)).toEqual([]);
    expect(what('Cargo.toml', cargo, `${cargo}[lib]\ntest = false\n`)).toEqual(['added: test = false']);
    expect(what('pom.xml', '<a/>', '<a>\n  <skipTests>true</skipTests>\n</a>')).toEqual([
      'added: <skipTests>true</skipTests>',
    ]);
    expect(overlay('Cargo.toml', cargo, 'x')).toBe('x');
  });
});
