/**
 * Finds out once whether programs can be contained here, by really containing one, and opens the jail. `none` is only
 * opened for those who name it, and comes with a notice that every run must show. There is no silent fallback.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { bubblewrapJail, findProgram } from './bubblewrap.ts';
import { sweepControlGroups } from './control-group.ts';
import { findGroupPlaces, type GroupPlaces } from './control-group-places.ts';
import type { Jail, NetworkPolicy } from './jail.ts';
import { diagnoseJail, type ProbeFacts } from './jail-diagnosis.ts';
import { jailLimits, type LimitSettings } from './jail-limits.ts';
import { type JailUser, otherUser } from './jail-user.ts';
import { runProcess } from './spawn.ts';
import { makeUnjailed, unjailedNotice } from './unjailed.ts';

export interface JailRequest {
  readonly mode: 'auto' | 'none';
  /** Path of bwrap; default: looked up in the PATH. */
  readonly program?: string;
  readonly limits?: LimitSettings;
}

export interface OpenedJail {
  readonly jail: Jail;
  readonly notice?: string;
}

export async function openJail(request: JailRequest): Promise<OpenedJail> {
  if (request.mode === 'none') return { jail: makeUnjailed(), notice: unjailedNotice };
  const found = request.program ?? findProgram('bwrap');
  const program = found !== undefined && existsSync(found) ? found : undefined;
  const limits = jailLimits(request.limits);
  const linux = process.platform === 'linux' && program !== undefined ? program : undefined;
  const user = linux === undefined ? undefined : await usableUser(linux);
  const { probe, failure, groups } =
    linux === undefined
      ? noProbe
      : await probeJail((places) => bubblewrapJail({ program: linux, user, limits, groups: places }));
  const diagnosis = diagnoseJail(gatherFacts(program !== undefined, failure));
  if (diagnosis !== undefined) throw new ForgeError('jail-unavailable', diagnosis.message, { hint: diagnosis.hint });
  if (probe === undefined || program === undefined)
    throw new Error('a jail that was not tried is not diagnosed as well');
  // Some systems let bubblewrap make namespaces but not `unshare`: only the policy `off` is lost then.
  const offUnavailable = findProgram('unshare') === undefined ? undefined : await tryJail(probe, 'off');
  if (offUnavailable === undefined) return { jail: probe };
  return { jail: bubblewrapJail({ program, user, limits, groups, offUnavailable }) };
}

interface Probed {
  readonly probe?: Jail;
  readonly groups?: GroupPlaces | undefined;
  /** Why no program could be contained. */
  readonly failure?: string | undefined;
}

const noProbe: Probed = {};

/** With control groups where they work, and without where they do not: a jail is needed, groups are not. */
async function probeJail(make: (groups: GroupPlaces | undefined) => Jail): Promise<Probed> {
  const groups = findGroupPlaces();
  if (groups !== undefined) {
    sweepControlGroups(groups);
    const probe = make(groups);
    if ((await tryJail(probe, 'loopback')) === undefined) return { probe, groups };
  }
  const probe = make(undefined);
  return { probe, failure: await tryJail(probe, 'loopback') };
}

/** Some containers let root make user namespaces and nothing else: there it stays who it is. */
async function usableUser(program: string): Promise<JailUser | undefined> {
  const user = otherUser(findProgram);
  return user !== undefined && (await tryJail(bubblewrapJail({ program, user }), 'loopback')) === undefined
    ? user
    : undefined;
}

/** What went wrong when a program that does nothing was contained, or undefined. */
async function tryJail(jail: Jail, network: NetworkPolicy): Promise<string | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'forge-probe-'));
  try {
    const command = {
      program: 'true',
      args: [],
      cwd: home,
      env: { PATH: '/usr/bin:/bin' },
      limits: { timeMs: 20_000 },
    };
    const policy = { writable: [], readable: [], home, tmp: home, network };
    const { end, stderr } = await runProcess(jail.wrap(command, policy));
    if (end.status === 'exited' && end.code === 0) return undefined;
    if (end.status === 'not-started') return end.reason;
    return stderr.text.trim() === '' ? `a contained program ended as ${JSON.stringify(end)}` : stderr.text;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function gatherFacts(installed: boolean, failure: string | undefined): ProbeFacts {
  const settings = {
    unprivilegedUsernsClone: readSetting('kernel/unprivileged_userns_clone'),
    maxUserNamespaces: readSetting('user/max_user_namespaces'),
    apparmorRestrictUserns: readSetting('kernel/apparmor_restrict_unprivileged_userns'),
  };
  return {
    platform: process.platform,
    root: process.getuid?.() === 0,
    installed,
    ...(failure === undefined ? {} : { failure }),
    container: ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path)) || 'container' in process.env,
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
  };
}

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(join('/proc/sys', name), 'utf8').trim();
  } catch {
    return undefined;
  }
}
