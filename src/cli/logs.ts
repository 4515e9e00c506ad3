/** `forge logs`: what agents said and checks printed, under the key of the work it belongs to. */
import { openContext } from '../api/context.ts';
import { readLogs } from '../api/read-logs.ts';
import type { LogEntry } from '../api/run-logs.ts';
import { plainLines } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: CommandCall): Promise<number> {
  const leave = new AbortController();
  const context = openContext({ cwd: process.cwd(), signal: leave.signal });
  const isFollowed = call.switches.has('follow');
  const words = await wordsFor(context, call.words);
  const interrupted = (): void => leave.abort();
  if (isFollowed) process.on('SIGINT', interrupted);
  let last = '';
  for await (const entry of readLogs(context, { ...words, follow: isFollowed })) {
    if (call.switches.has('json')) printJson(entry);
    else {
      if (entry.key !== last) console.log(`${last === '' ? '' : '\n'}${entry.key}`);
      for (const line of entryLines(entry)) console.log(`  ${line}`);
    }
    last = entry.key;
  }
  process.off('SIGINT', interrupted);
  if (last === '' && !call.switches.has('json')) console.log('Nothing was said yet.');
  return leave.signal.aborted ? 130 : 0;
}

function entryLines({ source, at, type, text }: LogEntry): readonly string[] {
  const lines = plainLines(text.trimEnd());
  if (source === 'check') return [`[${type}]`, ...lines.map((line) => `  ${line}`)];
  const [first = '', ...rest] = lines;
  return [
    `${at.slice(11, 19)} ${type === 'text' ? '' : `${type}: `}${first}`,
    ...rest.map((line) => `         ${line}`),
  ];
}
