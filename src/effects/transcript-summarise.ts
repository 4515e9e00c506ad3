/** `transcript.summarise`: what agents did in some sessions, counted from what Forge wrote down while they did it. */
import { parseTranscript } from '../agents/transcript.ts';
import { transcriptName } from '../agents/transcript-name.ts';
import type { Performer } from '../engine/performer.ts';
import { summariseTools } from '../policy/tool-summary.ts';

export function transcriptSummarise(): Performer<'transcript.summarise'> {
  return {
    perform: async ({ keys }, { artifacts }) => {
      const contents = await Promise.all(keys.map((key) => artifacts.read(transcriptName(key))));
      const uses = contents
        .flatMap((content) => (content === undefined ? [] : parseTranscript(content).records))
        .flatMap(({ tool, text }) => (tool === undefined ? [] : [{ ...tool, text }]));
      return summariseTools(uses);
    },
  };
}
