/**
 * Packs: what agents are told about a project, made short once instead of in every prompt. The architecture documents
 * become headings with their first paragraph and lists; roles become a table; every open record gets its overlay. The
 * architecture pack carries a fingerprint of what it was made from, so that an old one is never believed. Pure.
 */
import { createHash } from 'node:crypto';
import { readMarkdown, type MarkdownDocument, type MarkdownSection } from '../markdown/markdown-document.ts';
import { type OverlaySubject, overlayText } from './overlay.ts';
import { type OwnRole, phasePersonas, responsibilitiesOf } from './personas.ts';

export const packDirectory = '.forge/packs';
export const architecturePack = `${packDirectory}/architecture.md`;

export interface PackSource {
  readonly path: string;
  readonly text: string;
}

export interface PackMatter {
  /** The architecture documents. */
  readonly documents: readonly PackSource[];
  /** The project's own role files, by name. */
  readonly ownRoles: Readonly<Record<string, OwnRole>>;
  /** Open tasks and bugs. */
  readonly open: readonly (OverlaySubject & { readonly id: string })[];
}

/** Every file of the packs by its path in the project. */
export function buildPacks({ documents, ownRoles, open }: PackMatter): ReadonlyMap<string, string> {
  return new Map([
    ...(documents.length === 0 ? [] : [[architecturePack, architectureText(documents)] as const]),
    [`${packDirectory}/roles.json`, `${JSON.stringify(rolesPack(ownRoles), null, 2)}\n`] as const,
    ...open.map((subject) => [`${packDirectory}/overlays/${subject.id}.md`, `${overlayText(subject)}\n`] as const),
  ]);
}

/** Whether the pack was made from these documents. */
export function isCurrentPack(pack: string, documents: readonly PackSource[]): boolean {
  return pack.startsWith(mark(documents));
}

function architectureText(documents: readonly PackSource[]): string {
  return `${[mark(documents), ...documents.map(condense)].join('\n\n')}\n`;
}

function mark(documents: readonly PackSource[]): string {
  const hash = createHash('sha256');
  const ordered = documents.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, text } of ordered) hash.update(JSON.stringify([path, text]));
  return `<!-- Made by forge rebuild. Sources: ${hash.digest('hex').slice(0, 24)} -->`;
}

const limits = { paragraph: 600, items: 12, item: 200, whole: 4_000 };

/** What cannot be read as Markdown is cut instead. */
function condense({ path, text }: PackSource): string {
  const read = readMarkdown(text);
  const lines = read.status === 'read' ? documentLines(read.document) : [clip(text, limits.whole)];
  return [`# ${path}`, ...lines].join('\n\n');
}

function documentLines({ title, lead, sections }: MarkdownDocument): readonly string[] {
  return [
    ...(title === undefined ? [] : [`**${title.text}**`]),
    ...contentLines(lead, sections[0]?.line),
    ...sections.flatMap((section, at) => [
      `${'#'.repeat(Math.min(6, section.level))} ${section.title}`,
      ...contentLines(section, sections[at + 1]?.line),
    ]),
  ];
}

/** A section holds its subsections too: what stands after the next heading is that one's. */
function contentLines(
  { paragraphs, items, tables }: Pick<MarkdownSection, 'paragraphs' | 'items' | 'tables'>,
  before = Number.POSITIVE_INFINITY,
): readonly string[] {
  const [first] = paragraphs.filter(({ line }) => line < before);
  const own = items.filter(({ line }) => line < before);
  const rows = tables.filter(({ line }) => line < before).flatMap((table) => table.rows);
  const shown = [
    ...own.map(({ text, depth }) => `${'  '.repeat(depth)}- ${clip(text, limits.item)}`),
    ...rows.map(({ cells }) => `- ${clip(cells.map(({ text }) => text).join(' | '), limits.item)}`),
  ];
  const rest = shown.length - limits.items;
  return [
    ...(first === undefined ? [] : [clip(first.text, limits.paragraph)]),
    ...(shown.length === 0
      ? []
      : [[...shown.slice(0, limits.items), ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n')]),
  ];
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Who the agents are, in short: the project's own file counts instead of the built-in role. */
function rolesPack(ownRoles: PackMatter['ownRoles']): object {
  const names = [...new Set([...Object.keys(phasePersonas), ...Object.keys(ownRoles)])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const own = Object.hasOwn(ownRoles, name) ? ownRoles[name] : undefined;
      if (own !== undefined)
        return [
          name,
          { summary: own.description, responsibilities: responsibilitiesOf(own.text), file: `.forge/roles/${name}.md` },
        ];
      const { summary, responsibilities, outputs } = phasePersonas[name] ?? {
        summary: '',
        responsibilities: [],
        outputs: [],
      };
      return [name, { summary, responsibilities, outputs, file: 'built in' }];
    }),
  );
}
