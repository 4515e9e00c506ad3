/**
 * Babel's parser with a bound on its work. Where types are read it tries several readings of what follows an angle
 * bracket, and again within each: a text of a hundred characters can keep it busy forever. So every character it looks
 * at is counted, and a text that makes it look far more often than any code does is refused: a plain `Error`, where a
 * text that is not of the language is a `SyntaxError`. Pure.
 */
import { parse, type ParserOptions } from '@babel/parser';

/** Code of any kind takes one to three looks per character. */
const looksPerCharacter = 30;
const looksAtLeast = 20_000;

export function parseBounded(source: string, options: ParserOptions): ReturnType<typeof parse> {
  // The parser reads it through the methods of a string, and never asks what it is.
  return parse(new CountedText(source) as unknown as string, options);
}

class CountedText extends String {
  #left = looksAtLeast + this.length * looksPerCharacter;

  override charCodeAt(index: number): number {
    this.#left -= 1;
    if (this.#left < 0) throw new Error('reading it takes too much work');
    return super.charCodeAt(index);
  }
}
