/** `plans/plan-M-*.md`: the plan of a module for people, and for `--execute` and `--evolve` of a later run. Pure. */
import type { DesignModule } from '../../../design/design.ts';
import { bulletList, fencedText, oneLine, slugOf, tableCell, tableText } from './markdown-text.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';

export interface PlannedModule {
  readonly module: Pick<DesignModule, 'id' | 'name' | 'file' | 'features' | 'depends' | 'ui'>;
  readonly phase: number;
  readonly plan: ModulePlan;
}

export function planFileName({ id, name }: Pick<DesignModule, 'id' | 'name'>): string {
  return `plan-${id}-${slugOf(name)}.md`;
}

export function renderModulePlan({ module, phase, plan }: PlannedModule): string {
  const { id, name } = module;
  const action = module.ui?.action;
  const context = [
    ['Design Spec', module.file],
    ['Source Features', module.features.join(', ')],
    ['Phase', String(phase)],
    ['Dependencies', module.depends.join(', ')],
    ['Promotion Action', action === undefined ? 'None' : `${action[0]?.toUpperCase()}${action.slice(1)}`],
    ['Draft Source', module.ui?.draftPath ?? ''],
  ];
  return `${[
    `# Plan: ${id} — ${oneLine(name)}`,
    section('Context', tableText(['Field', 'Value'], context)),
    section('Prerequisites', module.depends.map((other) => `- [ ] ${other} is merged`).join('\n') || '- (none)'),
    section('Implementation Steps', plan.steps.map(stepText).join('\n\n')),
    section(
      'Integration Points',
      tableText(
        ['Direction', 'Module', 'Interface', 'Notes'],
        plan.integration.map((each) => [
          each.direction === 'exposes' ? 'Exposes →' : 'Consumes ←',
          each.module,
          each.interface,
          each.notes,
        ]),
      ),
    ),
    section(
      'Wiring & Registration',
      tableText(
        ['#', 'What to wire', 'Where', 'Verify signal'],
        plan.wiring.map(({ what, where, signal }, at) => [String(at + 1), what, where, signal]),
      ),
    ),
    section(
      'Out-of-Scope / Deferred Work',
      tableText(
        ['#', 'Item', 'Reason', 'Issue'],
        plan.deferred.map(({ item, reason, issue }, at) => [String(at + 1), item, reason, issue]),
      ),
    ),
    section(
      'Acceptance Criteria Mapping',
      tableText(
        ['Criterion', 'Journey Touchpoints', 'Implemented in Step', 'Test in Step', 'Strict Assertion'],
        plan.criteria.map(({ criterion, touchpoints, step, test, assertion }) => [
          criterion,
          touchpoints,
          step,
          test,
          assertion,
        ]),
      ),
    ),
    section('Files Created', plan.files.map((path) => `- \`${path.replaceAll('`', '')}\``).join('\n')),
    section('Key Decisions', bulletList(plan.decisions)),
    section('Risks', bulletList(plan.risks)),
  ].join('\n\n')}\n`;
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}

function stepText(step: ModulePlan['steps'][number], at: number): string {
  const tests = tableText(
    ['Test', 'Input', 'Expected Output', 'Design Reference'],
    step.tests.map(({ test, input, expected, reference }) => [test, input, expected, reference]),
  );
  return [
    `### Step ${at + 1}: ${oneLine(step.title)}`,
    `**Goal:** ${tableCell(step.goal)}`,
    `**Files:** ${step.files.map((path) => `\`${path.replaceAll('`', '')}\``).join(', ') || '—'}`,
    ...(step.code === '' ? [] : [fencedText(step.code)]),
    ...(step.tests.length === 0 ? [] : [tests]),
    `**Verify:** ${tableCell(step.verify)}`,
  ].join('\n\n');
}
