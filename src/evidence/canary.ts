/**
 * Tests that must fail, to be added to a test file: if a run does not report them as failing, what the run says about
 * the others proves nothing. One for each way the file asserts, each with a name and values nobody can know beforehand.
 * For node's own assertions also one that must pass: it compares them with what they were before any code under test was
 * loaded, so that a replacement which lets only some values through is seen as well. Pure: the caller brings the luck.
 */

export interface CanaryTest {
  /** The whole file with the tests added. */
  readonly text: string;
  /** Parts of names of tests that must be reported as failing. */
  readonly mustFail: readonly string[];
  readonly mustPass: readonly string[];
}

/** `luck`: letters and digits, at least 24, that no code under test has seen. */
export function withCanary(path: string, text: string, luck: string): CanaryTest | undefined {
  if (/\.[cm]?[jt]sx?$/.test(path)) return inJavaScript(path, text, luck);
  if (path.endsWith('.py')) return inPython(text, luck);
  if (path.endsWith('_test.go')) return inGo(text, luck);
  return path.endsWith('.rs') ? inRust(text, luck) : undefined;
}

/**
 * A program that asserts by itself, with one more line, which fails. It stands before what ends the program in any case.
 */
export function withFailingEnd(path: string, text: string, luck: string): string | undefined {
  const [line, last] = path.endsWith('.py')
    ? [`raise Exception("${luck}")`, /^(?:if __name__ ==|sys\.exit\(|exit\(|os\._exit\()/gm]
    : path.endsWith('.sh')
      ? ['exit 99', /^exit\b/gm]
      : [`;throw new Error('${luck}');`, /^process\.exit\(/gm];
  const at = [...text.matchAll(last)].at(-1)?.index ?? text.length;
  return `${text.slice(0, at)}\n${line}\n${text.slice(at)}`;
}

const nodeAssert = 'node:assert';
const nodeAssertions: Readonly<Record<string, string>> = {
  equal: 'A.equal(X, Y)',
  strict: 'A.strictEqual(X, Y)',
  deep: 'A.deepEqual({ a: X }, { a: Y })',
  deepstrict: 'A.deepStrictEqual([X], [Y])',
  unequal: 'A.notEqual(X, X)',
  ok: 'A.ok(X === Y)',
  call: 'A(X === Y)',
  throws: 'A.throws(() => X)',
  match: 'A.match(X, /^$/)',
};
const expectAssertions: Readonly<Record<string, string>> = {
  be: 'E(X).toBe(Y)',
  equal: 'E({ a: X }).toEqual({ a: Y })',
  strict: 'E([X]).toStrictEqual([Y])',
  truthy: 'E(X === Y).toBeTruthy()',
  not: 'E(X).not.toBe(X)',
  throws: 'E(() => X).toThrow()',
  contain: 'E([X]).toContain(Y)',
  match: 'E(X).toMatch(Y)',
};
const chaiAssertions: Readonly<Record<string, string>> = {
  equal: 'C(X).to.equal(Y)',
  deep: 'C({ a: X }).to.deep.equal({ a: Y })',
  ok: 'C(X === Y).to.equal(true)',
};

function inJavaScript(path: string, text: string, luck: string): CanaryTest | undefined {
  const isModule =
    /\.m[jt]s$/.test(path) || (!/\.c[jt]s$/.test(path) && /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text));
  const isCommon = !isModule && /\brequire\s*\(/.test(text);
  const name = (part: string): string => `c${luck.slice(0, 12)}${part}`;
  const bring = (what: string, from: string): string =>
    isModule ? `import ${what} from '${from}';` : `const ${what.replace(/ as /g, ': ')} = require('${from}');`;
  const framework = /["'](node:test|vitest|@jest\/globals|bun:test|mocha)["']/.exec(text)?.[1];
  const isGlobal = framework === undefined && /(?<![\w.$])(?:test|it)(?:\.\w+)*\s*\(/.test(text);
  if (framework === undefined && !isGlobal) return undefined;
  if (framework !== undefined && !isModule && !isCommon) return undefined;
  const lines: string[] = [];
  const T = framework === undefined ? `(typeof test === 'function' ? test : it)` : name('t');
  if (framework !== undefined)
    lines.push(bring(`{ ${framework === 'mocha' ? 'it' : 'test'} as ${name('t')} }`, framework));
  const kinds: [string, string][] = [['thrown', 'throw new Error(X)']];
  const usesAssert = /["'](?:node:)?assert(?:\/strict)?["']/.test(text) && (isModule || isCommon);
  if (usesAssert) {
    lines.push(bring(name('a'), nodeAssert));
    for (const [kind, code] of Object.entries(nodeAssertions)) kinds.push([kind, code.replaceAll(/\bA\b/g, name('a'))]);
    kinds.push(['strictequal', `${name('a')}.strict.equal(X, Y)`]);
  }
  const expecting = /\bexpect\s*[(.]/.test(text) && !/["']chai["']/.test(text);
  if (expecting && (framework === undefined || framework !== 'node:test')) {
    const own =
      framework !== undefined && framework !== 'mocha' && /\bexpect\b[^;]*from|\bexpect\b[^;]*require/.test(text);
    if (own) lines.push(bring(`{ expect as ${name('e')} }`, framework));
    const E = own ? name('e') : 'expect';
    for (const [kind, code] of Object.entries(expectAssertions))
      kinds.push([`expect${kind}`, code.replaceAll(/\bE\b/g, E)]);
  }
  if (/["']chai["']/.test(text) && (isModule || isCommon)) {
    lines.push(bring(`{ expect as ${name('c')} }`, 'chai'));
    for (const [kind, code] of Object.entries(chaiAssertions))
      kinds.push([`chai${kind}`, code.replaceAll(/\bC\b/g, name('c'))]);
  }
  const [x, y] = [`'${luck.slice(12, 18)}x'`, `'${luck.slice(18, 24)}y'`];
  const mustFail = kinds.map(([kind]) => `${luck.slice(0, 12)} ${kind}`);
  for (const [at, [, code]] of kinds.entries()) {
    const body = code.replaceAll(/\bX\b/g, x).replaceAll(/\bY\b/g, y);
    lines.push(`${T}('${mustFail[at] ?? ''}', () => { ${body}; });`);
  }
  const mustPass = usesAssert && isModule && framework === 'node:test' ? [`${luck.slice(0, 12)} intact`] : [];
  const before = mustPass.length === 0 ? '' : captured(luck);
  for (const each of mustPass) lines.push(`${T}('${each}', () => { ${compared(luck, name('a'))} });`);
  return { text: `${before}${withoutShebang(text)}\n;\n${lines.join('\n')}\n`, mustFail, mustPass };
}

/** The first import of a module is evaluated before all others. */
function captured(luck: string): string {
  const code = `import a from '${nodeAssert}';const k=(o)=>Object.freeze(Object.fromEntries(Object.keys(o).map((n)=>[n,o[n]])));Object.defineProperty(globalThis,Symbol.for('${luck}'),{value:Object.freeze([k(a),k(a.strict)])});`;
  return `import 'data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}';`;
}

function compared(luck: string, assert: string): string {
  return `const [p, q] = globalThis[Symbol.for('${luck}')]; for (const n of Object.keys(p)) if (p[n] !== ${assert}[n]) throw new Error(n); for (const n of Object.keys(q)) if (q[n] !== ${assert}.strict[n]) throw new Error(n);`;
}

function withoutShebang(text: string): string {
  return text.startsWith('#!') ? `//${text}` : text;
}

function inPython(text: string, luck: string): CanaryTest | undefined {
  const tag = luck.slice(0, 12).toLowerCase();
  const [x, y] = [`"${luck.slice(12, 18)}x"`, `"${luck.slice(18, 24)}y"`];
  const isClassic = /\bunittest\b/.test(text);
  const lines: string[] = [];
  const mustFail: string[] = [];
  if (isClassic) {
    lines.push('', 'import unittest as _u', `class Test_${tag}(_u.TestCase):`);
    const kinds: readonly (readonly [string, string])[] = [
      ['equal', `self.assertEqual(${x}, ${y})`],
      ['true', `self.assertTrue(${x} == ${y})`],
      ['in', `self.assertIn(${x}, [${y}])`],
      ['raised', `raise Exception(${x})`],
      ['bare', `assert ${x} == ${y}`],
      ['raises', `self.assertRaises(ValueError, lambda: ${x})`],
    ];
    for (const [kind, code] of kinds) {
      lines.push(`    def test_${tag}_${kind}(self):`, `        ${code}`);
      mustFail.push(`test_${tag}_${kind}`);
    }
  } else if (/^\s*(?:async )?def test/m.test(text)) {
    lines.push(
      '',
      `def test_${tag}_bare():`,
      `    assert ${x} == ${y}`,
      `def test_${tag}_raised():`,
      `    raise Exception(${x})`,
    );
    mustFail.push(`test_${tag}_bare`, `test_${tag}_raised`);
  } else return undefined;
  // A file that starts its own tests at its end starts them after these.
  const main = text.search(/^if __name__ == ["']__main__["']/m);
  const [head, tail] = main === -1 ? [text, ''] : [text.slice(0, main), text.slice(main)];
  return { text: `${head}\n${lines.join('\n')}\n\n${tail}`, mustFail, mustPass: [] };
}

function inGo(text: string, luck: string): CanaryTest | undefined {
  if (!/"testing"/.test(text)) return undefined;
  const name = `TestZ${luck.slice(0, 12)}`;
  const code = `\nfunc ${name}Fatal(t *testing.T) { t.Fatal("${luck.slice(12, 18)}") }\nfunc ${name}Error(t *testing.T) { t.Errorf("%s", "${luck.slice(18, 24)}") }\n`;
  return { text: `${text}${code}`, mustFail: [`${name}Fatal`, `${name}Error`], mustPass: [] };
}

function inRust(text: string, luck: string): CanaryTest | undefined {
  if (!text.includes('#[test]')) return undefined;
  const tag = luck.slice(0, 12).toLowerCase();
  const code = `\n#[test]\nfn z${tag}_equal() { assert_eq!("${luck.slice(12, 18)}x", "${luck.slice(18, 24)}y"); }\n#[test]\nfn z${tag}_panic() { panic!("${luck.slice(12, 18)}"); }\n`;
  return { text: `${text}${code}`, mustFail: [`z${tag}_equal`, `z${tag}_panic`], mustPass: [] };
}
