/** The other end of compute-in-worker.ts: one computation after the other, each answered with its value or what went wrong. */
import { parentPort } from 'node:worker_threads';
import { type ComputationName, computations } from '../evidence/compute.ts';

interface Order {
  readonly id: number;
  readonly name: ComputationName;
  readonly input: unknown;
}

parentPort?.on('message', ({ id, name, input }: Order) => {
  try {
    const compute = computations[name] as (input: unknown) => unknown;
    answer({ id, value: compute(input) });
  } catch (error) {
    const message = error instanceof RangeError ? 'it is nested too deeply' : String(error);
    answer({ id, error: message.slice(0, 300) });
  }
});

function answer(reply: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
}
