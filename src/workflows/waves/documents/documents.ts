/**
 * The documents a run of `waves` leaves, as far as its facts go: the plan, its waves, state, metrics, what was
 * developed, tested and handed over per wave, the integration test, the lessons. Projections: the same facts give the
 * same bytes, and nobody reads them back as truth.
 */
import { isRunOver } from '../../../engine/run-state.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import { jsonBlock } from '../../../views/markdown.ts';
import type { WorkflowDocument } from '../../definition.ts';
import { knowledgeDocument } from './knowledge-document.ts';
import { planDocument, wavesDocument } from './plan-document.ts';
import { metricsDocument, stateDocument } from './state-document.ts';
import { integrationDocument, testDocument } from './test-documents.ts';
import { devDocument, handoffDocument } from './wave-documents.ts';
import { proposalOf, slugOf } from './wave-record.ts';

export function waveDocuments(run: Chronicle): WorkflowDocument[] {
  const slug = slugOf(run);
  const proposal = proposalOf(run);
  const waves = (proposal?.waves ?? []).map((_, index) => index + 1);
  const contents: (readonly [string, string | undefined])[] = [
    ['plan.md', proposal && planDocument(run, proposal)],
    ['waves.json', proposal && jsonBlock(wavesDocument(proposal))],
    ['state.json', jsonBlock(stateDocument(run))],
    ...waves.flatMap((wave) => [
      [`dev-W${wave}.md`, devDocument(run, wave)] as const,
      [`test-W${wave}.md`, testDocument(run, wave)] as const,
      [`handoff-W${wave}.md`, handoffDocument(run, wave)] as const,
    ]),
    ['test-integration.md', integrationDocument(run)],
    ['knowledge.md', knowledgeDocument(run)],
    ['metrics.json', isRunOver(run.state) ? jsonBlock(metricsDocument(run)) : undefined],
  ];
  return contents.flatMap(([name, content]) => (content === undefined ? [] : [{ path: `${slug}-${name}`, content }]));
}
