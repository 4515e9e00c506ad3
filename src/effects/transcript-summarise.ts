/** `transcript.summarise`: what agents did in some sessions, counted from what Forge wrote down while they did it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTranscript, transcriptName } from '../agents/transcript.ts';
import type { Performer } from '../engine/performer.ts';
import { summariseTools } from '../policy/tool-summary.ts';

export function transcriptSummarise(): Performer<'transcript.summarise'> {
  return {
    perform: async ({ keys }, { directory }) => {
      const files = keys.map((key) => join(directory, 'transcripts', transcriptName(key))).filter(existsSync);
      const uses = files
        .flatMap((file) => readTranscript(file).records)
        .flatMap(({ tool, text }) => (tool === undefined ? [] : [{ ...tool, text }]));
      return summariseTools(uses);
    },
  };
}
