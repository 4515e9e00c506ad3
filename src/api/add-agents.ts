/**
 * Adds agents to the text of existing settings. The person's own text stays as it is, byte for byte: entries are inserted
 * at the end of `agents`, and nothing else is written again. What was inserted is read back and compared, so a file that
 * is written in a way this does not understand is left alone. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, stringify } from 'yaml';
import { mostAliases, readYaml } from '../plan/read-yaml.ts';
import type { z } from 'zod';
import type { agentSettingsSchema } from '../policy/agent-settings.ts';

export interface NewAgent {
  readonly name: string;
  readonly settings: z.input<typeof agentSettingsSchema>;
}

/** The new text; undefined when the file has to be changed by hand. */
export function addAgents(text: string, agents: readonly NewAgent[]): string | undefined {
  if (agents.length === 0) return text;
  const before = plain(text);
  const candidate = insert(text, agents);
  if (before === undefined || candidate === undefined) return undefined;
  const after = plain(candidate);
  const added = Object.fromEntries(agents.map(({ name, settings }) => [name, settings]));
  const wanted = { ...before, agents: { ...(before['agents'] as object | undefined), ...added } };
  // Their order matters too: the first agent plays every role.
  const names = (value: Record<string, unknown> | undefined): string[] =>
    Object.keys((value?.['agents'] as object) ?? {});
  const same = isDeepStrictEqual(after, wanted) && isDeepStrictEqual(names(after), names(wanted));
  return same ? candidate : undefined;
}

function insert(text: string, agents: readonly NewAgent[]): string | undefined {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const document = readYaml(text);
  const root = document.contents;
  if (root === null) return `${endedWith(text, end)}agents:${end}${entries(agents, 2, end)}`;
  if (!isMap(root) || root.flow === true) return undefined;
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === 'agents');
  if (pair === undefined) return `${endedWith(text, end)}${end}agents:${end}${entries(agents, 2, end)}`;
  const value = pair.value;
  if (isMap(value) && value.flow !== true) {
    const last = value.items.at(-1);
    const [start] = rangeOf(value.items[0]?.key) ?? [];
    const [, , stop] = rangeOf(last?.value) ?? [];
    if (start === undefined || stop === undefined) return undefined;
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    const at = afterContent(text, stop);
    return `${endedWith(text.slice(0, at), end)}${entries(agents, column, end)}${text.slice(at)}`;
  }
  const range = rangeOf(value);
  if (isMap(value) && value.items.length > 0) {
    // `agents: { one: … }`: more of them before the brace.
    const [, brace] = range ?? [];
    if (brace === undefined || text[brace - 1] !== '}') return undefined;
    const head = text.slice(0, brace - 1).trimEnd();
    const comma = head.endsWith(',') ? '' : ',';
    return `${head}${comma} ${agents.map(flowEntry).join(', ')} ${text.slice(brace - 1)}`;
  }
  const isEmpty = isMap(value) || value === null || (isScalar(value) && value.value === null);
  const [from, to] = range ?? [];
  if (!isEmpty || from === undefined || to === undefined) return undefined;
  // `agents: {}` or `agents:`; a comment behind it stays on its line.
  const colon = text.lastIndexOf(':', from);
  const eol = text.indexOf('\n', to);
  const rest = text.slice(to, eol === -1 ? text.length : eol).trimEnd();
  const line = `${text.slice(0, colon + 1)}${rest === '' ? '' : ` ${rest.trimStart()}`}${end}`;
  return `${line}${entries(agents, 2, end)}${eol === -1 ? '' : text.slice(eol + 1)}`;
}

function entries(agents: readonly NewAgent[], column: number, end: string): string {
  const indent = ' '.repeat(column);
  const text = stringify(Object.fromEntries(agents.map(({ name, settings }) => [name, settings])), { lineWidth: 0 });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}${end}`)
    .join('');
}

function flowEntry({ name, settings }: NewAgent): string {
  return `${name}: ${JSON.stringify(settings)}`;
}

/** Past the line on which the content ends, but before blank lines and comments, which belong to what follows. */
function afterContent(text: string, at: number): number {
  const content = text.slice(0, at).trimEnd();
  const lines = content.split('\n');
  while (lines.length > 1 && /^\s*(#|$)/.test(lines.at(-1) ?? '')) lines.pop();
  const stop = lines.join('\n').length;
  const eol = text.indexOf('\n', stop);
  return eol === -1 ? text.length : eol + 1;
}

function endedWith(text: string, end: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${end}`;
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return (node as { range?: readonly [number, number, number] | null } | null | undefined)?.range ?? undefined;
}

function plain(text: string): Record<string, unknown> | undefined {
  const document = readYaml(text, { uniqueKeys: true });
  if (document.errors.length > 0) return undefined;
  const value: unknown = document.toJS({ maxAliasCount: mostAliases }) ?? {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
