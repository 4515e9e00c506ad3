/**
 * `forge statusline`: one line for a shell prompt, or for Claude Code, which gives its figures on standard input. The
 * figures about usage windows are kept for runs that use the same account. It never fails: a prompt must not break.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { statusLine } from '../api/status-line.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  try {
    // A prompt has the terminal as its input, and nobody types there.
    const given = process.stdin.isTTY ? '' : await readInput();
    const line = await performOperation(statusLine, openContext({ cwd: process.cwd() }), { given });
    if (switches.has('json')) printJson(line);
    else if (line.text !== '') console.log(plainLine(line.text));
  } catch (error) {
    if (switches.has('json')) throw error;
  }
  return 0;
}

/** What stands on standard input. A pipe that nobody writes to must not hold up a prompt. */
async function readInput(): Promise<string> {
  const { stdin } = process;
  const waiting = new AbortController();
  const nothing = sleep(inputMs, '', { signal: waiting.signal }).catch(() => '');
  const given = await Promise.race([text(stdin), nothing]);
  waiting.abort();
  if (!stdin.readableEnded) {
    stdin.pause();
    stdin.unref();
  }
  return given;
}

const inputMs = 1000;
