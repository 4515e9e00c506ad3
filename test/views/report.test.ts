import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { htmlReport } from '../../src/views/report/html-report.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { type Report, reportOf } from '../../src/views/report/report.ts';
import { sarifReport } from '../../src/views/report/sarif-report.ts';
import { modulesStory } from './modules-steps.ts';
import { factsFrom, type Step } from './steps.ts';
import { complete as waves, unverified } from './story.ts';

const story = modulesStory();
const reported = (steps: readonly Step[]): Report => reportOf(chronicleOf(factsFrom(steps)));
const report = reported(story.complete);

/** What a browser would make of a page: tags with their attributes, in order. */
function tagsOf(page: string): { name: string; attributes: Record<string, string> }[] {
  const body = page.replace(/<style>[^<]*<\/style>/, '<style></style>').replace('<!doctype html>', '');
  const tags = [...body.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w:-]*(?:="[^"<>]*")?)*)\s*\/?>/g)];
  // Whatever is no tag of ours must not look like the beginning of one.
  expect(body.split('<').length - 1).toBe(tags.length);
  return tags
    .filter(([, end]) => end === '')
    .map(([, , name = '', rest = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...rest.matchAll(/([a-zA-Z][\w:-]*)(?:="([^"]*)")?/g)].map(([, key, value]) => [key, value ?? '']),
      ),
    }));
}

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><svg onload=alert(1)>',
  '[click](javascript:alert(1)) `x` | cell | <b>bold</b>',
  '<!-- ]]> &lt; &#60; %3Cscript%3E javascript:alert(1)',
  '\u202eevil\u202c\u0000\u001b[31m',
];

