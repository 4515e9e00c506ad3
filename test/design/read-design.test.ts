/** The example design is understood whole, and every way to break it is reported with its place and the fix. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDesign } from '../../src/api/check-design.ts';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { readDesign } from '../../src/design/read-design.ts';
import { planStages } from '../../src/plan/graph.ts';
import { designDir, exampleFiles, type Files, memoryTree, prdDir } from './design-files.ts';

const readme = `${designDir}/README.md`;
const read = (files: Files) => readDesign(memoryTree(files), designDir);
const changed = (file: string, from: string | RegExp, to: string): Files => {
  const files = exampleFiles();
  const text = files[file] ?? '';
  expect(text).toMatch(from);
  return { ...files, [file]: text.replace(from, to) };
};
const without = (file: string): Files =>
  Object.fromEntries(Object.entries(exampleFiles()).filter(([name]) => name !== file));
const found = (files: Files) =>
  read(files).problems.map(({ severity, file, line, problem }) => `${severity} ${file}:${line} ${problem}`);

describe('the example', () => {
  const { design, problems } = read(exampleFiles());

  it('has no problem', () => expect(problems).toEqual([]));

  it('is read whole', () => {
    expect(design?.name).toBe('Reading list');
    expect(design?.objective).toMatch(/^Save links from the command line/);
    expect(planStages(design?.modules ?? [])).toEqual([
      ['M-001', 'M-002'],
      ['M-003', 'M-004'],
      ['M-005', 'M-006'],
    ]);
    expect(design?.modules[4]).toMatchObject({ id: 'M-005', apis: ['API-001'], features: ['F-005'], ui: undefined });
    expect(design?.modules[0]?.dataModels).toContain('2,000 characters');
    expect(design?.apis.map(({ id }) => id)).toEqual(['API-001']);
    expect(design?.protocols).toHaveLength(6);
    expect(design?.prd?.features[2]?.criteria[2]).toMatchObject({
      id: 'F-003/AC3',
      text: 'Given an address without a scheme, when it is added, then the program exits with 2 and the list is unchanged',
      line: 9,
    });
    expect(design?.prd?.journeys.map(({ id, scenarios }) => [id, scenarios.length])).toEqual([
      ['J-001', 2],
      ['J-002', 2],
    ]);
  });

  it('keeps a section it does not know', () => {
    expect(design?.extra).toMatchObject([{ title: 'Rollout', file: readme }]);
  });

  it('is the same with Windows line ends', () => {
    const windows = Object.fromEntries(
      Object.entries(exampleFiles()).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]),
    );
    expect(read(windows).problems).toEqual([]);
    expect(read(windows).design?.modules.map(({ id, depends }) => ({ id, depends }))).toEqual(
      design?.modules.map(({ id, depends }) => ({ id, depends })),
    );
  });
});

describe('what is broken is named with its place', () => {
  it.each([
    ['no README', without(readme), `error ${readme}:1 The file is missing.`],
    [
      'no module index',
      changed(readme, '## Module Index', '## Modules'),
      `error ${readme}:1 The section "Module Index" is missing.`,
    ],
    [
      'no column Deps',
      changed(readme, 'Complexity | Deps |', 'Complexity | Needs |'),
      `error ${readme}:53 The module index has no column "Deps".`,
    ],
    ['a bad id', changed(readme, '| M-001 | Links', '| M-1 | Links'), `error ${readme}:55 "M-1" is not a module id.`],
    [
      'an id twice',
      changed(readme, '| M-002 | Project', '| M-001 | Project'),
      `error ${readme}:56 M-001 is in the index twice; the first time in line 55.`,
    ],
    [
      'an unknown dependency',
      changed(readme, 'losing any | M | M-001', 'losing any | M | M-099'),
      `error ${readme}:57 M-003 depends on M-099, which is not in the module index.`,
    ],
    [
      'dependencies in words',
      changed(readme, 'losing any | M | M-001', 'losing any | M | the links'),
      `error ${readme}:57 The dependencies "the links" name no module.`,
    ],
    [
      'a circle',
      changed(readme, 'refused | S | —', 'refused | S | M-005'),
      `error ${readme}:55 These modules depend on each other in a circle: M-001, M-003, M-004, M-005.`,
    ],
    [
      'itself',
      changed(readme, 'refused | S | —', 'refused | S | M-001'),
      `error ${readme}:55 M-001 depends on itself.`,
    ],
    [
      'a protocol without a dependency',
      changed(readme, 'M-006 Command line → M-004 Search', 'M-006 Command line → M-002 Project tooling'),
      `error ${readme}:88 M-006 and M-002 talk to each other, but neither depends on the other.`,
    ],
    [
      'a mark without meaning',
      changed(readme, '| △ | | △ | ✦ |', '| △ | | △ | x |'),
      `error ${readme}:76 The mark "x" means nothing here.`,
    ],
    [
      'a spec outside',
      changed(readme, '[spec](modules/M-002-project-tooling.md)', '[spec](../../../../../../etc/hostname)'),
      `error ${readme}:56 The link leads out of the repository.`,
    ],
    [
      'no protocols',
      changed(readme, /## Module Interaction Protocols[^]*?(?=\n## |$)/, ''),
      `warning ${readme}:1 No protocol says how the modules talk to each other.`,
    ],
    [
      'no priorities',
      changed(`${prdDir}/README.md`, '| Priority |', '| Weight |'),
      `warning ${prdDir}/README.md:26 The feature index has no column "Priority", so no feature counts as one that must not fail.`,
    ],
    [
      'an unknown priority',
      changed(`${prdDir}/README.md`, '| P0 |', '| High |'),
      `warning ${prdDir}/README.md:28 F-001 has the priority "High", which Forge does not know.`,
    ],
    ['no source', changed(readme, /- \*\*Source:.*\n/, ''), `error ${readme}:5 The design does not name its source.`],
    [
      'a source outside',
      changed(readme, '](../../prd/2026-04-20-reading-list/README.md)', '](../../../../../../etc/README.md)'),
      `error ${readme}:5 The link leads out of the repository.`,
    ],
    [
      'no module file',
      without(`${designDir}/modules/M-004-search.md`),
      `error ${designDir}/modules/M-004-search.md:1 The file is missing.`,
    ],
    [
      'another title',
      changed(`${designDir}/modules/M-004-search.md`, '# M-004', '# M-005'),
      `error ${designDir}/modules/M-004-search.md:1 The title names M-005, the module index says M-004.`,
    ],
    [
      'no criteria',
      changed(`${prdDir}/features/F-004-find-a-link.md`, '## Acceptance Criteria', '## Notes'),
      `error ${prdDir}/features/F-004-find-a-link.md:1 F-004 has no acceptance criteria.`,
    ],
    [
      'an unbuilt feature',
      changed(readme, /\| F-005 Read.*\n/, ''),
      `error ${prdDir}/features/F-005-read-over-http.md:1 No module builds F-005.`,
    ],
    [
      'a feature nobody knows',
      changed(`${prdDir}/README.md`, /\| F-005 \| Read.*\n/, ''),
      `error ${prdDir}/features/F-005-read-over-http.md:1 F-005 is not in the feature index.`,
    ],
    [
      'a source on the web',
      changed(readme, '](../../prd/2026-04-20-reading-list/README.md)', '](https://example.com/prd)'),
      `error ${readme}:5 The source "https://example.com/prd" is not in this repository.`,
    ],
    [
      'two files of one module',
      { ...exampleFiles(), [`${designDir}/modules/M-004-again.md`]: '# M-004: Again\n' },
      `error ${designDir}/modules/M-004-search.md:1 M-004 has another file: ${designDir}/modules/M-004-again.md.`,
    ],
    [
      'two files of one feature',
      { ...exampleFiles(), [`${prdDir}/features/F-004-x.md`]: '# F-004: X\n' },
      `error ${prdDir}/features/F-004-x.md:1 F-004 has another file: ${prdDir}/features/F-004-find-a-link.md.`,
    ],
    [
      'two files of one journey',
      { ...exampleFiles(), [`${prdDir}/journeys/J-001-x.md`]: '# J-001: X\n\n## Touchpoints\n\n| # |\n|---|\n| 1 |\n' },
      `error ${prdDir}/journeys/J-001-x.md:1 J-001 has another file: ${prdDir}/journeys/J-001-save-and-find.md.`,
    ],
    [
      'a journey without its file',
      without(`${prdDir}/journeys/J-002-read-from-a-script.md`),
      `error ${prdDir}/README.md:22 J-002 has no file in ${prdDir}/journeys.`,
    ],
    [
      'no text',
      changed(`${designDir}/modules/M-004-search.md`, '# M-004', '\0# M-004'),
      `error ${designDir}/modules/M-004-search.md:1 The file has a NUL character.`,
    ],
  ])('%s', (_name, files, problem) => {
    expect(found(files)).toContain(problem);
  });

  it.each([
    ['an index that cannot be read', changed(readme, 'Complexity | Deps |', 'Complexity | Needs |')],
    ['a module that depends on itself', changed(readme, 'refused | S | —', 'refused | S | M-001')],
    ['a feature without its file', without(`${prdDir}/features/F-003-save-a-link.md`)],
  ])('says once what follows from one mistake: %s', (_name, files) => {
    expect(found(files)).toHaveLength(1);
  });

  it('warns about a design that is a draft', () => {
    expect(found(changed(readme, 'Finalized', 'Draft'))).toEqual([
      `warning ${readme}:1 The design's status is "Draft".`,
    ]);
  });

  it('warns about a journey that only goes well', () => {
    const file = `${prdDir}/journeys/J-001-save-and-find.md`;
    expect(found(changed(file, 'Error & Recovery', 'Happy'))).toEqual([
      `warning ${file}:12 J-001 has no scenario off the happy path.`,
    ]);
  });

  it('every problem says what to write', () => {
    const broken = Object.fromEntries(
      Object.entries(exampleFiles()).map(([name, text]) => [name, text.replaceAll('|', '')]),
    );
    const { problems } = read(broken);
    expect(problems.length).toBeGreaterThan(3);
    expect(problems.filter(({ fix }) => !/^[A-Z].{8,}/.test(fix))).toEqual([]);
  });
});

it('reads dependencies in brackets as used through an interface', () => {
  const files = changed(
    readme,
    'HTTP clients | M | M-003, M-004',
    'HTTP clients | M | M-003 (+ M-004 via consumer-side interface)',
  );
  const module = read(files).design?.modules.find(({ id }) => id === 'M-005');
  expect(module).toMatchObject({ depends: ['M-003'], viaInterface: ['M-004'] });
});

it('braces mean what they say, unless they are a placeholder that nobody filled in', () => {
  const feature = `${prdDir}/features/F-004-find-a-link.md`;
  const bullet = /## Acceptance Criteria\n\n/;
  const plain = read(exampleFiles()).design?.prd?.features.find(({ id }) => id === 'F-004')?.criteria ?? [];
  const files = changed(
    feature,
    bullet,
    `## Acceptance Criteria\n\n- GET /links/{id} answers with \`{ "id": 1 }\`\n- Given {precondition}, when {action}, then {result}\n`,
  );
  const { design, problems } = read(files);
  const criteria = design?.prd?.features.find(({ id }) => id === 'F-004')?.criteria ?? [];
  expect(criteria.map(({ text }) => text)).toEqual([
    'GET /links/{id} answers with { "id": 1 }',
    ...plain.map(({ text }) => text),
  ]);
  expect(problems.map(({ severity, problem }) => `${severity} ${problem}`)).toEqual([
    'warning "Given {precondition}, when {action}, then {result}" still has a placeholder, so it is not a criterion.',
  ]);
  const index = changed(readme, 'Finds links by words and tags', 'Serves GET /links/{id}');
  expect(read(index).design?.modules.map(({ id }) => id)).toContain('M-004');
  const template = changed(
    readme,
    '| M-004 | Search',
    '| M-{id} | {name} | {type} | {x} | {S} | {deps} | {—} | {spec} |\n| M-004 | Search',
  );
  expect(found(template)).toEqual([]);
});

it('a file that is no UTF-8 text is reported', () => {
  const file = `${designDir}/modules/M-004-search.md`;
  const tree = memoryTree(exampleFiles());
  const { problems } = readDesign(
    {
      ...tree,
      read: (path) =>
        path === file ? { status: 'read', bytes: Buffer.from([35, 0xff, 0xfe]), mode: 0o644 } : tree.read(path),
    },
    designDir,
  );
  expect(problems[0]).toMatchObject({ file, problem: 'The file is no UTF-8 text.', fix: 'Save it as UTF-8.' });
});

it('a cell with an escaped pipe is one cell', () => {
  const files = changed(readme, 'Finds links by words and tags', 'Finds links by words \\| tags');
  expect(read(files).design?.modules[3]).toMatchObject({
    responsibility: 'Finds links by words | tags',
    depends: ['M-001'],
  });
});

it('the project wins over the design, the design over the PRD, and every rule says where it is from', () => {
  const files = {
    ...exampleFiles(),
    'CLAUDE.md': '# Project\n\n## Coding Conventions\n\n- **Modules:** CommonJS here.\n',
  };
  const { rules, overridden } = read(files).design?.standards ?? { rules: [], overridden: [] };
  expect(rules[0]).toMatchObject({
    origin: 'project',
    topic: 'Coding Conventions',
    name: 'modules',
    file: 'CLAUDE.md',
    line: 5,
  });
  expect(overridden).toMatchObject([
    { origin: 'prd', name: 'modules', file: `${prdDir}/architecture.md`, by: { file: 'CLAUDE.md', line: 5 } },
  ]);
  expect(new Set(rules.map(({ origin }) => origin))).toEqual(new Set(['project', 'design', 'prd']));
});

describe('on disk', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const each of made.splice(0)) rmSync(each, { recursive: true, force: true });
  });
  const place = (files: Files): string => {
    const root = mkdtempSync(join(tmpdir(), 'forge-design-'));
    made.push(root);
    mkdirSync(join(root, '.git'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  };
  const check = (cwd: string, directory = designDir) =>
    performOperation(checkDesign, openContext({ cwd }), { directory });

  it('passes from any directory of the project', async () => {
    const root = place(exampleFiles());
    expect(await check(root)).toMatchObject({ ok: true, problems: [] });
    expect(await check(join(root, designDir, 'modules'), '..')).toMatchObject({ ok: true, directory: designDir });
  });

  it('follows no link', async () => {
    const root = place(without(`${designDir}/modules/M-001-links.md`));
    const outside = place({ 'secret.md': '# M-001: secret\n' });
    symlinkSync(join(outside, 'secret.md'), join(root, designDir, 'modules/M-001-links.md'));
    const { ok, problems } = await check(root);
    expect(ok).toBe(false);
    expect(problems.map(({ file, problem }) => `${file} ${problem}`)).toContain(
      `${designDir}/modules/M-001-links.md The file is a link.`,
    );
    symlinkSync(join(root, designDir), join(root, 'linked'));
    await expect(check(root, 'linked')).rejects.toMatchObject({
      code: 'bad-input',
      message: 'The design "linked" is a link',
    });
  });

  it('refuses a directory outside the project, and one that is not there', async () => {
    const root = place(exampleFiles());
    await expect(check(root, '..')).rejects.toMatchObject({ code: 'bad-input' });
    await expect(check(root, 'nowhere')).rejects.toMatchObject({ message: 'The design "nowhere" does not exist' });
  });

  it('reports a file that is too large', async () => {
    const root = place({ ...exampleFiles(), [readme]: `# System Design: x\n${'a'.repeat(5_000_000)}` });
    expect((await check(root)).problems).toMatchObject([
      { file: readme, problem: 'The file is larger than 4194304 bytes.' },
    ]);
  });
});
