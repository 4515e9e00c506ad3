/** `forge design`: check a design, see what a change of it touches, show where a delivery stands. */
import { checkDesign } from '../api/check-design.ts';
import { findDesignImpact } from '../api/design-impact.ts';
import { deliveryStatus } from '../api/design-status.ts';
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { suggest } from '../api/suggest.ts';
import { ForgeError } from '../errors.ts';
import type { Call } from './commands.ts';
import { checkedLines, impactLines, statusLines } from './design-lines.ts';
import { printJson } from './print.ts';

const actions = ['check', 'impact', 'status'];

export async function run({ words: [action = '', directory], values, switches }: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const show = <T>(found: T, lines: (found: T) => readonly string[]): void => {
    if (switches.has('json')) printJson(found);
    else for (const line of lines(found)) console.log(line);
  };
  refuseFlags(action, values);
  if (action === 'check') {
    const found = await perform(checkDesign, context, { directory });
    show(found, checkedLines);
    return found.ok ? 0 : 1;
  }
  if (action === 'impact') {
    const { since, plan } = values;
    if (since === undefined) {
      throw new ForgeError('bad-input', 'design impact needs --since', {
        hint: 'Name the tag or commit to compare with.',
      });
    }
    const found = await perform(findDesignImpact, context, {
      directory,
      since,
      ...(plan === undefined ? {} : { plan }),
    });
    show(found, impactLines);
    return found.refusal === undefined ? 0 : 1;
  }
  if (action === 'status') {
    show(await perform(deliveryStatus, context, { directory }), statusLines);
    return 0;
  }
  throw new ForgeError('bad-input', `design does not know ${JSON.stringify(action)}`, {
    hint: suggest(action, actions, `It knows: ${actions.join(', ')}.`),
  });
}

function refuseFlags(action: string, values: Call['values']): void {
  const flag = ['since', 'plan'].find((name) => values[name] !== undefined);
  if (flag === undefined || action === 'impact') return;
  throw new ForgeError('bad-input', `--${flag} does not fit design ${action}`, {
    hint: `forge design impact <directory> --${flag} …`,
  });
}
