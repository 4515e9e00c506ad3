/**
 * A plan directory as an earlier run or a person left it: plans, conventions, what is merged, what was delivered before.
 * Untrusted input: what cannot be read is named. Pure.
 */
import { compareIds } from '../../../plan/task-id.ts';
import { plannedModule } from '../../../delivery/check-plan-readme.ts';
import { type ModuleRow, type PlanStatus, planStatus } from '../../../delivery/plan-status.ts';
import type { SourceTree } from '../../../design/source-tree.ts';
import { readMarkdown } from '../../../markdown/markdown-document.ts';
import { cellText, findSection, realRows } from '../../../markdown/section-lookup.ts';
import { type Conventions, readConventions } from './conventions.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { readTraceability } from '../../../delivery/read-traceability.ts';
import type { HistoryRow } from './plan-readme.ts';
import { type PlanProblem, planContext, readModulePlan } from '../../../delivery/read-module-plan.ts';

export interface PlanDirectory {
  readonly readme: string;
  readonly conventions: Conventions;
  readonly plans: ReadonlyMap<string, ModulePlan>;
  /** Names of plan files by module. */
  readonly files: ReadonlyMap<string, string>;
  /** Commits of modules, oldest first, as the reports name them. */
  readonly commits: ReadonlyMap<string, readonly string[]>;
  readonly rows: readonly ModuleRow[];
  readonly phases: PlanStatus['phases'];
  readonly verdict: string;
  readonly history: readonly HistoryRow[];
  /** Plans that no row of the status table names. */
  readonly orphans: readonly OrphanPlan[];
  /** As written. */
  readonly texts: { readonly conventions: string; readonly plans: ReadonlyMap<string, string> };
  /** What cannot be read, with its place. */
  readonly problems: readonly PlacedProblem[];
}

export interface PlacedProblem extends PlanProblem {
  /** Relative to the repository. */
  readonly file: string;
  /** The module whose plan it is about, if it is about one. */
  readonly module?: string;
}

export function explainProblem({ file, line, problem }: PlacedProblem): string {
  return `${file}:${line}: ${problem}`;
}

export interface OrphanPlan {
  readonly module: string;
  readonly file: string;
  /** The issue or decision it was made for, where it says so. */
  readonly source: string;
  /** The first lines, for a person who has to tell what it is. */
  readonly beginning: string;
}

export function readPlanDirectory(tree: SourceTree, dir: string): PlanDirectory {
  const problems: PlacedProblem[] = [];
  const text = (path: string): string => {
    const found = tree.read(`${dir}/${path}`);
    if (found.status === 'refused')
      problems.push({ file: `${dir}/${path}`, line: 1, problem: `The file ${found.why}.` });
    return found.status === 'read' ? found.bytes.toString('utf8') : '';
  };
  const listed = tree.list(`${dir}/plans`);
  const names = listed.status === 'read' ? listed.entries.map(({ name }) => name).toSorted(compareIds) : [];
  const readme = text('README.md');
  const status = planStatus(readme, '');
  const plans = new Map<string, ModulePlan>();
  const files = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const name of names) {
    const module = plannedModule(name);
    if (module === undefined) continue;
    const file = `${dir}/plans/${name}`;
    const other = files.get(module);
    if (other !== undefined) problems.push({ file, line: 1, module, problem: `${module} has another plan: ${other}.` });
    files.set(module, name);
    const written = text(`plans/${name}`);
    texts.set(module, written);
    const reading = readModulePlan(written);
    if (reading.status === 'read') plans.set(module, reading.plan);
    else problems.push(...reading.problems.map((each) => ({ file, module, ...each })));
  }
  const conventions = text('plans/conventions.md');
  const known = new Set(status.modules.map(({ module }) => module));
  return {
    readme,
    conventions: readConventions(conventions),
    plans,
    files,
    commits: commitsOf(text, [...files.keys()]),
    rows: status.modules,
    phases: status.phases,
    verdict: status.verdict,
    history: historyOf(readme),
    orphans: [...files]
      .filter(([module]) => !known.has(module))
      .map(([module, file]) => orphanOf(module, file, texts.get(module) ?? '')),
    texts: { conventions, plans: texts },
    problems,
  };
}

/** What acceptance traced, and what was merged since. Anybody may have written it: what is not a commit is left out. */
function commitsOf(text: (path: string) => string, modules: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const traced = readTraceability(text('reports/traceability.json'))?.modules ?? [];
  return new Map(
    modules.map((id) => {
      const known = traced.find((module) => module.id === id)?.commits ?? [];
      const [, last = ''] = /"commit":\s*"([0-9a-f]+)"/.exec(text(`reports/module-state-${id}.json`)) ?? [];
      const all = [...known, last].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
      return [id, [...new Set(all)]] as const;
    }),
  );
}

function orphanOf(module: string, file: string, text: string): OrphanPlan {
  const source = planContext(text, 'Source Issue') || planContext(text, 'Source ADR');
  return { module, file, source, beginning: text.split('\n', 30).join('\n') };
}

function historyOf(readme: string): HistoryRow[] {
  const reading = readMarkdown(readme);
  const section = reading.status === 'read' ? findSection(reading.document, 'Evolution History') : undefined;
  return realRows(section?.tables[0]).map((row) => {
    const [delivery = '', date = '', baseline = '', target = '', tag = '', modules = '', verdict = '', summary = ''] =
      row.cells.map((_, at) => cellText(row, at));
    return { delivery, date, baseline, target, tag, modules, verdict, summary };
  });
}
