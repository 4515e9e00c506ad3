import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TestFileChange, testsRemoved } from '../../src/evidence/weakened.ts';
import { weakenedEvidence } from './weakened-evidence.ts';
import { compareEverywhere, sourcePaths, sourcePieces } from './hostile-text.ts';

const brief = (changes: readonly TestFileChange[]): string[] =>
  weakenedEvidence(changes).map((each) => `${each.path}:${each.line} ${each.kind} ${each.test ?? '-'}`);
const js = (before: string | undefined, after: string | undefined, path = 'a.test.ts'): string[] =>
  brief([{ path, before, after }]);

const two = `import { test, expect } from 'vitest';
test('adds', () => {
  const sum = add(1, 2);
  expect(sum).toBe(3);
  expect(() => add()).not.toThrow();
});
describe('outer', () => {
  it('works', () => { expect(run()).toEqual(1); });
});
`;

describe('JavaScript and TypeScript', () => {
  it('finds nothing in unchanged, moved or grown tests', () => {
    expect(js(two, two)).toEqual([]);
    expect(js(undefined, two)).toEqual([]);
    expect(js(two, two.replace('expect(sum)', 'expect(sum).toBeGreaterThan(0);\n  expect(sum)'))).toEqual([]);
    const moved = brief([
      { path: 'a.test.ts', before: two, after: undefined },
      { path: 'b.test.ts', before: undefined, after: two },
    ]);
    expect(moved).toEqual([]);
  });

  it('whole findings, one sentence each', () => {
    const after = two.replace('  expect(sum).toBe(3);\n', '').replace("it('works'", "it.skip('works'");
    expect(weakenedEvidence([{ path: 'a.test.ts', before: two, after }])).toEqual([
      {
        path: 'a.test.ts',
        line: 2,
        kind: 'assertion-removed',
        test: 'adds',
        claim: '"adds" has 1 assertion, had 2 assertions.',
      },
      {
        path: 'a.test.ts',
        line: 7,
        kind: 'test-skipped',
        test: 'outer > works',
        claim: '"outer > works" is skipped or expected to fail now (it.skip).',
      },
    ]);
    expect(weakenedEvidence([{ path: 'a.test.ts', before: two, after: undefined }])).toEqual([
      {
        path: 'a.test.ts',
        line: 1,
        kind: 'test-deleted',
        claim: 'The test file is deleted; 2 of its 2 tests exist nowhere else in the change.',
      },
    ]);
    expect(
      weakenedEvidence([{ path: 'a.test.ts', before: two, after: two.slice(0, two.indexOf('describe')) }]),
    ).toEqual([
      {
        path: 'a.test.ts',
        line: 8,
        kind: 'test-deleted',
        test: 'outer > works',
        claim: '"outer > works" (line 8 before) is gone and appears nowhere else in the change.',
      },
    ]);
  });

  it.each([
    ["test.skip('x', () => {});"],
    ["it.todo('x');"],
    ["xit('x', () => {});"],
    ["xdescribe('x', () => {});"],
    ["describe.skip('x', () => {});"],
    ["test('x', { skip: true }, () => {});"],
    ["test('x', { todo: 'later' }, () => {});"],
    ["test.skipIf(process.env.CI)('x', () => {});"],
    ["test.skip.each([1])('x', () => {});"],
    ["it.fails('x', () => {});"],
    ["test('x', (t) => { t.skip(); });"],
    ["it('x', function () { this.skip(); });"],
    ["test.describe.skip('x', () => {});"],
    ["test.each`a`.skip; test.concurrent.skip('x', () => {});"],
    ["Deno.test('x', { ignore: true }, () => {});"],
  ])('%s is a skip', (code) => expect(js('', code)).toEqual(['a.test.ts:1 test-skipped x'])); // prettier-ignore

  it.each([
    ["test.only('x', () => {});"],
    ["fit('x', () => {});"],
    ["fdescribe('x', () => {});"],
    ["describe.only('x', () => {});"],
    ["test('x', { only: true }, () => {});"],
    ["it.only.each([1])('x', () => {});"],
  ])('%s singles out', (code) => expect(js('', code)).toEqual(['a.test.ts:1 test-only x'])); // prettier-ignore

  it.each([
    ["test('TODO: it.skip(this) #1', () => { expect(f('.skip TODO')).toBe('test.only'); });"],
    ["// it.skip('x', () => {})\n/* xit('y') fdescribe( */\ntest('x', () => { expect(f()).toBe(1); });"],
    ["test('x', () => { expect(list.skip(3)).toEqual(model.only('a')); });"],
    ["test('x', { skip: false }, () => { expect(() => f()).not.toThrow(); });"],
    ["const options = { skip: 10, only: ['a'] };\ntest('x', () => { expect(query(options)).toBe(1); });"],
    ['test(`a ${b} .skip`, () => { expect(`it.only(${f()})`).toBe(g()); });'],
    ["test('x', () => { expect(1).toBe(2); expect(f()).toBe(f()); expect(a.b).toBe(a.c); });"],
    ["test('x', () => { expect.assertions(1); expect(f()).rejects.toThrow(); });"],
  ])('%s is no finding', (code) => expect(js('', code)).toEqual([])); // prettier-ignore

  it.each([
    'expect(true).toBe(true)',
    'expect(1).toEqual(1)',
    "expect('a').toBe('a')",
    'expect(true).toBeTruthy()',
    'expect(null).toBeNull()',
    'expect(x).toBe(x)',
    'expect(a.b).toStrictEqual(a.b)',
    'expect(1).not.toBe(2)',
    'expect(true).to.be.true',
    'assert(true)',
    'assert.ok(1)',
    'assert.equal(1, 1)',
    'assert.strictEqual(x, x)',
    'expect(f())',
    'expect(!false).toBe(true)',
    'assert.notStrictEqual(1, 2)',
    'expect(true as boolean).toBe(true)',
  ])('%s cannot fail', (code) =>
    expect(js('', `test('x', () => {\n  ${code};\n});`)).toEqual(['a.test.ts:2 assertion-emptied x']),
  ); // prettier-ignore

  it('an assertion made empty is removed and emptied; a comment is no assertion', () => {
    const before = "test('x', () => { expect(f()).toBe(1); });";
    expect(js(before, "test('x', () => { expect(true).toBe(true); });")).toEqual([
      'a.test.ts:1 assertion-emptied x',
      'a.test.ts:1 assertion-removed x',
    ]);
    expect(js(before, "test('x', () => { /* expect(f()).toBe(1); */ });")).toEqual(['a.test.ts:1 assertion-removed x']);
    expect(js(before, "test('x', () => { f('expect(f()).toBe(1)'); });")).toEqual(['a.test.ts:1 assertion-removed x']);
  });

  it('counts every way of asserting', () => {
    const all = [
      'expect(f()).not.toThrow()',
      'await expect(p).resolves.toBe(1)',
      'expect(f()).to.be.a("string").and.equal("b")',
      'expect(f()).to.be.empty',
      'assert(f())',
      'assert.equal(f(), 1)',
      't.assert.ok(f())',
      't.is(f(), 1)',
      'sinon.assert.calledOnce(spy)',
      'f().should.equal(1)',
      'expectUser(user)',
      'expect.soft(f()).toBe(1)',
      'expectTypeOf(f).toBeFunction()',
      'await request(app).get("/").expect(200)',
      'cy.get("a").should("be.visible")',
    ]; // prettier-ignore
    const test = (lines: readonly string[]): string => `test('x', async (t) => {\n${lines.join(';\n')};\n});`;
    for (const [index, line] of all.entries()) {
      const found = weakenedEvidence([{ path: 'a.test.ts', before: test(all), after: test(all.toSpliced(index, 1)) }]);
      expect([line, found.map((each) => each.claim)]).toEqual([line, ['"x" has 14 assertions, had 15 assertions.']]);
    }
  });

  it('looks into helpers of the same file', () => {
    const before = "test('x', () => { expect(a).toBe(1); expect(b).toBe(2); });";
    const helper = 'function check(u) { expect(u.a).toBe(1); expect(u.b).toBe(2); }\nconst again = (u) => check(u);\n';
    expect(js(before, `${helper}test('x', () => { again(u); });`)).toEqual([]);
    expect(
      js(
        `${helper}test('x', () => { again(u); });`,
        `${helper.replace('expect(u.b).toBe(2);', '')}test('x', () => { again(u); });`,
      ),
    ).toEqual(['a.test.ts:3 assertion-removed x']);
  });

  it('knows a renamed test by its body, and still compares its assertions', () => {
    expect(js(two, two.replace("'adds'", "'sums up'"))).toEqual([]);
    expect(js(two, two.replace("'adds'", "'sums up'").replace('  expect(sum).toBe(3);\n', ''))).toEqual([
      'a.test.ts:2 assertion-removed sums up',
    ]);
    expect(js(two, two.replace("describe('outer'", "describe('other'"))).toEqual([]);
  });

  it('does not let a new test of the same title in another file hide a deleted one with fewer assertions', () => {
    const found = brief([
      { path: 'a.test.ts', before: two, after: two.slice(two.indexOf('describe')) },
      { path: 'b.test.ts', before: undefined, after: "test('adds', () => { expect(f()).toBe(1); });" },
    ]);
    expect(found).toEqual(['b.test.ts:1 assertion-removed adds']);
  });

  it('a skip that was there before, under another name or word, is not new', () => {
    expect(js("it.skip('x', () => { f(); g(); });", "it.skip('y', () => { f(); g(); });")).toEqual([]);
    expect(js("it.skip('x', () => {});", "it.todo('x', () => {});")).toEqual([]);
    expect(js("it.skip('x', () => {});", "it.skip('x', () => {});\nit.skip('y', () => {});")).toEqual([
      'a.test.ts:2 test-skipped y',
    ]);
  });

  const plain = "test('x', () => { const a = f(); expect(a).toBe(1); });";
  const skippedNow = ['a.test.ts:1 test-skipped x'];
  const fewerNow = ['a.test.ts:1 assertion-removed x'];

  it.each([
    ['if (process.env.X) test', "if (process.env.X) { test('x', () => { const a = f(); expect(a).toBe(1); }); }"],
    ['else', "if (ready) {} else test('x', () => { const a = f(); expect(a).toBe(1); });"],
    ['&&', "process.env.X && test('x', () => { const a = f(); expect(a).toBe(1); });"],
    ['?:', "process.env.X ? test('x', () => { const a = f(); expect(a).toBe(1); }) : null;"],
    ['chosen', "(process.env.X ? test : test.skip)('x', () => { const a = f(); expect(a).toBe(1); });"],
    ['chosen the other way', "(ci ? it.skip : it)('x', () => { const a = f(); expect(a).toBe(1); });"],
    ['if (false)', "if (false) { test('x', () => { const a = f(); expect(a).toBe(1); }); }"],
    ['after return', "return; test('x', () => { const a = f(); expect(a).toBe(1); });"],
    ['a way out', "test('x', () => { const a = f(); if (!a.ok) return; expect(a).toBe(1); });"],
    ['a way out with a value', "test('x', () => { if (ci) { return undefined; } const a = f(); expect(a).toBe(1); });"],
  ])('%s: a test that may be left out is skipped', (_, after) => {
    expect(js(plain, after)).toEqual(skippedNow);
    expect(js(after, after)).toEqual([]);
  });

  it.each([
    ['after return', "test('x', () => { const a = f(); return; expect(a).toBe(1); });"],
    ['after a return in a block', "test('x', () => { const a = f(); if (true) { return; } expect(a).toBe(1); });"],
    ['after throw', "test('x', () => { try { throw 1; expect(f()).toBe(1); } catch {} });"],
    ['if (false)', "test('x', () => { if (false) { expect(f()).toBe(1); } });"],
    ['false &&', "test('x', () => { false && expect(f()).toBe(1); });"],
    ['swallowed', "test('x', () => { try { const a = f(); expect(a).toBe(1); } catch {} });"],
    [
      'swallowed and logged',
      "test('x', () => { try { expect(f()).toBe(1); } catch (e) { console.log(e); return; } });",
    ],
    ['swallowed at last', "test('x', () => { try { expect(f()).toBe(1); } finally { return; } });"],
    ['in a helper', "function c(a) { return; expect(a).toBe(1); }\ntest('x', () => { c(f()); });"],
  ])('%s: an assertion that cannot fail any more is removed', (_, after) => {
    expect(js(plain, after).map((line) => line.replace(':2 ', ':1 '))).toEqual(fewerNow);
    expect(js(after, after)).toEqual([]);
  });

  it('finds nothing in ordinary code around assertions', () => {
    const ordinary = [
      "test('a', () => { const r = f(); expect(r.ok).toBe(true); if (!r.ok) return; expect(r.value).toBe(1); });",
      "test('b', () => { try { f(); assert.fail('no'); } catch (e) { expect(e.message).toBe('x'); } });",
      "test('c', async () => { let e; try { await f(); expect(1).toBe(2); } catch (x) { e = x; } expect(e).toBeDefined(); });",
      "test('d', () => { const p = list.map((n) => { if (!n) return; return n; }); expect(p).toEqual([1]); });",
      "test('e', async () => { try { expect(f()).toBe(1); } finally { await close(); } });",
      "test('f', () => { for (const n of list) { if (n.skip) continue; expect(n).toBe(1); } });",
      "test('g', () => { return expect(f()).resolves.toBe(1); });",
      "test('h', () => { check(); function check() { expect(f()).toBe(1); } });",
      "test('i', (done) => { on('x', () => { if (gone) return; expect(f()).toBe(1); done(); }); });",
      'for (const n of list) { test(`j ${n}`, () => { expect(f(n)).toBe(1); }); }',
      "if (import.meta.vitest) { const { it } = import.meta.vitest; it('k', () => { expect(f()).toBe(1); }); }",
      "test('l', async () => { try { await clean(); } catch {} expect(f()).toBe(1); });",
    ].join('\n');
    expect(js('', ordinary)).toEqual([]);
    expect(js(ordinary, ordinary)).toEqual([]);
    const without = ordinary.replaceAll(/expect\(f\(\)\)\S*;/g, '');
    expect(js(ordinary, without).map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(
      ['e', 'g', 'h', 'i', 'k', 'l'].map((name) => `assertion-removed ${name}`),
    );
  });

  it('counts the tests that a change takes away', () => {
    const removed = (before: string | undefined, after: string | undefined, path = 'a.test.ts') =>
      testsRemoved([{ path, before, after }]);
    const suite = "describe('s', () => { test('a', () => {}); describe('t', () => { test('b', () => {}); }); });\n";
    expect(removed(suite, suite)).toBe(0);
    expect(removed(suite, '')).toBe(2);
    expect(removed(suite, undefined)).toBe(2);
    expect(removed(suite, suite.replace("test('b'", "test.skip('b'"))).toBe(1);
    expect(removed(suite, suite.replace("describe('s'", "describe.skip('s'"))).toBe(2);
    expect(removed(suite, suite.replace("describe('t'", "describe.only('t'"))).toBe(Infinity);
    expect(removed("test.each([1, 2])('a', () => {});", '')).toBe(Infinity);
    expect(removed("list.forEach((n) => { test('a' + n, () => {}); });", '')).toBe(Infinity);
    expect(removed('def test_a():\n    assert f()\n', '', 'test_a.py')).toBe(1);
    expect(removed('@pytest.mark.parametrize("a", [1])\ndef test_a(a):\n    assert f()\n', '', 'test_a.py')).toBe(
      Infinity,
    );
    expect(removed('x', undefined, 'spec/user_spec.rb')).toBe(Infinity);
    expect(removed("test('a', () => { expect(f()).toBe(1); });", "test('a', () => {});")).toBe(0);
  });

  it('equal titles are compared one by one', () => {
    const one = "test('x', () => { expect(f()).toBe(1); });\n";
    expect(js(one + one, one)).toEqual(['a.test.ts:2 test-deleted x']);
  });

  it('reads JSX, decorators and TypeScript', () => {
    const tsx =
      "test('x', () => { render(<App<string> a={1 as number} />); expect(screen!.get<T>('a') satisfies X).toBeVisible(); });";
    expect(js(tsx, tsx.replace(/ expect.*?;/, ''), 'a.test.tsx')).toEqual(['a.test.tsx:1 assertion-removed x']);
  });

  it('reads a file that does not parse as text, and says so', () => {
    const broken =
      "test('x', () => { expect(f()).toBe(1); });\n// it.skip('no')\nconst s = '.only';\nit.skip('y', () => {});\nconst = = ;{{{\n";
    expect(
      weakenedEvidence([{ path: 'a.test.ts', before: "test('x', () => { expect(f()).toBe(1); });", after: broken }]),
    ).toEqual([
      {
        path: 'a.test.ts',
        line: 4,
        kind: 'test-skipped',
        test: 'y',
        claim:
          '"y" is skipped or expected to fail now (it.skip). (The file does not parse; this was read from its text.)',
      },
    ]);
  });

  it('a number sign in a title is no reason to skip', () => {
    expect(js("test('#1 flaky', () => {});", "test.skip('#1 flaky', () => {}); // owner/repo#7")).toEqual([
      'a.test.ts:1 test-skipped #1 flaky',
    ]);
  });

  it('leaves files without tests alone', () => {
    expect(js('fit(curve);', 'fit(curve); expect(true).toBe(true)', 'src/model.ts')).toEqual([]);
    expect(js('x', undefined, 'src/model.ts')).toEqual([]);
    expect(js('x', undefined, 'spec/user_spec.rb')).toEqual(['spec/user_spec.rb:1 test-deleted -']);
  });
});

describe('any text', () => {
  it('is compared without throwing; a file with itself gives nothing', () => {
    const text = fc
      .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...sourcePieces) }, fc.string()))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...sourcePaths), text, text, (path, before, after) => {
        weakenedEvidence([{ path, before, after }]);
        expect(weakenedEvidence([{ path, before, after: before }])).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  // Quadratic behaviour takes more than ten seconds on these; hostile-text.slow.test.ts tries every piece.
  it.each(['test("a", () => {', 'func TestA(t *testing.T) {\n', '"', 'a?.b'])(
    'is compared to its end when it is %j very long',
    (piece) => {
      expect(compareEverywhere(piece.repeat(Math.ceil(200_000 / piece.length)))).toBeGreaterThan(0);
    },
  );

  it('is compared to its end when there are very many tests', () => {
    const many = (word: string): string =>
      Array.from({ length: 3000 }, (_, n) => `test('${word} ${n}', () => { expect(f(${n})).toBe(1); });`).join('\n');
    expect(weakenedEvidence([{ path: 'a.test.ts', before: many('a'), after: many('b') }])).toEqual([]);
  });
});
