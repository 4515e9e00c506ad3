/**
 * The slices of a milestone from its roadmap: checkboxes, a table, or marks inside a code block. Columns are found by
 * their names, never by their place. Pure; whatever cannot be read becomes a problem, not an exception.
 */
import {
  boldField,
  firstOfEach,
  mainTitle,
  readGsdDocument,
  type GsdLine,
  readList,
  sectionLines,
  tableRows,
  titleWithout,
} from './gsd-text.ts';

export interface Roadmap {
  readonly title: string;
  readonly vision: string;
  readonly slices: readonly RoadmapSlice[];
  readonly problems: readonly string[];
}

const mostCriteria = 40;

export interface RoadmapSlice {
  readonly id: string;
  readonly title: string;
  readonly isTicked: boolean;
  readonly riskText: string;
  readonly depends: readonly string[];
  readonly isSketch: boolean;
  readonly demo: string;
}

export function readRoadmap(source: string, milestone: string): Roadmap {
  const { lines, problem } = readGsdDocument(source);
  const vision = boldField(lines, 'Vision') ?? proseOf(sectionLines(lines, 'Vision') ?? []);
  const listed = sectionLines(lines, 'Slices', 'Slice Overview') ?? lines;
  const candidates = [
    boxSlices(listed),
    tableSlices(listed),
    boxSlices(lines),
    tableSlices(lines),
    markedSlices(lines),
  ];
  const found = candidates.find((slices) => slices.length > 0) ?? [];
  const slices = firstOfEach(found);
  return {
    title: titleWithout(milestone, mainTitle(lines)),
    vision,
    slices,
    problems: [
      ...(problem === undefined ? [] : [`Its front matter cannot be read: ${problem}`]),
      ...(found.length > slices.length ? ['A slice is listed more than once; the first one counts'] : []),
      ...(slices.length === 0 ? ['It lists no slices'] : []),
    ],
  };
}

/** What can be observed when the milestone is done: the list below its heading. */
export function readCriteria(source: string): readonly string[] {
  const lines = sectionLines(readGsdDocument(source).lines, 'Success Criteria') ?? [];
  const items = lines.flatMap(({ text }) => /^\s*[-*] (?:\[[ xX]\] )?(.+)$/.exec(text)?.[1]?.trim() ?? []);
  return items.slice(0, mostCriteria).map((item) => item.slice(0, 2000));
}

function proseOf(lines: readonly GsdLine[]): string {
  const text = lines
    .map((line) => line.text.trim())
    .join('\n')
    .trim();
  return text.split('\n\n', 1)[0]?.replaceAll('\n', ' ') ?? '';
}

/** ``- [x] **S01: title** `risk:medium` `depends:[S01]` ``, and on the next line what is there afterwards. */
function boxSlices(lines: readonly GsdLine[]): RoadmapSlice[] {
  return lines.flatMap(({ text, isFenced }, at): RoadmapSlice[] => {
    const box = isFenced ? null : /^\s*[-*] \[([ xX])\] \**\s*(S\d+)\b\**\s*[:–—-]?\s*(.*)$/.exec(text);
    if (box === null) return [];
    const [, mark = ' ', id = '', rest = ''] = box;
    const tags = [...rest.matchAll(/`([^`]*)`/g)].map(([, tag = '']) => tag.trim());
    const tag = (name: string): string => tags.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
    return [
      {
        id,
        title: titleWithout(
          id,
          rest
            .replace(/`[^`]*`/g, '')
            .replace('[sketch]', '')
            .replaceAll('**', '')
            .trim(),
        ),
        isTicked: mark !== ' ',
        riskText: tag('risk').trim(),
        depends: readList(tag('depends')) ?? [],
        isSketch: rest.includes('[sketch]'),
        demo: demoOf(lines[at + 1]?.text ?? ''),
      },
    ];
  });
}

function demoOf(line: string): string {
  return /^\s*>?\s*(?:After this|After|Demo):\s*(.*)$/i.exec(line)?.[1]?.trim() ?? '';
}

function tableSlices(lines: readonly GsdLine[]): RoadmapSlice[] {
  return tableRows(lines).flatMap((row): RoadmapSlice[] => {
    const id = /^\**(S\d+)\b/.exec(row['id'] ?? row['slice'] ?? '')?.[1];
    if (id === undefined) return [];
    const done = row['done'] ?? row['status'] ?? '';
    return [
      {
        id,
        title: titleWithout(id, (row['slice'] ?? row['title'] ?? '').replaceAll('**', '')),
        isTicked: /✅|\[x\]|^(?:x|yes|done|complete)$/i.test(done),
        riskText: row['risk'] ?? '',
        depends: readList(row['depends'] ?? row['depends on'] ?? '') ?? [],
        isSketch: false,
        demo: row['after this'] ?? row['demo'] ?? '',
      },
    ];
  });
}

/** `S01 ← …   title   [x]` in a code block, or `## S01 — title` sections. */
function markedSlices(lines: readonly GsdLine[]): RoadmapSlice[] {
  const marked = lines.flatMap(({ text }): RoadmapSlice[] => {
    const line = /^\s*(S\d+)\b(.*)\[([ xX])\]\s*$/.exec(text);
    if (line === null) return [];
    const [, id = '', rest = '', mark = ' '] = line;
    const parts = rest.trim().split(/\s{2,}/);
    const title = (parts.at(-1) ?? '').replace(/^[:←–—-]\s*/, '');
    const depends = [...(parts.length > 1 ? (parts[0] ?? '') : '').matchAll(/S\d+/g)].map(([other]) => other);
    return [{ id, title, isTicked: mark !== ' ', riskText: '', depends, isSketch: false, demo: '' }];
  });
  if (marked.length > 0) return marked;
  return lines.flatMap(({ text, isFenced }): RoadmapSlice[] => {
    const heading = isFenced ? null : /^#{2,3} (S\d+)\b\s*[:–—-]?\s*(.*)$/.exec(text);
    if (heading === null) return [];
    const [, id = '', title = ''] = heading;
    return [{ id, title, isTicked: false, riskText: '', depends: [], isSketch: false, demo: '' }];
  });
}

/** A level where one is written, in front of more words too. */
export function riskLevel(text: string): 'low' | 'medium' | 'high' | undefined {
  const word = /^\W*(low|medium|med|high)\b/i.exec(text)?.[1]?.toLowerCase();
  if (word === 'med' && /^\W*med-high\b/i.test(text)) return 'high';
  return word === 'med' ? 'medium' : (word as 'low' | 'medium' | 'high' | undefined);
}
