/** A secret from standard input, or typed at a terminal that does not show it. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ForgeError } from '../errors.ts';

export async function readSecret(question: string): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return (await text(stdin)).trim();
  stdout.write(question);
  // What is typed is written to nobody.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => resolve(undefined));
    lines.once('close', () => resolve(undefined));
  });
  lines.close();
  stdout.write('\n');
  if (answer !== undefined) return answer.trim();
  throw new ForgeError('bad-input', 'Nothing was entered', { hint: 'Nothing was changed.' });
}
