/**
 * A performer for every kind of effect: the engine's table. What reads results and syntax trees is slow to load, and most
 * commands only look at runs, so that part is loaded when a run is worked on.
 */
import type { Performers } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';
import { branchLand } from './branch-land.ts';
import { branchPublish } from './branch-publish.ts';
import { diffRead } from './diff-read.ts';
import { eventsRead } from './events-read.ts';
import { filesMeasure } from './files-measure.ts';
import { forecastMake } from './forecast-make.ts';
import { gsdRead } from './gsd-read.ts';
import { integrationRead } from './integration-read.ts';
import { landingPrepare } from './landing-prepare.ts';
import { memoryRecall } from './memory-recall.ts';
import { memorySave } from './memory-save.ts';
import { mergeLand } from './merge-land.ts';
import { mergePrepare } from './merge-prepare.ts';
import { repositoriesPublish } from './repositories-publish.ts';
import { recordsRead } from './records-read.ts';
import { recordsWrite } from './records-write.ts';
import { withProof } from './require-proof.ts';
import { rolesRead } from './roles-read.ts';
import { promisesInspect } from './promises-inspect.ts';
import { sourcesRead } from './sources-read.ts';
import { taskRecall } from './task-recall.ts';
import { symbolsCheck } from './symbols-check.ts';
import { transcriptSummarise } from './transcript-summarise.ts';
import { workspaceDrop } from './workspace-drop.ts';

export async function performersOf(deps: EffectDeps): Promise<Performers> {
  const [{ agentRun }, { checkRun }, { contractsCheck }, { deliveryPerformers }, { evidenceMeasure }, { hooksRun }] =
    await Promise.all([
      import('./agent-run.ts'),
      import('./check-run.ts'),
      import('./contracts-check.ts'),
      import('./delivery-performers.ts'),
      import('./evidence-measure.ts'),
      import('./hooks-run.ts'),
    ]);
  return withProof({
    'integration.read': integrationRead(),
    'agent.run': agentRun(deps),
    'check.run': checkRun(deps),
    'evidence.measure': evidenceMeasure(deps),
    'merge.prepare': mergePrepare(deps),
    'hooks.run': hooksRun(deps),
    'merge.land': mergeLand(deps),
    'branch.publish': branchPublish(deps),
    'repositories.publish': repositoriesPublish(deps),
    'landing.prepare': landingPrepare(deps),
    'branch.land': branchLand(deps),
    'contracts.check': contractsCheck(deps),
    'symbols.check': symbolsCheck(deps),
    'promises.inspect': promisesInspect(deps),
    'gsd.read': gsdRead(deps),
    'sources.read': sourcesRead(deps),
    ...deliveryPerformers(deps),
    'diff.read': diffRead(deps),
    'forecast.make': forecastMake(deps),
    'transcript.summarise': transcriptSummarise(),
    'workspace.drop': workspaceDrop(deps),
    'memory.recall': memoryRecall(deps),
    'memory.save': memorySave(deps),
    'records.read': recordsRead(deps),
    'records.write': recordsWrite(deps),
    'events.read': eventsRead(deps),
    'files.measure': filesMeasure(deps),
    'task.recall': taskRecall(),
    'roles.read': rolesRead(deps),
  });
}
