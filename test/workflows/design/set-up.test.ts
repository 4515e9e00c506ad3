import { expect, it } from 'vitest';
import { lackingInSetUp } from '../../../src/workflows/design/rules/set-up.ts';

const whole = ['package.json', 'CLAUDE.md', '.env.example', 'scripts/setup.sh'];

it.each([
  ['everything', { paths: whole }, []],
  ['instructions from before', { paths: whole.slice(2), hasInstructions: true }, []],
  ['a Makefile', { paths: ['CLAUDE.md', '.env.example', 'Makefile'] }, []],
  ['a script to start with', { paths: ['CLAUDE.md', '.env.example', 'bin/dev'] }, []],
  ['nothing', { paths: ['package.json'] }, ['CLAUDE.md', '.env.example', 'set-up']],
  ['instructions elsewhere', { paths: ['docs/CLAUDE.md', '.env.example', 'setup.py'] }, ['CLAUDE.md']],
  ['tests', { paths: whole, tests: 2 }, ['2 tests']],
])('a set-up with %s', (_name, made, lacks) => {
  const found = lackingInSetUp({ hasInstructions: false, tests: 0, ...made });
  expect(found).toHaveLength(lacks.length);
  for (const [at, word] of lacks.entries()) expect(found[at]).toContain(word);
});
