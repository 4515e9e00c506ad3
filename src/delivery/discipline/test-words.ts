/** What the names and conditions of tests say in words, in whatever language they stand. Pure. */

/** The status that a name promises: `returns 404`, `responds with status 201 and the entry`; not `returns 200 rows`. */
export function promisedStatus(name: string): string | undefined {
  const found =
    /\b(?:returns?|responds?(?: with)?|answers?(?: with)?|gives|sends|status(?: code)?)[\s_]+(?:(?:an?|with|status(?: code)?|http)[\s_]+){0,3}([1-5]\d\d)(?![\d.,]\d|\d)(?:[\s_]+(\w+))?/i.exec(
      name.replaceAll('_', ' '),
    );
  const [, status, next] = found ?? [];
  return next === undefined || isNoThing(next) ? status : undefined;
}

/** A noun in lower case behind a number is what is counted. */
function isNoThing(word: string): boolean {
  return (
    /^[A-Z]/.test(word) ||
    /^(?:for|when|if|on|to|with|and|or|without|after|before|unless|until|in|as|at|by|from|status|error|response|not|ok|created|because|while|once|instead|then|but|where)$/.test(
      word,
    )
  );
}

/** Whether the name of a test says that it is about what is printed. */
export function namesOutput(name: string): boolean {
  return /(?:^|[^a-z])(?:print|log|warn|writ|show|output|report|say|announce|display|help|usage|echo|tell)/i.test(name);
}

/** A test may well depend on the system it runs on: it says so, and runs elsewhere. */
export function asksAboutMachine(condition: string): boolean {
  return /\b(?:process|platform|sys|os|env|environ|version\w*|windows|isWindows|isWin|isMac|isLinux)\b/i.test(
    condition,
  );
}
