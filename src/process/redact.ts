/** Replaces secrets in text with a mark. Pure; built once per run from the environment. */
export interface Redactor {
  redact(text: string): string;
}
