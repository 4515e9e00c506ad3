/**
 * Runs what reads others' text in a thread of its own, with limits of size, time and memory, so that no file and no
 * output can hold up or end Forge. One thread is kept and takes one order at a time. An order that is over a limit costs
 * the thread, which is started again for the next one. Never throws for what is in the input.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ForgeError } from '../errors.ts';
import type { ComputationName, Computations } from '../evidence/compute.ts';

export type ComputedResult<T> =
  | { readonly status: 'done'; readonly value: T }
  /** Over a limit, or a fault of ours that must not become the run's. */
  | { readonly status: 'over'; readonly reason: string };

export interface ComputeLimits {
  readonly timeMs: number;
  /** Characters of all texts of the input together. */
  readonly chars: number;
}

/** Wall time: on a busy machine even starting the thread takes a while, and what is over it counts as unverified. */
const usualLimits: ComputeLimits = { timeMs: 120_000, chars: 80_000_000 };
const memory = { maxOldGenerationSizeMb: 768, stackSizeMb: 4 };

export async function computeInWorker<N extends ComputationName>(
  name: N,
  input: Parameters<Computations[N]>[0],
  limits: Partial<ComputeLimits> = {},
): Promise<ComputedResult<ReturnType<Computations[N]>>> {
  const { timeMs, chars } = { ...usualLimits, ...limits };
  if (charsOf(input, chars) > chars) return over(`it is larger than ${chars} characters`);
  const answer = turn.then(() => order(name, input, timeMs));
  turn = answer.catch(() => undefined);
  return (await answer) as ComputedResult<ReturnType<Computations[N]>>;
}

/** Orders follow each other: the time of one is its own. */
let turn: Promise<unknown> = Promise.resolve();
let thread: Worker | undefined;
let orders = 0;

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

function order(name: ComputationName, input: unknown, timeMs: number): Promise<ComputedResult<unknown>> {
  const worker = (thread ??= startThread());
  orders += 1;
  const id = orders;
  worker.ref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(over(`it took more than ${timeMs / 1000} s`), true), timeMs);
    const onMessage = (reply: Reply): void => {
      if (reply.id !== id) return;
      end(reply.error === undefined ? { status: 'done', value: reply.value } : over(reply.error), false);
    };
    const onError = (error: unknown): void => end(over(faultOf(error)), true);
    const onExit = (): void => end(over('its thread ended'), true);
    const end = (result: ComputedResult<unknown>, broken: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
      if (broken) {
        thread = undefined;
        worker.on('error', () => undefined);
        void worker.terminate();
      }
      resolve(result);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ id, name, input });
    } catch (error) {
      end(over(faultOf(error)), false);
    }
  });
}

function startThread(): Worker {
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : '../';
  const file = fileURLToPath(new URL(`${root}checks/compute-worker.js`, import.meta.url));
  if (!existsSync(file)) {
    throw new ForgeError('agent-unavailable', `a program of Forge is missing: ${file}`, {
      hint: 'Build Forge first: npm run build.',
    });
  }
  const worker = new Worker(file, { resourceLimits: memory, env: {}, stdout: false, stderr: true });
  worker.unref();
  return worker;
}

function over(reason: string): { readonly status: 'over'; readonly reason: string } {
  return { status: 'over', reason };
}

function faultOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it takes too much memory' : (message ?? String(error)).slice(0, 300);
}

/** Counted without recursion, and no further than the limit. */
function charsOf(input: unknown, limit: number): number {
  const stack: unknown[] = [input];
  let total = 0;
  for (let next = stack.pop(); next !== undefined && total <= limit; next = stack.pop()) {
    if (typeof next === 'string') total += next.length;
    else if (Array.isArray(next)) for (const each of next) stack.push(each ?? null);
    else if (typeof next === 'object' && next !== null)
      for (const each of Object.values(next)) stack.push(each ?? null);
  }
  return total;
}
