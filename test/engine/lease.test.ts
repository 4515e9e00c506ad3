import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readHolder, takeLease } from '../../src/engine/files/lease.ts';
import { tempDir } from '../support/temp.ts';
import { fakeHost, identity } from './support.ts';

describe('lease', () => {
  it('never displaces a live holder of this host', () => {
    const directory = tempDir();
    takeLease(directory, fakeHost(identity(1)));
    const second = fakeHost(identity(2), new Set([1, 2]));
    expect(() => takeLease(directory, second)).toThrow(/held by a live process \(pid 1\)/);
    expect(() => takeLease(directory, second, { takeOver: true })).toThrow(/held by a live process/);
    expect(readHolder(directory, second)).toEqual({ status: 'live', holder: identity(1) });
  });

  it('takes over a dead holder at once, with the next epoch', () => {
    const directory = tempDir();
    expect(takeLease(directory, fakeHost(identity(1))).epoch).toBe(1);
    const second = fakeHost(identity(2), new Set([2]));
    expect(takeLease(directory, second)).toMatchObject({ epoch: 2, takenOver: undefined });
    expect(readdirSync(directory)).toEqual(['lease.2']);
  });

  it('asks for an explicit take-over from another host', () => {
    const directory = tempDir();
    const far = takeLease(directory, fakeHost(identity(1, 'far')));
    const here = fakeHost(identity(2));
    expect(() => takeLease(directory, here)).toThrow(/on host far/);
    expect(takeLease(directory, here, { takeOver: true })).toMatchObject({ epoch: 2, takenOver: 2 });
    far.release();
    expect(readHolder(directory, here)).toEqual({ status: 'live', holder: identity(2) });
    const next = takeLease(directory, fakeHost(identity(3), new Set([3])));
    expect(next).toMatchObject({ epoch: 3, takenOver: 2 });
    next.release();
    expect(takeLease(directory, here)).toMatchObject({ epoch: 4, takenOver: 2 });
  });

  it('backs off when others took and released the run between its look and its taking', () => {
    const directory = tempDir();
    takeLease(directory, fakeHost(identity(1)));
    const third = fakeHost(identity(3), new Set([3, 4]));
    let looked = false;
    const slow = {
      ...fakeHost(identity(4), new Set([3, 4])),
      isAlive: (holder: { pid: number }) => {
        if (!looked) {
          looked = true;
          takeLease(directory, fakeHost(identity(2), new Set([2]))).release();
          takeLease(directory, third);
          return false;
        }
        return holder.pid === 3;
      },
    };
    expect(() => takeLease(directory, slow)).toThrow(/held by a live process \(pid 3\)/);
    expect(readHolder(directory, third)).toEqual({ status: 'live', holder: identity(3) });
    expect(readdirSync(directory)).toEqual(['lease.3']);
  });

  it('is free again after a release, and only then', () => {
    const directory = tempDir();
    const host = fakeHost(identity(1));
    const lease = takeLease(directory, host);
    expect(() => takeLease(directory, host)).toThrow(/held/);
    lease.release();
    expect(readHolder(directory, host)).toEqual({ status: 'free' });
    expect(takeLease(directory, host).epoch).toBe(2);
  });
});
