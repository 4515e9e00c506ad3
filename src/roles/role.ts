/**
 * What an agent is asked to be: a name, a description, whether it may write, and the text that briefs it. A role never carries a command line, a permission mode or a network; those belong to agents and settings.
 */

export const accessModes = ['read', 'write'] as const;
export type Access = (typeof accessModes)[number];

export interface Role {
  readonly name: string;
  readonly description: string;
  /** The model for this role, unless the settings name one; absent or `inherit` means the agent's own. */
  readonly model: string | undefined;
  /** `read` keeps the role from writing. Absent: as the workflow says. It never lets a role write that only reads. */
  readonly access: Access | undefined;
  /** Markdown, without the front matter. */
  readonly text: string;
  /** The file it was read from. */
  readonly source: string;
}

/** Roles become file names, so they are one plain word. */
export const roleName = /^[a-z][a-z0-9-]{0,31}$/;
