/**
 * One change of a small real repository, verified as a run verifies it: the checks on the base, the checks on the
 * commit, the evidence, the decision. Everything is real but the agent: its commit is made here.
 */
import type { z } from 'zod';
import type { Bench } from '../../src/engine/bench.ts';
import { effectMap, type EffectKind } from '../../src/engine/effect-map.ts';
import { FileArtifacts } from '../../src/engine/files/file-artifacts.ts';
import type { EffectContext, Performer } from '../../src/engine/performer.ts';
import { takeSnapshot } from '../../src/engine/run-snapshot.ts';
import { type EffectRecord, emptyState } from '../../src/engine/run-state.ts';
import { checkRun } from '../../src/effects/check-run.ts';
import type { EffectDeps } from '../../src/effects/deps.ts';
import { evidenceMeasure } from '../../src/effects/evidence-measure.ts';
import { taskSchema, type VerifyEntry } from '../../src/plan/plan.ts';
import { scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { verify } from '../../src/workflows/moves/verify.ts';
import type { ReviewExpectations } from '../../src/workflows/moves/weigh-square.ts';
import { jail, makeRepo, scratch, type TestRepo } from '../git/support.ts';

export interface Change {
  readonly base: Readonly<Record<string, string>>;
  /** Files of the commit; null deletes. */
  readonly change: Readonly<Record<string, string | null>>;
  /** What earlier work of the run changed and merged. */
  readonly earlier?: Readonly<Record<string, string | null>>;
  readonly run?: readonly VerifyEntry[];
  readonly task?: Readonly<Record<string, unknown>>;
  readonly review?: ReviewExpectations;
  readonly readable?: readonly string[];
  /** Runs in a base before the first commit, such as to make a link. */
  readonly prepare?: (root: string) => void;
  /** Runs before the commit of the change, such as to change a mode. */
  readonly meddle?: (root: string) => void;
}

export interface Verdict {
  /** `stopped`: sent back or refused without a person. */
  readonly outcome: 'passes' | 'asks' | 'stopped';
  readonly why: string;
  readonly questions: readonly { readonly title: string; readonly detail: string }[];
  readonly flags: readonly string[];
}

export async function verifyChange({ base, change, ...more }: Change): Promise<Verdict> {
  const repo = makeRepo({ files: base });
  more.prepare?.(repo.root);
  if (more.prepare !== undefined) repo.commit('prepared');
  const first = repo.git('rev-parse', 'HEAD');
  if (more.earlier !== undefined) writeChange(repo, more.earlier);
  const before = more.earlier === undefined ? first : repo.commit('earlier work');
  writeChange(repo, change);
  more.meddle?.(repo.root);
  const commit = repo.commit('work');
  const entries = [...(more.run ?? ['node --test'])];
  const settings = settingsSchema.parse({ checks: { run: entries, timeout: 600, caches: more.readable ?? [] } });
  const deps = { repo: await repo.open(), jail, settings, redactor: { redact: (text: string) => text } } as EffectDeps;
  const state = emptyState();
  const questions: { title: string; detail: string }[] = [];
  const directory = scratch('run');
  const performers: Partial<Record<EffectKind, Performer<never>>> = {
    'check.run': checkRun(deps),
    'evidence.measure': evidenceMeasure(deps),
  };
  const bench = {
    async perform(kind: EffectKind, key: string, input: unknown) {
      const context = {
        run: { id: 'r', base: first },
        key,
        artifacts: new FileArtifacts(directory),
        signal: new AbortController().signal,
        snapshot: takeSnapshot(state, kind, input),
        progress: () => undefined,
      } as unknown as EffectContext;
      const request = (effectMap[kind].input as z.ZodType).parse(input);
      const output: unknown = await performers[kind]?.perform(request as never, context);
      (effectMap[kind].output as z.ZodType).parse(output);
      state.effects.set(key, { kind, input: request, result: { output } } as EffectRecord);
      return output;
    },
    async ask(_key: string, question: { title: string; detail?: string }) {
      questions.push({ title: question.title, detail: question.detail ?? '' });
      return { option: 'refuse' };
    },
    step: <T>(_key: string, _start: unknown, work: () => Promise<T>) => work(),
    announce: async () => undefined,
  } as unknown as Bench;
  const source = 'settings' as const;
  await bench.perform('check.run', 'baseline', { commit: first, judge: first, source, entries });
  const verified = await verify(bench, 'T1/verify#1', {
    task: taskSchema.parse({ id: 'T1', title: 'work', kind: 'feature', ...more.task }),
    checks: { source, entries, baseline: 'baseline' },
    scope: scopeSettingsSchema.parse({}),
    base: before,
    commit,
    basis: { judge: first, accepted: [] },
    last: true,
    review: more.review,
  });
  const flags = verified.basis.accepted.map(({ case: found, path, reason }) => `${found} ${path}: ${reason}`);
  if (verified.status === 'passed') return { outcome: 'passes', why: '', questions, flags };
  return { outcome: questions.length > 0 ? 'asks' : 'stopped', why: verified.reason, questions, flags };
}

function writeChange(repo: TestRepo, change: Change['change']): void {
  const deleted = Object.entries(change).flatMap(([path, text]) => (text === null ? [path] : []));
  if (deleted.length > 0) repo.git('rm', '-q', '--', ...deleted);
  repo.write(
    Object.fromEntries(Object.entries(change).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
  );
}
