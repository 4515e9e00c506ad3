/**
 * docs/roles.md says what every role answers with, and it is made from the schemas that Forge judges replies by. To write
 * it again after a change: FORGE_WRITE_DOCS=1 npx vitest run test/policy/roles-document.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { builtinDefinitions } from '../../src/workflows/registry.ts';

const programs = await Promise.all(builtinDefinitions.map(async ({ name, load }) => ({ name, ...(await load()) })));
const roleSchemas: Record<string, z.ZodType> = {};
for (const { name, program } of programs) {
  for (const [role, { result }] of Object.entries(program.roles)) {
    // The same word for two roles: those of the later workflow are told apart.
    const known = roleSchemas[role];
    roleSchemas[known === undefined || known === result ? role : `${role} (${name})`] = result;
  }
}
const file = resolve(import.meta.dirname, '../../docs/roles.md');

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly maxLength?: number;
}

function typeText(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(', ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeText).join(' or ');
  if (shape.type === 'array') {
    const most = shape.maxItems === undefined ? '' : `, at most ${shape.maxItems}`;
    const least = shape.minItems === undefined ? '' : `, at least ${shape.minItems}`;
    return `list of ${typeText(shape.items ?? {})}${least}${most}`;
  }
  const most = shape.maxLength === undefined ? '' : `, at most ${shape.maxLength} characters`;
  return `${shape.type ?? 'anything'}${most}`;
}

/** `bugs[].title`, one row each. */
function rows(shape: Shape, prefix: string): readonly string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const needed = shape.required?.includes(name) === true && field.default === undefined ? 'yes' : '';
    const cells = [`\`${path}\``, typeText(field), needed, field.description ?? ''];
    const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    return [row, ...rows(inner, field.type === 'array' ? `${path}[].` : `${path}.`)];
  });
}

function document(): string {
  const roles = Object.entries(roleSchemas).map(([role, schema]) => {
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
    return `## ${role}\n\n| field | value | needed | |\n|---|---|---|---|\n${rows(shape, '').join('\n')}\n`;
  });
  return `# What roles answer with

An agent that plays a role ends its work with one JSON object: through the tool \`submit_result\`, or in the file that
\`$FORGE_RESULT\` names. Forge checks it against the fields below before anything else happens. A reply that does not fit goes back to
the agent with what is wrong; a field that is not needed has a default. The text of a role can be replaced by
\`.forge/roles/<role>.md\`; what it answers with stays the same. Roles of [your own workflows](workflows.md) answer with the schema that
the workflow names.

${roles.join('\n')}`;
}

it('says what the schemas say', () => {
  if (process.env['FORGE_WRITE_DOCS'] === '1') writeFileSync(file, document());
  expect(readFileSync(file, 'utf8')).toBe(document());
});
