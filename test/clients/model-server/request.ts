/** A model request with the provider's spelling taken off: what was said, which tools are offered, what is wanted back. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** In order. What a tool answered is the role `tool`, also where a provider sends it as the user's. */
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  readonly stream: boolean;
  /** JSON Schema that the answer must fit, where one is demanded. */
  readonly schema: JsonSchema | undefined;
  readonly maxOutput: number | undefined;
}

export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export interface OfferedTool {
  readonly name: string;
  /** Tools can be offered in groups, which a call must name. */
  readonly group?: string | undefined;
  /** Takes text instead of JSON. */
  readonly freeform: boolean;
  readonly schema: JsonSchema | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Bodies come from real clients, so they are read with care but not validated: what is missing is empty. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n');
}

export function stringOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

export function schemaOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null ? objectOf(value) : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
