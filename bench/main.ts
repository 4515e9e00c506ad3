/** `npm run bench`: every figure as a ratio, with what it aims at. `--quick` for a look; never a test. */
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

const quick = process.argv.includes('--quick');
const figures: Figure[] = [
  ...(await startFigures(quick)),
  ...(await journalFigures(quick)),
  ...(await workspaceFigures(quick)),
  ...(await historyFigures(quick)),
  ...(await scheduleFigures(quick)),
  ...(await modulesFigures(randomTasks(200, 7))),
  ...growthFigures(quick),
  ...(await crowdFigures(quick)),
  ...(await followFigures(quick)),
  ...(await dashboardFigures(quick)),
  ...(await recallFigures(quick)),
  ...(await squareFigures(quick)),
];
for (const { name, value, aim, detail } of figures) {
  const verdict = aim === undefined ? '' : `  aim <= ${aim} ${value <= aim ? '✓' : '✗'}`;
  console.log(`${value.toFixed(3).padStart(8)}  ${name}${verdict}  (${detail})`);
}
