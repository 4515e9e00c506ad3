/**
 * What the plugin says is what there is: agents are the roles, tools are those of the server, the version is the
 * package's. `npx vitest run test/plugin -u` writes the agents anew after a role was changed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { roleTools } from '../../src/effects/role-tools.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { loadTools } from '../../src/mcp/tool.ts';
import { bundledRoles, loadRole } from '../../src/roles/load-roles.ts';
import { agentText } from './agent-text.ts';

const root = resolve(import.meta.dirname, '../..');
const plugin = join(root, 'plugin');
const roles = markdownIn(bundledRoles);
const tools = await loadTools();
const toolNames = tools.map(({ name }) => name);
const prefix = 'mcp__plugin_forge_forge__';

function markdownIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => basename(name, '.md'))
    .sort();
}

const read = (...path: string[]): string => readFileSync(join(plugin, ...path), 'utf8');
const frontOf = (text: string): Record<string, unknown> => parse(text.split(/^---$/m)[1] ?? '');

describe('agents of the plugin', () => {
  it.each(roles)('%s is the role', async (name) => {
    const role = await loadRole(name, { bundled: bundledRoles, overrides: undefined });
    // Names only: nothing is called, so there is nothing to call it with.
    const offered = roleTools(name, {} as EffectContext, {} as Parameters<typeof roleTools>[2]);
    const text = agentText(
      role,
      offered.map((tool) => tool.name),
    );
    await expect(text).toMatchFileSnapshot(join(plugin, 'agents', `${name}.md`));
    const { tools: allowed, ...front } = frontOf(text);
    expect(front).toEqual({ name, description: expect.stringContaining(role.description) });
    expect(unknownTools(String(allowed))).toEqual([]);
  });

  it('are all roles, and no more', () => {
    expect(markdownIn(join(plugin, 'agents'))).toEqual(roles);
  });
});

describe('commands of the plugin', () => {
  const commands = markdownIn(join(plugin, 'commands'));

  it('are three, and no skill takes the name of one', () => {
    expect(commands).toEqual(['forge', 'forge-resume', 'forge-status']);
    const skills = readdirSync(join(plugin, 'skills'));
    expect(skills.filter((name) => commands.includes(name))).toEqual([]);
  });

  it.each(commands)('%s is started by a person and may only look without being asked', (name) => {
    const front = frontOf(read('commands', `${name}.md`));
    // The name is what lets the person leave out the plugin's.
    expect({ name: front['name'], closed: front['disable-model-invocation'] }).toEqual({ name, closed: true });
    const allowed = String(front['allowed-tools']).split(', ');
    const looking = tools.filter(({ hints }) => hints.readOnlyHint).map((tool) => `${prefix}${tool.name}`);
    expect(allowed.filter((tool) => !looking.includes(tool))).toEqual([]);
  });
});

describe('texts of the plugin', () => {
  const texts = [
    ...['forge', 'forge-resume', 'forge-status'].map((name) => join('commands', `${name}.md`)),
    join('skills', 'forge-guide', 'SKILL.md'),
  ];

  it.each(texts)('%s names tools and arguments that the server has', (file) => {
    const text = read(file);
    expect(unknownTools(text)).toEqual([]);
    const fields = tools.flatMap(({ input }) => Object.keys(input.shape));
    const named = [...text.matchAll(/`([a-z]+[A-Z]\w*)/g)];
    expect(named.map(([, field = '']) => field).filter((field) => !fields.includes(field))).toEqual([]);
  });

  it('explain every role and every tool once', () => {
    const guide = read('skills', 'forge-guide', 'SKILL.md');
    const missing = [...roles.map((name) => `\`forge:${name}\``), ...toolNames.map((name) => `\`${name}\``)];
    expect(missing.filter((word) => !guide.includes(word))).toEqual([]);
  });
});

it('has the version of the package and registers its server', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(JSON.parse(read('.claude-plugin', 'plugin.json'))).toMatchObject({ name: 'forge', version });
  expect(JSON.parse(read('.mcp.json'))).toEqual({
    mcpServers: { forge: { command: '${FORGE_BIN:-forge}', args: ['mcp'] } },
  });
});

/** Whatever looks like a tool of the server and is none. */
function unknownTools(text: string): readonly string[] {
  const named = [...text.matchAll(/mcp__\w+|`((?:forge|memory|iteration|session)_\w+|validate\w*)`/g)];
  const known = [...toolNames, ...toolNames.map((name) => `${prefix}${name}`)];
  return named.map(([whole, short]) => short ?? whole).filter((name) => !known.includes(name));
}
