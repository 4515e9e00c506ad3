/** `forge watch`: runs on the whole terminal, followed and answered by key. Everything it needs is loaded here. */
import { findSummary } from '../api/find-run.ts';
import { ForgeError } from '../errors.ts';
import { OpenPlaces } from '../server/places.ts';
import { backgroundWorker } from './background.ts';
import type { CommandCall } from './commands.ts';
import { openTerminal } from './terminal.ts';
import { HomeView } from './watch/home-view.ts';
import { RunView } from './watch/run-view.ts';
import { WatchApp } from './watch/watch-app.ts';

export async function run({ words: [named], switches }: CommandCall): Promise<number> {
  const terminal = openTerminal();
  if (!terminal.isLive || !terminal.isInteractive) {
    throw new ForgeError('bad-input', 'forge watch needs a terminal', {
      hint: 'forge list and forge status print the same once; forge attach follows a run line by line.',
    });
  }
  const all = switches.has('all');
  const places = new OpenPlaces({ cwd: process.cwd(), env: process.env, worker: backgroundWorker, all });
  const app = new WatchApp({ terminal, places, mouse: switches.has('mouse') });
  if (named === undefined) {
    await app.show(new HomeView(app, { all }));
    return 0;
  }
  const context = places.open(undefined, 'query', new AbortController().signal);
  const { run: name } = await findSummary(context, { run: named, what: 'here', fits: () => true });
  await app.show(new RunView(app, { run: name, repository: undefined }));
  return 0;
}
