/**
 * What an agent is asked to be: a name, a description, the tools it needs, whether it may write, and the text that
 * briefs it. A role never carries a command line, a permission mode or a network; those belong to agents and settings.
 */

export const accesses = ['read', 'write'] as const;
export type Access = (typeof accesses)[number];

export interface Role {
  readonly name: string;
  readonly description: string;
  /** Tools as Claude Code names them, such as `Read` or `Bash(npm test:*)`; absent means the agent's own. */
  readonly tools: readonly string[] | undefined;
  /** A wish for agents that can choose; absent or `inherit` means the agent's own. */
  readonly model: string | undefined;
  readonly access: Access;
  /** Markdown, without the front matter. */
  readonly text: string;
  /** The file it was read from. */
  readonly source: string;
}

/** Roles become file names, so they are one plain word. */
export const roleName = /^[a-z][a-z0-9-]{0,31}$/;
