/** `forge design check|impact|status`: check a design, see what a change of it touches, show where a delivery stands. */
import { checkDesign } from '../api/check-design.ts';
import { findDesignImpact } from '../api/design-impact.ts';
import { deliveryStatus } from '../api/design-status.ts';
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import type { Call } from './commands.ts';
import { checkedLines, impactLines, statusLines } from './design-lines.ts';
import { printJson } from './print.ts';

export async function runCheck({ words: [directory], switches }: Call): Promise<number> {
  const found = await perform(checkDesign, openContext({ cwd: process.cwd() }), { directory });
  print(found, checkedLines, switches);
  return found.ok ? 0 : 1;
}

export async function runImpact({ words: [directory], values: { since, plan }, switches }: Call): Promise<number> {
  if (since === undefined) {
    throw new ForgeError('bad-input', 'design impact needs --since', {
      hint: 'Name the tag or commit to compare with.',
    });
  }
  const asked = { directory, since, ...(plan === undefined ? {} : { plan }) };
  const found = await perform(findDesignImpact, openContext({ cwd: process.cwd() }), asked);
  print(found, impactLines, switches);
  return found.refusal === undefined ? 0 : 1;
}

export async function runStatus({ words: [directory], switches }: Call): Promise<number> {
  print(await perform(deliveryStatus, openContext({ cwd: process.cwd() }), { directory }), statusLines, switches);
  return 0;
}

function print<T>(found: T, lines: (found: T) => readonly string[], switches: Call['switches']): void {
  if (switches.has('json')) printJson(found);
  else for (const line of lines(found)) console.log(line);
}
