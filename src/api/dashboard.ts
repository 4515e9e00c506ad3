/**
 * Makes the overview of a `.gsd` project anew: its milestones, and the runs that work on them. A `STATE.md` that Forge
 * did not write is moved to its milestone first; one that cannot be moved is left alone.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { writeConfined } from '../files/confined.ts';
import { assembleProject } from '../gsd/assemble-project.ts';
import { dashboardText, migrateState } from '../gsd/dashboard.ts';
import { heartbeatOf, isShownActive } from '../gsd/heartbeat.ts';
import { readGsdTexts } from '../gsd/read-project.ts';
import { isSealed, sealDocument } from '../gsd/sealed-document.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findGsdRoot, refuseForeign } from './gsd-place.ts';
import { milestoneRuns } from './milestone-runs.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});
const output = z.strictObject({ file: z.string(), migrated: z.string().optional(), text: z.string() });

export const regenerateDashboard: Operation<typeof input, typeof output> = {
  name: 'dashboard',
  kind: 'command',
  description: 'Makes the overview document of a .gsd project anew.',
  input,
  output,
  async run(context) {
    const root = findGsdRoot(context.cwd);
    const { texts } = readGsdTexts(root);
    const project = assembleProject(texts);
    refuseForeign(root, project);
    const before = texts.get('STATE.md') ?? '';
    const migration = migrateState(before, project, (path) => texts.has(path));
    if (migration.status === 'migrated')
      writeConfined(root, `.gsd/${migration.path}`, migration.content, { isDurable: true });
    else if (before.trim() !== '' && !isSealed(before)) {
      throw new ForgeError('bad-input', `.gsd/STATE.md is not Forge's, and ${migration.reason}`, {
        hint: 'Move it away to get the overview; nothing was changed.',
      });
    }
    const text = dashboardText(project, await shownRuns(context));
    writeConfined(root, '.gsd/STATE.md', sealDocument(text), { isDurable: true });
    return {
      file: '.gsd/STATE.md',
      text,
      ...(migration.status === 'migrated' ? { migrated: `.gsd/${migration.path}` } : {}),
    };
  },
};

/** On this machine a process is asked whether it lives; of others only their silence is known. */
async function shownRuns(context: ApiContext) {
  const now = Date.now();
  const runs = await milestoneRuns(context);
  return runs.map(({ summary, milestone }) => {
    const silent = now - Date.parse(summary.updatedAt);
    const isFar = isHeld(summary) && heartbeatOf(silent) === 'stale' && !isShownActive(silent);
    const status = isHeld(summary) ? (isFar ? 'silent' : 'works') : summary.status;
    return { run: summary.run, milestone, status, where: summary.standing };
  });
}
