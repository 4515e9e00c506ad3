/**
 * Per language: what asserts, what skips, what singles out, and which assertion cannot fail. Patterns run
 * over code whose comments and strings are blanked; every repetition is bounded.
 */
import type { Language } from './blank.ts';

export interface LanguageRules {
  readonly assertion: RegExp;
  readonly skip: RegExp;
  readonly only?: RegExp;
  /** Over the assertion as written. */
  isEmpty(statement: string): boolean;
}

export function rulesOf(language: Language): LanguageRules {
  return rules[language];
}

const rules: Readonly<Record<Language, LanguageRules>> = {
  js: {
    assertion:
      /(?<![\w.$])expect(?:\.soft|\.poll)?\s{0,9}\(|(?<![\w$])assert(?:[A-Z]\w{0,60})?(?:\.\w{1,40}){0,2}\s{0,9}\(|\.should\b/g,
    skip: /(?<![\w.$])(?:(?:it|test|describe|context|suite|specify)(?:\.\w{1,30}){0,3}\.(?:skip|todo|skipIf|runIf|fails|failing)|x(?:it|test|describe|context|specify))(?=\s{0,9}[(.`])|(?<=[{,]\s{0,40})(?:skip|todo)\s{0,9}:\s{0,9}(?!false\b|undefined\b|null\b)(?=[\w'"`])/g,
    only: /(?<![\w.$])(?:(?:it|test|describe|context|suite|specify)(?:\.\w{1,30}){0,3}\.only|f(?:it|describe|test|context))(?=\s{0,9}[(.`])|(?<=[{,]\s{0,40})only\s{0,9}:\s{0,9}true\b/g,
    isEmpty: (statement) =>
      /^expect\(\s*(true|1|'[^']*'|"[^"]*")\s*\)\s*\.(?:toBeTruthy\(|toBeDefined\(|toBe\(\s*\1\s*\)|toEqual\(\s*\1\s*\)|toStrictEqual\(\s*\1\s*\))/.test(
        statement,
      ) ||
      /^expect\(\s*([\w.]{1,80})\s*\)\s*\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)/.test(statement) ||
      /^assert(?:\.ok)?\(\s*(?:true|1)\s*[,)]/.test(statement),
  },
  python: {
    assertion:
      /^[ \t]{0,200}assert\b|\b(?:self|cls)\.(?:assert\w{1,40}|fail)\(|\bpytest\.(?:raises|warns|deprecated_call|fail)\(|\bassert_\w{1,60}\(|\.assert_\w{1,60}\(/gm,
    skip: /(?<![\w.])(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|(?<![\w.])pytest\.(?:skip|xfail)\(|(?<![\w.])(?:self|cls)\.skipTest\(|\braise\s{1,9}(?:unittest\.)?SkipTest\b|(?<=\n)collect_ignore(?:_glob)?\b/g,
    isEmpty: (statement) => {
      const text = statement.trim();
      const asserted = /^assert\s+(.{1,300})$/
        .exec(text)?.[1]
        ?.replace(/\s*#.*$/, '')
        .trim();
      if (asserted !== undefined)
        return (
          /^(?:True|1|not False|"[^"]+"|'[^']+')(?:\s*,|$)/.test(asserted) ||
          sameBothSides(asserted.split(/,(?![^([{]*[)\]}])/)[0] ?? '', /\s(?:==|is)\s/)
        );
      return callIsEmpty(text, {
        name: /^(?:self|cls)\.(assert\w+)\(/,
        yes: /True$/,
        no: /False$/,
        equal: /(?:Equals?|Is|AlmostEqual)$/,
      });
    },
  },
  go: {
    assertion:
      /\b[a-z]\w{0,20}\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|must|is|qt|c|td|cmp)\.[A-Z]\w{1,40}\(/g,
    skip: /\b[a-z]\w{0,20}\.Skip(?:f|Now)?\(/g,
    isEmpty: (statement) =>
      callIsEmpty(statement, {
        name: /^(?:assert|require)\.(\w+)\(/,
        yes: /^Truef?$/,
        no: /^Falsef?$/,
        equal: /^(?:Equal|EqualValues|Exactly|Same)f?$/,
        drop: 1,
      }),
  },
  rust: {
    assertion: /\b(?:\w{1,40}::){0,3}(?:prop_|debug_)?assert\w{0,40}!\s{0,9}[([{]|#\[\s{0,9}should_panic\b/g,
    skip: /#\[\s{0,9}ignore\b|#\[\s{0,9}cfg_attr\([^\]\n]{0,200}\bignore\b/g,
    isEmpty: (statement) =>
      callIsEmpty(statement, {
        name: /^(?:\w+::)*(assert(?:_eq)?)!\s*[([{]/,
        yes: /^assert$/,
        no: /^$/,
        equal: /^assert_eq$/,
      }),
  },
  java: {
    assertion:
      /\bassert[A-Z]\w{0,60}\(|(?<![\w.])(?:verify|fail|expectThrows|assert)\s{0,9}\(|\bexpected\s{0,9}=\s{0,9}\w{1,60}(?:\.\w{1,60}){0,6}\.class|\.should\w{0,40}\(|\bshould(?:Be|Throw)\b/g,
    skip: /@(?:Disabled\w{0,40}|Ignore|EnabledIf\w{0,40})\b|\benabled\s{0,9}=\s{0,9}false\b/g,
    isEmpty: (statement) =>
      callIsEmpty(statement, { name: /^(assert\w+)\(/, yes: /True$/, no: /False$/, equal: /(?:Equals|Same)$/ }),
  },
};

interface CallShape {
  readonly name: RegExp;
  readonly yes: RegExp;
  readonly no: RegExp;
  readonly equal: RegExp;
  /** Leading arguments that are not the values, such as Go's `t`. */
  readonly drop?: number;
}

function callIsEmpty(statement: string, shape: CallShape): boolean {
  const text = statement.slice(0, 400);
  const match = shape.name.exec(text);
  if (match === null) return false;
  const method = match[1] ?? '';
  const args = topLevelArguments(text.slice(match[0].length)).slice(shape.drop ?? 0);
  const [first, second] = args;
  if (shape.yes.test(method)) return /^(?:true|True|1)$/.test(first ?? '');
  if (shape.no.test(method)) return /^(?:false|False|0)$/.test(first ?? '');
  return shape.equal.test(method) && first !== undefined && second !== undefined && first === second && isPlain(first);
}

function topLevelArguments(text: string): string[] {
  const args: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char) && depth > 0) depth -= 1;
    else if (char === ',' || ')]}'.includes(char)) {
      args.push(text.slice(start, at).trim());
      start = at + 1;
      if (char !== ',') break;
    }
  }
  return args.filter((arg) => arg !== '');
}

function sameBothSides(expression: string, operator: RegExp): boolean {
  const sides = expression.split(operator).map((side) => side.trim());
  return sides.length === 2 && sides[0] === sides[1] && isPlain(sides[0] ?? '');
}

/** A name or a constant: evaluating it twice gives the same. */
function isPlain(text: string): boolean {
  return /^(?:[\w.]+|"[^"]*"|'[^']*')$/.test(text);
}
