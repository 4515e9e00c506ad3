/**
 * Runs a shell command in the workspace. The agent is inside the jail already, and so is the shell. A command has a time
 * limit, its output is kept from both ends, and everything it started ends with it or with the turn.
 */
import { z } from 'zod';
import { describeExcess, type ProcessEnd } from '../../../process/process.ts';
import { runProcess } from '../../../process/spawn.ts';
import { type BuiltinTool, ToolFailure } from './tool.ts';

const schema = z.object({
  command: z.string().min(1).describe('Command line for /bin/sh, run in the root of the workspace'),
  seconds: z.number().min(1).max(3600).default(120).describe('Time limit'),
});
type Input = z.infer<typeof schema>;

const limits = { headBytes: 8 * 1024, tailBytes: 16 * 1024, outputBytes: 256 * 1024 * 1024 };

export const runTool: BuiltinTool<Input> = {
  name: 'run',
  description:
    'Run a shell command and get its output and exit code. There is no terminal and no input; processes left in the background are ended with the command.',
  kind: 'execute',
  schema,
  title: ({ command }) => command.split('\n')[0]?.slice(0, 200) ?? command,
  paths: () => [],
  async run({ command, seconds }, { root, env }, signal) {
    // One stream, so that errors stand where they happened.
    const args = ['-c', `exec 2>&1\n${command}`];
    const { end, stdout } = await runProcess(
      { program: '/bin/sh', args, cwd: root, env, limits: { ...limits, timeMs: seconds * 1000 } },
      { signal },
    );
    const text = `${explain(end)}\n${stdout.text}`.trimEnd();
    if (end.status === 'exited' && end.code === 0) return { text };
    throw new ToolFailure(text);
  },
};

function explain(end: ProcessEnd): string {
  switch (end.status) {
    case 'exited':
      return `exit code ${end.code}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'timed-out':
      return `ended after its time limit of ${end.timeMs / 1000} seconds`;
    case 'output-limit':
      return 'ended because of too much output';
    case 'resource-limit':
      return `ended: ${describeExcess(end)}`;
    case 'aborted':
      return 'cancelled';
    case 'not-started':
      return end.reason;
  }
}
