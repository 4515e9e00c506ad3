/** `forge design check|impact|status`: check a design, see what a change of it touches, show where a delivery stands. */
import { checkDesign } from '../api/check-design.ts';
import { openContext } from '../api/context.ts';
import { findDesignImpact } from '../api/design-impact.ts';
import { deliveryStatus } from '../api/design-status.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import type { CommandCall } from './commands.ts';
import { checkedLines, impactLines, statusLines } from './design-lines.ts';
import { printJson } from './print.ts';

export async function runCheck({ words: [directory], switches }: CommandCall): Promise<number> {
  const found = await performOperation(checkDesign, openContext({ cwd: process.cwd() }), { directory });
  print(found, checkedLines, switches);
  return found.ok ? 0 : 1;
}

export async function runImpact({
  words: [directory],
  values: { since, plan },
  switches,
}: CommandCall): Promise<number> {
  if (since === undefined) {
    throw new ForgeError('bad-input', 'design impact needs --since', {
      hint: 'Name the tag or commit to compare with.',
    });
  }
  const asked = { directory, since, ...(plan === undefined ? {} : { plan }) };
  const found = await performOperation(findDesignImpact, openContext({ cwd: process.cwd() }), asked);
  print(found, impactLines, switches);
  return found.refusal === undefined ? 0 : 1;
}

export async function runStatus({ words: [directory], switches }: CommandCall): Promise<number> {
  print(
    await performOperation(deliveryStatus, openContext({ cwd: process.cwd() }), { directory }),
    statusLines,
    switches,
  );
  return 0;
}

function print<T>(found: T, lines: (found: T) => readonly string[], switches: CommandCall['switches']): void {
  if (switches.has('json')) printJson(found);
  else for (const line of lines(found)) console.log(line);
}
