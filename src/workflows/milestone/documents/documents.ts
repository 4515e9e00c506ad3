/** The files that a milestone's run leaves: those it recorded, and three that follow from its facts alone. */
import { sealDocument } from '../../../gsd/sealed-document.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import type { WorkflowDocument } from '../../definition.ts';
import { leftDocuments } from '../leave-document.ts';
import { morningReport } from '../morning-report.ts';
import { decisionsText, eventsText, projectedSchema, stateText } from './progress-texts.ts';

export function milestoneDocuments(run: Chronicle): readonly WorkflowDocument[] {
  return [...leftDocuments(run), ...projectedDocuments(run)];
}

function projectedDocuments(run: Chronicle): readonly WorkflowDocument[] {
  // Runs of earlier versions did not say where.
  const read = projectedSchema.safeParse(run.notes.get('subject')?.data);
  if (!read.success) return [];
  const { state, events, stateBefore } = read.data.projected;
  const { decisions } = morningReport(run);
  const path = state.replace(/STATE\.md$/, 'DECISIONS.md');
  const decided = {
    folder: '.gsd',
    path,
    content: sealDocument(decisionsText(run, read.data, decisions)),
  } as const;
  return [
    ...(decisions.length === 0 ? [] : [decided]),
    { folder: '.gsd', path: state, content: sealDocument(stateText(run, read.data)), over: stateBefore },
    { folder: '.gsd', path: events, content: eventsText(run, read.data) },
  ];
}
