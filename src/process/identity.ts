/**
 * Who a process is, beyond its pid, which may be given to another one later: start time, boot and host.
 * Everything that signals or judges a recorded process goes through here. Answers are about this host
 * only; asking whether a process of another host is alive is a bug, so ask `sameHost` first.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from './process.ts';
import { readProcess } from './process-table.ts';

/** The identity of a process that exists now (running or not yet collected), or undefined. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const entry = readProcess(pid);
  if (entry === undefined) return undefined;
  return { pid, startTime: entry.startTime, bootId: bootId(), host: hostname() };
}

/** Is this very process still running? False after a reboot, for a reused pid and for a zombie. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!sameHost(identity)) {
    throw new Error(
      `process ${identity.pid} belongs to host ${identity.host}: only that host can say whether it lives`,
    );
  }
  if (!sameBoot(identity)) return false;
  const entry = readProcess(identity.pid);
  return entry !== undefined && entry.startTime === identity.startTime && entry.running;
}

/** Is it stopped by a signal, so that it hears nothing? False for a process of another host, of which nobody knows. */
export function isSuspended(identity: ProcessIdentity): boolean {
  return sameHost(identity) && isAlive(identity) && readProcess(identity.pid)?.suspended === true;
}

export function ownIdentity(): ProcessIdentity {
  const own = identifyProcess(process.pid);
  if (own === undefined) throw new Error('this process is not in the process table');
  return own;
}

export function sameHost(identity: ProcessIdentity): boolean {
  return identity.host === hostname();
}

/** False when the machine was started anew since: then nothing of that process can be left. */
export function sameBoot(identity: ProcessIdentity): boolean {
  return identity.bootId === bootId();
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

function readBootId(): string {
  if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  // The first process starts with the machine.
  return readProcess(1)?.startTime ?? 'unknown';
}
