/**
 * The beginning of a prompt: the role's text, then the schema of the result it must give. It depends on nothing else,
 * so it is the same for every job of a role and a provider can cache it; what differs from job to job comes after.
 */
import type { Role } from './role.ts';

export function renderRole(role: Role, resultSchema: Readonly<Record<string, unknown>>): string {
  const schema = JSON.stringify(resultSchema, null, 2);
  const fence = '`'.repeat(Math.max(3, longestRun(schema) + 1));
  return `${role.text}

# The result you must give
End with one JSON object that fits this JSON Schema. If you have a tool \`submit_result\`, call it with the object as the
last thing you do, and mend what it tells you is wrong. Else, if FORGE_RESULT is set in your environment, write the
object to the file it names; otherwise your last message is the object and nothing else.

${fence}json
${schema}
${fence}
`;
}

/** A fence must be longer than any run of backticks within it. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
