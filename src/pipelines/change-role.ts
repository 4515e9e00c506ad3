/**
 * A change to a role as lines: responsibilities that are added and removed. It becomes the text of the role file and a
 * difference that a person can read. A role that is built in gets a file of its own. Pure.
 */
import { type OwnRole, phasePersonas } from './personas.ts';

export interface RoleChange {
  readonly role: string;
  readonly add: readonly string[];
  /** As they stand in the role now. */
  readonly remove: readonly string[];
  readonly why: string;
}

export type ChangedRole =
  | { readonly status: 'changed'; readonly path: string; readonly text: string; readonly diff: string }
  | { readonly status: 'faulty'; readonly problem: string };

export const roleFile = (role: string): string => `.forge/roles/${role}.md`;

/** `current`: the whole file as it is; undefined where there is none. */
export function changeRole({ role, add, remove }: RoleChange, current: string | undefined): ChangedRole {
  const before = current ?? builtinText(role);
  if (before === undefined) return faulty(`there is no role ${role}`);
  const lines = before.split('\n');
  const at = lines.findIndex((line) => /^#{1,4}[^\S\n]+(?:Your )?Responsibilities/i.test(line));
  const items = lines.map((line) => /^[-*]\s+(.+)$/.exec(line)?.[1]?.trim());
  const unknown = remove.find((one) => !items.includes(one.trim()));
  if (unknown !== undefined) return faulty(`${role} has no line "${unknown}" to remove`);
  const kept = lines.filter((_, index) => !remove.some((one) => one.trim() === items[index]));
  const fresh = add.map((one) => `- ${one.replace(/\s+/g, ' ').trim()}`).filter((line) => !kept.includes(line));
  const text = at === -1 ? [...kept, '## Responsibilities', '', ...fresh, ''] : withItems(kept, fresh);
  const joined = text.join('\n');
  const whole = joined.endsWith('\n') ? joined : `${joined}\n`;
  if (whole === before) return faulty(`nothing would change in ${role}`);
  return {
    status: 'changed',
    path: roleFile(role),
    text: whole,
    diff: difference(role, current === undefined ? '' : before, whole),
  };
}

/** After the last item below the heading. */
function withItems(lines: readonly string[], fresh: readonly string[]): readonly string[] {
  const heading = lines.findIndex((line) => /^#{1,4}[^\S\n]+(?:Your )?Responsibilities/i.test(line));
  const next = lines.findIndex((line, index) => index > heading && /^#{1,4}\s/.test(line));
  const end = next === -1 ? lines.length : next;
  const last = lines.slice(0, end).findLastIndex((line, index) => index > heading && /^[-*]\s/.test(line));
  const place = last === -1 ? heading + 1 : last + 1;
  const lead = last === -1 ? [''] : [];
  return [...lines.slice(0, place), ...lead, ...fresh, ...lines.slice(place)];
}

function builtinText(role: string): string | undefined {
  const persona = Object.hasOwn(phasePersonas, role) ? phasePersonas[role] : undefined;
  if (persona === undefined) return undefined;
  const { title, summary, responsibilities, outputs, method } = persona;
  const list = (items: readonly string[]): string => items.map((one) => `- ${one}`).join('\n');
  return `---
name: ${role}
description: ${JSON.stringify(`The ${title.toLowerCase()} ${summary}`)}
---

# ${title}

## Responsibilities

${list(responsibilities)}

## Outputs

${list(outputs)}

## How you work

${list(method)}
`;
}

/** As a patch that git can apply. Role files are short: the whole file is its context. */
function difference(role: string, before: string, after: string): string {
  const path = roleFile(role);
  const [old, now] = [linesOf(before), linesOf(after)];
  return [
    `--- ${old.length === 0 ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${old.length === 0 ? '0,0' : `1,${old.length}`} +1,${now.length} @@`,
    ...compareLines(old, now).map((line) => line.replace(noNewline, '\n\\ No newline at end of file')),
    '',
  ].join('\n');
}

/** Marks a last line without an end, which is another line than one with it. */
const noNewline = '\u0000';

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : `${text}${noNewline}`).split('\n');
}

/** By the longest common lines. */
function compareLines(old: readonly string[], now: readonly string[]): readonly string[] {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const out: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      out.push(` ${old[i]}`);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      out.push(`-${old[i]}`);
      i += 1;
    } else {
      out.push(`+${now[j]}`);
      j += 1;
    }
  }
  return out;
}

function faulty(problem: string): ChangedRole {
  return { status: 'faulty', problem };
}

/** What the file says to whoever plays the role, without what is above it. */
export function roleBody(text: string): OwnRole {
  const [, front = '', body = text] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(text) ?? [];
  const description = /^description:\s*(.+)$/m.exec(front)?.[1] ?? '';
  return { description: description.replace(/^["']|["']$/g, ''), text: body.trim() };
}
