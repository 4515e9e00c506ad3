/** One line that a person types, at the foot or the head of a page. */
import type { Span } from '../../views/spans.ts';
import type { Key } from './key-input.ts';

export class TextInput {
  text: string;

  constructor(text = '') {
    this.text = text;
  }

  press({ name, text }: Key): void {
    if (name === 'backspace' || name === 'ctrl-h') this.text = Array.from(this.text).slice(0, -1).join('');
    else if (name === 'ctrl-u') this.text = '';
    else if (name === 'ctrl-w') this.text = this.text.replace(/\S*\s*$/, '');
    else this.text += text;
  }

  /** The end of what was typed is always in sight. */
  spans(label: string, columns = 200): readonly Span[] {
    const room = Math.max(8, columns - label.length - 2);
    const shown = Array.from(this.text).slice(-room).join('');
    return [{ text: label, tone: 'bold' }, { text: shown }, { text: ' ', tone: 'marked' }];
  }
}
