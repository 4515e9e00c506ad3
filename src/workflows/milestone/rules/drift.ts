/** What of a plan's promises is not there, in words, and as the signals that choose a repair. Pure. */
import type { Inspection } from '../../../policy/promises.ts';
import type { RepairSignals } from './repair.ts';

/** One line each: files, links and outputs that were measured, and what the worker itself says is not met. */
export function driftOf(
  inspection: Inspection | null | undefined,
  { unmet }: { readonly unmet: readonly string[] },
): readonly string[] {
  if (inspection === undefined || inspection === null) return [...unmet];
  const { artifacts, links, missingOutput, problem } = inspection;
  const bad = artifacts.filter(({ exists, substantive, wired }) => !exists || substantive === false || wired === false);
  const loose = links.filter(({ holds }) => holds === false);
  return [
    ...(problem === '' ? [] : [problem]),
    ...bad.map(({ path, detail }) => `${path}: ${detail}`),
    ...loose.map(({ from, to, via }) => `${from} does not use ${to}${via === '' ? '' : ` (${via})`}`),
    ...missingOutput.map((path) => `${path} was to be made and is not there`),
    ...unmet.map((one) => `not met, as the worker says: ${one}`),
  ];
}

export function describeDrift(drift: readonly string[]): string {
  if (drift.length === 0) return 'all promises are kept';
  return `${drift.length} of the plan's promises ${drift.length === 1 ? 'is' : 'are'} not kept: ${drift.slice(0, 2).join('; ')}`;
}

export function repairSignals(
  inspection: Inspection | null | undefined,
  about: {
    readonly isLarge: boolean;
    /** Names that the plan builds on and nobody defines. */
    readonly missingSymbols?: number;
    /** Kinds of what was found in the tests. */
    readonly found?: readonly string[];
  },
): RepairSignals {
  const { artifacts = [], links = [], missingOutput = [] } = inspection ?? {};
  const { isLarge, missingSymbols = 0, found = [] } = about;
  const missing = new Set([...artifacts.filter(({ exists }) => !exists).map(({ path }) => path), ...missingOutput]);
  return {
    missingArtifacts: missing.size,
    notSubstantive: artifacts.filter(({ substantive }) => substantive === false).length,
    notWired: [...artifacts.filter(({ wired }) => wired === false), ...links.filter(({ holds }) => holds === false)]
      .length,
    missingSymbols,
    tests: {
      disabled: found.filter((kind) => disabledKinds.has(kind)).length,
      weak: found.filter((kind) => weakKinds.has(kind)).length,
    },
    isLarge,
  };
}

const disabledKinds: ReadonlySet<string> = new Set(['test-deleted', 'test-unread', 'test-exit', 'check-silenced']);
const weakKinds: ReadonlySet<string> = new Set([
  'vacuous-test',
  'test-aware',
  'assertion-removed',
  'assertion-emptied',
]);
