import { describe } from 'vitest';
import { jailContract } from './jail-contract.ts';
import { jailOfThisMachine } from './scene.ts';

const jail = await jailOfThisMachine();

describe.skipIf(jail === undefined)('bubblewrap, as the user who runs the tests', () => {
  if (jail !== undefined) jailContract(jail);
});
