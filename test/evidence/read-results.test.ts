import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResults, type Results } from '../../src/evidence/read-results.ts';
import { outputPieces, readRepeated } from './hostile-text.ts';
import { sample, sampleRoot } from './sample.ts';

const nodeFailing = [
  'a.test.mjs > fails \\ plainly',
  'a.test.mjs > outer > inner > deep bad',
  'a.test.mjs > parent > child',
  'b.test.mjs',
  'c.test.mjs > times out',
];
const vitestFailing = {
  counts: {
    passed: 2,
    failed: 6,
    skipped: 2,
    failing: [
      'a.test.ts > dynamic import',
      'a.test.ts > fails plainly',
      'a.test.ts > outer > inner > deep bad',
      'b.test.ts',
      'c.test.ts',
      'd.test.ts',
    ],
  },
  unloaded: ['a.test.ts > dynamic import', 'b.test.ts', 'c.test.ts', 'd.test.ts'],
  ran: 4,
};
const pytestFailing = [
  'test_a.py::TestC::test_m',
  'test_a.py::test_bad',
  'test_a.py::test_err',
  'test_a.py::test_inimport',
  'test_a.py::test_p[x y]',
  'test_a.py::test_p[z - w]',
  'test_a.py::test_xpass_strict',
];
const nothing = { counts: { passed: 0, failed: 0, skipped: 0, failing: [] }, unloaded: [], ran: 0 };
const oneTest = { counts: { passed: 1, failed: 0, skipped: 0, failing: [] }, unloaded: [], ran: 1 };
const onlyBroken = (name: string) => ({
  counts: { passed: 0, failed: 1, skipped: 0, failing: [name] },
  unloaded: [name],
  ran: 0,
});