describe('a report', () => {
  it('has everything of a run as data', () => {
    expect(report).toMatchObject({
      run: 'search-notes-x1y2',
      status: 'done',
      release: 'clear',
      branch: 'forge/search-notes-x1y2',
      stages: [['m1'], ['m2', 'm3'], ['m4'], ['F1-1']],
      lessons: { added: 1, applied: ['Tests of this project need NODE_ENV=test.'] },
      questions: [{ key: 'approve', title: 'Go ahead with this plan?', answer: 'Yes, start', by: 'person' }],
    });
    expect(
      report.units.map(({ id, status, attempts, retries, score }) => [id, status, attempts, retries, score]),
    ).toEqual([
      ['m1', 'done', 1, 0, 1],
      ['m2', 'done', 2, 1, 1],
      ['m3', 'done', 1, 0, 1],
      ['m4', 'done', 1, 0, 1],
      ['F1-1', 'done', 1, 0, 1],
    ]);
    expect(report.units.at(-1)).toMatchObject({ title: 'Mend src/m2.js', depends: ['m2'], origin: 'final review' });
    expect(report.findings.map(({ state, source, claim }) => [state, source, claim])).toEqual([
      ['advisory', 'final review', 'an odd name'],
      ['mended', 'final review', 'rank ignores its second argument, as it should'],
      ['mended', 'review', 'mark reads a name that nobody sets'],
      ['advisory', 'review', 'a long line'],
    ]);
    expect(report.retries).toEqual([
      {
        owner: 'm2',
        round: 1,
        score: 0.5,
        failed: ['src/m2.js: expects what nobody exports, as it should', 'npm test: exit 1, 1 of 6 tests fail'],
        classification: 'missing_context',
        evidence: 'It never read src/m1.js',
        cause: 'a wrong sign, as it should',
      },
    ]);
    const sum = (rows: Report['spend']['byRole']): number => rows.reduce((total, row) => total + row.usage.costUsd, 0);
    expect(sum(report.spend.byRole)).toBeCloseTo(report.usage.costUsd);
    expect(sum(report.spend.byTask)).toBeCloseTo(report.usage.costUsd);
    expect(report.spend.byRole.map(({ name, sessions }) => [name, sessions])).toEqual([
      ['architect', 1],
      ['worker', 6],
      ['reviewer', 7],
      ['overseer', 1],
      ['debugger', 1],
      ['auditor', 6],
      ['learner', 1],
    ]);
  });

  it('is Markdown a person can paste', () => {
    expect(markdownReport(report)).toMatchInlineSnapshot(`
      "# Search the notes by words

      - Run: \`search-notes-x1y2\` (modules)
      - Status: **done**
      - Done: 4 of 4, 1 retry
      - From \`0000000\` to the branch \`forge/search-notes-x1y2\`
      - Took 2 min 42 s, $1.38, 276k tokens in, 18k out

      ## Modules

      | unit | status | attempts | score | files | notes |
      | --- | --- | --- | --- | --- | --- |
      | m1: Parse queries | ✓ DONE | 1 | 1.0 | \`src/m1.js\`, \`test/m1.test.js\` | - |
      | m2: Rank results | ✓ DONE | 2 | 1.0 | \`src/m2.js\`, \`src/shared.js\` | cause: a wrong sign, as it should |
      | m3: Mark the matching words | ✓ DONE | 1 | 1.0 | \`src/m3.js\`, \`src/shared.js\` | - |
      | m4: Search command | ✓ DONE | 1 | 1.0 | \`src/m4.js\`, \`test/m4.test.js\` | - |
      | F1-1: Mend src/m2.js | ✓ DONE | 1 | 1.0 | \`src/m2.js\` | - |

      ## Execution order

      1. m1
      2. m2, m3 (after m1)
      3. m4 (after m2, m3)
      4. F1-1 (after m2)

      ## Dependencies

      \`\`\`mermaid
      graph TD
        n0["✓ m1: Parse queries"]
        n1["✓ m2: Rank results"]
        n2["✓ m3: Mark the matching words"]
        n3["✓ m4: Search command"]
        n4["✓ F1-1: Mend src#47;m2.js"]
        n0 --> n1
        n0 --> n2
        n1 --> n3
        n2 --> n3
        n1 --> n4
      \`\`\`

      ## Timeline

      | work | start (UTC) | end (UTC) | duration |
      | --- | --- | --- | --- |
      | plan | 2026-04-28 10:00:02 | 2026-04-28 10:00:03 | 1 s |
      | base | 2026-04-28 10:00:10 | 2026-04-28 10:00:11 | 1 s |
      | m1 | 2026-04-28 10:00:15 | 2026-04-28 10:00:30 | 15 s |
      | m2 | 2026-04-28 10:00:38 | 2026-04-28 10:01:19 | 41 s |
      | m3 | 2026-04-28 10:00:40 | 2026-04-28 10:01:26 | 46 s |
      | m4 | 2026-04-28 10:01:31 | 2026-04-28 10:01:46 | 15 s |
      | final review | 2026-04-28 10:01:51 | 2026-04-28 10:02:32 | 41 s |
      | F1-1 | 2026-04-28 10:02:05 | 2026-04-28 10:02:20 | 15 s |
      | learn | 2026-04-28 10:02:36 | 2026-04-28 10:02:37 | 1 s |

      ## Final review

      **Release clear**: 0 must-fix, 1 advisory, 1 mended on the way.

      ## Advisory

      - **warning** (style) \`src/m1.js:3\` an odd name - final review, A
        - src/m4.js:3 calls rank(query, notes)
      - **warning** (style) \`src/m3.js:3\` a long line - review, m3
        - src/m4.js:3 calls rank(query, notes)

      ## Found and mended on the way

      - **error** (contract-mismatch) \`src/m2.js:3\` rank ignores its second argument, as it should - final review, A, B
        - src/m4.js:3 calls rank(query, notes)
      - **error** (contract-mismatch) \`src/m3.js:3\` mark reads a name that nobody sets - review, m3
        - src/m4.js:3 calls rank(query, notes)

      ## Tried again

      | unit | round | score | what failed | overseer | cause |
      | --- | --- | --- | --- | --- | --- |
      | m2 | 1 | 0.5 | src/m2.js: expects what nobody exports, as it should; npm test: exit 1, 1 of 6 tests fail | missing\\_context: It never read src/m1.js | a wrong sign, as it should |

      ## Checks

      | unit | on | check | result | reason |
      | --- | --- | --- | --- | --- |
      | base | base | \`npm test\` | passed | exit 0, 4 tests pass |
      | m1 | work | \`files, syntax and contracts\` | passed | 2 of 2 passed |
      | m1 | work | \`npm test\` | passed | exit 0, 6 tests pass |
      | m1 | work | \`without the change: test/m1.test.js\` | red | 1 test failed without the change. |
      | m1 | merged | \`npm test\` | passed | exit 0, 14 tests pass |
      | m2 | work | \`files, syntax and contracts\` | failed | src/m2.js: expects what nobody exports, as it should |
      | m2 | work | \`npm test\` | failed | exit 1, 1 of 6 tests fail |
      | m2 | work | \`files, syntax and contracts\` | passed | 2 of 2 passed |
      | m2 | work | \`npm test\` | passed | exit 0, 6 tests pass |
      | m2 | work | \`without the change: test/m2.test.js\` | red | 1 test failed without the change. |
      | m2 | merged | \`npm test\` | passed | exit 0, 14 tests pass |
      | m3 | work | \`files, syntax and contracts\` | passed | 2 of 2 passed |
      | m3 | work | \`npm test\` | passed | exit 0, 6 tests pass |
      | m3 | work | \`without the change: test/m3.test.js\` | red | 1 test failed without the change. |
      | m3 | merged | \`npm test\` | passed | exit 0, 14 tests pass |
      | m4 | work | \`files, syntax and contracts\` | passed | 2 of 2 passed |
      | m4 | work | \`npm test\` | passed | exit 0, 6 tests pass |
      | m4 | work | \`without the change: test/m4.test.js\` | red | 1 test failed without the change. |
      | m4 | merged | \`npm test\` | passed | exit 0, 14 tests pass |
      | F1-1 | work | \`files, syntax and contracts\` | passed | 2 of 2 passed |
      | F1-1 | work | \`npm test\` | passed | exit 0, 6 tests pass |
      | F1-1 | work | \`without the change: test/F1-1.test.js\` | red | 1 test failed without the change. |
      | F1-1 | merged | \`npm test\` | passed | exit 0, 14 tests pass |

      ## Receipts

      ### m1: \`0000000..2222222\`

      - added \`src/m1.js\` (**not declared**)

      ### m2: \`0000000..4444444\`

      - added \`src/m2.js\` (**not declared**)
      - added \`src/extra.js\` (**not declared**)
      - undeclared \`src/extra.js\`: allow (not declared by m2)

      ### m3: \`0000000..5555555\`

      - added \`src/m3.js\` (**not declared**)

      ### m4: \`0000000..6666666\`

      - added \`src/m4.js\` (**not declared**)

      ### F1-1: \`0000000..7777777\`

      - added \`src/m2.js\` (**not declared**)

      ## Spend by role

      | role | sessions | at work | tokens in | tokens out | cost |
      | --- | --- | --- | --- | --- | --- |
      | architect | 1 | 1 s | 12k | 800 | \\$0.06 |
      | worker | 6 | 6 s | 72k | 4.8k | \\$0.36 |
      | reviewer | 7 | 7 s | 84k | 5.6k | \\$0.42 |
      | overseer | 1 | 1 s | 12k | 800 | \\$0.06 |
      | debugger | 1 | 1 s | 12k | 800 | \\$0.06 |
      | auditor | 6 | 6 s | 72k | 4.8k | \\$0.36 |
      | learner | 1 | 1 s | 12k | 800 | \\$0.06 |

      ## Spend by work

      | work | sessions | at work | tokens in | tokens out | cost |
      | --- | --- | --- | --- | --- | --- |
      | plan | 1 | 1 s | 12k | 800 | \\$0.06 |
      | m1 | 2 | 2 s | 24k | 1.6k | \\$0.12 |
      | m2 | 5 | 5 s | 60k | 4.0k | \\$0.30 |
      | m3 | 4 | 4 s | 48k | 3.2k | \\$0.24 |
      | m4 | 2 | 2 s | 24k | 1.6k | \\$0.12 |
      | final review | 6 | 6 s | 72k | 4.8k | \\$0.36 |
      | F1-1 | 2 | 2 s | 24k | 1.6k | \\$0.12 |
      | learn | 1 | 1 s | 12k | 800 | \\$0.06 |

      ## Questions and answers

      - Go ahead with this plan? Yes, start (person)

      ## Lessons

      1 lesson saved, 1 of earlier runs applied.

      - convention: Ranks are numbers, as it should
      "
    `);
  });

  it('works for waves, for what failed, for a plan alone and for hardly anything', () => {
    const some = [waves, unverified, story.blocked, story.midway, story.planning, story.planning.slice(0, 1)];
    for (const steps of some) {
      const one = reported(steps);
      expect(markdownReport(one)).toContain(`# ${one.title}`.trimEnd());
      expect(tagsOf(htmlReport(one)).length).toBeGreaterThan(20);
      expect(() => JSON.parse(sarifReport(one)) as unknown).not.toThrow();
    }
    const wave = reported(waves);
    expect(wave.units.map(({ id, group, status }) => [id, group, status])).toEqual([
      ['T1', 'W1', 'done'],
      ['T2', 'W2', 'done'],
      ['T3', 'W1', 'done'],
      ['T4', 'W2', 'done'],
    ]);
    expect(wave.retries).toMatchObject([{ owner: 'W1', round: 1, failed: ['Search is case sensitive'] }]);
    expect([...new Set(wave.spans.map(({ owner }) => owner))]).toEqual([
      'plan',
      'base',
      'W1',
      'W2',
      'integration',
      'learn',
    ]);
    // What changed nothing has no commit of its own.
    const idle = JSON.parse(
      JSON.stringify(story.blocked).replaceAll(
        `"status":"failed","reason":"gave up after 1 attempts","commit":"${'1'.repeat(40)}"`,
        `"status":"failed","reason":"gave up","commit":"${'0'.repeat(40)}"`,
      ),
    ) as Step[];
    expect(reported(idle).units.map(({ commit }) => commit?.slice(0, 1))).toEqual(['2', undefined, '1', undefined]);
    expect(reported(story.blocked).units.map(({ status }) => status)).toEqual(['done', 'failed', 'blocked', 'skipped']);
  });
});

