/**
 * One writer per run. Leases are numbered files (`lease.1`, `lease.2`, …) and the highest number counts;
 * taking a run means creating the next number with `link`, which only one process can win, so two takers
 * of a dead holder's run cannot displace each other. The number is the epoch recorded in `run.opened`.
 * A live holder on this host is never displaced. A dead one is taken over at once. Whether a holder on
 * another host lives cannot be known: that needs an explicit take-over, which also moves the journal.
 */
import { linkSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../../errors.ts';
import type { HolderIdentity } from '../facts.ts';
import type { Host } from '../host.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';

export interface Lease {
  readonly epoch: number;
  /** The epoch at which the run was taken from another host: the journal must have moved before it is opened. */
  readonly takenOver: number | undefined;
  release(): void;
}

/** `takenOver` is handed on from lease to lease: whoever took over may have died before the journal moved. */
interface LeaseRecord extends HolderIdentity {
  readonly takenOver?: number | undefined;
}

export type LeaseHolder =
  | { readonly status: 'free' }
  | { readonly status: 'live'; readonly holder: HolderIdentity }
  | { readonly status: 'dead'; readonly holder: HolderIdentity }
  | { readonly status: 'foreign'; readonly holder: HolderIdentity };

export interface TakeOptions {
  /** Take the run even though a process on another host may still hold it. */
  readonly takeOver?: boolean;
}

export function takeLease(directory: string, host: Host, options: TakeOptions = {}): Lease {
  for (;;) {
    const { epoch: last, holder, takenOver: before } = readLease(directory, host);
    if (holder.status === 'live') throw held(holder.holder);
    if (holder.status === 'foreign' && options.takeOver !== true) throw foreign(holder.holder);
    const epoch = last + 1;
    const takenOver = holder.status === 'foreign' ? epoch : before;
    if (!tryCreate(directory, epoch, { ...host.self, takenOver })) continue;
    // Others may have taken and released the run since it was read, and the number was free again.
    if (epochs(directory).at(-1)?.epoch === epoch) {
      forget(directory, last);
      return { epoch, takenOver, release: () => release(directory, epoch) };
    }
    rmSync(join(directory, `lease.${epoch}`), { force: true });
  }
}

/** As much of the machine as it takes to know who lives. */
export type KnownHost = Pick<Host, 'self' | 'isAlive'>;

/** Who holds a run now, for anyone who wants to know. */
export function readHolder(directory: string, host: KnownHost): LeaseHolder {
  return readLease(directory, host).holder;
}

interface Held {
  readonly epoch: number;
  readonly holder: LeaseHolder;
  readonly takenOver: number | undefined;
}

function readLease(directory: string, host: KnownHost): Held {
  const latest = epochs(directory).at(-1);
  if (latest === undefined) return { epoch: 0, holder: { status: 'free' }, takenOver: undefined };
  const { epoch, released } = latest;
  const found = readFound(join(directory, `lease.${epoch}`));
  // Replaced between the listing and the reading: look again.
  if (found === undefined) return readLease(directory, host);
  const { takenOver, ...holder } = found;
  if (released) return { epoch, holder: { status: 'free' }, takenOver };
  if (holder.host !== host.self.host) return { epoch, holder: { status: 'foreign', holder }, takenOver };
  return { epoch, holder: { status: host.isAlive(holder) ? 'live' : 'dead', holder }, takenOver };
}

function epochs(directory: string): { epoch: number; released: boolean }[] {
  return readdirSync(directory)
    .flatMap((name) => {
      const match = /^lease\.(\d+)(\.released)?$/.exec(name);
      return match === null ? [] : [{ epoch: Number(match[1]), released: match[2] !== undefined }];
    })
    .sort((a, b) => a.epoch - b.epoch || Number(a.released) - Number(b.released));
}

function readFound(file: string): LeaseRecord | undefined {
  try {
    return parseLease(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ForgeError('journal-corrupt', `${file} is not a lease`, {
      hint: 'Remove that file and try again.',
      cause: error,
    });
  }
}

/** By hand: everybody who lists runs reads leases, and needs no schemas for anything else. */
function parseLease(value: unknown): LeaseRecord {
  const { pid, startTime, bootId, host, takenOver } = value as Partial<LeaseRecord>;
  const isLease =
    Number.isInteger(pid) &&
    [startTime, bootId, host].every((part) => typeof part === 'string') &&
    (takenOver === undefined || Number.isInteger(takenOver));
  if (!isLease) throw new Error('it does not say who holds the run');
  return { pid, startTime, bootId, host, takenOver } as LeaseRecord;
}

/** `link` of a complete file: the lease exists whole or not at all, and only one process creates a number. */
function tryCreate(directory: string, epoch: number, self: LeaseRecord): boolean {
  const file = join(directory, `lease.${epoch}`);
  const aside = `${file}.${self.pid}-${self.startTime}.tmp`;
  writeSynced(aside, JSON.stringify(self));
  try {
    linkSync(aside, file);
    syncDirectory(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(aside);
  }
}

/** A second name beside the first: someone who lists the directory meanwhile always finds the number. */
function release(directory: string, epoch: number): void {
  const file = join(directory, `lease.${epoch}`);
  try {
    linkSync(file, `${file}.released`);
  } catch (error) {
    // After a take-over by another host there is nothing left to release.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function forget(directory: string, upTo: number): void {
  for (const { epoch, released } of epochs(directory)) {
    if (epoch <= upTo) rmSync(join(directory, `lease.${epoch}${released ? '.released' : ''}`), { force: true });
  }
}

function held(holder: HolderIdentity): ForgeError {
  return new ForgeError('lease-held', `The run is held by a live process (pid ${holder.pid})`, {
    hint: 'Attach to it, or pause it first.',
  });
}

function foreign(holder: HolderIdentity): ForgeError {
  return new ForgeError('lease-foreign', `The run is held by a process on host ${holder.host}`, {
    hint: 'If that process is gone for good, take the run over explicitly.',
  });
}