const cases: readonly (readonly [name: string, expected: Results | undefined])[] = [
  [
    'node20-tap.txt',
    {
      reader: 'tap',
      counts: { passed: 3, failed: 6, skipped: 3, failing: nodeFailing },
      unloaded: ['b.test.mjs'],
      ran: 8,
    },
  ],
  [
    'node20-spec.txt',
    {
      reader: 'node-spec',
      counts: { passed: 3, failed: 6, skipped: 3, failing: nodeFailing },
      unloaded: ['b.test.mjs'],
      ran: 8,
    },
  ],
  [
    'node22-spec.txt',
    {
      reader: 'node-spec',
      counts: {
        passed: 2,
        failed: 2,
        skipped: 1,
        failing: ['test/a.test.mjs > outer > inner > deep bad', 'test/b.test.mjs'],
      },
      unloaded: ['test/b.test.mjs'],
      ran: 3,
    },
  ],
  [
    'node20-junit.xml',
    {
      reader: 'junit',
      counts: {
        passed: 3,
        failed: 5,
        skipped: 3,
        failing: ['b.test.mjs', 'fails \\ plainly', 'outer > inner > deep bad', 'parent > child', 'times out'],
      },
      unloaded: ['b.test.mjs'],
      ran: 7,
    },
  ],
  ['node20-absent-tap.txt', { reader: 'tap', ...onlyBroken('b.test.mjs') }],
  ['node20-no-tests-tap.txt', { reader: 'tap', ...nothing }],
  // One of two files ended its process while loading: the runner calls the file itself a test that passed.
  ['node20-exit-tap.txt', { reader: 'tap', ...oneTest }],
  ['node20-exit-spec.txt', { reader: 'node-spec', ...oneTest }],
  ['node20-exit-junit.xml', { reader: 'junit', ...oneTest }],
  ['node20-zero-tap.txt', { reader: 'tap', ...nothing }],
  ['node20-no-file.txt', undefined],
  [
    'tap14.txt',
    {
      reader: 'tap',
      counts: { passed: 2, failed: 1, skipped: 2, failing: ['database > writes # rows'] },
      unloaded: [],
      ran: 3,
    },
  ],
  ['vitest-report.json.txt', { reader: 'jest-json', ...vitestFailing }],
  ['vitest-default.stdout.txt', { reader: 'vitest-text', ...vitestFailing }],
  ['vitest-tap.txt', { reader: 'tap', ...vitestFailing }],
  ['vitest-junit.xml', { reader: 'junit', ...vitestFailing }],
  ['vitest-absent.txt', { reader: 'vitest-text', ...onlyBroken('b.test.ts') }],
  ['vitest-no-files.txt', { reader: 'vitest-text', ...nothing }],
  [
    'vitest-ok.txt',
    { reader: 'vitest-text', counts: { passed: 1, failed: 0, skipped: 0, failing: [] }, unloaded: [], ran: 1 },
  ],
  [
    'jest-text.txt',
    {
      reader: 'jest-text',
      counts: {
        passed: 2,
        failed: 3,
        skipped: 2,
        failing: ['src/a.test.js > fails plainly', 'src/a.test.js > outer > inner > deep bad', 'src/b.test.js'],
      },
      unloaded: ['src/b.test.js'],
      ran: 4,
    },
  ],
  [
    'mocha-spec.txt',
    {
      reader: 'mocha-text',
      counts: { passed: 1, failed: 2, skipped: 1, failing: ['outer > inner > deep bad', 'top "before all" hook'] },
      unloaded: ['top "before all" hook'],
      ran: 2,
    },
  ],
  [
    'pytest-q.txt',
    {
      reader: 'pytest',
      counts: { passed: 2, failed: 7, skipped: 2, failing: pytestFailing },
      unloaded: ['test_a.py::test_inimport'],
      ran: 8,
    },
  ],
  [
    'pytest-v-colour.txt',
    {
      reader: 'pytest',
      counts: { passed: 2, failed: 7, skipped: 2, failing: pytestFailing },
      unloaded: ['test_a.py::test_inimport'],
      ran: 8,
    },
  ],
  [
    'pytest-collection.txt',
    {
      reader: 'pytest',
      counts: { passed: 0, failed: 2, skipped: 0, failing: ['test_b.py', 'test_c.py'] },
      unloaded: ['test_b.py', 'test_c.py'],
      ran: 0,
    },
  ],
  ['pytest-absent.txt', { reader: 'pytest', ...onlyBroken('test_b.py') }],
  ['pytest-absent-junit.xml', { reader: 'junit', ...onlyBroken('test_b') }],
  ['pytest-none.txt', { reader: 'pytest', ...nothing }],
  ['pytest-no-file.txt', { reader: 'pytest', ...nothing }],
  [
    'pytest-ok.txt',
    { reader: 'pytest', counts: { passed: 1, failed: 0, skipped: 0, failing: [] }, unloaded: [], ran: 1 },
  ],
  [
    'unittest-fail.stderr.txt',
    {
      reader: 'unittest',
      counts: {
        passed: 1,
        failed: 4,
        skipped: 2,
        failing: ['test_y.Y.test_e', 'test_y.Y.test_f', 'test_y.Y.test_sub', 'test_z'],
      },
      unloaded: ['test_z'],
      ran: 4,
    },
  ],
  ['unittest-ok.stderr.txt', { reader: 'unittest', ...oneTest }],
  ['unittest-none.stderr.txt', { reader: 'unittest', ...nothing }],
  [
    'go-fail.json.txt',
    {
      reader: 'go-json',
      counts: {
        passed: 2,
        failed: 3,
        skipped: 1,
        failing: ['example.com/m/a TestPanics', 'example.com/m/a TestTable/two', 'example.com/m/b'],
      },
      unloaded: ['example.com/m/b'],
      ran: 4,
    },
  ],
  [
    'go-fail.txt',
    {
      reader: 'go-text',
      counts: {
        passed: 1,
        failed: 3,
        skipped: 0,
        failing: ['example.com/m/a TestPlain', 'example.com/m/a TestTable/two', 'example.com/m/b'],
      },
      unloaded: ['example.com/m/b'],
      ran: 3,
    },
  ],
  [
    'cargo-fail.stdout.txt',
    {
      reader: 'cargo',
      counts: {
        passed: 2,
        failed: 3,
        skipped: 1,
        failing: ['it::adds', 'sample::tests::bad', 'sample::tests::no_panic'],
      },
      unloaded: [],
      ran: 5,
    },
  ],
  ['cargo-absent.stderr.txt', { reader: 'cargo', ...onlyBroken('sample') }],
];

