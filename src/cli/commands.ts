/** The commands as data: `--help` needs no more than this, and a command's code is loaded when it is run. */

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly run: (args: readonly string[]) => Promise<number> }>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'doctor',
    summary: 'what Forge needs on this machine, and what is missing (--json)',
    load: () => import('./doctor.ts'),
  },
];
