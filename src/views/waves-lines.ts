/** The lines of a plan in waves that is proposed to a person. */
import type { Chronicle, Note } from './chronicle.ts';
import { counted } from './figures.ts';
import { forecastNotes } from './forecast-text.ts';
import { type Proposal, proposalOf } from './proposal.ts';
import { planFigures } from './wording.ts';

/** The plan is told when it is proposed, and again when a person changed its waves. */
export function wavesNoted(key: string, chronicle: Chronicle): readonly string[] | undefined {
  const proposal = proposalOf(chronicle);
  if (proposal === undefined || (!/^proposal(#|$)/.test(key) && key !== 'waves')) return undefined;
  if (key === 'waves' && sameWaves(lastProposal(chronicle)?.data, proposal.waves)) return undefined;
  return [
    `Plan ready: ${planFigures(proposal)}, .forge/${proposal.slug}-plan.md`,
    ...overviewLines(proposal),
    `Wave plan: ${counted(proposal.waves.length, 'wave')}`,
    ...proposal.waves.map((wave, index) => `  Wave ${index + 1}: ${wave.join(', ')}`),
    ...proposal.warnings.map((warning) => `Warning: ${warning}`),
    ...forecastNotes(chronicle),
  ];
}

function overviewLines({ overview, knowledgeApplied, confirmedDecisions }: Proposal): string[] {
  return [
    ...(overview === undefined
      ? []
      : [
          `  Tech stack: ${overview.techStack}`,
          `  Architecture: ${overview.architecture}`,
          `  Business logic: ${overview.businessLogic}`,
          ...overview.keyDecisions.map((decision) => `  Key decision: ${decision}`),
        ]),
    ...confirmedDecisions.map(({ question, answer }) => `  Confirmed: ${question} ${answer}`),
    ...(knowledgeApplied.length === 0 ? [] : [`  Lessons applied: ${knowledgeApplied.length}`]),
  ];
}

function sameWaves(data: unknown, waves: readonly (readonly string[])[]): boolean {
  const before: unknown = Object(data)['waves'];
  return JSON.stringify(before) === JSON.stringify(waves);
}

function lastProposal({ notes }: Chronicle): Note | undefined {
  return [...notes].findLast(([key]) => /^proposal(#|$)/.test(key))?.[1];
}
