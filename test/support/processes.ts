/** Processes that a test caused, known by a directory of the test's own in their environment. */
import { readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

export function processesWith(area: string): readonly FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/environ`, 'latin1');
        if (!text.includes(area)) return [];
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });
}
