import { defineConfig } from 'vitest/config';

/** `npm test` runs what is quick; the slower proofs have scripts of their own and name their folder. */
const slow = ['test/hostile/**', 'test/**/*.slow.test.ts', 'test/crash/{waves,modules}.test.ts'];
const everything = process.env['FORGE_TESTS'] === 'slow' || process.env['FORGE_CRASH'] !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', ...(everything ? [] : slow)],
    setupFiles: ['test/support/own-home.ts'],
    pool: 'forks',
    // Tests wait for processes more than they compute; the default of one worker on two cores would wait twice.
    maxWorkers: 3,
    maxConcurrency: 3,
    // Other people's machines are busy at times; a test that fails twice in a row is broken.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
