/**
 * Says of a result, while its agent can still fix it, whether it fits the schema it was asked for. The workflow judges
 * again, and its word counts: a rule that a JSON Schema cannot hold is only known there.
 */
import { z } from 'zod';
import type { AgentJob } from '../agents/agent.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import { isTooDeep } from '../policy/depth.ts';

const mostProblems = 8;

export function makeResultJudge(schema: AgentJob['resultSchema']): NonNullable<AgentJob['judge']> {
  if (Object.keys(schema).length === 0) return () => ({ ok: true });
  const reader = readerOf(schema);
  if (reader === undefined) return () => ({ ok: true });
  return (result) => {
    if (isTooDeep(result)) return { ok: false, problem: '- The result is nested too deeply. Use the schema as it is.' };
    const read = reader.safeParse(result);
    if (read.success) return { ok: true };
    const problems = explainSchema(read.error.issues, result)
      .slice(0, mostProblems)
      .map(({ where, problem, fix }) => `- ${where}: ${problem} ${fix}`.trim());
    return { ok: false, problem: problems.join('\n') };
  };
}

/** A schema of someone's own workflow may use words that cannot be read back: then the workflow alone judges. */
function readerOf(schema: AgentJob['resultSchema']): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return undefined;
  }
}
