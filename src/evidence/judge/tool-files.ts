/**
 * Which configuration a check reads without naming it: a command that says `vitest` reads `vitest.config.ts`, one that
 * says `make` reads the makefile. By words alone, so a tool that is only mentioned counts too. Pure.
 */

/** Is the file read by a tool that one of these texts names? */
export function isReadByTools(path: string, texts: readonly string[]): boolean {
  const tools = toolsReading(path);
  return tools !== undefined && texts.some((text) => tools.test(text));
}

function toolsReading(path: string): RegExp | undefined {
  const file = path.split('/').at(-1)?.toLowerCase() ?? '';
  return readers.find(([name]) => name.test(file))?.[1];
}

const readers: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:gnu)?makefile$|\.mk$/, /\bmake\b/],
  [/^\.?justfile$/, /\bjust\b/],
  [/^taskfile\.ya?ml$/, /\btask\b/],
  [/^rakefile$/, /\brake\b/],
  [/^vitest\.|^vite\./, /\bvitest\b|\bvite\b/],
  [/^jest\./, /\bjest\b|react-scripts/],
  [/^babel\.config|^\.babelrc/, /\bjest\b|\bbabel\b|\bmocha\b/],
  [/^\.mocharc|^mocha\.opts/, /\bmocha\b/],
  [/^\.nycrc|^nyc\.|^\.c8rc|^c8\./, /\bnyc\b|\bc8\b/],
  [/^ava\./, /\bava\b/],
  [/^playwright/, /\bplaywright\b/],
  [/^cypress/, /\bcypress\b/],
  [/^karma/, /\bkarma\b|\bng\b/],
  [/^\.?jasmine/, /\bjasmine\b/],
  [/^wdio|^nightwatch|^codecept/, /\bwdio\b|\bnightwatch\b|\bcodecept/],
  [/^\.?eslint/, /\beslint\b/],
  [/^\.?prettier/, /\bprettier\b/],
  [/^\.?stylelint/, /\bstylelint\b/],
  [/^tox\.ini$/, /\btox\b|\bpytest\b/],
  [/^noxfile\.py$/, /\bnox\b/],
  [
    /^(?:pytest\.ini|\.pytest\.ini|conftest\.py|pyproject\.toml|setup\.cfg)$/,
    /\bpytest\b|\bpy\.test\b|\btox\b|\bpoe\b/,
  ],
  [/^(?:turbo|nx|lerna)\.json$/, /\bturbo\b|\bnx\b|\blerna\b/],
  [/^bunfig\.toml$/, /\bbun\b/],
  [/^deno\.jsonc?$/, /\bdeno\b/],
];
