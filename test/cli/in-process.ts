/**
 * The command line without a process of its own: what the binary calls, as it was built, with the arguments, directory
 * and environment that a process would have. Starting Node and loading Forge takes longer than most commands. Tests of
 * what happens to a process (signals, closed pipes, terminals, kills) start the binary.
 */
import { Console } from 'node:console';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';

export interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandLine {
  readonly performCommandLine: (args: readonly string[]) => Promise<number>;
}

const built = resolve(import.meta.dirname, '../../dist/cli');
let isBusy = false;

/** Undefined where a call is under way: a process has one directory, one environment and one output. */
export async function callInProcess({ args, cwd, env }: Call): Promise<Printed | undefined> {
  if (isBusy) return undefined;
  isBusy = true;
  const [out, err] = [new Collected(), new Collected()];
  const putBack = [
    replace(process, 'argv', [process.execPath, resolve(built, 'main.js'), ...args]),
    replace(process, 'stdout', out),
    replace(process, 'stderr', err),
    replace(globalThis, 'console', new Console(out, err)),
    replaceEnvironment(env),
    replaceDirectory(cwd),
  ];
  try {
    const { performCommandLine } = (await import(/* @vite-ignore */ `${built}/perform-command-line.js`)) as CommandLine;
    const code = await performCommandLine(args);
    return { code, stdout: out.text(), stderr: err.text() };
  } finally {
    for (const undo of putBack.toReversed()) undo();
    isBusy = false;
  }
}

class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  if (before === undefined) throw new Error(`there is no ${name}`);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true, enumerable: true });
  return () => void Object.defineProperty(owner, name, before);
}

/** In place: the system's own functions look there too. */
function replaceEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const set = (wanted: Readonly<Record<string, string | undefined>>): void => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
    Object.assign(process.env, wanted);
  };
  set(env);
  return () => set(before);
}

function replaceDirectory(directory: string): () => void {
  const before = process.cwd();
  process.chdir(directory);
  return () => process.chdir(before);
}
