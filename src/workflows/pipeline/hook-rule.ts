/** What happens when a git hook does not let work through: what its author is told, and what a person is told, and the event. */
import type { Bench } from '../../engine/bench.ts';
import { describeHook, type HookRun } from '../../policy/hook-run.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import { writeDesk } from './desk.ts';
import { endEscalated, type PhaseRequest } from './phase.ts';

/** For the agent that can put it right. */
export function hookText(hook: HookRun): string {
  const output = hook.output.trim();
  return [
    `Forge ran the repository's git hooks: ${describeHook(hook)}.`,
    ...(output === '' ? [] : ['It printed:', output]),
  ].join('\n');
}

export function endRefused(phase: PipelinePhase, hook: HookRun) {
  const remediation =
    hook.status === 'unverified'
      ? 'Let the hook run in the jail (checks.path, checks.caches, jail.readable), or take it out of checks.hooks.'
      : `Read what the hook ${hook.hook} printed: forge logs. Then try again.`;
  return endEscalated('hook-failed', phase, describeHook(hook), remediation);
}

export async function reportHook(bench: Bench, key: string, request: PhaseRequest, hook: HookRun): Promise<void> {
  const { desk, phase, iteration } = request;
  const notes = describeHook(hook);
  const matter = { action: 'hook_failed', persona: 'orchestrator', phase: phase.role, iteration, notes } as const;
  await writeDesk(bench, `${key}/reported`, desk, { events: [{ matter }] });
}
