/**
 * The documents a `waves` run leaves, as far as its facts go: the plan, its waves, state, metrics, what was
 * developed, tested and handed over per wave, the integration test, the lessons. Projections: the same facts
 * give the same bytes, and nobody reads them back as truth. Other workflows leave none.
 */
import { isOver } from '../../engine/run-state.ts';
import { type Chronicle, isWaves } from '../chronicle.ts';
import { proposalOf, slugOf } from '../proposal.ts';
import { knowledgeDocument } from './knowledge-document.ts';
import { type Document, json } from './markdown.ts';
import { planDocument, wavesDocument } from './plan-document.ts';
import { metricsDocument, stateDocument } from './state-document.ts';
import { integrationDocument, testDocument } from './test-documents.ts';
import { devDocument, handoffDocument } from './wave-documents.ts';

export function documentsOf(chronicle: Chronicle): Document[] {
  if (!isWaves(chronicle)) return [];
  const slug = slugOf(chronicle);
  const proposal = proposalOf(chronicle);
  const waves = (proposal?.waves ?? []).map((_, index) => index + 1);
  const contents: (readonly [string, string | undefined])[] = [
    ['plan.md', proposal && planDocument(chronicle, proposal)],
    ['waves.json', proposal && json(wavesDocument(proposal))],
    ['state.json', json(stateDocument(chronicle))],
    ...waves.flatMap((wave) => [
      [`dev-W${wave}.md`, devDocument(chronicle, wave)] as const,
      [`test-W${wave}.md`, testDocument(chronicle, wave)] as const,
      [`handoff-W${wave}.md`, handoffDocument(chronicle, wave)] as const,
    ]),
    ['test-integration.md', integrationDocument(chronicle)],
    ['knowledge.md', knowledgeDocument(chronicle)],
    ['metrics.json', isOver(chronicle.state) ? json(metricsDocument(chronicle)) : undefined],
  ];
  return contents.flatMap(([name, content]) => (content === undefined ? [] : [{ path: `${slug}-${name}`, content }]));
}
