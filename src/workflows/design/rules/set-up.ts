/**
 * What a set-up is more than a build: instructions for agents, the variables with their defaults, a way to start, and no tests
 * yet, because modules bring their own. Pure.
 */

export interface SetUpMade {
  /** What the set-up changed. */
  readonly paths: readonly string[];
  /** Whether the project had a CLAUDE.md before. */
  readonly hasInstructions: boolean;
  /** How many tests ran. */
  readonly tests: number;
}

/** One line for each thing that is missing. */
export function lackingInSetUp({ paths, hasInstructions, tests }: SetUpMade): readonly string[] {
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  return [
    ...(hasInstructions || has(/^CLAUDE\.md$/) ? [] : ['There is no CLAUDE.md with the commands.']),
    ...(has(/^\.env\.example$/) ? [] : ['There is no .env.example with every variable and its default.']),
    ...(has(script) ? [] : ['There is no script for local set-up, such as scripts/setup.sh.']),
    ...(tests === 0 ? [] : [`There are ${tests} tests already. Modules bring their own.`]),
  ];
}

const script =
  /(?:^|\/)(?:set-?up|bootstrap|install|init|dev)[\w-]*(?:\.\w+)?$|(?:^|\/)(?:Makefile|justfile|Taskfile\.ya?ml)$/i;
