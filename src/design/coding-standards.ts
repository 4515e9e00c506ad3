/**
 * The rules a project's code has to follow, merged from three places: CLAUDE.md and AGENTS.md win over the design's
 * conventions and decisions, which win over the PRD's. Every rule remembers where it came from. A rule is overridden only
 * by a rule of the same topic and name; everything else stands beside each other, strongest first. Pure.
 */
import type { MarkdownSection } from '../markdown/markdown-document.ts';
import { cellText, findSection, isBlankCell, plainName, realRows } from '../markdown/section-lookup.ts';
import type { DesignPlace } from './design.ts';
import type { OpenDocument } from './document-reader.ts';

export type StandardsOrigin = 'project' | 'design' | 'prd';

export interface CodingRule extends DesignPlace {
  readonly origin: StandardsOrigin;
  readonly topic: string;
  /** What the rule is about, where it says so: the first column of a table, a bold beginning. */
  readonly name: string;
  readonly text: string;
}

export interface CodingStandards {
  readonly rules: readonly CodingRule[];
  readonly overridden: readonly (CodingRule & { readonly by: DesignPlace })[];
}

export interface StandardsSources {
  /** CLAUDE.md, AGENTS.md. */
  readonly project: readonly OpenDocument[];
  readonly design: OpenDocument | undefined;
  /** `architecture.md`, or the topic files of `architecture/`. */
  readonly prd: readonly OpenDocument[];
}

export function mergeStandards({ project, design, prd }: StandardsSources): CodingStandards {
  const all = [
    ...project.flatMap((document) => rulesOf(document, 'project', document.document.sections)),
    ...(design === undefined ? [] : rulesOf(design, 'design', sectionsNamed(design, designTopics))),
    ...prd.flatMap((document) => rulesOf(document, 'prd', prdSections(document))),
  ];
  const rules: CodingRule[] = [];
  const overridden: (CodingRule & { by: DesignPlace })[] = [];
  const first = new Map<string, CodingRule>();
  for (const rule of all) {
    const key = rule.name === '' ? '' : `${plainName(rule.topic)}\n${plainName(rule.name)}`;
    const stronger = key === '' ? undefined : first.get(key);
    if (stronger !== undefined && stronger.origin !== rule.origin) {
      overridden.push({ ...rule, by: { file: stronger.file, line: stronger.line } });
    } else {
      rules.push(rule);
      if (key !== '' && stronger === undefined) first.set(key, rule);
    }
  }
  return { rules, overridden };
}

const designTopics = ['Implementation Conventions', 'Key Technical Decisions'];

const prdTopics = [
  'Coding Conventions',
  'Test Isolation',
  'Development Workflow',
  'Security Coding Policy',
  'Backward Compatibility',
  'Git & Branch Strategy',
  'Code Review Policy',
  'Observability Requirements',
  'Performance Testing',
  'AI Agent Configuration',
  'Deployment Architecture',
];

/** The sections of one architecture file, or the whole of a topic file such as `architecture/test-isolation.md`. */
function prdSections(document: OpenDocument): readonly MarkdownSection[] {
  const named = sectionsNamed(document, prdTopics);
  if (named.length > 0) return named;
  const topic = plainName(document.document.title?.text ?? '');
  return prdTopics.some((each) => topic.includes(plainName(each))) ? document.document.sections : [];
}

function sectionsNamed({ document }: OpenDocument, names: readonly string[]): MarkdownSection[] {
  return names.flatMap((name) => findSection(document, name) ?? []);
}

function rulesOf({ file }: OpenDocument, origin: StandardsOrigin, sections: readonly MarkdownSection[]): CodingRule[] {
  const seen = new Set<number>();
  const found = sections.flatMap((section) => {
    const rule = (line: number, name: string, text: string): CodingRule => ({
      origin,
      topic: section.title,
      name,
      text,
      file,
      line,
    });
    const rows = section.tables.flatMap((table) =>
      realRows(table).map((row) =>
        rule(
          row.line,
          cellText(row, 0),
          row.cells
            .slice(1)
            .map(({ text }) => text)
            .filter((text) => !isBlankCell(text))
            .join(' · '),
        ),
      ),
    );
    const items = section.items.map(({ line, text }) => {
      const label = section.labels.find((each) => each.line === line && text.toLowerCase().startsWith(each.label));
      return rule(line, label?.label ?? '', text);
    });
    const prose = section.paragraphs.filter(({ text }) => text !== '').map(({ line, text }) => rule(line, '', text));
    return [...rows, ...items, ...prose].toSorted((a, b) => a.line - b.line);
  });
  // A section holds what its subsections hold; the innermost names the topic.
  return found
    .toReversed()
    .filter(({ line }) => !seen.has(line) && seen.add(line))
    .toReversed();
}
