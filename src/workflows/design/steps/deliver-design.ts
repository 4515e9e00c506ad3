/**
 * The end of a delivery: the acceptance report, the tables of plan and design, for a later delivery its summary, change log
 * and tag, and the branch. The rules of delivery are checked once more on what is published.
 */
import type { Bench, WorkflowResult } from '../../../engine/bench.ts';
import type { TaskOutcome } from '../../../engine/facts.ts';
import { publishResult } from '../../moves/publish-result.ts';
import { type DesignContext, moduleId } from '../context.ts';
import { thresholdOf } from '../design-input.ts';
import { type DocumentFile, deliveryTagName, readStanding, recordDelivery, writeDocuments } from '../keep-delivery.ts';
import { renderAcceptance, traceabilityJson } from '../plan/acceptance-report.ts';
import { changelogEntry, renderVersion } from '../plan/evolution-documents.ts';
import type { AcceptanceEnd } from './accept-delivery.ts';
import { recordDesign } from './record-module.ts';
import { issueText } from './review-module.ts';

export interface DeliveryEnd {
  readonly context: DesignContext;
  readonly outcomes: readonly TaskOutcome[];
  readonly accepted: AcceptanceEnd | undefined;
  /** What stands in the plan directory from the delivery before. */
  readonly before: { readonly verdict: string; readonly changelog: string };
}

export async function deliverDesign(bench: Bench, end: DeliveryEnd): Promise<WorkflowResult> {
  const { context, outcomes, accepted } = end;
  const failed = outcomes.filter(({ status }) => status !== 'done').map(({ task, reason }) => `${task}: ${reason}`);
  const isAccepted = accepted?.status === 'accepted' && failed.length === 0;
  const refused = accepted?.status === 'refused' ? [`not accepted: ${accepted.reason}`] : [];
  const judged = accepted?.judged;
  if (accepted !== undefined && judged !== undefined) await writeReport(bench, context, accepted);
  if (isAccepted) await complete(bench, end);
  const broken = isAccepted ? await brokenAtTheEnd(bench, context) : [];
  const { status, reason, published } = await publishResult(bench, {
    checks: context.checks,
    failures: [...failed, ...refused, ...broken],
  });
  const tag = status === 'done' && context.evolution !== undefined ? await tagDelivery(bench, context) : undefined;
  const { standing } = await readStanding(bench, 'deliver/standing', context);
  return {
    status,
    reason,
    output: {
      planDir: context.input.plan.dir,
      delivery: context.input.plan.delivery,
      verdict: judged?.verdict.verdict ?? '',
      criteria: { passed: judged?.verdict.passed ?? 0, total: judged?.verdict.total ?? 0 },
      outcomes: outcomes.map(({ task, status: ended, reason: why, data }) => ({
        task,
        status: ended,
        reason: why,
        kind: (data as { kind?: string } | undefined)?.kind ?? '',
      })),
      modules: [...standing.modules].map(([id, { merged = '', dev = '' }]) => ({ id: moduleId(id), merged, dev })),
      ...(tag === undefined ? {} : { tag }),
      ...published,
    },
  };
}

async function writeReport(bench: Bench, context: DesignContext, { judged, remarks }: AcceptanceEnd): Promise<void> {
  const { prd } = context.design;
  if (judged === undefined || prd === undefined) return;
  const { verdict, trace, report, commit } = judged;
  const text = renderAcceptance({
    prd,
    designDir: context.input.design.dir,
    commit,
    trace,
    verdict,
    threshold: thresholdOf(context.input),
    report,
    e2eFolder: context.conventions.commands.e2eTests,
    remarks,
  });
  await bench.exclusive('integrate', () =>
    writeDocuments(bench, 'deliver/report', context, {
      message: 'docs(plan): add acceptance report',
      files: [
        { path: 'reports/acceptance.md', text },
        { path: 'reports/traceability.json', text: traceabilityJson(trace) },
      ],
    }),
  );
}

async function complete(bench: Bench, { context, accepted, before }: DeliveryEnd): Promise<void> {
  const verdict =
    accepted?.judged === undefined ? '' : `${accepted.judged.verdict.verdict} (${accepted.judged.verdict.rate}%)`;
  const { evolution, input } = context;
  const history = context.history.map((row) =>
    evolution !== undefined && row.delivery === String(evolution.delivery) ? { ...row, verdict } : row,
  );
  const standing = await recordDelivery(bench, { ...context, history }, 'deliver/complete', {
    message: 'docs(plan): mark implementation complete',
    event: () => ({
      title: `Delivery ${input.plan.delivery} complete`,
      context: 'delivery',
      event: 'Implementation complete',
      details: [verdict, ...(accepted?.remarks ?? [])].filter((line) => line !== ''),
      outcome: 'The branch can be merged.',
    }),
  });
  await recordDesign(bench, context, {
    key: 'deliver/design',
    message: 'docs(design): mark design as implemented',
    status: 'Implemented',
    standing,
  });
  if (evolution === undefined) return;
  const files: readonly DocumentFile[] = [
    { path: `versions/${evolution.delivery}.md`, text: renderVersion(evolution, { verdict, before: before.verdict }) },
    {
      path: 'CHANGELOG.md',
      text: `# Changelog\n\n${changelogEntry(evolution, verdict)}${before.changelog.replace(/^# Changelog\s*/, '')}`,
    },
  ];
  await bench.exclusive('integrate', () =>
    writeDocuments(bench, 'deliver/version', context, {
      message: `docs(plan): finalize autoforge delivery-${evolution.delivery}`,
      files,
    }),
  );
}

/** The same gate that `forge check-plan --gate accept` is, on what is about to be published. */
async function brokenAtTheEnd(bench: Bench, context: DesignContext): Promise<readonly string[]> {
  if (context.design.prd === undefined) return [];
  const { commit } = await bench.perform('integration.read', 'deliver/head', {});
  const { input } = context;
  const asked = {
    commit,
    since: bench.run.base,
    planDir: input.plan.dir,
    designDir: input.design.dir,
    gate: 'accept',
  } as const;
  const { issues } = await bench.perform('delivery.check', 'deliver/rules', asked);
  // Gaps that a person agreed to are in the verdict.
  const agreed = new Set(['CR-AF07', 'CR-AF08', 'CR-AF10', 'CR-AF15', 'CR-AF21', 'CR-AF23']);
  return issues
    .filter(({ rule, severity }) => (severity === 'error' || severity === 'critical') && !agreed.has(rule))
    .slice(0, 5)
    .map((issue) => issueText(issue).slice(2));
}

async function tagDelivery(bench: Bench, { input, evolution }: DesignContext): Promise<string> {
  const name = deliveryTagName(input);
  const { commit } = await bench.perform('integration.read', 'deliver/tagged', {});
  const made = await bench.perform('tag.create', 'deliver/tag', {
    name,
    commit,
    message: `autoforge delivery ${input.plan.delivery}: ${evolution?.target ?? ''}`,
  });
  if (made.status === 'exists')
    await bench.record('deliver/tag/taken', 'note.recorded', {
      text: `The tag ${name} exists already and stays at ${made.commit.slice(0, 7)}`,
    });
  return name;
}
