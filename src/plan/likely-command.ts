/**
 * Tells a command from a sentence that a planner put where a command belongs. Wrong either way it does
 * little harm: prose that passes fails to start on the base commit, and a command that looks like prose
 * is refused with the way to write it. It decides nothing else.
 */

export function isLikelyCommand(line: string): boolean {
  return isSequence(line) || isCommand(line);
}

/** `cd a; make`: short commands joined as in a shell, of which the last is a known program. Prose has no `cd a;`. */
function isSequence(line: string): boolean {
  const parts = line.split(/;|&&|\n/).map((part) => part.trim().replace(/^[(\s]+|[)\s]+$/g, ''));
  const [first = '', ...others] = parts.filter((part) => part !== '');
  if (others.length === 0 || !/^[a-z][\w.+-]*(?:\s+\S+){0,2}$/.test(first)) return false;
  return others.every((part) => isCommand(part) && (programs.has(wordsOf(part)[0] ?? '') || /^cd\s/.test(part)));
}

function wordsOf(line: string): readonly string[] {
  return withoutAssignments(line.trim()).split(/\s+/);
}

function isCommand(line: string): boolean {
  const words = wordsOf(line);
  const program = (words[0] ?? '').replace(/^[('"{]+|['"]+$/g, '');
  const rest = words.slice(1);
  if (program === '') return false;
  if (/[/\\$`]/.test(program)) return true;
  const isKnown = programs.has(program);
  const proseWords = rest.filter((word) => functionWords.has(word.toLowerCase().replace(/[.,;:!?]+$/, ''))).length;
  if (isKnown) return proseWords < 2;
  if (!/^[a-z0-9_][\w.+@-]*$/.test(program) || /^\d+\.?$/.test(program)) return false;
  if (rest.some((word) => /^--?[A-Za-z]|^(?:&&|\|\|?)$/.test(word))) return true;
  return proseWords === 0 && !/[,:]\s|[.!?]$/.test(line.trim());
}

function withoutAssignments(line: string): string {
  return line.replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/, '');
}

/** Programs whose name is an English word, or that begin with a capital. Others need no list. */
const programs = new Set(
  `cd make go node test find cat cut sort head tail diff file which time npm npx yarn pnpm bun deno tsc jest
  vitest mocha eslint ruff tox uv python python3 pytest poetry cargo mvn gradle dotnet php ruby rake bundle
  git grep sh bash echo ls just task mix swift flutter dart terraform R Rscript MSBuild`.split(/\s+/),
);

const functionWords = new Set(
  `a an the that then this these it its is are be should must can will not no works work passes pass sure
  correctly properly when if of to in on with without for and or each every after before still does`.split(/\s+/),
);
