/** Before any agent is paid for code: the checks on the base, so that what was red before counts against nobody. */
import type { Bench } from '../../engine/bench.ts';
import type { Checks } from './verify.ts';

export async function readyChecks(
  bench: Bench,
  { source, entries }: Pick<Checks, 'source' | 'entries'>,
): Promise<Checks> {
  const { base } = bench.run;
  const report = await bench.perform('check.run', 'baseline', {
    commit: base,
    judge: base,
    source,
    entries: [...entries],
  });
  // A command that is red on the base without naming its failures can not tell old from new: then all count.
  const usable = report.commands.every((command) => command.status !== 'failed' || command.counts !== undefined);
  return { source, entries, ...(usable ? { baseline: 'baseline' } : {}) };
}
