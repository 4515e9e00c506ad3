/**
 * Examples in documentation that a runner runs as tests: `>>>` in Python docstrings and documents, assertions in the
 * doc comments of Rust. They lie in product files, so their expectations change together with the code. Pure and linear.
 */
export interface ChangedExample {
  readonly path: string;
  /** What is run. */
  readonly test: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface ExampleChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Of examples that are on the base: what else is expected now, and which are gone. */
export function changedExamples(changes: readonly ExampleChange[]): readonly ChangedExample[] {
  return changes.flatMap(changedIn);
}

function changedIn({ path, before, after }: ExampleChange): readonly ChangedExample[] {
  const now = new Map(examplesIn(path, after).map(({ code, expected }) => [code, expected]));
  return examplesIn(path, before).flatMap(({ code, expected }): ChangedExample[] => {
    const said = now.get(code);
    if (said !== undefined && said.join('\n') === expected.join('\n')) return [];
    return [{ path, test: code, before: expected, after: said ?? [] }];
  });
}

/** May this file hold such examples? */
export function holdsExamples(path: string, text: string): boolean {
  return path.endsWith('.rs') ? /^\s*\/\/[/!].*\bassert/m.test(text) : /^\s*>>> /m.test(text);
}

interface Example {
  readonly code: string;
  readonly expected: readonly string[];
}

const mostExamples = 2000;

function examplesIn(path: string, text: string): readonly Example[] {
  return (path.endsWith('.rs') ? rustExamples(text) : pythonExamples(text)).slice(0, mostExamples);
}

/** The same code twice is told apart by its place among its like. */
function pythonExamples(text: string): readonly Example[] {
  const found: { code: string; expected: string[] }[] = [];
  const seen = new Map<string, number>();
  let open: { code: string; expected: string[] } | undefined;
  for (const line of text.split('\n')) {
    const said = line.trim();
    if (said.startsWith('>>> ')) {
      const count = (seen.get(said) ?? 0) + 1;
      seen.set(said, count);
      open = { code: count === 1 ? said : `${said} (${count})`, expected: [] };
      found.push(open);
    } else if (open !== undefined && said.startsWith('... ') && open.expected.length === 0) open.code += `\n${said}`;
    else if (said === '' || /^(?:"""|''')/.test(said)) open = undefined;
    else open?.expected.push(said);
  }
  return found;
}

function rustExamples(text: string): readonly Example[] {
  const said = text.split('\n').filter((line) => /^\s*\/\/[/!].*\bassert/.test(line));
  return said.map((line) => ({ code: line.trim(), expected: [line.trim()] }));
}
