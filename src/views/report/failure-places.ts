/**
 * Places that the output of a failed check names, each with what it says there: `test/sum.test.js:7`, in the words of the
 * common runners and compilers. Programs of other people printed it, so whatever does not look like a place is left
 * alone. Pure.
 */
import { repositoryPath } from '../workspace-path.ts';

export interface FailurePlace {
  /** As printed: relative to the repository where the program said so, else as much as it said. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const mostPlaces = 50;
const mostLines = 2000;
const longestLine = 2000;
const longestText = 300;

/** Colours and other sequences for terminals. */
// oxlint-disable-next-line no-control-regex
const sequences = /\u001b\[[0-9;?]*[A-Za-z]/g;
const named =
  /(?:file:\/\/)?((?:[A-Za-z]:)?[\w@~./\\+-]*[\w-]\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?::\d+)?|\((\d{1,7}),\d+\))/g;
const pythonPlace = /File "([^"]+)", line (\d{1,7})/g;
/** Lines of a stack, of a drawn frame, and the figures of a test that a reader of places does not need. */
const noWords =
  /^\s*(?:at\b|File "|\^|\||~|#\d+ |❯|[\w.<>]+ \(|(?:duration_ms|location|failureType|code|name|expected|actual|operator|stack|type):|# )/;
/** What announces a failure: it stands above the places it is about. */
const headline = /^\s*(?:not ok\b|[✖✗×●]|-{3,} |-+ FAIL|FAIL|ERROR|E\s{2,}|thread\b|_{3,} )|\berror\b|Error\b|panicked/;

export function failurePlaces(output: string): FailurePlace[] {
  const places = new Map<string, FailurePlace>();
  let said = '';
  for (const whole of output.split('\n', mostLines)) {
    const line = whole.slice(0, longestLine).replaceAll(sequences, '');
    const own = ownWords(line);
    // Some name the place first.
    if (/^\s*test at /.test(line)) said = '';
    for (const { file, at } of placesIn(line)) {
      const key = `${file}:${at}`;
      const text = joined(places.get(key)?.text ?? '', own === '' ? said : own);
      if (places.size >= mostPlaces && !places.has(key)) return [...places.values()];
      places.set(key, { file, line: at, text });
    }
    if (own === '' || !headline.test(line)) continue;
    said = own;
    const [key, last] = [...places].at(-1) ?? [];
    if (key !== undefined && last?.text === '') places.set(key, { ...last, text: own.slice(0, longestText) });
  }
  return [...places.values()];
}

/** Runners name a place twice: with the test, and with what was wrong there. */
function joined(before: string, more: string): string {
  const text = before === '' || before.includes(more) ? before || more : `${before}: ${more}`;
  return text.slice(0, longestText);
}

function placesIn(line: string): readonly { readonly file: string; readonly at: number }[] {
  const found = [...line.matchAll(named), ...line.matchAll(pythonPlace)].map((match) => ({
    file: repositoryPath(match[1] ?? '')
      .replaceAll('\\', '/')
      .replace(/^\.\//, ''),
    at: Number(match[2] ?? match[3]),
  }));
  return found.filter(({ file, at }) => at > 0 && !/(^|\/)node_modules\//.test(file));
}

/** What a line says besides the place, without the marks that runners put before it. */
function ownWords(line: string): string {
  if (noWords.test(line)) return '';
  const words = line
    .replaceAll(named, '')
    .replace(/^\s*(?:not ok \d+|error:(?= ['"|])|[✖✗×●E]|>|_{3,}|-{3,}|={3,})(?=\s)/, '')
    .replaceAll(/^[\s:>|'"[\]_=-]+|(?:\bat\b)?[\s:>|'"[\]_=({-]*$/g, '')
    .trim();
  return /\p{L}|\d\D+\d/u.test(words) && !/^(?:in \S+|error|test|note)$/.test(words) ? words : '';
}
