/**
 * The commands as data. Help, completion and argument parsing use these tables, and a command's code is loaded only when
 * it runs. Every workflow is a command too (workflow-command.ts). Only tables are imported here, so `--help` costs no
 * more than Node itself. A summary fits an 80-column terminal.
 *
 * A name is one word, or two: a group and an action, such as `design check`. A group can also be a workflow: then
 * `forge design check` is the action and `forge design <anything else>` starts a run.
 */
import { backlogCommands } from './backlog-commands.ts';
import { milestoneCommands } from './milestone-commands.ts';
import { projectCommands } from './project-commands.ts';
import { recordCommands } from './record-commands.ts';
import { runCommands } from './run-commands.ts';
import { userCommands } from './user-commands.ts';

export interface CommandEntry {
  /** One word, or a group and an action. */
  readonly name: string;
  readonly summary: string;
  /** Names of what may follow, in order; one that ends with `?` may be left out, one with `...` may come any number of times. */
  readonly words: readonly string[];
  /** What the first word can be, where that is known beforehand. */
  readonly choices?: readonly string[];
  readonly flags: Readonly<Record<string, CommandFlag>>;
  /** Values that the command's name stands for, such as the workflow. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Command lines, each with what it does; those of Forge's own commands are in examples.ts. */
  readonly examples?: readonly (readonly [command: string, about: string])[];
  /** What to try when a flag is not in this table. */
  readonly whenUnknown?: string;
  readonly load: () => Promise<{ readonly run: (call: CommandCall) => Promise<number> }>;
}

export interface CommandFlag {
  /** What the value is, for help; without it the flag takes none. */
  readonly value?: string;
  readonly short?: string;
  readonly summary: string;
  /** For Forge itself. */
  readonly hidden?: true;
}

/** A command line that was understood. */
export interface CommandCall {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

export const commands: readonly CommandEntry[] = [
  ...runCommands,
  ...projectCommands,
  ...backlogCommands,
  ...milestoneCommands,
  ...recordCommands,
  ...userCommands,
];

/** What each group of commands is about, for help. A group that is a workflow has the workflow's summary instead. */
export const groupSummaries: Readonly<Record<string, string>> = {
  task: 'Write, plan and run tasks of your backlog',
  bug: 'Report, triage and fix bugs',
  sprint: 'Plan and run sprints, review them and look back',
};

/** The actions of a group, in the order of the table; none when there is no such group. */
export function actionsOf(group: string): readonly CommandEntry[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}
