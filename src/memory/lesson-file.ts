/**
 * Lessons as Markdown that a person can read, edit and review in a diff: headings `## Category (keyword, keyword)`
 * with lines `- [YYYY-MM-DD,applied] text`, or `[YYYY-MM-DD,applied,confidence]` where that is not the usual one. Pure. A line that does not fit is reported and otherwise left alone:
 * revising a file changes the lines of lessons that changed and adds new ones, and everything else stays.
 */
import { quoteUntrusted } from '../plan/refusal.ts';
import { joinKeywords, type Lesson, type LessonScope, lessonId, sameCategory, usualConfidence } from './lesson.ts';

export interface LessonProblem {
  readonly source: string;
  /** 1-based; 0 for the file as a whole. */
  readonly line: number;
  readonly problem: string;
}

export interface ParsedLessons {
  readonly lessons: readonly Lesson[];
  readonly problems: readonly LessonProblem[];
}

export function parseLessons(text: string, source: string, scope: LessonScope = 'project'): ParsedLessons {
  const lines = readLines(text, scope);
  return {
    lessons: lines.flatMap((line) => (line.kind === 'lesson' ? [line.lesson] : [])),
    problems: lines.flatMap((line, at) =>
      line.kind === 'bad' ? [{ source, line: at + 1, problem: line.problem }] : [],
    ),
  };
}

/** The file as it was, with the lessons as they are now: changed in place, new ones below their heading. */
export function reviseLessons(before: string, lessons: readonly Lesson[]): string {
  const lines = readLines(before, 'project');
  const left = new Map<string, Lesson[]>();
  for (const lesson of lessons) left.set(lesson.id, [...(left.get(lesson.id) ?? []), lesson]);
  for (const line of lines) {
    if (line.kind !== 'lesson') continue;
    // A person may have the same line twice; the first of the list belongs to the first in the file.
    const now = left.get(line.lesson.id)?.shift();
    if (now === undefined) continue;
    if (marks(now) !== marks(line.lesson)) line.raw = line.raw.replace(/\[[^\]]*\]/, `[${marks(now)}]`);
    extend(line.heading, now.keywords);
  }
  const end = before.includes('\r\n') ? '\r' : '';
  const isNew = (lesson: Lesson) => left.get(lesson.id)?.includes(lesson) === true;
  for (const lesson of lessons.filter(isNew)) insert(lines, lesson, end);
  return lines.map((line) => line.raw).join('\n');
}

/** The lesson of this id with another text, or without it. Every other line stays as it is. */
export function replaceLesson(before: string, id: string, text: string | undefined): string {
  return readLines(before, 'project')
    .flatMap((line) => {
      if (line.kind !== 'lesson' || line.lesson.id !== id) return [line.raw];
      const end = line.raw.endsWith('\r') ? '\r' : '';
      return text === undefined ? [] : [`${/^[-*]\s+\[[^\]]*\]/.exec(line.raw)?.[0] ?? ''} ${text}${end}`];
    })
    .join('\n');
}

interface Heading {
  readonly kind: 'heading';
  readonly category: string;
  keywords: readonly string[];
  raw: string;
}

type Line =
  | Heading
  | { readonly kind: 'lesson'; readonly lesson: Lesson; readonly heading: Heading; raw: string }
  | { readonly kind: 'bad'; readonly problem: string; raw: string }
  /** Prose, blank lines, other headings: a person's own. */
  | { readonly kind: 'other'; raw: string };

/** Longer ones are not lessons, and not worth a pattern's time. */
const longestLine = 2000;

function readLines(text: string, scope: LessonScope): Line[] {
  let heading: Heading | undefined;
  return text.split('\n').map((raw, at): Line => {
    const line = (at === 0 ? raw.replace(/^\uFEFF/, '') : raw).trimEnd();
    if (line.startsWith('## ')) {
      heading = readHeading(line, raw);
      return (
        heading ?? {
          kind: 'bad',
          problem: `${quoteUntrusted(line)} is not a heading "## Category (keyword, keyword)".`,
          raw,
        }
      );
    }
    if (line.startsWith('# ')) heading = undefined;
    return /^[-*] /.test(line) ? readLesson(line, raw, { heading, scope }) : { kind: 'other', raw };
  });
}

