/**
 * Guidance gets better by what was in the way: the librarian reads open friction and the roles as they are, and proposes
 * lines to add and remove. The program makes a difference of it that a person can read, and changes nothing: the
 * proposal is recorded, and `forge enhance --apply` is another command.
 */
import { asJson } from '../../engine/json-value.ts';
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { changeRole, type ChangedRole, roleFile } from '../../pipelines/change-role.ts';
import { type EnrichProposal, isOpenFriction, proposeFromFriction } from '../../pipelines/enrich.ts';
import type { EnhanceProposal } from '../../pipelines/enhance-proposal.ts';
import { phasePersonas, roleBlock } from '../../pipelines/personas.ts';
import { roleBody } from '../../pipelines/change-role.ts';
import type { Section } from '../../policy/sections.ts';
import { countText } from '../../views/figures.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { askLead, dropLead } from './ask-lead.ts';
import type { PipelineInput } from './pipeline-input.ts';
import { type EnhanceResult, enhanceResult } from './role-results.ts';

/** A proposal that does not fit the files goes back so often. */
const mostRounds = 3;

type RoleFiles = ReadonlyMap<string, string>;

export async function runEnhance(bench: Bench, input: PipelineInput): Promise<WorkflowResult> {
  const { base } = bench.run;
  const { ids } = await bench.perform('records.read', 'known', { ids: [] });
  const { events } = await bench.perform('events.read', 'friction', {
    directories: [...(ids['sprint'] ?? []), 'bugs', 'features', 'SYS-runs'],
  });
  const friction = proposeFromFriction(events.filter(isOpenFriction));
  const { files } = await bench.perform('sources.read', 'roles', {
    commit: base,
    paths: ['.forge/roles/*.md'],
    chars: 200_000,
  });
  const roles: RoleFiles = new Map(files.map(({ path, text }) => [path, text]));
  let note = '';
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await askLead(bench, `enhance#${round}`, {
      input,
      role: 'librarian',
      result: enhanceResult,
      commit: base,
      sections: sectionsOf(input.requirement, { friction, roles, note }),
      task: 'Propose the fewest lines that would have prevented this friction. Leave a role as it is when in doubt.',
      describe: ({ changes, summary }) => ({
        status: 'done',
        detail: `${countText(changes.length, 'change')}: ${summary}`,
      }),
    });
    if (answer.status !== 'accepted')
      return { status: 'failed', reason: `there is no proposal: ${explainAnswer(answer)}` };
    const changed = answer.result.changes.map((change) => ({
      change,
      to: changeRole(change, roles.get(roleFile(change.role))),
    }));
    const faults = faultsOf(
      answer.result,
      changed.map(({ to }) => to),
      friction,
    );
    if (faults.length > 0) {
      note = `Your last proposal cannot be used: ${faults.join('; ')}`;
      continue;
    }
    await dropLead(bench, 'librarian', base);
    return propose(bench, answer.result, {
      roles,
      diffs: changed.flatMap(({ to }) => (to.status === 'changed' ? [to.diff] : [])),
    });
  }
  return { status: 'failed', reason: `no usable proposal in ${mostRounds} rounds. ${note}` };
}

function faultsOf(
  { changes }: EnhanceResult,
  changed: readonly ChangedRole[],
  friction: readonly EnrichProposal[],
): readonly string[] {
  const known = new Set(friction.flatMap(({ events }) => events));
  const names = changes.map(({ role }) => role);
  return [
    ...changed.flatMap((one) => (one.status === 'faulty' ? [one.problem] : [])),
    ...names.filter((role, at) => names.indexOf(role) !== at).map((role) => `${role} is there twice`),
    ...changes.flatMap((one) =>
      one.friction.filter((id) => !known.has(id)).map((id) => `${id} is not an open friction event`),
    ),
  ];
}

function sectionsOf(
  wish: string,
  {
    friction,
    roles,
    note,
  }: { readonly friction: readonly EnrichProposal[]; readonly roles: RoleFiles; readonly note: string },
): readonly Section[] {
  const names = [
    ...new Set([...Object.keys(phasePersonas), ...[...roles.keys()].map((path) => path.replace(/^.*\/|\.md$/g, ''))]),
  ];
  const texts = names.map((name) => {
    const own = roles.get(roleFile(name));
    return `### ${name}\n${roleBlock(name, false, own === undefined ? undefined : roleBody(own))}`;
  });
  const found = friction.map(
    ({ role, kind, about, count, issues, events }) =>
      `- ${role}, ${kind}${about === '' ? '' : `, about ${about}`}, ${countText(count, 'time')}: ${issues.join(' | ')}\n  events: ${events.join(', ')}`,
  );
  return [
    { title: 'What is wanted', text: wish, budget: 8_000 },
    { title: 'Open friction', text: found.length === 0 ? 'There is none.' : found.join('\n'), budget: 30_000 },
    { title: 'The roles as they are', text: texts.join('\n\n'), budget: 40_000 },
    ...(note === '' ? [] : [{ title: 'What has to be different', text: note, budget: 4_000 }]),
  ];
}

async function propose(
  bench: Bench,
  result: EnhanceResult,
  { roles, diffs }: { readonly roles: RoleFiles; readonly diffs: readonly string[] },
): Promise<WorkflowResult> {
  const { run } = { run: bench.run.id };
  return bench.step('proposal', { kind: 'record', title: 'Proposal', end: describeProposal }, async () => {
    if (result.changes.length === 0) return { status: 'done', output: { changes: 0, summary: result.summary } };
    const proposal: EnhanceProposal = {
      changes: result.changes.map((change) => ({ ...change, before: roles.get(roleFile(change.role)) ?? null })),
    };
    const content = proposalText(result, diffs, run);
    const document = { path: 'enhancement.md', content };
    await bench.record('proposed', 'note.recorded', {
      text: content,
      data: asJson({ document, proposal }),
    });
    return {
      status: 'done',
      output: { changes: result.changes.length, next: `forge enhance --apply ${run}`, summary: result.summary },
    };
  });
}

function describeProposal(result: WorkflowResult): StepEndInput {
  const { changes, next } = Object(result.output) as { readonly changes: number; readonly next?: string };
  if (next === undefined) return { status: 'done', detail: 'nothing should change' };
  return {
    status: 'done',
    detail: `${countText(changes, 'role')} would change. Nothing was changed. Apply it: ${next}`,
  };
}

function proposalText({ summary, changes, notes }: EnhanceResult, diffs: readonly string[], run: string): string {
  return [
    '# Proposed changes of roles',
    summary,
    'Nothing was changed.',
    ...changes.map(({ role, why }, at) => `## ${role}\n\n${why}\n\n\`\`\`diff\n${diffs[at] ?? ''}\`\`\``),
    ...(notes.length === 0 ? [] : [`## For a person\n\n${notes.map((one) => `- ${one}`).join('\n')}`]),
    `Apply it with \`forge enhance --apply ${run}\`.`,
    '',
  ].join('\n\n');
}
