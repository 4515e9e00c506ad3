/**
 * Everything that is checked about a plan directory and the source it leads to, at one of four gates or, without a gate, as far
 * as it is there. Gates ask for more the later they come. Looks only through the trees it is given. Pure.
 */
import { compareIds } from '../plan/task-id.ts';
import type { Design } from '../design/design.ts';
import type { SourceTree } from '../design/source-tree.ts';
import type { DeliveryState } from '../git/delivery-state.ts';
import { checkAcceptance } from './check-acceptance.ts';
import { checkModulePlan } from './check-module-plan.ts';
import { checkPlanReadme, plannedModule } from './check-plan-readme.ts';
import { checkPreflight, checkRunState, inflightModules } from './check-run-state.ts';
import { checkTraceability } from './check-traceability.ts';
import { type SourceScan, scanSource } from './discipline/scan-source.ts';
import { blocksGate, issueIn, type PlanIssue, sortIssues } from './plan-issue.ts';

export const planGates = ['plan', 'execute', 'accept', 'delivery-tag'] as const;
export type PlanGate = (typeof planGates)[number];

export type IssueScope = 'readme' | 'plans' | 'acceptance' | 'traceability' | 'source' | 'run-state' | 'preflight';

export interface ScopedIssue extends PlanIssue {
  readonly scope: IssueScope;
}

export interface PlanQuestion {
  readonly gate: PlanGate | undefined;
  /** Rooted in the plan directory; undefined where only source is checked. */
  readonly plan: SourceTree | undefined;
  /** The plan directory relative to its repository, for messages and for git. */
  readonly planDir: string;
  /** Rooted in the source root. */
  readonly source: SourceTree | undefined;
  /** Where the plan directory lies in the source root, so that it is not scanned as source. */
  readonly planInSource: string | undefined;
  readonly design: Design | undefined;
  readonly git: DeliveryState | undefined;
  readonly now: number;
}

export interface PlanAnswer {
  readonly issues: readonly ScopedIssue[];
  /** Whether the gate is passed; without a gate, whether nothing at all was found. */
  readonly ok: boolean;
  readonly unread: SourceScan['unread'];
}

export function checkPlan(question: PlanQuestion): PlanAnswer {
  const { gate, plan, source, planInSource } = question;
  const late = gate === undefined || gate === 'accept' || gate === 'delivery-tag';
  const scan =
    source === undefined
      ? undefined
      : scanSource(source, ['docs/raw', ...(planInSource === undefined ? [] : [planInSource])]);
  const issues = sortIssues([
    ...(plan === undefined
      ? []
      : [
          ...aboutReadme(plan),
          ...aboutPlans(plan),
          ...(late ? aboutReports(plan, question) : []),
          ...aboutRunState(plan, question),
        ]),
    ...scoped('source', scan?.issues ?? []),
    ...(late ? scoped('acceptance', aboutSpecs(question, scan)) : []),
  ]);
  return {
    issues,
    ok: gate === undefined ? issues.length === 0 : !issues.some(blocksGate),
    unread: scan?.unread ?? [],
  };
}

function scoped(scope: IssueScope, issues: readonly PlanIssue[]): ScopedIssue[] {
  return issues.map((issue) => ({ ...issue, scope }));
}

function textAt(tree: SourceTree, path: string): string | undefined {
  const found = tree.read(path);
  return found.status === 'read' ? found.bytes.toString('utf8') : undefined;
}

function planFiles(plan: SourceTree): string[] {
  const found = plan.list('plans');
  return found.status === 'read' ? found.entries.filter(({ kind }) => kind === 'file').map(({ name }) => name) : [];
}

function aboutReadme(plan: SourceTree): ScopedIssue[] {
  const text = textAt(plan, 'README.md');
  if (text !== undefined) return scoped('readme', checkPlanReadme('README.md', text, planFiles(plan)));
  const missing = {
    rule: 'CR-AF15',
    line: 0,
    description: 'The plan directory has no README.md.',
    fix: 'Name the directory that holds README.md and plans/.',
  };
  return scoped('readme', [issueIn('README.md', missing)]);
}

function aboutPlans(plan: SourceTree): ScopedIssue[] {
  return planFiles(plan)
    .filter((name) => plannedModule(name) !== undefined)
    .flatMap((name) => scoped('plans', checkModulePlan(`plans/${name}`, textAt(plan, `plans/${name}`) ?? '')));
}

const reports = { acceptance: 'reports/acceptance.md', traceability: 'reports/traceability.json' } as const;

function aboutReports(plan: SourceTree, { gate, source }: PlanQuestion): ScopedIssue[] {
  const acceptance = textAt(plan, reports.acceptance);
  const traceability = textAt(plan, reports.traceability);
  const isFile = source === undefined ? undefined : (path: string): boolean => source.read(path).status === 'read';
  const missing = (rule: string, file: string): PlanIssue[] =>
    gate === undefined
      ? []
      : [
          issueIn(file, {
            rule,
            line: 0,
            description: `${file} is missing.`,
            fix: 'Run the acceptance tests; they write it.',
          }),
        ];
  return [
    ...scoped(
      'acceptance',
      acceptance === undefined
        ? missing('CR-AF27', reports.acceptance)
        : checkAcceptance(reports.acceptance, acceptance),
    ),
    ...scoped(
      'traceability',
      traceability === undefined
        ? missing('CR-AF28', reports.traceability)
        : checkTraceability(reports.traceability, traceability, isFile),
    ),
  ];
}

function aboutRunState(plan: SourceTree, { gate, git, now, planDir }: PlanQuestion): ScopedIssue[] {
  const text = textAt(plan, 'run-state.json');
  const state = text === undefined ? [] : checkRunState({ file: 'run-state.json', text, git, now });
  const flying = text === undefined ? [] : inflightModules(text);
  return [
    ...scoped('run-state', state),
    ...(gate === 'delivery-tag' && git !== undefined ? scoped('preflight', checkPreflight(planDir, git, flying)) : []),
  ];
}

/** Every feature that a user sees has an end-to-end test named after it. */
function aboutSpecs({ design, gate }: PlanQuestion, scan: SourceScan | undefined): PlanIssue[] {
  if (design === undefined || scan === undefined || gate === 'plan' || gate === 'execute') return [];
  const features = new Set(design.modules.filter(({ ui }) => ui !== undefined).flatMap((module) => module.features));
  return [...features].toSorted(compareIds).flatMap((feature) => {
    const digits = feature.slice(2);
    const pattern = new RegExp(String.raw`(?:^|/|[._-])f[-_]?${digits}(?!\d)[^/]*$`, 'i');
    const isNamed = scan.files.some((file) => pattern.test(file) && /(?:spec|test|e2e|cy)/i.test(file));
    if (isNamed) return [];
    return [
      issueIn(design.file, {
        rule: 'CR-AF26',
        line: 0,
        description: `${feature} has a user interface but no end-to-end test named after it.`,
        fix: `Write e2e/${feature}-name.spec.ts.`,
      }),
    ];
  });
}
