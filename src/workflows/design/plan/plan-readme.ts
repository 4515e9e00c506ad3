/** `README.md` of a plan directory: graph, phases, and tables that always show where the delivery stands. Pure. */
import { dayMark } from '../../../policy/document-marks.ts';
import { coverageText } from '../rules/coverage.ts';
import { type DeliveryStanding, isSettled, type ModuleRow } from './delivery-state.ts';
import { oneLine, tableText } from './markdown-text.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { planFileName } from './render-module-plan.ts';

export interface ReadmeModule {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly depends: readonly string[];
  readonly phase: number;
  readonly plan: ModulePlan | undefined;
  /** Of a plan that was written outside of a run. */
  readonly isHotfix?: boolean;
}

export interface PlanReadme {
  readonly name: string;
  readonly planDir: string;
  readonly designDir: string;
  readonly prdDir: string;
  /** Filled in when the directory is made. */
  readonly date: string;
  readonly branchFamily: string;
  readonly branch: string;
  readonly threshold: number;
  readonly designDelivery: string;
  readonly designCommit: string;
  readonly delivery: number;
  readonly deliveryTag: string;
  readonly modules: readonly ReadmeModule[];
  readonly standing: DeliveryStanding;
  readonly history: readonly HistoryRow[];
}

export interface HistoryRow {
  readonly delivery: string;
  readonly date: string;
  readonly baseline: string;
  readonly target: string;
  readonly tag: string;
  readonly modules: string;
  readonly verdict: string;
  readonly summary: string;
}

