/**
 * The clean environment of an agent: what its workspace gives, what its configuration adds, and who it
 * works for. Nothing of Forge's own environment is inherited, so a secret in it can not be read.
 */
import type { AgentJob } from './agent.ts';

/** A private HOME has no git identity; without one an agent's own commits would fail. */
const gitIdentity = {
  GIT_AUTHOR_NAME: 'Forge agent',
  GIT_AUTHOR_EMAIL: 'agent@forge.invalid',
  GIT_COMMITTER_NAME: 'Forge agent',
  GIT_COMMITTER_EMAIL: 'agent@forge.invalid',
  GIT_TERMINAL_PROMPT: '0',
};

export function agentEnvironment(
  job: AgentJob,
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { env, policy } = job.workspace;
  return {
    ...gitIdentity,
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
