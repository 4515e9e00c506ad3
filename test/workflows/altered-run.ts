/**
 * A recorded run, played again with some answers changed: effects answer as they did when the run was recorded, except
 * those a test alters. What the workflow then asks for is its decision. Nothing is started and no repository is needed.
 */
import type { RunInfo } from '../../src/engine/bench.ts';
import { type EffectKind, effectMap } from '../../src/engine/effect-map.ts';
import type { Answer } from '../../src/engine/facts.ts';
import { FilesEngine } from '../../src/engine/files/files-engine.ts';
import type { EffectContext, Performers } from '../../src/engine/performer.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { findDefinition } from '../../src/workflows/registry.ts';
import { runnableWorkflow } from '../../src/workflows/runnable-workflow.ts';
import { fakeHost, identity } from '../engine/support.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';
import { recordedFacts, type RecordedName } from '../views/recorded-run.ts';

export interface Alterations {
  /** What effects answer instead, by key. */
  readonly effects?: Readonly<Record<string, (recorded: never) => unknown>>;
  readonly answers?: Readonly<Record<string, Partial<Answer>>>;
}

export interface AlteredRun {
  readonly status: string;
  readonly reason: string;
  /** Keys of the record that nobody asked for this time. */
  readonly missing: readonly string[];
  /** Keys that were asked for and are not in the record. The run cannot go on from the first of them. */
  readonly beyond: readonly string[];
}

export async function playAltered(
  name: RecordedName,
  { effects = {}, answers = {} }: Alterations,
): Promise<AlteredRun> {
  const recorded = foldRun(recordedFacts(name));
  const { created } = recorded;
  if (created === undefined) throw new Error(`${name} was never begun`);
  const asked = new Set<string>();
  const beyond: string[] = [];
  const perform = async (_request: unknown, { key }: EffectContext): Promise<unknown> => {
    asked.add(key);
    const known = recorded.effects.get(key)?.result;
    const alter = effects[key];
    if (alter !== undefined) return alter(known?.output as never);
    if (known !== undefined) return known.output;
    beyond.push(key);
    throw new Error(`${key} is not in the record`);
  };
  const kinds = Object.keys(effectMap) as EffectKind[];
  const workflow = await runnableWorkflow(findDefinition(created.workflow) ?? never(created.workflow));
  const engine = new FilesEngine({
    runs: tempDir(),
    host: fakeHost(identity(1)),
    clock: countingClock(),
    // As it was then: a workflow asks for other keys in later versions.
    workflow: () => ({ ...workflow, version: created.workflowVersion }),
    performers: async (_run: RunInfo) =>
      Object.fromEntries(kinds.map((kind) => [kind, { perform }])) as unknown as Performers,
    forge: '0.0.0',
    jail: 'none',
  });
  const { run, title, base, branch, root, input, settings } = created;
  const handle = await engine.start(
    { run, title, workflow: created.workflow, base, branch, root, input, settings },
    { whenWaiting: 'leave' },
  );
  for (const [key, { answer }] of recorded.questions) {
    const given = answers[key] ?? answer;
    if (given !== undefined) await engine.signal(run, { type: 'answer', key, answer: { ...given } });
  }
  const end = await handle.ended;
  return {
    status: end.status,
    reason: 'reason' in end ? end.reason : '',
    missing: [...recorded.effects.keys()].filter((key) => !asked.has(key)),
    beyond,
  };
}

function never(name: string): never {
  throw new Error(`there is no workflow ${name}`);
}
