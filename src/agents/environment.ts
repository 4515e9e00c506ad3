/**
 * The clean environment of an agent: what its workspace gives, what its configuration adds, and who it
 * works for. Nothing of Forge's own environment is inherited, so a secret in it cannot be read.
 */
import type { AgentJob } from './agent.ts';

export function agentEnvironment(
  job: AgentJob,
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { env, policy } = job.workspace;
  return {
    GIT_TERMINAL_PROMPT: '0',
    ...env,
    ...added,
    HOME: policy.home,
    TMPDIR: policy.tmp,
    FORGE_RUN: job.run,
    FORGE_KEY: job.key,
    FORGE_ROLE: job.role,
    FORGE_ATTEMPT: String(job.attempt),
    ...(job.task === undefined ? {} : { FORGE_TASK: job.task }),
    ...(job.session === undefined ? {} : { FORGE_SESSION: job.session }),
  };
}
