/** One line from a person at a terminal. Ctrl-C goes to whoever handles interrupts; Ctrl-D is an answer: none. */
import { createInterface } from 'node:readline';

export interface PromptOptions {
  /** The answer came from elsewhere. */
  readonly signal?: AbortSignal | undefined;
  /** An arrow key up or down, while nothing is typed. */
  readonly onArrow?: (step: -1 | 1) => void;
}

/** Undefined when the person left, or the signal aborted. */
export function promptLine(text: string, { signal, onArrow }: PromptOptions = {}): Promise<string | undefined> {
  if (signal?.aborted === true) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const { stdin, stdout } = process;
    const lines = createInterface({ input: stdin, output: stdout, terminal: true, historySize: 0 });
    const onKey = (_: unknown, key: { readonly name?: string } | undefined): void => {
      const step = key?.name === 'up' ? -1 : key?.name === 'down' ? 1 : undefined;
      if (step !== undefined && lines.line === '') onArrow?.(step);
    };
    const finish = (answer: string | undefined): void => {
      resolve(answer);
      lines.close();
    };
    const leave = (): void => {
      stdout.write('\n');
      finish(undefined);
    };
    stdin.on('keypress', onKey);
    signal?.addEventListener('abort', leave, { once: true });
    lines.on('close', () => {
      stdin.off('keypress', onKey);
      signal?.removeEventListener('abort', leave);
      resolve(undefined);
    });
    lines.on('SIGINT', () => {
      leave();
      process.emit('SIGINT');
    });
    lines.question(text, finish);
  });
}
