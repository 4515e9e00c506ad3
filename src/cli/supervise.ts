/**
 * `forge supervise`: keeps the runs of all your repositories going over crashes, reboots and passing failures, until it
 * is stopped. One supervisor per user: a second one would start the same runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openContext } from '../api/context.ts';
import { type JsonOf, performOperation } from '../api/operation.ts';
import { claimSupervision } from '../api/claim-supervision.ts';
import { superviseRuns } from '../api/supervise.ts';
import { supervisorUnit } from '../api/supervisor-unit.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import { backgroundWorker } from './background.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

const usualSeconds = 15;

export async function run({ switches, values }: CommandCall): Promise<number> {
  const json = switches.has('json');
  if (switches.has('install') || switches.has('uninstall')) return changeUnit(switches);
  const everyMs = secondsOf(values['every']) * 1000;
  const leave = new AbortController();
  const stop = (): void => leave.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const release = await claimSupervision(process.env);
  try {
    const context = openContext({ cwd: process.cwd(), worker: backgroundWorker, signal: leave.signal });
    const isOnce = switches.has('once');
    if (!isOnce && !json)
      console.log('Watching the runs of all your repositories. Ctrl-C stops the supervisor, not the runs.');
    let past = {};
    const said = new Map<string, string>();
    do {
      const looked = await performOperation(superviseRuns, context, { past });
      ({ past } = looked);
      if (isOnce && json) printJson(looked.runs);
      else for (const one of looked.runs) tell(one, { json, said });
      if (isOnce && !json && looked.runs.length === 0) console.log('No run needs to be continued.');
      if (isOnce) break;
      await sleep(everyMs, undefined, { signal: leave.signal }).catch(() => {});
    } while (!leave.signal.aborted);
    return 0;
  } finally {
    await release();
  }
}

type Look = JsonOf<(typeof superviseRuns)['output']>['runs'][number];

/** Each thing once: a run that waits for its next try is not news every few seconds. */
function tell(look: Look, { json, said }: { readonly json: boolean; readonly said: Map<string, string> }): void {
  const { repository, root, run: name, action, why, until } = look;
  const line = `${action}: ${why}${until === undefined ? '' : `, next try at ${until}`}`;
  const id = `${root}\n${name}`;
  if (action !== 'resumed' && said.get(id) === line) return;
  said.set(id, line);
  if (json) return printJson(look);
  const shown = name === '' ? repository : `${repository}/${name}`;
  const texts = {
    resumed: `continued, because ${why}`,
    later: `${why}. Next try at ${until ?? ''}`,
    'gave-up': `left alone: ${why}. Look at it: forge status ${name}`,
    failed: `cannot be continued: ${why}`,
  };
  console.log(plainLine(`${new Date().toISOString().slice(0, 19)} ${shown}: ${texts[action]}`));
}

async function changeUnit(switches: ReadonlySet<string>): Promise<number> {
  const program = fileURLToPath(new URL('./main.js', import.meta.url));
  const action = switches.has('install') ? 'install' : 'uninstall';
  const done = await performOperation(supervisorUnit, openContext({ cwd: process.cwd() }), {
    action,
    command: [process.execPath, program, 'supervise'],
  });
  if (switches.has('json')) printJson(done);
  else {
    const removed = done.changed ? `Removed ${done.file}.` : `${done.file} is not there.`;
    console.log(action === 'install' ? `Wrote ${done.file}. Turn it on:` : `${removed} If it is running:`);
    for (const command of done.commands) console.log(`  ${command}`);
    if (action === 'install')
      console.log(
        '\nThe service does not see the variables of your shell. Add keys of agents as accounts: forge accounts add',
      );
  }
  return 0;
}

function secondsOf(text: string | undefined): number {
  const seconds = text === undefined ? usualSeconds : Number(text);
  if (Number.isFinite(seconds) && seconds >= 1 && seconds <= 3600) return seconds;
  throw new ForgeError('bad-input', `--every is ${JSON.stringify(text)}`, { hint: 'Give seconds between 1 and 3600.' });
}
