/**
 * The units before the first slice: plan the milestone, discuss it, research it. Each is skipped where its document is
 * there, where the project has begun its slices already, or where the settings say so.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { isDiscussionDue, isResearchDue } from '../../gsd/next-unit.ts';
import { countText } from '../../views/figures.ts';
import { askReader } from './ask-unit.ts';
import { type BriefPart, briefFor, briefRules } from './briefs.ts';
import { contextText, roadmapText } from './documents/plan-texts.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneInput } from './milestone-input.ts';
import type { OpenedMilestone, OpenedSlice } from './open-milestone.ts';
import type { DiscussResult, RoadmapResult } from './role-results.ts';
import { waitingForever } from './rules/waiting-forever.ts';

export type PlannedMilestone =
  | {
      readonly status: 'planned';
      readonly title: string;
      readonly vision: string;
      readonly criteria: readonly string[];
      readonly slices: readonly OpenedSlice[];
      readonly roadmap: string;
      /** What the planner decided on its own. */
      readonly decisions: RoadmapResult['decisions'];
    }
  | { readonly status: 'stopped'; readonly reason: string };

interface UnitRequest {
  readonly input: MilestoneInput;
  readonly milestone: OpenedMilestone;
}

export async function planMilestone(bench: Bench, { input, milestone }: UnitRequest): Promise<PlannedMilestone> {
  const { id, title, vision, criteria, slices, roadmap } = milestone;
  if (slices !== undefined) return { status: 'planned', title, vision, criteria, slices, roadmap, decisions: [] };
  const end = (planned: PlannedMilestone) =>
    planned.status === 'stopped'
      ? ({ status: 'failed', detail: planned.reason } as const)
      : ({
          status: 'done',
          detail: countText(planned.slices.length, 'slice'),
          data: { decisions: planned.decisions },
        } as const);
  return bench.step('plan-milestone/unit', { kind: 'unit', title: 'plan-milestone', end }, async () => {
    const read = await askReader(bench, 'plan-milestone', {
      input,
      role: 'milestone-planner',
      brief: briefFor(
        { input },
        { rules: briefRules.planMilestone, parts: askedFor(milestone, input), task: `Plan ${id}.` },
      ),
    });
    if (read.status === 'missing') return { status: 'stopped', reason: `there is no roadmap: ${read.why}` };
    const planned = fromResult(read.result);
    const fault = faultOf(planned.slices);
    if (fault !== '') return { status: 'stopped', reason: fault };
    const content = roadmapText({ id, ...planned });
    await leaveDocument(bench, 'plan-milestone/document', { path: milestone.paths.milestone('ROADMAP.md'), content });
    return { status: 'planned', ...planned, roadmap: content };
  });
}

function fromResult({ title, vision, criteria, slices, decisions }: RoadmapResult) {
  const opened = slices.map(
    (slice): OpenedSlice => ({
      ...slice,
      isDone: false,
      has: { plan: false, research: false, summary: false, risk: false, continue: false },
      risks: '',
      context: '',
      research: '',
      continued: '',
      plan: undefined,
      planCheck: '',
      hasSymbolCheck: false,
      review: undefined,
      owed: [],
      tasks: [],
    }),
  );
  return { title, vision, criteria, slices: opened, decisions };
}

/** A roadmap that waits for itself would never end. */
function faultOf(slices: readonly OpenedSlice[]): string {
  const ids = slices.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `the roadmap lists ${twice} twice`;
  const stuck = [...waitingForever(slices, new Set(ids))].map(([id, why]) => `${id}: ${why}`);
  return stuck.length === 0 ? '' : `the roadmap cannot be worked on: ${stuck.join('; ')}`;
}

interface Discussion {
  /** What the milestone's context says. */
  readonly agreed: string;
  readonly decisions: DiscussResult['decisions'];
}

const undiscussed: Discussion = { agreed: '', decisions: [] };

/** Choices that nobody has to be asked about, each with its alternative. */
export async function discussMilestone(
  bench: Bench,
  { input, milestone }: UnitRequest,
  roadmap: string,
): Promise<Discussion> {
  const skipDiscuss = input.options['skip-discuss'];
  if (milestone.found !== undefined && !isDiscussionDue(milestone.found, { skipDiscuss }))
    return { agreed: milestone.context, decisions: [] };
  if (skipDiscuss) return undiscussed;
  return bench.step(
    'discuss-milestone/unit',
    { kind: 'unit', title: 'discuss-milestone', end: ({ agreed }) => describeText(agreed) },
    async () => {
      const read = await askReader(bench, 'discuss-milestone', {
        input,
        role: 'discusser',
        brief: briefFor(
          { input },
          {
            rules: briefRules.discuss,
            parts: withRoadmap({ input, milestone }, roadmap),
            task: `Settle what ${milestone.id} leaves open.`,
          },
        ),
      });
      if (read.status === 'missing') return undiscussed;
      const content = contextText(milestone.id, read.result);
      await leaveDocument(bench, 'discuss-milestone/document', {
        path: milestone.paths.milestone('CONTEXT.md'),
        content,
      });
      await bench.record('discuss-milestone/decisions', 'note.recorded', {
        text: '',
        data: { decisions: read.result.decisions.map((one) => ({ ...one })), unit: milestone.id },
      });
      return { agreed: content, decisions: read.result.decisions };
    },
  );
}

export async function researchMilestone(
  bench: Bench,
  { input, milestone }: UnitRequest,
  roadmap: string,
): Promise<string> {
  const skipResearch = input.options['skip-research'];
  if (milestone.found !== undefined && !isResearchDue(milestone.found, { skipResearch })) return milestone.research;
  if (skipResearch) return '';
  return bench.step(
    'research-milestone/unit',
    { kind: 'unit', title: 'research-milestone', end: describeText },
    async () => {
      const read = await askReader(bench, 'research-milestone', {
        input,
        role: 'researcher',
        brief: briefFor(
          { input },
          {
            rules: briefRules.research,
            parts: withRoadmap({ input, milestone }, roadmap),
            task: `Research ${milestone.id}.`,
          },
        ),
      });
      if (read.status === 'missing') return '';
      const pitfalls = read.result.pitfalls.map((one) => `- ${one}`).join('\n');
      const content = `# ${milestone.id}: research\n\n${read.result.research}\n\n## Pitfalls\n\n${pitfalls}\n`;
      await leaveDocument(bench, 'research-milestone/document', {
        path: milestone.paths.milestone('RESEARCH.md'),
        content,
      });
      return content;
    },
  );
}

/** Work goes on without it, and nobody takes it for done. */
export function describeText(text: string): StepEndInput {
  return text === '' ? { status: 'unverified', detail: 'nobody could do it' } : { status: 'done' };
}

function askedFor(
  { scope, project, knowledge, standards, vision }: OpenedMilestone,
  { requirement }: MilestoneInput,
): readonly BriefPart[] {
  return [
    { title: 'What was asked for', text: requirement, budget: 60_000 },
    { title: 'Scope', text: scope, budget: 60_000 },
    { title: 'The project, its requirements and decisions', text: project, budget: 60_000 },
    { title: 'Vision', text: vision },
    { title: 'Knowledge of earlier milestones', text: knowledge },
    { title: 'Coding standards', text: standards },
  ];
}

function withRoadmap({ input, milestone }: UnitRequest, roadmap: string): readonly BriefPart[] {
  return [...askedFor(milestone, input), { title: 'Roadmap', text: roadmap }];
}
