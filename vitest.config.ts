import { defineConfig } from 'vitest/config';

/** `npm test` runs what is quick; the slower proofs have scripts of their own and name their folder. */
const slow = [
  'test/browser/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/**/*.slow.test.ts',
  'test/crash/{waves,modules}.test.ts',
];
const everything = process.env['FORGE_TESTS'] === 'slow' || process.env['FORGE_CRASH'] !== undefined;
/** They change their process for good, such as by giving away its rights. */
const alone = ['test/process/bubblewrap-user.test.ts'];
/** They start many programs, which costs a process by the memory it holds: they keep away from tests that fill it. */
const starters = ['test/{api,checks,cli,crash,effects,git,mcp,process,store}/**/*.test.ts'];
const notQuick = ['node_modules/**', ...slow, ...alone];

export default defineConfig({
  test: {
    setupFiles: ['test/support/own-home.ts'],
    pool: 'forks',
    // What was built is loaded as it is, by Node.
    server: { deps: { external: [/\/dist\//] } },
    // Tests wait for processes more than they compute; the default of one worker on two cores would wait twice.
    maxWorkers: 3,
    maxConcurrency: 3,
    // Other people's machines are busy at times; a test that fails twice in a row is broken.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // For a test that hangs, never for one that is slow: nothing depends on how busy the machine is.
    testTimeout: everything ? 3_600_000 : 900_000,
    hookTimeout: everything ? 3_600_000 : 900_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: everything ? [...alone, ...slow] : alone,
        },
      },
      {
        // Loading the modules anew for each of 300 files would take longer than most of the tests.
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...notQuick, ...starters],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'starters', include: starters, exclude: notQuick, isolate: false },
      },
    ],
  },
});
