/**
 * Starts what a person would have typed as a process of its own. The words are those of the command line, each flag in
 * one argument with its value, and what is free text after `--`, so that nothing in it can be taken for a flag.
 */
import { type DetachedRun, detachRun } from '../api/detach-run.ts';
import { perform } from '../api/operation.ts';
import type { ToolWork } from './tool.ts';

export interface LaunchedCommand {
  readonly run: string;
  readonly command: 'run' | 'resume' | 'retry';
  readonly values?: Readonly<Record<string, string | undefined>>;
  readonly switches?: Readonly<Record<string, boolean>>;
  readonly words: readonly string[];
}

export async function launch({ context, launch: launcher }: ToolWork, wanted: LaunchedCommand): Promise<DetachedRun> {
  const values = Object.entries(wanted.values ?? {}).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}=${value}`],
  );
  const switches = Object.entries(wanted.switches ?? {}).flatMap(([flag, on]) => (on ? [`--${flag}`] : []));
  const args = [...launcher.args, wanted.command, ...values, ...switches, '--', ...wanted.words];
  return perform(detachRun, context, { run: wanted.run, program: launcher.program, args });
}
