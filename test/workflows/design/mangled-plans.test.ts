/** Whatever happens to the files of a plan directory, reading it ends soon, throws nothing, and places every problem in a file. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { planStatus } from '../../../src/delivery/plan-status.ts';
import { statusTableProblems } from '../../../src/delivery/plan-readme-problems.ts';
import { memoryTree } from '../../../src/design/memory-tree.ts';
import { directoryProblems } from '../../../src/workflows/design/plan/check-plan-directory.ts';
import { readPlanDirectory } from '../../../src/workflows/design/plan/read-plan-directory.ts';
import { damage, damaged } from '../../design/damage.ts';
import { playDesign } from './scene.ts';
import { designDir, planDir, prdDir, tinyModules } from './tiny-design.ts';

let files: Readonly<Record<string, string>>;
const modules = Object.keys(tinyModules).filter((id) => id !== 'M-004');
const problemsOf = (changed: Readonly<Record<string, string | undefined>>): readonly string[] => {
  const kept = Object.entries({ ...files, ...changed }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const directory = readPlanDirectory(memoryTree(new Map(kept)), planDir);
  const wishes = { dir: planDir, needed: modules, built: modules, ours: [planDir, designDir, prdDir] };
  return directoryProblems(directory, wishes).map(({ file, line, problem }) => {
    expect(file.startsWith(`${planDir}/`) && line > 0).toBe(true);
    expect(problem).not.toContain('undefined');
    return `${file.slice(planDir.length + 1)}:${line}: ${problem}`;
  });
};

beforeAll(async () => {
  const { world } = await playDesign();
  files = Object.fromEntries(Object.entries(world.files()).filter(([path]) => path.startsWith(`${planDir}/`)));
});

it('what a run wrote has no problem, with line ends of Windows too', () => {
  expect(problemsOf({})).toEqual([]);
  expect(
    problemsOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))),
  ).toEqual([]);
});

it('every problem is named with its place', () => {
  const readme = `${planDir}/README.md`;
  const conventions = `${planDir}/plans/conventions.md`;
  const shout = `${planDir}/plans/plan-M-002-shout.md`;
  const text = (path: string): string => files[path] ?? '';
  const lines = (path: string): string[] => text(path).split('\n');
  const lineOf = (path: string, part: string): number => lines(path).findIndex((line) => line.includes(part)) + 1;
  const table = lineOf(readme, '| Module | Phase | Plan | Dev |');
  const cases: readonly (readonly [Readonly<Record<string, string | undefined>>, string])[] = [
    [
      { [readme]: text(readme).replace('| Review | Merged |', '| Review | Landed |') },
      `README.md:${table}: "Module Status" has no column "Merged".`,
    ],
    [
      { [readme]: text(readme).replace('## Module Status', '## Modules') },
      'README.md:1: The section "Module Status" is missing.',
    ],
    [{ [readme]: text(readme).replace(/(\| M-002 \| 2 \|.*\n)/, '$1$1') }, '"Module Status" has two rows for M-002.'],
    [{ [readme]: 'word '.repeat(200_000) }, 'README.md:1: The file is longer than 524288 characters.'],
    [{ [shout]: undefined }, 'plans/plan-M-002.md:1: There is no plan for M-002.'],
    [{ [shout]: '# Plan: M-002\n\nNothing.\n' }, 'plans/plan-M-002-shout.md:1: "Implementation Steps" has no entry.'],
    [
      { [shout]: `${'>'.repeat(400)} deep\n` },
      'plans/plan-M-002-shout.md:1: The plan nests quotes or lists more than 24 levels deep.',
    ],
    [{ [shout]: text(shout).replaceAll('src/shout.js', '../outside.js') }, 'plans/plan-M-002-shout.md:'],
    [{ [shout]: text(shout).replaceAll('src/shout.js', 'src/core.js') }, 'src/core.js belongs to M-001.'],
    [
      { [shout]: text(shout).replaceAll('src/shout.js', `${designDir}/README.md`) },
      'belongs to the plan, the design or the PRD.',
    ],
    [{ [shout]: text(shout).replaceAll('src/shout.js', 'src/sh\0ut.js') }, 'The plan has a NUL character.'],
    [
      { [`${planDir}/plans/plan-M-002-again.md`]: text(shout) },
      'plans/plan-M-002-shout.md:1: M-002 has another plan: plan-M-002-again.md.',
    ],
    [{ [shout]: text(shout).replace('## Wiring & Registration', '## Wires') }, '"Wiring & Registration" has no entry.'],
    [
      { [conventions]: text(conventions).replace('node --test', 'node --test && rm -rf x') },
      `plans/conventions.md:${lineOf(conventions, '## Development Workflow')}:`,
    ],
    [{ [conventions]: text(conventions).replace('| e2e |', '| ../../e2e |') }, 'plans/conventions.md:'],
  ];
  for (const [changed, told] of cases) {
    expect(changed).not.toEqual({ [Object.keys(changed)[0] ?? '']: text(Object.keys(changed)[0] ?? '') });
    expect(problemsOf(changed).join('\n')).toContain(told);
  }
});

it('a damaged plan directory is read or reported, never thrown', () => {
  const names = Object.keys(files).filter((name) => /README|conventions|plan-M|log/.test(name));
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(damage)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(changes, (list) => {
      const copy: Record<string, string | undefined> = { ...files };
      for (const [name, how] of list) copy[name] = how === null ? undefined : damaged(copy[name] ?? '', how);
      problemsOf(copy);
      const readme = copy[`${planDir}/README.md`] ?? '';
      statusTableProblems(readme);
      expect(planStatus(readme, copy[`${planDir}/execution-log.md`] ?? '').events.length).toBeLessThanOrEqual(10);
    }),
    { numRuns: 12 },
  );
});
