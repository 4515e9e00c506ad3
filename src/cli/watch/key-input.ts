/**
 * Keys as a person presses them, from a terminal in raw mode. Node reads the escape sequences of keys, also when a slow
 * line delivers them in pieces; those of a mouse are taken out before. Knows nothing of what keys mean.
 */
import { PassThrough } from 'node:stream';
import { emitKeypressEvents } from 'node:readline';

export interface Key {
  /** `up`, `enter`, `pagedown`, `ctrl-c`, `wheel-up`, `click`; for a character, the character. */
  readonly name: string;
  /** What to add to a text that is being typed; empty for keys that type nothing. */
  readonly text: string;
  /** Of a click: the row on the screen, from 0. */
  readonly row?: number;
}

/** Returns how to stop. The terminal has to be in raw mode, and is read until then. */
export function readKeys(input: NodeJS.ReadStream, onKey: (key: Key) => void): () => void {
  const keys = new PassThrough();
  let rest = '';
  emitKeypressEvents(keys);
  keys.on('keypress', (text: string | undefined, key: NodeKey) => {
    const read = keyOf(text, key);
    if (read !== undefined) onKey(read);
  });
  const onData = (bytes: Buffer): void => {
    const { left, mouse, unfinished } = takeMouse(rest + bytes.toString('utf8'));
    rest = unfinished;
    for (const key of mouse) onKey(key);
    if (left !== '') keys.write(left);
  };
  input.on('data', onData);
  input.resume();
  return () => {
    input.off('data', onData);
    input.pause();
    keys.destroy();
  };
}

interface NodeKey {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

function keyOf(text: string | undefined, { name, ctrl, shift }: NodeKey): Key | undefined {
  if (ctrl === true) return name === undefined ? undefined : { name: `ctrl-${name}`, text: '' };
  if (name === 'return' || name === 'enter') return { name: 'enter', text: '' };
  if (name === 'tab') return { name: shift === true ? 'back-tab' : 'tab', text: '' };
  if (text !== undefined && /^[^\p{Cc}]+$/u.test(text)) return { name: text === ' ' ? 'space' : text, text };
  return name === undefined ? undefined : { name, text: '' };
}

/** `ESC [ < button ; column ; row M`, as terminals write it since xterm. */
// oxlint-disable-next-line no-control-regex
const mouseEvent = /\u001b\[<(\d+);(\d+);(\d+)([Mm])/g;
// oxlint-disable-next-line no-control-regex
const mouseBegun = /\u001b\[<[\d;]*$/;

function takeMouse(text: string): {
  readonly left: string;
  readonly mouse: readonly Key[];
  readonly unfinished: string;
} {
  const mouse: Key[] = [];
  const whole = text.replaceAll(mouseEvent, (...parts: readonly string[]) => {
    const [, button = '', , row = '', end] = parts;
    const name = { '0': 'click', '64': 'wheel-up', '65': 'wheel-down' }[button];
    if (name !== undefined && end === 'M') mouse.push({ name, text: '', row: Number(row) - 1 });
    return '';
  });
  const unfinished = mouseBegun.exec(whole)?.[0] ?? '';
  return { left: whole.slice(0, whole.length - unfinished.length), mouse, unfinished };
}