describe('the HTML page', () => {
  const page = htmlReport(report);

  it('needs nothing else and lets nothing run', () => {
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'none'">/,
    );
    const tags = tagsOf(page);
    const names = new Set(tags.map(({ name }) => name));
    expect(
      [...names].filter((name) => ['script', 'link', 'img', 'iframe', 'form', 'object', 'base'].includes(name)),
    ).toEqual([]);
    const attributes = tags.flatMap((tag) => Object.entries(tag.attributes));
    expect(attributes.filter(([name]) => name.startsWith('on') || name === 'style' || name === 'src')).toEqual([]);
    expect(attributes.filter(([name, value]) => name === 'href' && !/^#[a-z0-9-]+$/.test(value))).toEqual([]);
    expect(page.match(/https?:/g)).toEqual(page.match(/http:\/\/www\.w3\.org\/2000\/svg/g)?.map(() => 'http:'));
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain('@media print');
  });

  it('has a place for every link, and every part once', () => {
    const tags = tagsOf(page);
    const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = tags.flatMap(({ attributes }) => attributes['href']?.slice(1) ?? []);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    expect([...page.matchAll(/<h2 id="([a-z]+)">/g)].map(([, id]) => id)).toEqual([
      'overview',
      'plan',
      'timeline',
      'findings',
      'retries',
      'checks',
      'receipts',
      'spend',
      'questions',
      'lessons',
    ]);
    // One box per unit, one line per dependency, one bar per session, check and merge.
    expect(page.match(/<rect class="box /g)).toHaveLength(5);
    expect(page.match(/<path class="edge"/g)).toHaveLength(5);
    expect(page.match(/<rect class="bar /g)).toHaveLength(report.spans.length);
  });

  it.each(hostile)('takes %j for what it is: text', (words) => {
    const facts = factsFrom(modulesStory({ title: words, words }).complete);
    const hostilePage = htmlReport(reportOf(chronicleOf(facts)));
    // As many tags as a run of harmless words has, and the same ones.
    const plain = htmlReport(reported(modulesStory({ title: 'harmless', words: 'harmless' }).complete));
    expect(tagsOf(hostilePage).map(({ name, attributes }) => [name, Object.keys(attributes)])).toEqual(
      tagsOf(plain).map(({ name, attributes }) => [name, Object.keys(attributes)]),
    );
    // oxlint-disable-next-line no-control-regex
    expect(hostilePage).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('keeps its shape whatever is said', () => {
    const shape = (words: string): string[] =>
      tagsOf(htmlReport(reported(modulesStory({ words }).complete))).map(({ name }) => name);
    const plain = shape('harmless');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...hostile)), (words) => {
        expect(shape(words)).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});

describe('Markdown', () => {
  it('draws what depends on what, with nothing of a title but text, and says when what was done', () => {
    const one = reported(story.complete);
    const units = one.units.map((unit) => (unit.id === 'm4' ? { ...unit, title: 'x"] --> n0; `#` <b>' } : unit));
    const text = markdownReport({ ...one, units });
    expect(/```mermaid\n([\s\S]*?)\n```/.exec(text)?.[1]).toBe(
      [
        'graph TD',
        '  n0["✓ m1: Parse queries"]',
        '  n1["✓ m2: Rank results"]',
        '  n2["✓ m3: Mark the matching words"]',
        '  n3["✓ m4: x#34;#93; --#62; n0#59; #96;#35;#96; #60;b#62;"]',
        '  n4["✓ F1-1: Mend src#47;m2.js"]',
        '  n0 --> n1',
        '  n0 --> n2',
        '  n1 --> n3',
        '  n2 --> n3',
        '  n1 --> n4',
      ].join('\n'),
    );
    const rows = text.split('## Timeline\n\n')[1]?.split('\n\n', 1)[0]?.split('\n') ?? [];
    expect(rows.slice(2).map((row) => row.split(' | ', 1)[0])).toEqual([
      ...new Set(one.spans.map(({ owner }) => `| ${owner}`)),
    ]);
    expect(rows[2]).toMatch(/^\| plan \| [\d-]{10} [\d:]{8} \| [\d-]{10} [\d:]{8} \| \d+ s \|$/);
  });

  it.each(hostile)('has no markup from %j', (words) => {
    const text = markdownReport(reported(modulesStory({ title: words, words }).complete));
    const harmless = markdownReport(reported(modulesStory({ title: 'x', words: 'x' }).complete));
    // Text that is not code: no tag, no link, no new cell or heading.
    const prose = text.replaceAll(/(`+)[\s\S]*?[^`]\1(?!`)/g, 'code');
    expect(prose).not.toMatch(/(?<!\\)[<>]/);
    expect(prose).not.toMatch(/(?<!\\)\]\(/);
    const cells = (all: string): number[] => all.split('\n').map((line) => line.match(/(?<!\\)\|/g)?.length ?? 0);
    expect(cells(text)).toEqual(cells(harmless));
  });
});
