import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRoadmap, riskLevel } from '../../src/gsd/roadmap.ts';
import { readSlicePlan } from '../../src/gsd/task-list.ts';

describe('the slices of a roadmap', () => {
  it('are read from boxes', () => {
    const source = [
      '# M001: M001: A shop',
      '',
      '**Vision:** People can buy things.',
      '',
      '## Slices',
      '',
      '- [x] **S01: The basket** `risk:high` `depends:[]`',
      '  > After this: things can be put into a basket.',
      '- [ ] **S02: Paying** [sketch] `risk:medium` `depends:[S01, M000/S02]`',
    ].join('\n');
    expect(readRoadmap(source, 'M001')).toEqual({
      title: 'A shop',
      vision: 'People can buy things.',
      slices: [
        {
          id: 'S01',
          title: 'The basket',
          isTicked: true,
          riskText: 'high',
          depends: [],
          isSketch: false,
          demo: 'things can be put into a basket.',
        },
        {
          id: 'S02',
          title: 'Paying',
          isTicked: false,
          riskText: 'medium',
          depends: ['S01', 'M000/S02'],
          isSketch: true,
          demo: '',
        },
      ],
      problems: [],
    });
  });

  it('are read from a table, by the names of its columns', () => {
    const source = [
      '# M002 — Search',
      '## Vision',
      'Find it.',
      '',
      '## Slice Overview',
      '| Done | ID | Slice | Depends | After this |',
      '|------|----|-------|---------|------------|',
      '| ✅ | S01 | Index \\| store | — | it is there |',
      '| ⬜ | S02 | Ranking | S01 | best first |',
    ].join('\r\n');
    const { title, vision, slices } = readRoadmap(source, 'M002');
    expect({ title, vision }).toEqual({ title: 'Search', vision: 'Find it.' });
    expect(slices.map(({ id, title: name, isTicked, depends }) => ({ id, name, isTicked, depends }))).toEqual([
      { id: 'S01', name: 'Index | store', isTicked: true, depends: [] },
      { id: 'S02', name: 'Ranking', isTicked: false, depends: ['S01'] },
    ]);
  });

  it('are read from marks inside a code block, where there is nothing else', () => {
    const source =
      '# M001 — x\n\n## Parts\n```\nS01 ← free          First thing    [x]\nS02 ← needs S01     Second thing   [ ]\n```\n';
    expect(
      readRoadmap(source, 'M001').slices.map(({ id, title, isTicked, depends }) => [id, title, isTicked, depends]),
    ).toEqual([
      ['S01', 'First thing', true, []],
      ['S02', 'Second thing', false, ['S01']],
    ]);
  });

  it('are missed by name when there are none, and counted once when listed twice', () => {
    expect(readRoadmap('# M001\n\n**Vision:** ## Slices\n', 'M001').problems).toEqual(['It lists no slices']);
    const twice = '## Slices\n- [ ] **S01: a**\n- [x] **S01: b**\n';
    expect(readRoadmap(twice, 'M001').slices.map(({ title }) => title)).toEqual(['a']);
  });

  it('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '- [x] **S01: a**',
      '| ID |',
      '|---|',
      '| S02 |',
      '```',
      '---',
      '# M001',
      '`risk:',
      '## Slices',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (lines) => {
        const { slices } = readRoadmap(lines.join('\n'), 'M001');
        expect(new Set(slices.map(({ id }) => id)).size).toBe(slices.length);
        readSlicePlan(lines.join('\n'), 'S01');
      }),
    );
  });
});

describe('a risk', () => {
  it.each([
    ['high', 'high'],
    ['High — touches money', 'high'],
    ['med-high', 'high'],
    ['medium', 'medium'],
    ['not known yet', undefined],
    ['', undefined],
  ])('%j is %j', (text, level) => expect(riskLevel(text)).toBe(level));
});

describe('the tasks of a slice', () => {
  it.each([
    ['boxes', '## Tasks\n- [x] **T01: Write it** `est:45m`\n- [ ] **T02**: Test it\n'],
    [
      'a table behind another one',
      '| a |\n|---|\n| b |\n\n| T## | Title | Done |\n|---|---|---|\n| T01 | Write it | ✅ |\n| T02 | Test it | |\n',
    ],
    ['a block', '<tasks>\n- [x] **T01**: Write it\n- [ ] **T02**: Test it\n</tasks>\n'],
  ])('are read from %s', (_, source) => {
    expect(readSlicePlan(source, 'S01').tasks).toEqual([
      { id: 'T01', title: 'Write it', isTicked: true },
      { id: 'T02', title: 'Test it', isTicked: false },
    ]);
  });

  it('may be split', () => {
    expect(
      readSlicePlan('- [ ] **T03.1: half**\n- [ ] **T03.2: other half**\n', 'S01').tasks.map(({ id }) => id),
    ).toEqual(['T03.1', 'T03.2']);
  });
});
