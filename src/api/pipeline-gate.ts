/**
 * Whether a phase of a task or a bug may begin, whether it left what it should, and what its verdict leads to: what the
 * pipeline decides by, asked by hand. Files are looked up in a commit.
 */
import { posix } from 'node:path';
import { z } from 'zod';
import { fileSizesIn } from '../git/file-sizes.ts';
import { resolveCommit } from '../git/history.ts';
import { openRepository } from '../git/repository.ts';
import { gateNames } from '../pipelines/artifact-place.ts';
import { checkPostflight, checkPreflight, fillNames, gateReasons } from '../pipelines/evaluate-gates.ts';
import { readVerdict } from '../pipelines/read-verdict.ts';
import { routePhase } from '../pipelines/route-phase.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import type { JsonOf, Operation } from './operation.ts';
import { openPipelines, pipelineOf, type PipelineSubject } from './pipeline-place.ts';
import { recordError, storeBelow } from './store-place.ts';

const gateInput = z.strictObject({
  record: z.string(),
  phase: z.string(),
  /** Where files are looked up. */
  commit: z.string().default('HEAD'),
});

const gateResult = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    phase: z.string(),
    reasonCode: z.enum(gateReasons),
    detail: z.string(),
    remediation: z.string(),
    missing: z.array(z.string()),
  }),
]);
const gateAnswer = z.strictObject({
  record: z.string(),
  phase: z.string(),
  commit: z.string(),
  /** Before the phase, and after it. A phase without a gate is open. */
  before: gateResult,
  after: gateResult,
  hasGate: z.boolean(),
});
export type GateAnswer = JsonOf<typeof gateAnswer>;

export const askGate: Operation<typeof gateInput, typeof gateAnswer> = {
  name: 'ask-gate',
  kind: 'query',
  description: 'Whether a phase may begin, and whether it left what it should.',
  input: gateInput,
  output: gateAnswer,
  async run(context, { record: id, phase, commit: name }) {
    const project = await openPipelines(context);
    const subject = pipelineOf(project, id);
    const { gates, outputs, errors } = subject.checked;
    if (errors.length > 0) throw recordError(`The pipeline ${subject.pipeline.name} is misconfigured`, errors);
    requirePhase(subject, phase);
    const repo = await openRepository(context.cwd);
    const commit = await resolveCommit(repo, name);
    const names = gateNames(subject.record, engineeringRoot(project.root));
    const inCommit = (path: string): string => posix.join(storeBelow(repo, project.root) ?? '', path);
    const gate = Object.hasOwn(gates, phase) ? gates[phase] : undefined;
    const rules = [...(gate?.artifacts ?? []), ...(outputs[phase]?.artifacts ?? [])];
    const sizes = await fileSizesIn(
      repo,
      commit,
      rules.map(({ path }) => inCommit(fillNames(path, names))),
    );
    const asked = {
      state: { [subject.kind]: subject.record },
      names,
      artifact: (path: string) => sizes.get(inCommit(path)),
    };
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

const verdictAnswer = z.strictObject({
  record: z.string(),
  phase: z.string(),
  verdict: z.string(),
  /** Where it was looked for. */
  source: z.string(),
  /** What the pipeline would do, as after a first round. */
  route: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('next'), to: z.number().int() }),
    z.strictObject({ kind: z.literal('back'), to: z.number().int(), round: z.number().int() }),
    z.strictObject({
      kind: z.literal('escalate'),
      reason: z.enum(['verdict-malformed', 'rounds-used-up']),
      detail: z.string(),
    }),
  ]),
});

export const askVerdict: Operation<typeof verdictInput, typeof verdictAnswer> = {
  name: 'ask-verdict',
  kind: 'query',
  description: 'The recorded verdict of a phase.',
  input: verdictInput,
  output: verdictAnswer,
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
