/**
 * Shapes of secrets that are known by their looks: tokens of well-known services, credentials in headers and
 * addresses, private keys. Pure, and linear in the text: a token is only looked for where one can begin, every
 * repetition is bounded and none is nested in another that could match the same text.
 */

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** No shape but a private key is longer, and a private key is held back as a whole. */
export const longestShape = 24 * 1024;

export function shapeSpans(text: string): readonly SecretSpan[] {
  return spansOf(shapes, text);
}

function spansOf(wanted: readonly Shape[], text: string): readonly SecretSpan[] {
  return wanted.flatMap(({ hints, pattern }) => {
    // Looking for a plain word first makes text without secrets cheap.
    if (!hints.some((hint) => text.includes(hint))) return [];
    return Array.from(text.matchAll(pattern), (match) => {
      const start = match.index + (match.groups?.['before']?.length ?? 0);
      return { start, end: match.index + match[0].length };
    });
  });
}

/** Only tokens and private keys: what may not be in a file, wherever it is said. */
export function tokenSpans(text: string): readonly SecretSpan[] {
  return spansOf(
    shapes.filter(({ isToken }) => isToken),
    text,
  );
}

/** Where a private key begins that has not ended yet, or the end of the text. */
export function openKeyStart(text: string): number {
  const begin = text.lastIndexOf('-----BEGIN ');
  if (begin < 0) return text.length;
  const match = [...text.slice(begin).matchAll(privateKey)][0];
  const open = match?.index === 0 && begin + match[0].length >= text.trimEnd().length && !keyEnd.test(match[0]);
  return open ? begin : text.length;
}

interface Shape {
  /** One of these is in every match. */
  readonly hints: readonly string[];
  /** A group `before` is context that stays. */
  readonly pattern: RegExp;
  /** A secret by itself, without what stands around it. */
  readonly isToken?: boolean;
}

/** The beginning of a token: after anything that is not part of one, or after an escape that ends in a letter. */
const start = String.raw`(?:(?<![\w-])|(?<=\\[bfnrtv]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,8}m))`;

/** A private key, whole or cut off: its lines may be separated by escapes, as in JSON. */
const gap = String.raw`(?:\s|\\[nr]){1,4}`;
const keyLine = String.raw`(?:[A-Za-z][A-Za-z-]{1,30}: [^\n\\]{0,200}|[A-Za-z0-9+/=]{1,16384})`;
const privateKey = new RegExp(
  String.raw`-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:${gap}${keyLine}){0,400}(?:(?:${gap})?-----END [A-Z0-9 ]{1,60}-----)?`,
  'g',
);
const keyEnd = /-----END [A-Z0-9 ]{1,60}-----$/;

const shapes: readonly Shape[] = [
  token(['sk-'], String.raw`sk-(?:ant|proj|svcacct|admin|or|lf)-[\w-]{16,512}`),
  token(['sk-'], String.raw`sk-[A-Za-z0-9]{20,256}`),
  token(['k_live_', 'k_test_', 'whsec_'], String.raw`(?:[rsp]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,256}`),
  token(['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'], String.raw`gh[oprsu]_[A-Za-z0-9]{20,255}`),
  token(['github_pat_'], String.raw`github_pat_\w{20,255}`),
  token(['gl'], String.raw`gl(?:pat|oas|dt|rt|ptt|ft|cbt|soat|imt|agent)-[\w.-]{16,255}`),
  token(['xox', 'xapp-'], String.raw`(?:xox[abceoprs]|xapp)-[A-Za-z0-9.-]{10,512}`),
  token(['AKIA', 'ASIA'], String.raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])`),
  token(['AIza'], String.raw`AIza[\w-]{35}`),
  token(['ya29.'], String.raw`ya29\.[\w-]{20,2048}`),
  token(['npm_'], String.raw`npm_[A-Za-z0-9]{30,255}`),
  token(['pypi-'], String.raw`pypi-[\w-]{40,1024}`),
  token(['hf_'], String.raw`hf_[A-Za-z0-9]{20,255}`),
  token(['eyJ'], String.raw`eyJ[\w-]{8,8000}\.[\w-]{8,8000}(?:\.[\w-]{0,8000})?`),
  {
    hints: ['earer ', 'EARER '],
    pattern: /(?<before>\bbearer {1,8})[\w.~+/=-]{16,8000}/gi,
  },
  {
    hints: ['uthorization', 'UTHORIZATION'],
    pattern:
      /(?<before>\bauthorization\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:(?:basic|bearer|token|digest)[ \t]{1,4})?)[\w.~+/=-]{8,8000}/gi,
  },
  {
    // The user's name stays, the password goes.
    hints: ['://'],
    pattern: /(?<before>:\/\/[^\s/:@[\]"'<>]{0,256}:)[^\s/@[\]"'<>]{1,512}(?=@)/g,
  },
  { hints: ['-----BEGIN '], pattern: privateKey, isToken: true },
];

function token(hints: readonly string[], body: string): Shape {
  return { hints, pattern: new RegExp(`${start}${body}`, 'g'), isToken: true };
}
