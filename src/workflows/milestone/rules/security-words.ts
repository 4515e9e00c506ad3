/** Which task plans get a security checklist before they are worked on: those that speak of what attackers want. Pure. */
const words =
  /auth|token|crypto|password|secret|api.?key|jwt|oauth|permission|role|hash|salt|encrypt|decrypt|session|cookie|credential|sanitize|xss|sql|inject/gi;

/** The words that were found, each once, in lower case. */
export function securityWords(plan: string): readonly string[] {
  return [...new Set([...plan.matchAll(words)].map(([word]) => word.toLowerCase()))];
}
