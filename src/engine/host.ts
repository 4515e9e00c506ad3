/**
 * What the engine needs to know of the machine it runs on, as an interface: the engine starts no program
 * and reads no /proc itself.
 */
import type { HolderIdentity } from './facts.ts';

export interface Host {
  readonly self: HolderIdentity;
  /** Only asked about this host and boot, or an earlier boot of it. */
  isAlive(identity: HolderIdentity): boolean;
  /** Ends an orphan with its whole tree; resolves when nothing of it is left. */
  stop(identity: HolderIdentity): Promise<void>;
}
