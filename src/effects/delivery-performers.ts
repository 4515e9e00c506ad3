/** Performers of the effects of engine/delivery-effects.ts. Loaded when a run starts, because the checkers are slow to load. */
import type { deliveryEffects } from '../engine/delivery-effects.ts';
import type { Performers } from '../engine/performer.ts';
import { changesConfine } from './changes-confine.ts';
import { documentsLand } from './documents-land.ts';
import { documentsPrepare } from './documents-prepare.ts';
import { notesRead } from './notes-read.ts';
import { tagCreate } from './tag-create.ts';
import { testsTrace } from './tests-trace.ts';
import { workspaceOffer, workspaceTake } from './workspace-offer.ts';
import { deliveryCheck } from './delivery-check.ts';
import type { EffectDeps } from './deps.ts';

export function deliveryPerformers(deps: EffectDeps): Pick<Performers, keyof typeof deliveryEffects> {
  return {
    'notes.read': notesRead(),
    'documents.prepare': documentsPrepare(deps),
    'documents.land': documentsLand(deps),
    'changes.confine': changesConfine(deps),
    'tests.trace': testsTrace(deps),
    'delivery.check': deliveryCheck(deps),
    'tag.create': tagCreate(deps),
    'workspace.offer': workspaceOffer(deps),
    'workspace.take': workspaceTake(deps),
  };
}
