/** The repository's git hooks on a commit, as a step that a person can read. Without hooks in the settings nothing runs. */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { describeHook, type HookRun, refusingHook } from '../../policy/hook-run.ts';

/** The hook that does not let the commit through, if there is one. */
export async function runCommitHooks(
  bench: Bench,
  key: string,
  input: EffectInput<'hooks.run'>,
): Promise<HookRun | undefined> {
  if (input.hooks.length === 0) return undefined;
  const end = (runs: readonly HookRun[]): StepEndInput => ({ ...describeHooks(runs), links: [key] });
  const runs = await bench.step(key, { kind: 'check', title: 'git hooks', end }, async () => {
    const { hooks } = await bench.perform('hooks.run', key, input);
    return hooks;
  });
  return refusingHook(runs);
}

const mostLines = 12;

function describeHooks(runs: readonly HookRun[]): StepEndInput {
  const bad = refusingHook(runs);
  if (bad === undefined) {
    const words = runs.map(({ hook, status }) => (status === 'absent' ? `${hook}: there is none` : `${hook} passed`));
    return { status: 'done', detail: words.join(', ') };
  }
  return {
    status: bad.status === 'unverified' ? 'unverified' : 'failed',
    detail: describeHook(bad),
    lines: bad.output.trimEnd().split('\n').slice(-mostLines),
  };
}