function readSample(name: string, change: (text: string) => string = (text) => text): Results | undefined {
  const text = change(sample(name));
  const isFile = name.endsWith('.xml');
  const isErr = name.endsWith('.stderr.txt');
  const stderr = name.endsWith('.stdout.txt')
    ? change(sample(name.replace('.stdout.', '.stderr.')))
    : isErr
      ? text
      : '';
  return readResults({
    argv: ['npm', 'test'],
    stdout: isFile || isErr ? '' : text,
    stderr,
    root: sampleRoot(name),
    ...(isFile ? { files: [{ path: 'report.xml', content: text }] } : {}),
  });
}

describe('readResults', () => {
  it.each(cases)('reads %s', (name, expected) => {
    expect(readSample(name)).toEqual(expected);
  });

  it.each(cases)('reads %s with CRLF line ends', (name, expected) => {
    expect(readSample(name, (text) => text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  it('finds a JSON report among other lines, pretty-printed or not', () => {
    const report = sample('vitest-report.json.txt');
    const read = (stdout: string) => readResults({ argv: ['npm', 'test'], stdout, stderr: '', root: '/tmp/sample/vt' });
    expect(read(`\n> vitest run --reporter=json\n\n${report}\ndone\n`)).toEqual({
      reader: 'jest-json',
      ...vitestFailing,
    });
    expect(read(`before\n${JSON.stringify(JSON.parse(report), null, 2)}\nafter`)).toEqual({
      reader: 'jest-json',
      ...vitestFailing,
    });
  });

  it('keeps the figures and whole names when the middle of a JSON report is missing', () => {
    const report = sample('vitest-report.json.txt');
    const cut = `${report.slice(0, 1400)}\n[… 100 bytes left out …]\n${report.slice(-1500)}`;
    expect(readResults({ argv: ['npx', 'vitest', 'run'], stdout: cut, stderr: '' })).toEqual({
      reader: 'jest-json',
      counts: { passed: 2, failed: 3, skipped: 2, failing: ['fails plainly'] },
      unloaded: [],
      ran: 5,
    });
  });

  it('keeps figures and failing tests of the spec reporter when the middle is missing', () => {
    const text = sample('node20-spec.txt');
    const cut = `${text.slice(0, 300)}\n[… 1000 bytes left out …]\n${text.slice(text.indexOf('ℹ tests'))}`;
    expect(
      readResults({ argv: ['node', '--test'], stdout: cut, stderr: '', root: '/tmp/sample/node' })?.counts,
    ).toEqual({
      passed: 3,
      failed: 6,
      skipped: 3,
      failing: [
        'a.test.mjs > child',
        'a.test.mjs > deep bad',
        'a.test.mjs > fails \\ plainly',
        'b.test.mjs',
        'c.test.mjs > times out',
      ],
    });
  });

  it('lets the command choose between formats that both occur', () => {
    const pytest = '1 passed in 0.01s\n';
    const cargo = 'running 1 test\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n';
    const read = (argv: string[], echo = '') =>
      readResults({ argv, stdout: `${echo}${pytest}${cargo}`, stderr: '' })?.reader;
    expect(read(['cargo', 'test'])).toBe('cargo');
    expect(read(['uv', 'run', 'pytest', '-q'])).toBe('pytest');
    expect(read(['npm', 'test'], '> app@1.0.0 test\n> tsc && cargo test\n\n')).toBe('cargo');
  });

  it('adds up result files, and ignores what is not a report', () => {
    const file = (name: string, body: string) => ({
      path: name,
      content: `<testsuite name="${name}">${body}</testsuite>`,
    });
    const files = [
      file('A', '<testcase name="x"/>'),
      { path: 'junk.xml', content: '<html>' },
      file('B', '<testcase name="y"><error message="no"/></testcase>'),
    ];
    expect(readResults({ argv: ['mvn', 'test'], stdout: '', stderr: '', files })).toEqual({
      reader: 'junit',
      counts: { passed: 1, failed: 1, skipped: 0, failing: ['B > y'] },
      unloaded: [],
      ran: 2,
    });
  });

  it('reads namespaces, and expands no entity of a document type', () => {
    const type = '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]>';
    const report = (name: string): string =>
      `${type}<j:testsuites xmlns:j="urn:x">${type}<j:testsuite name="s"><j:testcase name="${name}"><j:failure/></j:testcase></j:testsuite></j:testsuites>`;
    const names = (name: string) => readResults({ argv: [], stdout: report(name), stderr: '' })?.counts.failing;
    expect(names('&b; &lt;t&gt; &#65;&#x42;')).toEqual(['s > &b; <t> AB']);
    expect(names('&amp;lt; &#1114112;')).toEqual(['s > &lt; &#1114112;']);
  });

  it('takes the last block of figures as a whole, since tests may print such lines', () => {
    const stdout =
      'TAP version 13\n# tests 9\n# pass  9\n# fail  9\n# todo 9\nok 1 - a\n1..1\n# tests 1\n# pass  1\n\n# ok\n';
    expect(readResults({ argv: ['tape'], stdout, stderr: '' })?.counts).toEqual({
      passed: 1,
      failed: 0,
      skipped: 0,
      failing: [],
    });
  });

  it('reads a make that had nothing to do, and nothing else, as no test', () => {
    const read = (stdout: string) => readResults({ argv: ['make', 'test'], stdout, stderr: '' });
    expect(read("make: 'test' is up to date.\n")).toEqual({ reader: 'make', ...nothing });
    expect(read("make[1]: Nothing to be done for 'all'.\nmake: Nothing to be done for 'test'.\n")?.reader).toBe('make');
    expect(read("./run-tests\nall good\nmake: Nothing to be done for 'test'.\n")).toBeUndefined();
    expect(read('')).toBeUndefined();
  });

  it('counts no file as a test, in whichever words the runner names it', () => {
    const spec = (name: string) => `✔ ${name} (12.5ms)\n✔ adds (1.5ms)\nℹ tests 2\nℹ pass 2\nℹ fail 0\n`;
    const passed = (name: string) =>
      readResults({ argv: ['node', '--test'], stdout: spec(name), stderr: '' })?.counts.passed;
    expect(['/tmp/x/a.js', 'test/a.test.mjs', 'test/index.js', 'a.test.ts'].map(passed)).toEqual([1, 1, 1, 1]);
    expect(['reads a.test.ts', 'src/a.js', 'test/a', 'GET /users.js'].map(passed)).toEqual([2, 2, 2, 2]);
  });

  it('takes failing names of cargo from the closing list, not from what a test printed', () => {
    const stdout =
      'running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n    printed\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n';
    expect(readResults({ argv: ['cargo', 'test'], stdout, stderr: '' })?.counts.failing).toEqual(['a']);
  });
});

describe('any text', () => {
  it('is read without throwing, into counts that hold together', () => {
    const text = fc
      .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...outputPieces) }, fc.string()))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (stdout, stderr) => {
        const results = readResults({ argv: ['npm', 'test'], stdout, stderr, files: [{ path: 'x', content: stderr }] });
        if (results === undefined) return;
        expect(results.counts.failing).toEqual([...new Set(results.counts.failing)].sort());
        expect(results.counts.failing).toEqual(expect.arrayContaining([...results.unloaded]));
        expect(
          Math.min(results.counts.passed, results.counts.failed, results.counts.skipped, results.ran),
        ).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
  });

  it('is read the same twice, whatever the durations and the directory', () => {
    for (const [name] of cases) {
      const other = (text: string) =>
        text
          .replaceAll('/tmp/sample/', '/tmp/other-x1/')
          .replaceAll(/\d+\.\d{3,}/g, '7.123456')
          .replaceAll(/ in \d+\.\d+s/g, ' in 9.99s');
      const root = sampleRoot(name).replace('/tmp/sample/', '/tmp/other-x1/');
      const isFile = name.endsWith('.xml');
      const text = other(sample(name));
      const stderr = name.endsWith('.stdout.txt')
        ? other(sample(name.replace('.stdout.', '.stderr.')))
        : name.endsWith('.stderr.txt')
          ? text
          : '';
      const run = { argv: ['npm', 'test'], stdout: isFile || stderr === text ? '' : text, stderr, root };
      expect(readResults(isFile ? { ...run, files: [{ path: 'r', content: text }] } : run)).toEqual(readSample(name));
    }
  });

  // Quadratic behaviour takes far longer on these; hostile-text.slow.test.ts tries every piece.
  it.each([
    'not ok 2 - b {\n',
    '✖ b (2.5ms)\n',
    '{"ancestorTitles":["a"],"fullName":"x","status":"failed"}',
    '<testcase name="a">',
    '\u001b[31m',
  ])('is read to its end when it is %j very long', (piece) => expect(readRepeated(piece)).toBe(2));
});
