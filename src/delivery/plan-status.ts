/**
 * What the README and the log of a plan directory say about where the delivery stands: modules, phases, acceptance, decisions
 * that wait, the last events. Anybody may have written them, so every cell is only text here. Pure.
 */
import { leadingId } from '../design/design-ids.ts';
import {
  type MarkdownDocument,
  type MarkdownSection,
  type MarkdownTable,
  readMarkdown,
} from '../markdown/markdown-document.ts';
import { cellText, columnAt, findSection, isBlankCell, realRows } from '../markdown/section-lookup.ts';

export interface PlanStatus {
  readonly modules: readonly ModuleRow[];
  readonly phases: readonly {
    readonly phase: string;
    readonly completed: string;
    readonly integration: string;
    readonly status: string;
  }[];
  readonly acceptance: readonly {
    readonly feature: string;
    readonly total: string;
    readonly passed: string;
    readonly failed: string;
    readonly status: string;
  }[];
  readonly verdict: string;
  /** How many criteria have a passing test right now, as the README says it. */
  readonly coverage: string;
  readonly decisions: readonly string[];
  /** The newest last. */
  readonly events: readonly { readonly at: string; readonly text: string }[];
  readonly remaining: { readonly modules: number; readonly phases: number };
}

export interface ModuleRow {
  readonly module: string;
  readonly phase: string;
  readonly plan: string;
  readonly dev: string;
  readonly test: string;
  readonly review: string;
  readonly merged: string;
  readonly notes: string;
}

const mostEvents = 10;
const longestTail = 100_000;

export function planStatus(readme: string, log: string): PlanStatus {
  const document = documentOf(readme);
  const modules = moduleRows(document);
  const phases = rowsIn(document, 'Phase Status', ['Phase', 'Completed', 'Integration Test', 'Status']);
  const acceptance = rowsIn(document, 'Acceptance', ['Feature', 'Criteria Total', 'Passed', 'Failed', 'Status']);
  const section = document === undefined ? undefined : findSection(document, 'Acceptance');
  return {
    modules,
    phases: phases.map(([phase = '', completed = '', integration = '', status = '']) => ({
      phase,
      completed,
      integration,
      status,
    })),
    acceptance: acceptance.map(([feature = '', total = '', passed = '', failed = '', status = '']) => ({
      feature,
      total,
      passed,
      failed,
      status,
    })),
    verdict: labelOf(section, 'verdict'),
    coverage: labelOf(section, 'coverage'),
    decisions: modules
      .filter((row) => Object.values(row).some((cell) => /^decision\b/i.test(cell)))
      .map(({ module }) => module),
    events: eventsIn(log).slice(-mostEvents),
    remaining: {
      modules: modules.filter((row) => !isFinished(row)).length,
      phases: phases.filter(([, , , status = '']) => !/^(?:done|complete|completed|pass)/i.test(status)).length,
    },
  };
}

function labelOf(section: MarkdownSection | undefined, word: string): string {
  const text = section?.labels.find(({ label }) => label.includes(word))?.text ?? '';
  return isBlankCell(text) ? '' : text;
}

/** Neither merged nor left out by a person. */
export function unfinishedModules(readme: string): readonly string[] {
  return moduleRows(documentOf(readme))
    .filter((row) => !isFinished(row))
    .map(({ module }) => module);
}

function isFinished(row: ModuleRow): boolean {
  return /^yes\b/i.test(row.merged) || Object.values(row).some((cell) => /^(?:skipped|kept|removed)\b/i.test(cell));
}

function documentOf(text: string): MarkdownDocument | undefined {
  const reading = readMarkdown(text);
  return reading.status === 'read' ? reading.document : undefined;
}

function moduleRows(document: MarkdownDocument | undefined): ModuleRow[] {
  const rows = rowsIn(document, 'Module Status', [
    'Module',
    'Phase',
    'Plan',
    'Dev',
    'Test',
    'Review',
    'Merged',
    'Notes',
  ]);
  return rows.flatMap(
    ([name = '', phase = '', plan = '', dev = '', test = '', review = '', merged = '', notes = '']) => {
      const module = leadingId(name, 'M');
      return module === undefined ? [] : [{ module, phase, plan, dev, test, review, merged, notes }];
    },
  );
}

/** Cells in the order asked for; a missing column is empty. */
function rowsIn(document: MarkdownDocument | undefined, name: string, columns: readonly string[]): string[][] {
  const table: MarkdownTable | undefined = document === undefined ? undefined : findSection(document, name)?.tables[0];
  if (table === undefined) return [];
  return realRows(table).map((row) =>
    columns.map((column) => cellText(row, columnAt(table, column))).map((cell) => (isBlankCell(cell) ? '' : cell)),
  );
}

/** `### 2026-05-04 10:30 — event`. */
function eventsIn(log: string): { at: string; text: string }[] {
  // A log only grows; its end is enough.
  return (documentOf(log.slice(-longestTail))?.sections ?? []).flatMap(({ title, level }) => {
    const [, at = '', text = ''] = /^(\d{4}-\d\d-\d\d \d\d:\d\d)\s*[–—-]\s*(.*)$/.exec(title) ?? [];
    return level === 3 && at !== '' ? [{ at, text }] : [];
  });
}
