/** Files, syntax and what modules expect of each other, looked at in one commit, as a step that a person can read. */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { ContractResult } from '../../policy/contract-result.ts';

export async function checkContracts(
  bench: Bench,
  key: string,
  input: EffectInput<'contracts.check'>,
): Promise<readonly ContractResult[]> {
  const start = { kind: 'check', title: 'files and contracts', end: describeContracts };
  return bench.step(key, start, async () => (await bench.perform('contracts.check', key, input)).results);
}

function describeContracts(results: readonly ContractResult[]): StepEndInput {
  const failed = results.filter((result) => !result.passed);
  return {
    status: failed.length === 0 ? 'done' : 'failed',
    detail: failed.length === 0 ? '' : `${failed.length} of ${results.length} failed`,
    lines: failed.map(({ file, message }) => `- ${file}: ${message}`),
  };
}
