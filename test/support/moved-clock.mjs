/**
 * Moves the wall clock of a Node process: `NODE_OPTIONS=--import=<this file>`, and MOVED_CLOCK names a file that holds by
 * how many milliseconds. The file may change while the process runs, as when a machine sleeps and wakes up again. Timers
 * keep their pace. The program under test is not changed and does not know.
 */
import { readFileSync } from 'node:fs';

const file = process.env['MOVED_CLOCK'];
const realNow = Date.now.bind(Date);
let lookedAt = 0;
let movedBy = 0;

function now() {
  const real = realNow();
  if (real - lookedAt > 100) {
    lookedAt = real;
    try {
      movedBy = Number(readFileSync(file, 'utf8'));
    } catch {
      // It has not been moved yet.
    }
  }
  return real + movedBy;
}

if (file !== undefined) {
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: () => new Date(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
