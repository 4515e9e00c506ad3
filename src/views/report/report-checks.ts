/** What the engine itself ran and measured, command by command: one piece of work after the other, newest last. */
import type { Chronicle } from '../chronicle.ts';
import type { EffectOutput } from '../../engine/effect-map.ts';
import type { CommandResult } from '../../policy/check-report.ts';
import { type FailurePlace, failurePlaces } from './failure-places.ts';
import { ownerName } from './report-spans.ts';

export interface ReportCheck {
  readonly key: string;
  readonly owner: string;
  /** The title of the step that asked for it: `checks on the merged tree`. */
  readonly step: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
  /** The test files it is about, of a measurement without the change. */
  readonly files?: readonly string[];
  /** Tests that fail here and did not fail on the base. */
  readonly newFailures?: readonly string[];
  /** Where it failed, as far as its output says. */
  readonly places?: readonly FailurePlace[];
}

/** A command of the project on the commit that the run began from. */
export type BaselineCheck = Pick<ReportCheck, 'name' | 'status' | 'reason' | 'durationMs'>;

/** What later checks are compared with; empty before it was measured. */
export function baselineChecks({ state }: Chronicle): BaselineCheck[] {
  for (const { kind, result } of state.effects.values()) {
    if (kind !== 'check.run' || result === undefined) continue;
    const { commit, commands } = result.output as EffectOutput<'check.run'>;
    if (commit === state.created?.base) return commands.map(baselineOf);
  }
  return [];
}

function baselineOf({ label: name, status, reason, durationMs }: CommandResult): BaselineCheck {
  return { name, status, reason, durationMs };
}

export function reportChecks(chronicle: Chronicle): ReportCheck[] {
  const byOwner = new Map<string, ReportCheck[]>();
  for (const [key, { kind, result }] of chronicle.state.effects) {
    const read = result === undefined ? undefined : readers[kind];
    if (read === undefined) continue;
    const place = placed(chronicle, key);
    if (hadNothingToDo(chronicle, key)) continue;
    const rows = byOwner.get(place.owner) ?? [];
    byOwner.set(place.owner, rows);
    rows.push(...read(result?.output, place, chronicle.state.created?.base));
  }
  return [...byOwner.values()].flat();
}

/** There was nothing to check, and the step that asked says that this is as it should be. */
function hadNothingToDo({ state }: Chronicle, key: string): boolean {
  const { kind, within, result } = state.effects.get(key) ?? {};
  if (kind !== 'check.run' || within?.type !== 'step' || result === undefined) return false;
  const { commands } = result.output as EffectOutput<'check.run'>;
  return commands.length === 0 && state.steps.get(within.key)?.end?.status === 'done';
}

type CheckPlace = Pick<ReportCheck, 'key' | 'owner' | 'step'>;

/** The engine parsed every output before it became a fact. */
const readers: Readonly<Record<string, (output: unknown, place: CheckPlace, base?: string) => ReportCheck[]>> = {
  'check.run': (output, place, base) => commandsOf(output as EffectOutput<'check.run'>, place, base),
  'contracts.check': (output, place) => contractsOf(output as EffectOutput<'contracts.check'>, place),
  'evidence.measure': (output, place) => evidenceOf(output as EffectOutput<'evidence.measure'>, place),
};

function placed(chronicle: Chronicle, key: string): CheckPlace {
  const { state } = chronicle;
  const within = state.effects.get(key)?.within;
  const step = within?.type === 'step' ? (state.steps.get(within.key)?.title ?? '') : '';
  return { key, owner: ownerName(chronicle, key), step };
}

function commandsOf(report: EffectOutput<'check.run'>, place: CheckPlace, base: string | undefined): ReportCheck[] {
  if (report.commands.length === 0)
    return [{ ...place, name: 'checks', status: report.status, reason: 'there is nothing to run', durationMs: 0 }];
  // What fails on the base is nobody's failure in this run.
  const isBase = report.commit === base;
  return report.commands.map((command) => ({
    ...place,
    ...baselineOf(command),
    ...(isBase ? {} : failureOf(command)),
  }));
}

const mostNames = 50;

function failureOf({ status, newFailures, output }: CommandResult): Pick<ReportCheck, 'newFailures' | 'places'> {
  if (status === 'passed') return {};
  const places = failurePlaces(output);
  return {
    ...(newFailures.length === 0 ? {} : { newFailures: newFailures.slice(0, mostNames) }),
    ...(places.length === 0 ? {} : { places }),
  };
}

/** One row for all of a commit's files and contracts; what failed is named. */
function contractsOf({ results }: EffectOutput<'contracts.check'>, place: CheckPlace): ReportCheck[] {
  if (results.length === 0) return [];
  const failed = results.filter(({ passed }) => !passed);
  const reason =
    failed.length === 0
      ? `${results.length} of ${results.length} passed`
      : failed.map(({ file, message }) => `${file}: ${message}`).join('; ');
  const status = failed.length === 0 ? 'passed' : 'failed';
  return [{ ...place, name: 'files, syntax and contracts', status, reason, durationMs: 0 }];
}

function evidenceOf({ redGreen }: EffectOutput<'evidence.measure'>, place: CheckPlace): ReportCheck[] {
  return redGreen.map(({ files, result, reason }) => ({
    ...place,
    name: `without the change: ${files.join(', ')}`,
    status: result,
    reason,
    durationMs: 0,
    files,
  }));
}
