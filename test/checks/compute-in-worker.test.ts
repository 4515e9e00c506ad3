import { describe, expect, it } from 'vitest';
import { computeInWorker } from '../../src/checks/compute-in-worker.ts';

/** Runs it, and counts how often the main thread came to do something else meanwhile. */
async function besides<T>(work: Promise<T>): Promise<{ result: T; ticks: number }> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  const result = await work;
  clearInterval(timer);
  return { result, ticks };
}

const backticks = '`${'.repeat(700_000);
const reading = (stdout: string, content?: string) =>
  computeInWorker('readResults', {
    argv: ['npx', 'vitest', 'run', '--reporter=json'],
    stdout,
    stderr: '',
    ...(content === undefined ? {} : { files: [{ path: 'out.xml', content }] }),
  });

describe('what reads others’ text', () => {
  it('leaves the main thread free, and is ended where it takes too long', async () => {
    const change = { path: 'test/a.test.ts', before: backticks, after: `${backticks}x` };
    const { result, ticks } = await besides(computeInWorker('compareTests', [change], { timeMs: 300 }));
    // Not one of them would come if the main thread did the work; how many there are depends on the machine.
    expect(ticks).toBeGreaterThan(0);
    expect(['done', 'over']).toContain(result.status);
  });

  it('says that it took too long, and the next one is done', async () => {
    const slow = Array.from({ length: 40 }, (_, at) => ({
      path: `test/${at}.test.ts`,
      before: `test("a", () => {\n${'expect(x).toBe(1);\n'.repeat(30_000)}});`,
      after: '',
    }));
    expect(await computeInWorker('compareTests', slow, { timeMs: 30 })).toEqual({
      status: 'over',
      reason: 'it took more than 0.03 s',
    });
    const small = { path: 'test/a.test.js', before: 'test("a", () => expect(f()).toBe(1));', after: '' };
    expect(await computeInWorker('testsRemoved', [small])).toEqual({ status: 'done', value: 1 });
  });

  it('is not begun with more text than it may read', async () => {
    const change = { path: 'a.test.js', before: 'x'.repeat(100), after: '' };
    expect(await computeInWorker('compareTests', [change], { chars: 50 })).toEqual({
      status: 'over',
      reason: 'it is larger than 50 characters',
    });
  });

  const depth = 5000;
  const bomb = `<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, at) => `<!ENTITY b${at} "${'&a;'.repeat(10)}">`).join('')}]>`;
  it.each<[string, string, string?]>([
    ['JSON nested deep', `{"testResults":${'['.repeat(depth)}${']'.repeat(depth)},"numTotalTests":1}`],
    [
      'JSON nested deep in a name',
      `{"testResults":[{"assertionResults":[{"status":"failed","ancestorTitles":${'['.repeat(depth)}${']'.repeat(depth)},"title":"a"}]}],"numTotalTests":1,"numFailedTests":1}`,
    ],
    ['XML nested deep', '', `${'<testsuite name="a">'.repeat(depth)}${'</testsuite>'.repeat(depth)}`],
    [
      'XML with entities',
      '',
      `${bomb}<testsuites><testsuite name="&b0;"><testcase name="&b19;"/></testsuite></testsuites>`,
    ],
    [
      'TAP nested deep',
      `TAP version 13\n${Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}ok 1 - a {`).join('\n')}`,
    ],
    [
      'TAP indented deep',
      `TAP version 13\n${Array.from({ length: depth }, (_, at) => `${' '.repeat(depth - at)}not ok 1 - a`).join('\n')}`,
    ],
    ['one very long line', `not ok 1 - ${'a '.repeat(2_000_000)}`],
    ['many quotes', '"'.repeat(2_000_000)],
  ])('never ends with an error: %s', async (_name, stdout, content) => {
    expect(['done', 'over']).toContain((await reading(stdout, content)).status);
  });
});
