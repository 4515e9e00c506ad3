/**
 * The scripted agent itself: a process of its own that runs in the jail like any agent, reads its steps
 * from standard input and does them in its working directory. It plays hostile agents too, so it does NOT
 * confine itself: paths are used as written and the jail decides. A step that fails is reported and the
 * script goes on, as an agent would. Imports nothing but Node, so that the jail has to show one file only.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import type { StepName, StepOf } from './script-step.ts';
import type { ScriptedInput, ScriptedMessage } from './scripted-protocol.ts';

/** What a step did, in words for the transcript; undefined when it says so itself. */
type Deed =
  | {
      readonly paths: readonly string[];
      readonly text: string;
      readonly edit?: { readonly before: string; readonly after: string };
    }
  | undefined;

/** A larger edit is told in one line. */
const mostEditBytes = 16_000;

const performers: { readonly [N in StepName]: (step: StepOf<N>) => Deed | Promise<Deed> } = {
  write(step) {
    const content = Buffer.from(step.content, step.encoding ?? 'utf8');
    const before = textAt(step.path);
    mkdirSync(dirname(step.path), { recursive: true });
    writeFileSync(step.path, content);
    if (step.mode !== undefined) chmodSync(step.path, step.mode);
    const deed = { paths: [step.path], text: `wrote ${content.length} bytes` };
    if (before === undefined || step.encoding !== undefined || content.length > mostEditBytes) return deed;
    return { ...deed, edit: { before, after: step.content } };
  },
  link(step) {
    mkdirSync(dirname(step.path), { recursive: true });
    rmSync(step.path, { force: true });
    symlinkSync(step.to, step.path);
    return { paths: [step.path], text: `linked to ${step.to}` };
  },
  append(step) {
    mkdirSync(dirname(step.path), { recursive: true });
    appendFileSync(step.path, step.content);
    return { paths: [step.path], text: `appended ${Buffer.byteLength(step.content)} bytes` };
  },
  delete(step) {
    rmSync(step.path, { recursive: true });
    return { paths: [step.path], text: 'deleted' };
  },
  move(step) {
    mkdirSync(dirname(step.to), { recursive: true });
    renameSync(step.from, step.to);
    return { paths: [step.from, step.to], text: 'moved' };
  },
  async patch(step) {
    const apply = ['git', 'apply', '--whitespace=nowarn'];
    try {
      return await runProgram([...apply, '-'], step.diff);
    } catch (error) {
      // A job that was cut off does its steps again, and this one may be done already.
      const isThere = await runProgram([...apply, '--reverse', '--check', '-'], step.diff).catch(() => undefined);
      if (isThere === undefined) throw error;
      return { paths: [], text: 'the patch is applied already' };
    }
  },
  exec: (step) => runProgram(step.argv),
  git: (step) => runProgram(['git', ...step.argv]),
  async sleep(step) {
    await new Promise((resolve) => setTimeout(resolve, step.ms));
    return undefined;
  },
  say: (step) => tell({ type: 'text', text: step.text }),
  usage: (step) => tell({ type: 'usage', usage: step.usage }),
  limits: (step) => tell({ type: 'limits', windows: step.windows }),
  session: (step) => tell({ type: 'session', id: step.id }),
  reply: (step) => tell({ type: 'reply', reply: step.reply }),
  error: (step) => tell({ type: 'error', trouble: step.trouble }),
  hang: () => new Promise(() => setInterval(() => {}, 2 ** 30)),
  async crash(step) {
    const signal = Object.entries(constants.signals).find(([, number]) => number === step.exit - 128)?.[0];
    if (signal !== undefined) {
      process.kill(process.pid, signal);
      // Some signals do not kill, and delivery of the others takes a moment.
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    process.exit(step.exit);
  },
  spew(step) {
    const line = Buffer.from(`${'spew '.repeat(819)}\n`);
    const descriptor = step.stream === 'stdout' ? 1 : 2;
    for (let left = step.bytes === 'endless' ? Infinity : step.bytes; left > 0; left -= line.length) {
      // The end of the line, so that what the script says next begins a line of its own.
      writeAll(descriptor, line.subarray(Math.max(0, line.length - left)));
    }
    return undefined;
  },
  fork(step) {
    const [program = '', ...args] = step.argv;
    const child = spawn(program, args, { detached: step.setsid, stdio: 'ignore' });
    child.on('error', (error) =>
      tell({ type: 'tool', name: 'fork', paths: [], status: 'failed', text: error.message }),
    );
    child.unref();
    return { paths: [], text: `started ${step.argv.join(' ')}` };
  },
};

await main();

async function main(): Promise<void> {
  const input: ScriptedInput = JSON.parse(readFileSync(0, 'utf8'));
  for (const step of input.steps) {
    try {
      // The table is exact per step; the compiler cannot follow a name through a union.
      const perform = performers[step.step] as (step: StepOf<StepName>) => Deed | Promise<Deed>;
      const deed = await perform(step);
      if (deed !== undefined) tell({ type: 'tool', name: step.step, status: 'done', ...deed });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      tell({ type: 'tool', name: step.step, paths: pathsOf(step), status: 'failed', text });
    }
  }
}

/** Empty where there is no file; undefined where it is not a short text. */
function textAt(path: string): string | undefined {
  try {
    const file = statSync(path);
    // A device or a pipe has no end.
    if (!file.isFile() || file.size > mostEditBytes) return undefined;
    const bytes = readFileSync(path);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return '';
  }
}

function tell(message: ScriptedMessage): undefined {
  writeAll(1, Buffer.from(`${JSON.stringify(message)}\n`));
}

/** Written at once and not queued, so that a crash right after it loses nothing. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** Output goes to standard error, which is the transcript's; standard output belongs to the protocol. */
function runProgram(argv: readonly string[], input?: string): Promise<Deed> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    // A repository above the workspace is not ours, even where no jail hides it.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(process.cwd()) };
    const child = spawn(program, args, { stdio: ['pipe', 2, 2], env });
    child.on('error', reject);
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
    child.on('exit', (code, signal) => {
      const text = argv.join(' ');
      if (code === 0) resolve({ paths: [], text });
      else reject(new Error(`${text}: ${signal === null ? `exit ${code}` : `ended by ${signal}`}`));
    });
  });
}

function pathsOf(step: ScriptedInput['steps'][number]): readonly string[] {
  if (step.step === 'move') return [step.from, step.to];
  return 'path' in step ? [step.path] : [];
}
