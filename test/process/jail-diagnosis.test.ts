import { describe, expect, test } from 'vitest';
import { diagnoseJail, type ProbeFacts } from '../../src/process/jail-diagnosis.ts';

const well: ProbeFacts = { platform: 'linux', root: false, installed: true, container: false, settings: {} };
const mapFailure = 'bwrap: setting up uid map: Permission denied';
const procFailure = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
const netFailure = 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted';

describe('diagnoseJail', () => {
  test('nothing is wrong', () => {
    expect(diagnoseJail(well)).toBeUndefined();
    expect(diagnoseJail({ ...well, settings: { apparmorRestrictUserns: '1' } })).toBeUndefined();
  });

  test.each<[string, Partial<ProbeFacts>, string, string]>([
    ['macOS', { platform: 'darwin' }, 'there is no jail for macOS yet', 'Run Forge on Linux'],
    ['Windows', { platform: 'win32', installed: false }, 'there is no jail for Windows yet', 'Run Forge on Linux'],
    ['not installed', { installed: false }, 'bubblewrap (bwrap) is not installed', 'apt install bubblewrap'],
    [
      'switched off',
      { failure: mapFailure, settings: { maxUserNamespaces: '0' } },
      'user.max_user_namespaces is 0',
      'sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'switched off for users',
      { failure: mapFailure, settings: { unprivilegedUsernsClone: '0', maxUserNamespaces: '100' } },
      'kernel.unprivileged_userns_clone is 0',
      'sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'AppArmor, as on Ubuntu 24.04',
      { failure: mapFailure, settings: { apparmorRestrictUserns: '1' } },
      'AppArmor keeps normal users from using user namespaces',
      'kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    [
      'AppArmor, seen at the network',
      { failure: netFailure, settings: { apparmorRestrictUserns: '1' } },
      'AppArmor keeps normal users from using user namespaces',
      'bwrap-userns-restrict',
    ],
    [
      'root is not kept by AppArmor',
      { failure: mapFailure, root: true, settings: { apparmorRestrictUserns: '1' } },
      'does not allow bubblewrap to make namespaces: bwrap: setting up uid map',
      'CONFIG_USER_NS',
    ],
    [
      'container without namespaces',
      { failure: 'bwrap: No permissions to create a new namespace', container: true, root: true },
      'this container does not allow user namespaces',
      '--privileged',
    ],
    [
      'container without /proc',
      { failure: procFailure, container: true },
      'this container does not allow a /proc of its own',
      'systempaths=unconfined',
    ],
    ['no /proc', { failure: procFailure }, 'does not allow bubblewrap to mount /proc', 'findmnt -R /proc'],
    [
      'unknown',
      { failure: 'bwrap: something new' },
      'could not start a program: bwrap: something new',
      'make it succeed',
    ],
    ['silent', { failure: ' ' }, 'could not start a program: it said nothing', 'make it succeed'],
  ])('%s', (_name, facts, message, hint) => {
    const diagnosis = diagnoseJail({ ...well, ...facts });
    expect(diagnosis).toEqual({ message: expect.stringContaining(message), hint: expect.stringContaining(hint) });
    expect(diagnosis?.hint).toContain('or ask for the jail `none`: then nothing is contained, and every run says so.');
  });
});
