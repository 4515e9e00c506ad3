/** The gates around a phase, evaluated against the record and a commit. Sizes are measured there; the rest is pure. */
import type { Bench } from '../../engine/bench.ts';
import { gateNames } from '../../pipelines/artifact-place.ts';
import { checkPostflight, checkPreflight, fillNames, type GateResult } from '../../pipelines/evaluate-gates.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import type { RecordPipeline, RunContext } from './context.ts';
import type { RecordDesk } from './desk.ts';

export interface GateQuestion {
  readonly desk: RecordDesk;
  readonly commit: string;
  readonly phase: PipelinePhase;
  readonly pipeline: RecordPipeline;
  readonly context: RunContext;
}

/** A phase without a gate is open. */
export async function checkPhasePreflight(bench: Bench, key: string, question: GateQuestion): Promise<GateResult> {
  const { pipeline, phase } = question;
  const { gates } = pipeline.checked;
  const gate = Object.hasOwn(gates, phase.role) ? gates[phase.role] : undefined;
  const subject = await subjectOf(bench, key, question, gate?.artifacts.map(({ path }) => path) ?? []);
  return gate === undefined ? { ok: true } : checkPreflight(gates, phase.role, subject);
}

export async function checkPhasePostflight(bench: Bench, key: string, question: GateQuestion): Promise<GateResult> {
  const { outputs } = question.pipeline.checked;
  const { role } = question.phase;
  const rules = Object.hasOwn(outputs, role) ? outputs[role] : undefined;
  if (rules === undefined) return { ok: true };
  const paths = rules.artifacts.map(({ path }) => path);
  return checkPostflight(outputs, role, await subjectOf(bench, key, question, paths));
}

async function subjectOf(bench: Bench, key: string, question: GateQuestion, paths: readonly string[]) {
  const { desk, commit, context } = question;
  const names = gateNames(desk.record, context.engineering);
  const { at, sizes } = await bench.perform('files.measure', key, {
    commit,
    paths: paths.map((path) => context.inRepository(fillNames(path, names))),
  });
  if (at > desk.at) desk.at = at;
  const artifact = (path: string): number | undefined => {
    const place = context.inRepository(path);
    return Object.hasOwn(sizes, place) ? sizes[place] : undefined;
  };
  const sprint = context.sprints.find((one) => one['sprintId'] === desk.record['sprintId']);
  return { state: { [desk.kind]: desk.record, ...(sprint === undefined ? {} : { sprint }) }, names, artifact };
}

/** What a phase has to leave, in words for its agent. */
export function outputsOf({ desk, phase, pipeline, context }: Omit<GateQuestion, 'commit'>): readonly string[] {
  const { outputs } = pipeline.checked;
  const rules = Object.hasOwn(outputs, phase.role) ? outputs[phase.role] : undefined;
  const names = gateNames(desk.record, context.engineering);
  return (rules?.artifacts ?? []).map(
    ({ path, minBytes }) =>
      `${context.inRepository(fillNames(path, names))}${minBytes === 0 ? '' : ` (at least ${minBytes} bytes)`}`,
  );
}
