import { describe, expect, it } from 'vitest';
import { discoverChecks } from '../../src/evidence/discover.ts';

function discover(files: Readonly<Record<string, string>>): string[] {
  const checks = discoverChecks({ paths: Object.keys(files), read: (path) => files[path] });
  return checks.map((check) => `${check.run.join(' ')} < ${check.from}`);
}
const scripts = (value: unknown): string => JSON.stringify({ scripts: value });

describe('discoverChecks', () => {
  it('takes typecheck, lint and test of package.json, in this order', () => {
    const all = scripts({ test: 'vitest run', lint: 'eslint .', build: 'tsc', typecheck: 'tsc --noEmit' });
    expect(discover({ 'package.json': all })).toEqual([
      'npm run typecheck < package.json',
      'npm run lint < package.json',
      'npm run test < package.json',
    ]);
    expect(discover({ 'package.json': scripts({ build: 'tsc' }) })).toEqual([]);
    expect(discover({})).toEqual([]);
  });

  it.each(['echo "Error: no test specified" && exit 1', '', '  ', 7, null])(
    'does not take %j for a check',
    (script) => {
      expect(discover({ 'package.json': scripts({ test: script }) })).toEqual([]);
    },
  );

  it.each(['{', '[]', 'null', '{"scripts":[]}', '{"scripts":{"__proto__":{"test":"x"}}}', ''])(
    'finds nothing in %j',
    (text) => {
      expect(discover({ 'package.json': text })).toEqual([]);
    },
  );

  it.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['package-lock.json', 'npm'],
  ])('%s means %s', (lock, manager) => {
    expect(discover({ 'package.json': scripts({ test: 'x' }), [lock]: '' })).toEqual([
      `${manager} run test < package.json`,
    ]);
  });

  it('knows pytest, Go, Cargo, several at once', () => {
    expect(discover({ 'pytest.ini': '' })).toEqual(['pytest < pytest.ini']);
    expect(discover({ 'pyproject.toml': '[project]\n[tool.pytest.ini_options]\n' })).toEqual([
      'pytest < pyproject.toml',
    ]);
    expect(discover({ 'pyproject.toml': '[project]\n# [tool.pytest]\n' })).toEqual([]);
    expect(discover({ 'tests/unit/test_a.py': '' })).toEqual(['pytest < tests/unit/test_a.py']);
    expect(discover({ 'tests/helper.py': '' })).toEqual([]);
    expect(discover({ 'go.mod': '', 'Cargo.toml': '', 'package.json': scripts({ lint: 'x' }) })).toEqual([
      'npm run lint < package.json',
      'go test ./... < go.mod',
      'cargo test < Cargo.toml',
    ]);
  });

  it('asks make only where nothing else tests', () => {
    expect(discover({ Makefile: 'all: x\ntest: all\n\t./t\n' })).toEqual(['make test < Makefile']);
    expect(discover({ Makefile: '.PHONY: check\ncheck:\n\t./t\n' })).toEqual(['make check < Makefile']);
    expect(discover({ Makefile: 'test := 1\n# test: x\n\ttest: y\nlatest: x\n' })).toEqual([]);
    expect(discover({ Makefile: 'test:\n', 'package.json': scripts({ lint: 'x' }) })).toEqual([
      'npm run lint < package.json',
      'make test < Makefile',
    ]);
    expect(discover({ Makefile: 'test:\n', 'go.mod': '' })).toEqual(['go test ./... < go.mod']);
  });
});
