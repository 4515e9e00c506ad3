/** What a changed design touches: by the texts alone, through a repository, and with the refusals before a second delivery. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openContext } from '../../src/api/context.ts';
import { findDesignImpact } from '../../src/api/design-impact.ts';
import { deliveryStatus } from '../../src/api/design-status.ts';
import { performOperation } from '../../src/api/operation.ts';
import type { Design } from '../../src/design/design.ts';
import { designImpact, type Judgements } from '../../src/design/design-impact.ts';
import { readDesign } from '../../src/design/read-design.ts';
import { compareText } from '../../src/design/text-change.ts';
import {
  compliantFiles,
  placeRepository,
  planDir,
  planReadme,
  removePlaced,
  runGit,
} from '../delivery/plan-fixture.ts';
import { designDir, exampleFiles, type Files, memoryTree } from './design-files.ts';

afterEach(removePlaced);

const readme = `${designDir}/README.md`;
const links = `${designDir}/modules/M-001-links.md`;
const design = (files: Files): Design => {
  const found = readDesign(memoryTree(files), designDir).design;
  if (found === undefined) throw new Error('no design');
  return found;
};
const edited = (file: string, from: string, to: string, files: Files = exampleFiles()): Files => {
  expect(files[file]).toContain(from);
  return { ...files, [file]: (files[file] ?? '').replace(from, to) };
};
const classes = (after: Files, judgements?: Judgements): Record<string, string> => {
  const { modules } = designImpact(design(exampleFiles()), design(after), judgements);
  return Object.fromEntries(
    modules.filter(({ impact }) => impact !== 'kept').map(({ module, impact }) => [module, impact]),
  );
};
const consumers = {
  'M-003': 'revised-downstream',
  'M-004': 'revised-downstream',
  'M-005': 'revised-downstream',
  'M-006': 'revised-downstream',
};

describe('classes', () => {
  it('nothing changed, nothing touched', () => expect(classes(exampleFiles())).toEqual({}));

  it('a changed signature touches the module and everything that uses it', () => {
    expect(classes(edited(links, 'makeLink(input, now)', 'makeLink(input, clock)'))).toEqual({
      'M-001': 'revised-direct',
      ...consumers,
    });
  });

  it('a changed data model does too', () => {
    expect(classes(edited(links, 'at most 20', 'at most 30'))).toEqual({ 'M-001': 'revised-direct', ...consumers });
  });

  it('other prose of a module touches only the module', () => {
    expect(
      classes(edited(links, 'Knows no file and no network.', 'Knows neither files nor the network nor a clock.')),
    ).toEqual({ 'M-001': 'revised-direct' });
  });

  it('white space and marks touch nothing', () => {
    expect(classes(edited(links, 'Says what a link is', '**Says**  what a link is'))).toEqual({});
  });

  it('a typo in the interfaces leaves consumers alone once it is judged', () => {
    const after = edited(links, 'compares addresses without', 'compares adresses without');
    expect(designImpact(design(exampleFiles()), design(after)).undecided).toEqual([
      { module: 'M-001', part: 'interfaces', consumers: ['M-003', 'M-004', 'M-005', 'M-006'] },
    ]);
    expect(classes(after, { 'M-001': 'cosmetic' })).toEqual({ 'M-001': 'revised-direct' });
    expect(classes(after, { 'M-001': 'semantic' })).toEqual({ 'M-001': 'revised-direct', ...consumers });
  });

  it('a changed interface file touches the modules that name it', () => {
    expect(classes(edited(`${designDir}/api/API-001-reading-list.md`, 'bad-query', 'long-query'))).toEqual({
      'M-005': 'revised-direct',
    });
  });

  it('a changed protocol touches both ends', () => {
    const after = edited(
      readme,
      'M-006 Command line → M-004 Search | Sync',
      'M-006 Command line → M-004 Search | Async',
    );
    expect(classes(after)).toEqual({ 'M-004': 'revised-direct', 'M-006': 'revised-direct' });
  });

  it('a technology that is gone touches the modules that name it', () => {
    const before = {
      ...exampleFiles(),
      [links]: `${exampleFiles()[links] ?? ''}\nUses Express.\n`,
      [readme]: (exampleFiles()[readme] ?? '').replace('no dependencies. Tests', 'Express. Tests'),
    };
    const after = { ...before, [readme]: (before[readme] ?? '').replace('Express. Tests', 'Fastify. Tests') };
    const impact = designImpact(design(before), design(after));
    expect(impact.modules.filter((module) => module.impact === 'revised-direct')).toEqual([
      { module: 'M-001', impact: 'revised-direct', reasons: ['the tech stack no longer has Express'] },
    ]);
    expect(impact.undecided).toMatchObject([
      { part: 'tech stack', consumers: ['M-002', 'M-003', 'M-004', 'M-005', 'M-006'] },
    ]);
  });

  it('a removed module orphans its consumers, a new one is added', () => {
    const index = (exampleFiles()[readme] ?? '')
      .replace(/\| M-004 \|.*\n/, '')
      .replaceAll(/\| M-00\d .* → M-004 .*\n/g, '');
    const { [`${designDir}/modules/M-004-search.md`]: _gone, ...rest } = exampleFiles();
    expect(classes({ ...rest, [readme]: index })).toMatchObject({
      'M-004': 'removed',
      'M-005': 'revised-direct',
      'M-006': 'revised-direct',
    });
    const added = edited(
      readme,
      '| M-006 | Command line',
      '| M-007 | Tags | shared | Knows tags | S | — | — | [spec](modules/M-007-tags.md) |\n| M-006 | Command line',
    );
    expect(
      classes({ ...added, [`${designDir}/modules/M-007-tags.md`]: '# M-007: Tags\n\n## Interfaces\n\n- `tag()`\n' }),
    ).toEqual({ 'M-007': 'added' });
  });

  it('lists rules that came and went', () => {
    const after = { ...exampleFiles(), 'CLAUDE.md': '# x\n\n## Testing\n\n- Run everything.\n' };
    const { conventions } = designImpact(design(exampleFiles()), design(after));
    expect(conventions.added).toEqual(['Testing: Run everything.']);
    expect(conventions.removed).toHaveLength(3);
  });
});

it.each([
  ['a', 'a', 'same'],
  ['- **Says** it', '* says   it.', 'cosmetic'],
  ['gives a list', 'gives the list', 'wording'],
  ['gives `a`', 'gives `b`', 'semantic'],
  ['at most 20', 'at most 30', 'semantic'],
  ['| a |\n|---|\n| b |', '| a |\n|---|\n| c |', 'semantic'],
])('%j to %j is %s', (before, after, change) => expect(compareText(before, after)).toBe(change));

describe('in a repository', () => {
  const impact = (root: string, plan?: string) =>
    performOperation(findDesignImpact, openContext({ cwd: root }), {
      directory: designDir,
      since: 'v1',
      ...(plan === undefined ? {} : { plan }),
    });
  const repository = (files: Files = compliantFiles()): string => {
    const root = placeRepository(files);
    runGit(root, 'tag', 'v1');
    return root;
  };
  const change = (root: string, commit: boolean): void => {
    const file = join(root, links);
    writeFileSync(file, readFileSync(file, 'utf8').replace('makeLink(input, now)', 'makeLink(input)'));
    if (commit) runGit(root, 'commit', '-q', '-am', 'docs(design): simpler links');
  };

  it('compares with a tag', async () => {
    const root = repository();
    change(root, true);
    const found = await impact(root, planDir);
    expect(found.modules.map((module) => module.impact)).toEqual([
      'revised-direct',
      'kept',
      ...Array.from({ length: 4 }, () => 'revised-downstream'),
    ]);
    expect(found.refusal).toBeUndefined();
  });

  it('refuses what cannot be built on', async () => {
    const root = repository();
    expect((await impact(root, planDir)).refusal?.code).toBe('nothing-changed');
    change(root, false);
    expect((await impact(root, planDir)).refusal?.code).toBe('uncommitted-changes');
    expect((await impact(root, 'docs')).refusal?.code).toBe('no-prior-plan');
    const open = repository({
      ...compliantFiles(),
      [`${planDir}/README.md`]: planReadme(['M-001']).replace('| Yes |', '| — |'),
    });
    change(open, true);
    expect((await impact(open, planDir)).refusal?.code).toBe('unfinished');
    await expect(
      performOperation(findDesignImpact, openContext({ cwd: root }), { directory: designDir, since: '--all' }),
    ).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('refuses an id that a plan has used', async () => {
    const root = repository({
      ...compliantFiles(),
      [`${planDir}/README.md`]: planReadme(['M-001', 'M-007']),
      [`${planDir}/plans/plan-M-007-other.md`]: '# Plan: M-007 — other\n',
    });
    writeFileSync(join(root, designDir, 'modules/M-007-tags.md'), '# M-007: Tags\n\n## Interfaces\n\n- `tag()`\n');
    const file = join(root, readme);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        '| M-006 | Command line',
        '| M-007 | Tags | shared | Knows tags | S | — | — | [spec](modules/M-007-tags.md) |\n| M-006 | Command line',
      ),
    );
    runGit(root, 'add', '-A');
    runGit(root, 'commit', '-q', '-m', 'docs(design): tags');
    expect((await impact(root, planDir)).refusal?.code).toBe('id-collision');
  });

  it('shows where a delivery stands', async () => {
    const rows =
      '| M-001 | 1 | Done | Done | Done | Approved | Yes | — |\n| M-002 | 1 | Done | Retry 2 | — | — | — | null check |\n| M-003 | 2 | Done | Decision | — | — | — | — |';
    const text = planReadme([])
      .replace('|---|---|---|---|---|---|---|---|\n', `|---|---|---|---|---|---|---|---|\n${rows}\n`)
      .replace(
        '## Phase Status\n\nx',
        '## Phase Status\n\n| Phase | Modules | Completed | Integration Test | Status |\n|---|---|---|---|---|\n| 1 | 2 | 1/2 | — | In Progress |',
      );
    const log = Array.from(
      { length: 12 },
      (_, at) => `### 2026-05-04 10:${10 + at} — event ${at}\n\n**Context:** x\n`,
    ).join('\n');
    const root = placeRepository({
      ...compliantFiles(),
      [`${planDir}/README.md`]: text,
      [`${planDir}/execution-log.md`]: log,
    });
    const status = await performOperation(deliveryStatus, openContext({ cwd: root }), { directory: planDir });
    expect(status).toMatchObject({
      decisions: ['M-003'],
      remaining: { modules: 2, phases: 1 },
      phases: [{ phase: '1', completed: '1/2', integration: '', status: 'In Progress' }],
    });
    expect(status.modules[1]).toEqual({
      module: 'M-002',
      phase: '1',
      plan: 'Done',
      dev: 'Retry 2',
      test: '',
      review: '',
      merged: '',
      notes: 'null check',
      retries: 2,
    });
    expect(status.events.map(({ text: event }) => event)).toEqual(
      Array.from({ length: 10 }, (_, at) => `event ${at + 2}`),
    );
  });
});
