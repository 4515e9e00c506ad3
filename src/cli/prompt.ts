/** One line from a person at a terminal. Ctrl-C goes to whoever handles interrupts; Ctrl-D is an answer: none. */
import { createInterface } from 'node:readline';

/** Undefined when the person left, or the signal aborted because the answer came from elsewhere. */
export function promptLine(text: string, signal?: AbortSignal): Promise<string | undefined> {
  if (signal?.aborted === true) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true });
    const finish = (answer: string | undefined): void => {
      resolve(answer);
      lines.close();
    };
    lines.on('close', () => resolve(undefined));
    lines.on('SIGINT', () => {
      process.stdout.write('\n');
      lines.close();
      process.emit('SIGINT');
    });
    signal?.addEventListener('abort', () => finish(undefined), { once: true });
    lines.question(text, finish);
  });
}

/** The index of the chosen line, counted from 0; undefined when the person left. */
export async function promptChoice(title: string, options: readonly string[]): Promise<number | undefined> {
  const list = options.map((option, index) => `  ${index + 1}. ${option}`).join('\n');
  process.stdout.write(`${title}\n${list}\n`);
  for (;;) {
    const typed = await promptLine(`[1-${options.length}] `);
    if (typed === undefined) return undefined;
    const chosen = Number(typed.trim() === '' ? '1' : typed.trim());
    if (Number.isInteger(chosen) && chosen >= 1 && chosen <= options.length) return chosen - 1;
  }
}
