/**
 * `npm run bench`: every figure as a ratio, with what it aims at. Names such as `start` choose some of them; `--quick` is for a look.
 * Never a test.
 */
import { crowdFigures } from './crowd.ts';
import { dashboardFigures } from './dashboard.ts';
import { followFigures } from './follow.ts';
import { growthFigures } from './growth.ts';
import { historyFigures } from './history.ts';
import { journalFigures } from './journal.ts';
import { modulesFigures } from './modules.ts';
import type { Figure } from './ratio.ts';
import { recallFigures } from './recall.ts';
import { randomTasks, scheduleFigures } from './schedule.ts';
import { squareFigures } from './square.ts';
import { startFigures } from './start.ts';
import { workspaceFigures } from './workspace.ts';

const groups: Readonly<Record<string, (quick: boolean) => readonly Figure[] | Promise<readonly Figure[]>>> = {
  start: startFigures,
  journal: journalFigures,
  workspace: workspaceFigures,
  history: historyFigures,
  schedule: scheduleFigures,
  modules: () => modulesFigures(randomTasks(200, 7)),
  growth: growthFigures,
  crowd: crowdFigures,
  follow: followFigures,
  dashboard: dashboardFigures,
  recall: recallFigures,
  square: squareFigures,
};

const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));
const unknown = chosen.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  console.error(`There are no figures called ${unknown.join(', ')}. There are: ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}
for (const [name, measure] of Object.entries(groups)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const { name: figure, value, aim, detail } of await measure(words.includes('--quick'))) {
    const verdict = aim === undefined ? '' : `  aim <= ${aim} ${value <= aim ? '✓' : '✗'}`;
    console.log(`${value.toFixed(3).padStart(8)}  ${figure}${verdict}  (${detail})`);
  }
}
