/** `notes.read`: what the workflow noted so far under some keys. What a retry took back was never noted. */
import type { Performer } from '../engine/performer.ts';

export function notesRead(): Performer<'notes.read'> {
  return {
    async perform({ endings }, context) {
      const notes = new Map<string, { key: string; text: string; data?: null }>();
      for (const { type, key, data } of await context.facts()) {
        if (type === 'task.reopened') for (const forgotten of data.forgotten) notes.delete(forgotten);
        if (type !== 'note.recorded' || !endings.some((ending) => key.endsWith(ending))) continue;
        notes.delete(key);
        notes.set(key, { key, text: data.text, ...(data.data === undefined ? {} : { data: data.data as null }) });
      }
      return { notes: [...notes.values()] };
    },
  };
}
