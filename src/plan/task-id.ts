/**
 * Ids as people read them: `T2` before `T10`, and the likely meaning of a word that fits nothing.
 * Independent of locale, so that every machine puts the same plan into the same order.
 */

export function compareIds(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const left = numberAt(a, i);
      const right = numberAt(b, j);
      // Without leading zeros the longer run of digits is the larger number.
      const difference = left.digits.length - right.digits.length || compareText(left.digits, right.digits);
      if (difference !== 0) return difference;
      i = left.end;
      j = right.end;
    } else {
      const difference = a.charCodeAt(i++) - b.charCodeAt(j++);
      if (difference !== 0) return difference;
    }
  }
  // `T1` and `T01` are equal by value; the text itself keeps the order total.
  return a.length - i - (b.length - j) || compareText(a, b);
}

/** The one known word that is likely meant, or none: a wrong guess is worse than no guess. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Math.min(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
    if (bestDistance === 0) break;
  }
  return best;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function numberAt(text: string, start: number): { digits: string; end: number } {
  let first = start;
  while (text.charCodeAt(first) === 48) first++;
  let end = first;
  while (isDigit(text, end)) end++;
  return { digits: text.slice(first, end), end };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `T1`, `t-01` and `T_1` are the same slip. */
function plain(word: string): string {
  return word
    .toLowerCase()
    .replace(/[-_. ]/g, '')
    .replace(/(^|\D)0+(?=\d)/g, '$1');
}

/** Levenshtein, with two letters in each other's place as one slip; given up as soon as it cannot be below `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...row, ...next) >= limit) return limit;
    before = row;
    row = next;
  }
  return row[b.length] ?? limit;
}
