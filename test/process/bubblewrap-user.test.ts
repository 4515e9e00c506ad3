/** The same as a user without any rights. A test file has a process of its own, which can give its rights away. */
import { describe } from 'vitest';
import { jailContract } from './jail-contract.ts';
import { jailOfThisMachine } from './scene.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
if (isRoot) {
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
const jail = isRoot ? await jailOfThisMachine() : undefined;

describe.skipIf(jail === undefined)('bubblewrap, as a user without rights', () => {
  if (jail !== undefined) jailContract(jail);
});
