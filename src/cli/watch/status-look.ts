/** How a state looks on a terminal: a sign, a word and a tone. The sign alone says it too, for terminals without colour. */
import type { Tone } from '../../views/spans.ts';

export interface StatusLook {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
}

const looks: Readonly<Record<string, readonly [sign: string, ascii: string, tone: Tone, word?: string]>> = {
  done: ['✓', '+', 'good'],
  replied: ['✓', '+', 'good', 'done'],
  running: ['•', '*', 'busy'],
  created: ['•', '*', 'busy', 'starting'],
  failed: ['✗', 'x', 'bad'],
  unreadable: ['✗', 'x', 'bad'],
  cancelled: ['⊘', '#', 'dim'],
  blocked: ['⊘', '#', 'warn'],
  asks: ['?', '?', 'warn', 'needs you'],
  waiting: ['○', '.', 'dim'],
  limited: ['‖', '!', 'warn', 'at its limit'],
  paused: ['‖', '!', 'warn'],
  stopped: ['!', '!', 'bad'],
  interrupted: ['‖', '!', 'warn'],
  unverified: ['?', '?', 'warn'],
  skipped: ['–', '-', 'dim'],
};

const spinners = ['⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', '|/-\\'] as const;

export function statusLook(
  status: string,
  { ascii, frame }: { readonly ascii: boolean; readonly frame: number },
): StatusLook {
  const [sign, plain, tone, word = status] = looks[status] ?? (['·', '.', 'dim'] as const);
  const spinner = spinners[ascii ? 1 : 0];
  const turning = status === 'running' ? spinner[frame % spinner.length] : undefined;
  return { sign: turning ?? (ascii ? plain : sign), word, tone };
}
