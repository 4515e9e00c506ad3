/**
 * Whether a phase of a task or a bug may begin, whether it left what it should, and what its verdict leads to: what the
 * pipeline decides by, asked by hand. Files are looked up in a commit.
 */
import { z } from 'zod';
import { fileSizesIn } from '../git/file-sizes.ts';
import { resolveCommit } from '../git/history.ts';
import { openRepository } from '../git/repository.ts';
import { gateNames } from '../pipelines/artifact-place.ts';
import { checkPostflight, checkPreflight, fillNames, type GateResult } from '../pipelines/evaluate-gates.ts';
import { readVerdict } from '../pipelines/read-verdict.ts';
import { type PhaseRoute, routePhase } from '../pipelines/route-phase.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { jsonShaped } from './json-shaped.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import type { Operation } from './operation.ts';
import { openPipelines, pipelineOf, type PipelineSubject } from './pipeline-place.ts';
import { recordError } from './store-place.ts';

const gateInput = z.strictObject({
  record: z.string(),
  phase: z.string(),
  /** Where files are looked up. */
  commit: z.string().default('HEAD'),
});

export interface GateAnswer {
  readonly record: string;
  readonly phase: string;
  readonly commit: string;
  /** Before the phase, and after it. A phase without a gate is `open`. */
  readonly before: GateResult;
  readonly after: GateResult;
  readonly hasGate: boolean;
}

export const askGate: Operation<typeof gateInput, z.ZodType<GateAnswer>> = {
  name: 'ask-gate',
  kind: 'query',
  description: 'Whether a phase may begin, and whether it left what it should.',
  input: gateInput,
  output: jsonShaped<GateAnswer>(),
  async run(context, { record: id, phase, commit: name }) {
    const project = await openPipelines(context);
    const subject = pipelineOf(project, id);
    const { gates, outputs, errors } = subject.checked;
    if (errors.length > 0) throw recordError(`The pipeline ${subject.pipeline.name} is misconfigured`, errors);
    requirePhase(subject, phase);
    const repo = await openRepository(context.cwd);
    const commit = await resolveCommit(repo, name);
    const names = gateNames(subject.record, engineeringRoot(project.root));
    const gate = Object.hasOwn(gates, phase) ? gates[phase] : undefined;
    const rules = [...(gate?.artifacts ?? []), ...(outputs[phase]?.artifacts ?? [])];
    const sizes = await fileSizesIn(
      repo,
      commit,
      rules.map(({ path }) => fillNames(path, names)),
    );
    const asked = { state: { [subject.kind]: subject.record }, names, artifact: (path: string) => sizes.get(path) };
    return {
      record: id,
      phase,
      commit,
      hasGate: gate !== undefined,
      before: gate === undefined ? { ok: true } : checkPreflight(gates, phase, asked),
      after: checkPostflight(outputs, phase, asked),
    };
  },
};

const verdictInput = z.strictObject({ record: z.string(), phase: z.string() });

export interface VerdictAnswer {
  readonly record: string;
  readonly phase: string;
  readonly verdict: string;
  /** Where it was looked for. */
  readonly source: string;
  /** What the pipeline would do, as after a first round. */
  readonly route: PhaseRoute;
}

export const askVerdict: Operation<typeof verdictInput, z.ZodType<VerdictAnswer>> = {
  name: 'ask-verdict',
  kind: 'query',
  description: 'The recorded verdict of a phase.',
  input: verdictInput,
  output: jsonShaped<VerdictAnswer>(),
  async run(context, { record: id, phase }) {
    const subject = pipelineOf(await openPipelines(context), id);
    const at = requirePhase(subject, phase);
    const { verdict, source, key } = readVerdict(subject.record, phase);
    const route = routePhase({ phases: subject.pipeline.phases, at, record: subject.record, revisions: 0 });
    return {
      record: id,
      phase,
      verdict: verdict ?? 'unknown',
      source: key === null ? source : `summaries.${key}`,
      route,
    };
  },
};

function requirePhase({ pipeline: { name, phases } }: PipelineSubject, phase: string): number {
  const at = phases.findIndex(({ role, command }) => role === phase || command === phase);
  if (at !== -1) return at;
  const roles = phases.map(({ role }) => role);
  const hint = didYouMean(phase, roles) || `Its phases: ${roles.join(', ')}.`;
  throw recordError(`The pipeline ${name} has no phase ${JSON.stringify(phase)}`, [], hint);
}
