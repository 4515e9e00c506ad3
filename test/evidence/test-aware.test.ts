import { describe, expect, it } from 'vitest';
import { weakenedEvidence } from './weakened-evidence.ts';

const claims = (path: string, after: string, before?: string) =>
  weakenedEvidence([{ path, before, after }]).map(({ kind, line }) => `${kind} ${line}`);

describe('product code that can tell that a test is running', () => {
  it.for([
    ['src/a.js', 'export const a = process.env.NODE_TEST_CONTEXT ? 1 : 2;\n'],
    ['src/a.js', "export const a = process.env['VITEST'] ? 1 : 2;\n"],
    ['src/a.ts', 'const { JEST_WORKER_ID } = process.env;\n'],
    ['src/a.js', "if (process.env.NODE_ENV !== 'test') start();\n"],
    ['src/a.js', "if ('test' === process.env.NODE_ENV) start();\n"],
    ['src/a.js', "const quick = process.execArgv.includes('--test');\n"],
    ['src/a.js', "const quick = typeof describe === 'function';\n"],
    ['src/a.js', 'const quick = /test/.test(new Error().stack) || new Error().stack.includes("test.js");\n'],
    ['src/a.js', "const { stack } = new Error(''); export const quick = stack.includes('.test.');\n"],
    ['src/a.js', "const [, main = ''] = process.argv; export const quick = main.endsWith('.spec.js');\n"],
    ['src/a.js', 'export const quick = process.env.npm_lifecycle_event;\n'],
    ['shop/a.py', "import inspect\nQUICK = any('unittest' in frame.filename for frame in inspect.stack())\n"],
    ['src/a.js', "process.env.UPDATE_SNAPSHOTS = '1';\n"],
    ['src/a.js', "process.env['UPDATE'] ??= '1';\n"],
    ['shop/a.py', "import os\nQUICK = 'PYTEST_CURRENT_TEST' in os.environ\n"],
    ['shop/a.py', "import sys\nQUICK = 'pytest' in sys.modules\n"],
    ['shop/a.py', "import os\nos.environ['SNAPSHOT_UPDATE'] = '1'\n"],
    ['a.go', 'package a\n\nfunc f() bool { return testing.Testing() }\n'],
    ['src/a.rs', 'pub fn a() -> i32 { if cfg!(test) { 3 } else { 4 } }\n'],
  ])('%s: %s', ([path = '', after = '']) => {
    expect(claims(path, after)).toEqual([`test-aware ${after.split('\n').length - 1}`]);
  });

  it.for([
    ['src/a.js', 'export const lines = (error) => error.stack.split(`\\n`); // in a test\n'],
    ['src/a.js', "const [command] = process.argv.slice(2);\nif (command === 'test') run();\n"],
    ['src/a.js', "const quick = process.argv.slice(2);\nif (quick.includes('--latest')) run();\n"],
    ['src/a.js', '// NODE_TEST_CONTEXT is set by the runner\nexport const a = 1; /* VITEST */\n'],
    ['src/a.js', "export const mode = process.env.NODE_ENV === 'production';\n"],
    ['src/a.js', "process.env.PORT = '1';\nif (process.env.UPDATE === '1') update();\n"],
    ['test/helpers/env.js', "export const isTest = process.env.NODE_ENV === 'test';\n"],
    ['vitest.config.ts', 'export default { on: process.env.VITEST };\n'],
    ['src/a.rs', '#[cfg(test)]\nmod tests {}\n'],
  ])('is not what this is: %s: %s', ([path = '', after = '']) => {
    expect(claims(path, after)).toEqual([]);
  });

  it('is no news where it was before, or has moved', () => {
    const code = "export const quiet = process.env.NODE_ENV === 'test';\n";
    expect(claims('src/a.js', `${code}export const b = 1;\n`, code)).toEqual([]);
    const moved = weakenedEvidence([
      { path: 'src/a.js', before: code, after: undefined },
      { path: 'src/b.js', before: undefined, after: code },
    ]);
    expect(moved).toEqual([]);
  });
});
