/** What agents at work said last, by the key of their work: for a display, read from the end of their transcripts. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { transcriptName } from '../agents/transcript.ts';
import type { RunState } from '../engine/run-state.ts';

const tailBytes = 8 * 1024;

export function agentActivity(directory: string, state: Readonly<RunState>): ReadonlyMap<string, string> {
  const activity = new Map<string, string>();
  for (const [key, { kind, open }] of state.effects) {
    if (kind !== 'agent.run' || open === undefined) continue;
    const last = lastText(join(directory, 'transcripts', transcriptName(key)));
    if (last !== undefined) activity.set(key, last);
  }
  return activity;
}

function lastText(file: string): string | undefined {
  const lines = readTail(file).split('\n').filter(Boolean);
  for (const line of lines.toReversed()) {
    try {
      const { text, tool } = JSON.parse(line) as { text?: unknown; tool?: { name?: unknown; paths?: unknown } };
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

function readTail(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(fd, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
    return bytes.toString('utf8', 0, read);
  } finally {
    closeSync(fd);
  }
}
