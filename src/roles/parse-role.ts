/**
 * Reads a role from Markdown with YAML front matter, the format of Claude Code agents plus `access`. Pure. A role
 * that replaces another keeps what it does not state, and can only take away: it cannot turn reading into
 * writing. Unknown fields are refused: one that looks as if it worked (`tools`, `permissionMode`, `hooks`) is worse than
 * none.
 */

import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import { readYaml, yamlProblem } from '../plan/read-yaml.ts';
import { quoteUntrusted } from '../plan/refusal.ts';
import { accessModes, type Role, roleName } from './role.ts';

const maxText = 64 * 1024;

const oneLine = z.string().regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'It must be one line.');
const headSchema = z.strictObject({
  name: z.string().regex(roleName, 'It must be lower-case letters, digits and dashes.'),
  description: oneLine.min(1).max(1000),
  // Never the beginning of an option, whoever puts it on a command line.
  model: z
    .string()
    .regex(/^[A-Za-z0-9][\w.:/@[\]-]{0,127}$/, 'It must be the plain name of a model.')
    .optional(),
  access: z.enum(accessModes).optional(),
});
type Head = z.infer<typeof headSchema>;

const fields = Object.keys(headSchema.shape);
/** Fields of Claude Code agents that Forge does not take from a role, and where the matter is decided. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['tools', 'Forge cannot keep every agent from a tool by its name. Write "access: read" for a role that only reads.'],
  ...['permissionMode', 'hooks', 'mcpServers', 'disallowedTools', 'isolation', 'background', 'initialPrompt'].map(
    (field): [string, string] => [field, "What an agent may do is decided by Forge's jail and your settings."],
  ),
  ...['maxTurns', 'effort'].map((field): [string, string] => [field, 'Limits belong to agents, in the settings.']),
  ...['memory', 'skills'].map((field): [string, string] => [field, 'Forge gives lessons in the brief itself.']),
]);

/** `replaced` is the role that the text overrides, if it overrides one. */
export function parseRole(text: string, source: string, replaced?: Role): Role {
  const { front, body } = splitFrontMatter(text, source);
  const head = readHead(front, source);
  if (body === '')
    throw bad(`${source} has no text below its front matter`, 'Write there what the agent is asked to be.');
  if (body.length > maxText) {
    throw bad(`${source} is longer than ${maxText} characters`, 'Say it shorter; long material belongs in documents.');
  }
  const role: Role = {
    name: head.name,
    description: head.description,
    model: head.model ?? replaced?.model,
    access: head.access ?? replaced?.access,
    text: body,
    source,
  };
  if (replaced !== undefined) refuseMore(role, replaced);
  return role;
}

function splitFrontMatter(text: string, source: string): { front: string; body: string } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const end = lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line));
  if (!/^---\s*$/.test(lines[0] ?? '') || end === -1) {
    throw bad(
      `${source} does not begin with front matter`,
      'Begin with a line "---", then "name: …" and "description: …", then a line "---".',
    );
  }
  return {
    front: lines.slice(1, end).join('\n'),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

function readHead(front: string, source: string): Head {
  const value = readFront(front, source);
  const parsed = headSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first, ...more] = explainSchema(parsed.error.issues, value, { fields });
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const where = first?.where ?? '(root)';
  throw bad(
    `${source}, ${where}: ${first?.problem ?? 'it does not fit'}${rest}`,
    elsewhere.get(where) ?? first?.fix ?? 'Change it to fit.',
  );
}

function readFront(front: string, source: string): unknown {
  const document = readYaml(front, { prettyErrors: true, uniqueKeys: true });
  const [fault] = document.errors;
  const hint = 'Put quotes around a value that holds a colon or begins with a special character.';
  if (fault !== undefined) throw bad(`${source}: the front matter is not YAML: ${yamlProblem(fault)}`, hint);
  try {
    return document.toJS({ maxAliasCount: 10 }) ?? {};
  } catch (error) {
    throw bad(`${source}: ${yamlProblem(error)}`, 'Write it without aliases.');
  }
}

/** An override comes with a repository; it may narrow what a role can do, not widen it. */
function refuseMore(role: Role, replaced: Role): void {
  if (role.name !== replaced.name) {
    throw bad(
      `${role.source}, name: ${quoteUntrusted(role.name)} is not the role that this file replaces`,
      `Write "name: ${replaced.name}", or name the file ${role.name}.md.`,
    );
  }
  if (replaced.access === 'read' && role.access === 'write') {
    throw bad(
      `${role.source}, access: the role ${role.name} only reads, and an override cannot make it write`,
      'Remove the line "access: write".',
    );
  }
}

function bad(message: string, hint: string): ForgeError {
  return new ForgeError('bad-config', message, { hint });
}
