/** The files that a milestone's run leaves: those it recorded, and two that follow from its facts alone. */
import type { Chronicle } from '../../../views/chronicle.ts';
import type { WorkflowDocument } from '../../definition.ts';
import { leftDocuments } from '../leave-document.ts';

export function milestoneDocuments(run: Chronicle): readonly WorkflowDocument[] {
  return leftDocuments(run);
}
