/**
 * A role of Forge as an agent of Claude Code. The plugin's files are what comes out here, word for word: the roles stay
 * the only source. A role that only reads has no tool that writes; the tools of the server that a role may use within a
 * run are named too.
 */
import { stringify } from 'yaml';
import type { Role } from '../../src/roles/role.ts';

export function agentText(role: Role, serverTools: readonly string[]): string {
  const { name, access = 'write' } = role;
  const own = name === 'learner' ? looking : toolsOf[access];
  const tools = [...own, ...serverTools.map((tool) => `mcp__plugin_forge_forge__${tool}`)];
  const description = `${role.description} Use it when the person asks for this role of Forge by name.`;
  const head = { name: role.name, description, tools: tools.join(', ') };
  return `---
${stringify(head, { lineWidth: 0 })}---

${role.text}

## Outside a run

You were called from a conversation, not by a run of Forge: there is no \`$FORGE_DOCUMENTS\`, nothing is captured, checked or
merged after you, and the working directory is the person's own checkout. ${bounds[access]} What the brief leaves open,
read in the repository. Your last message is the result.
`;
}

const looking = ['Read', 'Grep', 'Glob'];
const toolsOf = { read: [...looking, 'Bash'], write: ['Read', 'Write', 'Edit', 'Grep', 'Glob', 'Bash'] };

const bounds = {
  read: 'Change nothing in it.',
  write: 'Change only what you were asked to, and say what you changed.',
};
