/**
 * The jail's interface: what a contained program may see. Implementations turn a command and a policy
 * into a command that starts contained. `none` exists only for people who ask for it by name.
 */
import type { Command } from './process.ts';

export type NetworkPolicy = 'on' | 'loopback' | 'off';

export interface JailPolicy {
  /** Directories the program may write: its workspace and nothing else of ours. Mounted at the same path. */
  readonly writable: readonly string[];
  /** Further paths it may read (object stores, toolchains, caches, a result socket's directory). */
  readonly readable: readonly string[];
  /** Of the readable paths, those that Forge made for this program: as root they are handed to the user it runs as. */
  readonly given?: readonly string[];
  /** Paths within these that look empty and cannot be written, where they exist. */
  readonly hidden?: readonly string[];
  /** Private HOME and TMPDIR: existing directories, writable inside. */
  readonly home: string;
  readonly tmp: string;
  readonly network: NetworkPolicy;
}

export interface Jail {
  readonly name: 'bubblewrap' | 'none';
  /** The user that contained programs run as, when it is not the one who runs Forge. */
  readonly user?: number;
  /** Who counts the memory and the processes of a program: control groups of the kernel, or Forge, twice a second. */
  readonly limitsHeldBy?: 'kernel' | 'watching';
  wrap(command: Command, policy: JailPolicy): Command;
}
