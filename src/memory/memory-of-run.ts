/** The lessons that a run may use and keep: none where it or the project says so now, and a rehearsal learns nothing. */
import { join } from 'node:path';
import type { Settings } from '../policy/settings.ts';
import { type Memory, openMemory } from './memory-files.ts';

export interface MemoryPlaces {
  /** Top of the checkout. */
  readonly root: string;
  /** The user's own lessons, for all projects. */
  readonly user: Parameters<typeof openMemory>[0]['user'];
  readonly consent: Parameters<typeof openMemory>[0]['consent'];
}

export function memoryOfRun(begun: Settings, now: Settings, { root, user, consent }: MemoryPlaces): Memory {
  const modes = [begun.memory, now.memory];
  if (modes.includes('off')) return noMemory;
  const lessons = openMemory({
    project: join(root, '.forge', 'memory'),
    user: modes.includes('project') ? undefined : user,
    consent,
  });
  return begun.rehearsal ? { ...lessons, save: async () => nothingSaved } : lessons;
}

const noMemory: Memory = {
  list: async () => ({ lessons: [], files: [], problems: [] }),
  usable: async () => ({ lessons: [], problems: [] }),
  recall: async () => ({ lessons: [], problems: [] }),
  save: async () => nothingSaved,
};

const nothingSaved = { added: 0, merged: 0, files: [], problems: [] } as const;
