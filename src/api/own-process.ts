/** What the program of Forge does with its own process before anything else. Not for those who embed Forge. */
import { closeInherited } from '../process/inherited.ts';

/** Whoever started it may have left files open; nothing that Forge starts is to find them. */
export function claimProcess(): void {
  closeInherited();
}
