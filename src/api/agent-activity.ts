/** What agents at work said last, by the key of their work: for a display, read from the end of their transcripts. */
import { transcriptName } from '../agents/transcript-name.ts';
import type { RunArtifacts } from '../engine/run-artifacts.ts';
import type { RunState } from '../engine/run-state.ts';

const tailBytes = 8 * 1024;

export async function agentActivity(
  artifacts: RunArtifacts,
  state: Readonly<RunState>,
): Promise<ReadonlyMap<string, string>> {
  const activity = new Map<string, string>();
  for (const [key, { kind, open }] of state.effects) {
    if (kind !== 'agent.run' || open === undefined) continue;
    const last = lastText((await artifacts.readFrom(transcriptName(key), -tailBytes)).toString('utf8'));
    if (last !== undefined) activity.set(key, last);
  }
  return activity;
}

function lastText(tail: string): string | undefined {
  const lines = tail.split('\n').filter(Boolean);
  for (const line of lines.toReversed()) {
    try {
      const { type, text, tool } = JSON.parse(line) as {
        type?: unknown;
        text?: unknown;
        tool?: { name?: unknown; paths?: unknown };
      };
      if (type === 'usage') continue;
      const [path] = Array.isArray(tool?.paths) ? tool.paths : [];
      const said = typeof tool?.name === 'string' ? [tool.name, path].filter(Boolean).join(' ') : text;
      const [word = ''] = typeof said === 'string' ? said.trim().split('\n').slice(-1) : [];
      if (word !== '') return word;
    } catch {
      // The first line of the tail is cut in half, and the last may be half written.
    }
  }
  return undefined;
}
