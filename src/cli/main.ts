#!/usr/bin/env node
/**
 * The binary. Performs the command line it was started with, and leaves with its exit code.
 */
import { claimProcess } from '../api/own-process.ts';
import { performCommandLine, worksOnRun } from './perform-command-line.ts';

claimProcess();

// A reader that has seen enough, such as `head`, is not a failure of ours. A run goes on when nobody reads any more, and its
// end decides the exit code. Who no longer hears what went wrong is still told by the exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!worksOnRun(process.argv[2] ?? '')) process.exit(0);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await performCommandLine(process.argv.slice(2));
