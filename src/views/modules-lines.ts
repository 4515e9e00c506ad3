/** The lines of a plan of modules that is proposed to a person. */
import type { Chronicle } from './chronicle.ts';
import { forecastNotes } from './forecast-text.ts';
import { modulesProposal } from './modules-proposal.ts';
import { overlapLines, proposalFigures } from './modules-wording.ts';

/** The plan is told whenever one is proposed. */
export function modulesNoted(key: string, chronicle: Chronicle): readonly string[] | undefined {
  const proposal = modulesProposal(chronicle);
  if (proposal === undefined || !/^proposal(#|$)/.test(key)) return undefined;
  return [
    `Plan ready: ${proposalFigures(proposal)}`,
    ...proposal.tasks.map(({ id, title, complexity, depends }) => {
      const after = depends.length === 0 ? '' : `, after ${depends.join(', ')}`;
      return `  ${id}: ${title} (${complexity}${after})`;
    }),
    ...overlapLines(proposal.tasks).map((line) => `Overlap: ${line}`),
    ...proposal.dirtyOverlap.map((path) => `Uncommitted: ${path} has changes of yours that agents do not see`),
    ...proposal.warnings.map((warning) => `Warning: ${warning}`),
    ...proposal.remembered.map((risk) => `Known risk: ${risk}`),
    ...forecastNotes(chronicle),
  ];
}