export function renderPlanReadme(readme: PlanReadme): string {
  const { modules, standing, history } = readme;
  const phases = [...new Set(modules.map(({ phase }) => phase))].toSorted((a, b) => a - b);
  const inPhase = (phase: number): readonly ReadmeModule[] => modules.filter((module) => module.phase === phase);
  return `${[
    `# Autoforge Plan: ${oneLine(readme.name)}`,
    section('Design Input', inputTable(readme)),
    section('Dependency Graph', graph(modules, phases)),
    section(
      'Phase Breakdown',
      tableText(
        ['Phase', 'Modules', 'Rationale'],
        phases.map((phase) => [
          String(phase),
          inPhase(phase)
            .map(({ id }) => id)
            .join(', '),
          rationale(inPhase(phase)),
        ]),
      ),
    ),
    section('Module Plans', planTable(modules, readme.designDir, readme.planDir)),
    section('Module Status', `${statusTable(modules, standing)}\n\n${legend}`),
    ...(history.length === 0 ? [] : [section('Evolution History', historyTable(history))]),
    section('Phase Status', phaseTable(phases, inPhase, standing)),
    section('Acceptance', acceptanceText(standing)),
    section('Reports', reportTable(modules, phases, standing)),
  ].join('\n\n')}\n`;
}

const legend =
  'Legend: `—` = not started, `Done` = complete, `Retry n` = in retry cycle, `Replan n` = new strategy, `Revision` = plan being revised, `Decision` = waiting for a person, `Skipped` = a person decided to skip it, `Removed` = deleted in this delivery, `Kept` = unchanged in this delivery.';

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}

function inputTable(readme: PlanReadme): string {
  return tableText(
    ['Field', 'Value'],
    [
      ['Source Design', readme.designDir],
      ['Source PRD', readme.prdDir],
      ['Date', readme.date === '' ? dayMark : readme.date],
      ['Feature Branch Family', readme.branchFamily],
      ['Feature Branch (current delivery)', readme.branch],
      ['Worktree Root', 'workspaces of Forge, outside of the checkout'],
      ['Acceptance Threshold', `${readme.threshold}%`],
      ['Current Design Delivery', readme.designDelivery],
      ['Design Commit', readme.designCommit],
      ['Autoforge Delivery', String(readme.delivery)],
      ['Autoforge Delivery Tag', readme.deliveryTag],
    ],
  );
}

function graph(modules: readonly ReadmeModule[], phases: readonly number[]): string {
  const known = new Set(modules.map(({ id }) => id));
  const label = (name: string): string =>
    oneLine(name)
      .replaceAll(/["[\](){}|<>]/g, ' ')
      .trim();
  const nodes = modules.map(({ id, name, phase }) => `  ${id}["${id}: ${label(name)}"]:::p${phase}`);
  const edges = modules.flatMap(({ id, depends }) =>
    depends.filter((other) => known.has(other)).map((other) => `  ${other} --> ${id}`),
  );
  const colours = ['#dbeafe', '#dcfce7', '#fef9c3', '#fee2e2', '#f3e8ff'];
  const classes = phases.map((phase) => `  classDef p${phase} fill:${colours[(phase - 1) % colours.length]}`);
  return ['```mermaid', 'graph TD', ...nodes, ...edges, ...classes, '```'].join('\n');
}

function rationale(modules: readonly ReadmeModule[]): string {
  const needs = [...new Set(modules.flatMap(({ depends }) => depends))];
  return needs.length === 0 ? 'needs no other module' : `needs ${needs.join(', ')}`;
}

function planTable(modules: readonly ReadmeModule[], designDir: string, planDir: string): string {
  const up = planDir
    .split('/')
    .map(() => '..')
    .join('/');
  return tableText(
    ['Module', 'Phase', 'Plan', 'Steps', 'Integration Points', 'Spec'],
    modules.map(({ id, name, phase, plan, file, isHotfix }) => [
      `${id} ${name}`,
      isHotfix === true ? 'Hotfix' : String(phase),
      plan === undefined ? '' : `[plan](plans/${planFileName({ id, name })})`,
      plan === undefined ? '' : String(plan.steps.length),
      (plan?.integration ?? [])
        .map((each) => `${each.direction === 'exposes' ? '->' : '<-'} ${each.module}`)
        .join(', '),
      file === '' || !file.startsWith(designDir) ? '' : `[spec](${up}/${file})`,
    ]),
  );
}

function statusTable(modules: readonly ReadmeModule[], { modules: rows }: DeliveryStanding): string {
  return tableText(
    ['Module', 'Phase', 'Plan', 'Dev', 'Test', 'Review', 'Merged', 'Notes'],
    modules.map(({ id, phase, isHotfix }) => {
      const { plan = '', dev = '', test = '', review = '', merged = '', notes = '' }: ModuleRow = rows.get(id) ?? {};
      return [id, isHotfix === true ? 'Hotfix' : String(phase), plan, dev, test, review, merged, notes];
    }),
  );
}

function phaseTable(
  phases: readonly number[],
  inPhase: (phase: number) => readonly ReadmeModule[],
  { modules, phases: rows }: DeliveryStanding,
): string {
  let isOpen = false;
  return tableText(
    ['Phase', 'Modules', 'Completed', 'Integration Test', 'Status'],
    phases.map((phase) => {
      const all = inPhase(phase);
      const done = all.filter(({ id }) => isSettled(modules.get(id) ?? {})).length;
      const { integration = '' } = rows.get(String(phase)) ?? {};
      const isDone = done === all.length && /^(?:pass|skipped)/i.test(integration);
      const hasBegun = all.some(({ id }) => (modules.get(id)?.dev ?? '') !== '');
      const status = isDone ? 'Done' : hasBegun ? 'In Progress' : isOpen ? 'Waiting' : 'Pending';
      if (!isDone) isOpen = true;
      return [String(phase), String(all.length), `${done}/${all.length}`, integration, status];
    }),
  );
}

function acceptanceText({ acceptance, coverage }: DeliveryStanding): string {
  const table = tableText(
    ['Feature', 'Criteria Total', 'Passed', 'Failed', 'Not Covered', 'Status'],
    (acceptance?.features ?? []).map(({ feature, total, passed, failed, notCovered }) => [
      feature,
      String(total),
      String(passed),
      String(failed),
      String(notCovered),
      failed > 0 ? 'Fail' : passed === total ? 'Pass' : 'Partial',
    ]),
  );
  const live = coverage.total === 0 ? [] : [`**Live coverage:** ${coverageText(coverage)}`];
  return [table, ...live, `**Overall Verdict:** ${acceptance?.verdict ?? '—'}`].join('\n\n');
}

function reportTable(
  modules: readonly ReadmeModule[],
  phases: readonly number[],
  { modules: rows, phases: tested, acceptance }: DeliveryStanding,
): string {
  const ofModules = modules
    .filter(({ id }) => rows.get(id)?.merged === 'Yes')
    .map(({ id }) => [`Module ${id}`, `reports/module-state-${id}.json`, rows.get(id)?.review ?? '']);
  const ofPhases = phases
    .filter((phase) => tested.has(String(phase)))
    .map((phase) => [
      `Phase ${phase}`,
      `reports/integration-phase-${phase}.md`,
      tested.get(String(phase))?.integration ?? '',
    ]);
  const accepted = acceptance === undefined ? [] : [['Acceptance', 'reports/acceptance.md', acceptance.verdict]];
  return tableText(['Report', 'Path', 'Status'], [...ofModules, ...ofPhases, ...accepted]);
}

function historyTable(history: readonly HistoryRow[]): string {
  return tableText(
    [
      'Delivery',
      'Date',
      'Baseline Design Tag',
      'Target Design Tag',
      'Autoforge Tag',
      'Modules: revised / added / removed / kept',
      'Acceptance Verdict',
      'Summary',
    ],
    history.map(({ delivery, date, baseline, target, tag, modules, verdict, summary }) => [
      delivery,
      date,
      baseline,
      target,
      tag,
      modules,
      verdict,
      summary,
    ]),
  );
}