function readHeading(line: string, raw: string): Heading | undefined {
  if (line.length > longestLine) return undefined;
  const title = line.slice(3).trim();
  const open = title.indexOf('(');
  const category = (open === -1 ? title : title.slice(0, open)).trim();
  const inside = open === -1 ? '' : title.slice(open + 1, -1);
  const isWhole = open === -1 || (title.endsWith(')') && title.length > open + 1);
  if (category === '' || category.includes(')') || !isWhole || /[()]/.test(inside)) return undefined;
  const keywords = inside.split(',').map((word) => word.trim());
  return { kind: 'heading', category, keywords: [...new Set(keywords.filter((word) => word !== ''))], raw };
}

function readLesson(line: string, raw: string, at: { heading: Heading | undefined; scope: LessonScope }): Line {
  const form =
    /^[-*]\s+\[\s*(\d{4}-\d{2}-\d{2})\s*,\s*(\d{1,9})\s*(?:,\s*(0(?:\.\d{1,4})?|1(?:\.0{1,4})?)\s*)?\]\s*(\S.*)$/;
  const [, date = '', applied = '', confidence, text = ''] = (line.length > longestLine ? null : form.exec(line)) ?? [];
  if (!isDate(date))
    return { kind: 'bad', problem: `${quoteUntrusted(line)} is not a lesson "- [YYYY-MM-DD,0] text".`, raw };
  const { heading, scope } = at;
  if (heading === undefined) {
    return {
      kind: 'bad',
      problem: `${quoteUntrusted(line)} stands below no heading "## Category (keyword, keyword)".`,
      raw,
    };
  }
  const { category, keywords } = heading;
  const id = lessonId(category, text);
  return {
    kind: 'lesson',
    lesson: {
      id,
      category,
      keywords,
      text,
      scope,
      date,
      applied: Number(applied),
      confidence: confidence === undefined ? usualConfidence : Number(confidence),
    },
    heading,
    raw,
  };
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function headingLine(category: string, keywords: readonly string[]): string {
  return keywords.length === 0 ? `## ${category}` : `## ${category} (${keywords.join(', ')})`;
}

function lessonLine(lesson: Lesson): string {
  return `- [${marks(lesson)}] ${lesson.text}`;
}

function marks({ date, applied, confidence }: Lesson): string {
  const shown = Math.round(confidence * 100) / 100;
  return shown === usualConfidence ? `${date},${applied}` : `${date},${applied},${shown}`;
}

function extend(heading: Heading, keywords: readonly string[]): void {
  const joined = joinKeywords(heading.keywords, keywords);
  if (joined.length === heading.keywords.length) return;
  heading.keywords = joined;
  const mark = heading.raw.startsWith('\uFEFF') ? '\uFEFF' : '';
  heading.raw = `${mark}${headingLine(heading.category, joined)}${heading.raw.endsWith('\r') ? '\r' : ''}`;
}

function insert(lines: Line[], lesson: Lesson, end: string): void {
  endLastLine(lines, end);
  const at = findPlace(lines, lesson);
  const found = lines[at];
  if (found?.kind === 'lesson' || found?.kind === 'heading') {
    const heading = found.kind === 'lesson' ? found.heading : found;
    extend(heading, lesson.keywords);
    lines.splice(at + 1, 0, { kind: 'lesson', lesson, heading, raw: `${lessonLine(lesson)}${end}` });
    return;
  }
  const { category, keywords } = lesson;
  const heading: Heading = { kind: 'heading', category, keywords, raw: `${headingLine(category, keywords)}${end}` };
  const above = lines.at(-2)?.raw.trim() ?? '';
  if (above !== '') lines.splice(-1, 0, { kind: 'other', raw: end });
  lines.splice(-1, 0, heading, { kind: 'lesson', lesson, heading, raw: `${lessonLine(lesson)}${end}` });
}

/** After the last lesson of the category, or below its heading. */
function findPlace(lines: readonly Line[], lesson: Lesson): number {
  const key = sameCategory(lesson.category);
  const isOurs = (heading: Heading) => sameCategory(heading.category) === key;
  const last = lines.findLastIndex((line) => line.kind === 'lesson' && isOurs(line.heading));
  return last === -1 ? lines.findLastIndex((line) => line.kind === 'heading' && isOurs(line)) : last;
}

/** What is added comes on lines of its own, so the last one must be ended first. */
function endLastLine(lines: Line[], end: string): void {
  const last = lines.at(-1);
  if (last === undefined || last.raw === '') return;
  if (!last.raw.endsWith(end)) last.raw += end;
  lines.push({ kind: 'other', raw: '' });
}
