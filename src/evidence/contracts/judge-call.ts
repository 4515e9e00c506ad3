/** Whether a call passes what its function takes; the problem in words, or nothing. */
import type { Call, Parameters } from './shape.ts';

export function judgeCall({ list, rest, named }: Parameters, call: Call): string | undefined {
  const places = list.filter(({ by }) => by !== 'name');
  if (call.positional > places.length && !rest)
    return `takes ${count(places.length, places.some(({ required }) => !required) ? 'at most' : '')}, but ${passed(call.positional)}`;
  const filled = new Set(places.slice(0, call.positional).map(({ name }) => name));
  for (const name of call.named) {
    const parameter = list.find((each) => each.name === name && each.by !== 'position');
    if (parameter === undefined) {
      if (!named) return `has no parameter "${name}"${known(list)}`;
    } else if (filled.has(name)) return `is passed "${name}" twice`;
    filled.add(name);
  }
  const lacking = list.filter(({ name, required }, place) => required && !isFilled(name, place));
  if (lacking.length === 0) return undefined;
  if (call.named.length === 0 && lacking.every(({ by }) => by === 'position')) {
    const least = list.filter(({ required }) => required).length;
    return `takes ${count(least, least < list.length || rest ? 'at least' : '')}, but ${passed(call.positional)}`;
  }
  return `is called without ${lacking.map(({ name }) => `"${name}"`).join(', ')}`;

  function isFilled(name: string, place: number): boolean {
    // Parameters that are taken apart have no name.
    return filled.has(name) || (list[place]?.by !== 'name' && place < call.positional);
  }
}

function count(number: number, bound: string): string {
  const words = number === 1 ? '1 argument' : `${number} arguments`;
  return bound === '' ? words : `${bound} ${words}`;
}

function passed(number: number): string {
  return number === 1 ? '1 is passed' : `${number} are passed`;
}

function known(list: Parameters['list']): string {
  const names = list.filter(({ by }) => by !== 'position').map(({ name }) => name);
  return names.length === 0 ? '' : `; it has ${names.slice(0, 8).join(', ')}`;
}
