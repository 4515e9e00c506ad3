/**
 * What a check needs from its surroundings, and what one run of one command came to. A check sees commits and
 * settings, never an agent's workspace. Everything optional here comes from settings, which a person wrote.
 */
import type { RunOutput } from '../evidence/readers/reading.ts';
import type { Repository } from '../git/git.ts';
import type { TestCounts } from '../policy/check-report.ts';
import type { Jail, NetworkPolicy } from '../process/jail.ts';
import type { ProcessIdentity } from '../process/process.ts';
import type { Redactor } from '../process/redact.ts';

export interface CheckDeps {
  readonly repo: Repository;
  readonly jail: Jail;
  /** Full logs: `<logs>/<check>/<place of the command>-<pass>.log`. No jail exposes it. */
  readonly logs: string;
  /** Results of earlier runs; without it nothing is remembered. No jail exposes it. */
  readonly cache?: string | undefined;
  readonly redactor?: Redactor | undefined;
  /** Default: loopback only. */
  readonly network?: NetworkPolicy | undefined;
  /** Declared package caches and toolchains, mounted read-only. */
  readonly readable?: readonly string[] | undefined;
  /** Further variables, such as where a toolchain lives. A person's; a command's own come after. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Directories to look for programs in, before those of PATH. */
  readonly path?: readonly string[] | undefined;
  /** For commands that name no limit of their own. */
  readonly timeoutMs?: number | undefined;
  /** Output after which a command is stopped. */
  readonly outputBytes?: number | undefined;
  readonly setup?: CheckSetup | undefined;
  /** Called for every process before its end is awaited, so that an orphan can be found later. */
  readonly started?: ((process: ProcessIdentity) => Promise<void> | void) | undefined;
}

/**
 * What has to lie in a checkout before its commands can run, such as `node_modules`. It is made from the judge commit,
 * never from the commit under test: installed packages hold the runners, and what installs them runs code.
 */
export interface CheckSetup {
  /** Paths that it makes. What a commit under test has there does not count. */
  readonly outputs: readonly string[];
  /** Does this file decide what is installed? */
  decides(path: string): boolean;
  /** Names the outputs for a commit by everything that decides them. */
  key(commit: string): Promise<string>;
  /** Puts the outputs made from `judge` into the tree, in which none of them exists. */
  prepareTree(checkout: { readonly judge: string; readonly tree: string }, signal: AbortSignal): Promise<unknown>;
}

/** How one run of one command ended. A limit of ours, or nothing to start, is not a verdict on the code. */
type CommandEnd = 'exited' | 'signalled' | 'timed-out' | 'output-limit' | 'not-started';

export interface CommandRun {
  readonly end: CommandEnd;
  /** 124 for a timeout, 127 for a program that could not be started, null for a signal or too much output. */
  readonly exit: number | null;
  /** Why, where the exit code does not say it. */
  readonly reason: string | undefined;
  /** A program that is not installed and without which the command cannot run anywhere. */
  readonly missing: string | undefined;
  readonly durationMs: number;
  readonly counts: TestCounts | undefined;
  readonly reader: string | undefined;
  /** What a person is shown: beginning and end, both streams as they came. */
  readonly output: string;
  /** Files of the commit that were written while it ran, whatever they hold now; undefined where nobody can tell. */
  readonly rewrote?: readonly string[] | undefined;
  /** What readers are given; nothing for a result from the cache. */
  readonly printed: RunOutput;
}
