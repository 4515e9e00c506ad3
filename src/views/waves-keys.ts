/**
 * The keys of a `waves` run as steps, and what is known under them. The one place of the views that knows how
 * the workflow names things; everything above speaks of waves, rounds and sessions.
 */
import type { Bug, TesterResult } from '../policy/role-results.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';

/** How often bugs go back to the developer, per wave and for the whole. */
export const fixRounds = 3;

export type WavesStep =
  | { readonly step: 'plan'; readonly round: number; readonly attempt: number }
  | { readonly step: 'baseline' | 'recall' | 'save' | 'publish' }
  | { readonly step: 'develop' | 'test'; readonly wave: number; readonly round: number; readonly attempt: number }
  | { readonly step: 'check' | 'evidence'; readonly wave: number; readonly round: number }
  | { readonly step: 'prepare' | 'merge-check' | 'land'; readonly wave: number }
  | { readonly step: 'integration-test'; readonly round: number; readonly attempt: number }
  | { readonly step: 'integration-fix'; readonly round: number; readonly wave: number; readonly attempt: number }
  | { readonly step: 'integration-check' | 'integration-evidence'; readonly round: number }
  | { readonly step: 'integration-prepare' | 'integration-merge-check' | 'integration-land'; readonly round: number }
  | { readonly step: 'learn'; readonly attempt: number };

export function wavesStep(key: string): WavesStep | undefined {
  const [work = '', recovery] = key.split('/recovery#');
  const attempt = recovery === undefined ? 1 : Number(recovery);
  for (const [pattern, read] of shapes) {
    const match = pattern.exec(work);
    if (match !== null)
      return read(
        match.slice(1).map((part) => part ?? ''),
        attempt,
      );
  }
  return undefined;
}

const verifyParts = { check: 'check', 'check/accepted': 'check', evidence: 'evidence' } as const;
const mergeParts = { prepare: 'prepare', check: 'merge-check', land: 'land' } as const;
type Shape = readonly [RegExp, (parts: readonly string[], attempt: number) => WavesStep];

const shapes: readonly Shape[] = [
  [/^plan#(\d+)$/, ([round], attempt) => ({ step: 'plan', round: Number(round), attempt })],
  [/^(baseline|recall|save|publish)$/, ([step]) => ({ step: step as 'baseline' })],
  [
    /^W(\d+)(?:@\d+)?\/(develop|test)#(\d+)$/,
    ([wave, step, round], attempt) => ({
      step: step as 'develop' | 'test',
      wave: Number(wave),
      round: Number(round),
      attempt,
    }),
  ],
  [
    /^W(\d+)(?:@\d+)?\/verify#(\d+)\/(check|check\/accepted|evidence)$/,
    ([wave, round, part]) => ({
      step: verifyParts[part as keyof typeof verifyParts],
      wave: Number(wave),
      round: Number(round),
    }),
  ],
  [
    /^W(\d+)(?:@\d+)?\/integrate#\d+\/(prepare|check|land)$/,
    ([wave, part]) => ({ step: mergeParts[part as keyof typeof mergeParts], wave: Number(wave) }),
  ],
  [/^integration\/test#(\d+)$/, ([round], attempt) => ({ step: 'integration-test', round: Number(round), attempt })],
  [
    /^integration\/fix#(\d+)\/W(\d+)$/,
    ([round, wave], attempt) => ({ step: 'integration-fix', round: Number(round), wave: Number(wave), attempt }),
  ],
  [
    /^integration\/verify#(\d+)\/(check|check\/accepted|evidence)$/,
    ([round, part]) => ({ step: `integration-${verifyParts[part as keyof typeof verifyParts]}`, round: Number(round) }),
  ],
  [
    /^I(\d+)(?:@\d+)?\/integrate#\d+\/(prepare|check|land)$/,
    ([round, part]) => ({ step: `integration-${mergeParts[part as keyof typeof mergeParts]}`, round: Number(round) }),
  ],
  [/^learn$/, (_, attempt) => ({ step: 'learn', attempt })],
];

export interface WaveRound {
  readonly number: number;
  readonly develop: string;
  readonly verify: string;
  readonly test: string;
}

/** A merge conflict begins a wave again under `W1@2`; its rounds follow on. */
export function roundsOf({ state }: Chronicle, wave: string): WaveRound[] {
  const rounds: WaveRound[] = [];
  for (const name of generations(state.effects, wave)) {
    for (let round = 1; state.effects.has(`${name}/develop#${round}`); round += 1) {
      rounds.push({
        number: rounds.length + 1,
        develop: `${name}/develop#${round}`,
        verify: `${name}/verify#${round}`,
        test: `${name}/test#${round}`,
      });
    }
  }
  return rounds;
}

export interface IntegrationRound {
  /** 1 is the test itself; later ones begin with fixes. */
  readonly number: number;
  readonly keys: readonly string[];
}

export function integrationRounds({ state }: Chronicle): IntegrationRound[] {
  const rounds: { number: number; keys: string[] }[] = [];
  let fixing = 0;
  for (const key of state.effects.keys()) {
    const step = wavesStep(key);
    if (step === undefined || !step.step.startsWith('integration-')) continue;
    const begins = step.step === 'integration-fix' && step.round !== fixing;
    if (step.step === 'integration-fix') fixing = step.round;
    if (begins || rounds.length === 0) rounds.push({ number: rounds.length + 1, keys: [] });
    rounds.at(-1)?.keys.push(key);
  }
  return rounds;
}

/** The wave that a task is part of; undefined where tasks are worked on by themselves. */
export function waveWith({ state, waves }: Chronicle, task: string): string | undefined {
  const at = state.tasks.has(task) ? -1 : (waves?.waves ?? []).findIndex((ids) => ids.includes(task));
  return at === -1 ? undefined : `W${at + 1}`;
}

/** What testers said about a wave or the whole, round by round; only replies that count. */
export function testsOf(chronicle: Chronicle, wave: number | 'integration'): TesterResult[] {
  const keys =
    wave === 'integration'
      ? integrationRounds(chronicle).flatMap((round) => round.keys.filter((key) => isFirst(key, 'integration-test')))
      : roundsOf(chronicle, `W${wave}`).map((round) => round.test);
  return keys.flatMap((key) => replyOf(lastReading(chronicle, key), 'tester') ?? []);
}

/** Bugs of the newest test, none when it passed. */
export function openBugs(chronicle: Chronicle, wave: number | 'integration'): readonly Bug[] {
  const last = testsOf(chronicle, wave).at(-1);
  return last?.result === 'fail' ? last.bugs : [];
}

export function isFirst(key: string, step: WavesStep['step']): boolean {
  return wavesStep(key)?.step === step && !key.includes('/recovery#');
}

function generations(effects: ReadonlyMap<string, unknown>, name: string): string[] {
  const names = [name];
  for (let next = 2; effects.has(`${name}@${next}/base`); next += 1) names.push(`${name}@${next}`);
  return names;
}
