/**
 * Who a contained program runs as. For an ordinary person: as that person, in a user namespace. When Forge is root, as
 * `nobody`: root without capabilities still owns what root owns (devices, kernel settings, files of services), and no
 * limit on processes holds for it. Then what Forge made for the program is handed over to that user before it starts.
 */
import { readFileSync } from 'node:fs';
import type { Preparation } from './process.ts';

export interface JailUser {
  readonly uid: number;
  readonly gid: number;
  /** Path of setpriv, which changes to that user inside. */
  readonly setpriv: string;
  /** Path of chown, GNU's: it does not follow links, and changes only what root owns. */
  readonly chown: string;
  /** Path of env, GNU's: it changes to the program's directory, which is closed to root without capabilities. */
  readonly env: string;
}

/** Capabilities that are needed to become that user, and are gone when it has been done. */
export const switchCapabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

const nobody = 65_534;

/** Undefined when programs run as the person themselves, or when no other user can be had here. */
export function otherUser(find: (name: string) => string | undefined): JailUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [setpriv, chown, env] = [find('setpriv'), find('chown'), find('env')];
  if (setpriv === undefined || chown === undefined || env === undefined) return undefined;
  if (![readMap('uid_map'), readMap('gid_map')].every((map) => isMapped(map, nobody))) return undefined;
  return { uid: nobody, gid: nobody, setpriv, chown, env };
}

/** What becomes the program as that user, with no way back. */
export function switchArgs({ uid, gid, setpriv }: JailUser): readonly string[] {
  const ids = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return [setpriv, ...ids, '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--'];
}

/** Only what root owns changes hands: that is what Forge wrote since. */
export function handOverFiles({ uid, gid, chown }: JailUser, paths: readonly string[]): Preparation {
  return { program: chown, args: ['-R', '-h', '--from=0', `${uid}:${gid}`, '--', ...paths] };
}

/** Is this user known in a namespace with this map (lines of: first inside, first outside, count)? */
export function isMapped(map: string, id: number): boolean {
  return map.split('\n').some((line) => {
    const [first, , count] = line.trim().split(/\s+/).map(Number);
    return first !== undefined && count !== undefined && id >= first && id < first + count;
  });
}

function readMap(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'utf8');
  } catch {
    return '';
  }
}
