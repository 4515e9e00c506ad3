/** What `forge design` prints for a person. Everything that comes from files is made safe for a terminal. */
import type { DesignChecked, DesignSummary } from '../api/check-design.ts';
import type { DesignImpactFound } from '../api/design-impact.ts';
import type { DeliveryStatus } from '../api/design-status.ts';
import { countText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';

export function checkedLines({ problems, design, ok, directory }: DesignChecked): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return [
    ...problems.flatMap(({ file, line, severity, problem, fix }) => [
      `${plainLine(file)}:${line}: ${severity}: ${plainLine(problem)}`,
      `    ${plainLine(fix)}`,
    ]),
    ...(problems.length === 0 ? [] : ['']),
    ...(design === undefined ? [] : summaryLines(design)),
    ok
      ? `${plainLine(directory)} can be built.`
      : `${errors} ${errors === 1 ? 'error. Fix it' : 'errors. Fix them'} before you start a run.`,
  ];
}

function summaryLines({ name, modules, phases, features, journeys, standards }: DesignSummary): string[] {
  const criteria = features.reduce((sum, feature) => sum + feature.criteria.length, 0);
  const named = new Map(modules.map((module) => [module.id, module.name]));
  return [
    `${plainLine(name)}: ${countText(modules.length, 'module')}, ${countText(features.length, 'feature')} with ${countText(criteria, 'criterion', 'criteria')}, ${countText(journeys.length, 'journey')}, ${countText(standards.rules.length, 'coding rule')}`,
    ...phases.map(
      (ids, at) => `Phase ${at + 1}: ${ids.map((id) => plainLine(`${id} ${named.get(id) ?? ''}`.trim())).join(', ')}`,
    ),
  ];
}

const impactWords = {
  removed: 'removed',
  added: 'added',
  'revised-direct': 'revised',
  'revised-downstream': 'revised because of another module',
  kept: 'kept',
} as const;

export function impactLines({ modules, undecided, conventions, refusal }: DesignImpactFound): string[] {
  return [
    ...modules.map(
      ({ module, impact, reasons }) => `${module} ${impactWords[impact]}: ${plainLine(reasons.join('; '))}`,
    ),
    ...undecided.map(({ module, part, consumers }) =>
      part === 'tech stack'
        ? `? The tech stack has changed. Decide whether it forces a change on ${consumers.join(', ')}.`
        : `? Only the wording of the ${part} of ${module} has changed. Decide whether the meaning did; it touches ${consumers.join(', ') || 'no other module'}.`,
    ),
    ...conventions.added.map((rule) => `+ ${plainLine(rule)}`),
    ...conventions.removed.map((rule) => `- ${plainLine(rule)}`),
    ...(refusal === undefined ? [] : [`${plainLine(refusal.message)} ${refusal.fix}`]),
  ];
}

export function statusLines({
  directory,
  run,
  modules,
  phases,
  acceptance,
  verdict,
  coverage,
  decisions,
  events,
  remaining,
}: DeliveryStatus): string[] {
  const cells = (parts: readonly string[]): string => plainLine(parts.filter((part) => part !== '').join(' · '));
  return [
    plainLine(run === '' ? directory : `${directory} (on the branch of ${run})`),
    ...phases.map(({ phase, completed, integration, status }) =>
      cells([`Phase ${phase}`, completed, status, integration === '' ? '' : `integration ${integration}`]),
    ),
    ...modules.map(({ module, phase, dev, test, review, merged, notes, retries }) =>
      cells([
        module,
        phase === '' ? '' : `phase ${phase}`,
        ...Object.entries({ dev, test, review, merged }).map(([name, value]) =>
          value === '' ? '' : `${name} ${value}`,
        ),
        retries === 0 ? '' : countText(retries, 'retry', 'retries'),
        notes,
      ]),
    ),
    ...acceptance.map(({ feature, total, passed, failed, status }) =>
      cells([
        feature,
        `${passed || '0'} of ${total || '?'} criteria pass`,
        failed === '' || failed === '0' ? '' : `${failed} fail`,
        status,
      ]),
    ),
    ...(coverage === '' ? [] : [plainLine(coverage)]),
    ...(verdict === '' ? [] : [`Acceptance: ${plainLine(verdict)}`]),
    ...(decisions.length === 0 ? [] : [`Waiting for a decision: ${decisions.join(', ')}`]),
    ...events.map(({ at, text }) => plainLine(`${at} ${text}`)),
    remaining.modules === 0 && remaining.phases === 0
      ? 'Nothing remains.'
      : `${countText(remaining.modules, 'module')} and ${countText(remaining.phases, 'phase')} remain.`,
  ];
}
