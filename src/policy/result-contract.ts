/** How an agent is told what to answer with and how: the schema of its result, and the ways to hand it in. Pure. */

export function resultContract(schema: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(schema, null, 2);
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `End with one JSON object that fits this JSON Schema. If you have a tool \`submit_result\`, call it with the object as the
last thing you do, and fix what it tells you is wrong. Else, if FORGE_RESULT is set in your environment, write the
object to the file it names; otherwise your last message is the object and nothing else.

${fence}json
${text}
${fence}`;
}

/** A fence must be longer than any run of backticks within it. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
