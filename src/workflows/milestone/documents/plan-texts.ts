/** The documents that are there before work starts: roadmap, slice plan, task plan and the gates. Pure. */
import { stringify } from 'yaml';
import type { SymbolResult } from '../../../policy/promises.ts';
import type { DiscussResult, PlannedTask, RiskResult, SecurityResult } from '../role-results.ts';
import { countVerdicts, type JudgedDimension, type PlanCheckMode, type PlanCheckOutcome } from '../rules/plan-check.ts';

export interface RoadmapText {
  readonly id: string;
  readonly title: string;
  readonly vision: string;
  readonly criteria: readonly string[];
  readonly slices: readonly {
    readonly id: string;
    readonly title: string;
    readonly risk: string;
    readonly depends: readonly string[];
    readonly demo: string;
    readonly isDone: boolean;
  }[];
}

export function roadmapText({ id, title, vision, criteria, slices }: RoadmapText): string {
  return joinLines(
    `# ${id}: ${oneLine(title)}`,
    '',
    `**Vision:** ${oneLine(vision)}`,
    '',
    ...sectionLines(
      'Success Criteria',
      criteria.map((one) => `- ${oneLine(one)}`),
    ),
    '## Slices',
    '',
    ...slices.flatMap((slice) => [
      `- [${slice.isDone ? 'x' : ' '}] **${slice.id}: ${oneLine(slice.title)}** \`risk:${slice.risk}\` \`depends:[${slice.depends.join(',')}]\``,
      ...(slice.demo === '' ? [] : [`  > After this: ${oneLine(slice.demo)}`]),
    ]),
  );
}

/** The same roadmap or slice plan with the boxes of these slices or tasks ticked, whoever wrote it. */
export function tickBoxes(text: string, ids: readonly string[]): string {
  return text
    .split('\n')
    .map((line) => {
      const box = /^\s*[-*] \[ \] \**\s*((?:S|T)\d+(?:\.\d+)*)\b/.exec(line);
      return box !== null && ids.includes(box[1] ?? '') ? line.replace('[ ]', '[x]') : line;
    })
    .join('\n');
}

export function contextText(id: string, { context, decisions }: DiscussResult): string {
  return joinLines(
    `# ${id}: context`,
    '',
    context.trim(),
    '',
    ...sectionLines('Decisions', decisions.map(decisionLine)),
  );
}

export function decisionLine({ choice, why, alternative }: DiscussResult['decisions'][number]): string {
  const reason = why === '' ? '' : ` Because: ${oneLine(why)}`;
  const other = alternative === '' ? '' : ` Instead of: ${oneLine(alternative)}`;
  return `- ${oneLine(choice)}${reason}${other}`;
}

export function slicePlanText(about: {
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly demo: string;
  readonly tasks: readonly PlannedTask[];
}): string {
  return joinLines(
    `# ${about.id}: ${oneLine(about.title)}`,
    '',
    `**Goal:** ${oneLine(about.goal)}`,
    `**Demo:** ${oneLine(about.demo)}`,
    '',
    '## Tasks',
    '',
    ...about.tasks.flatMap(({ id, title, writes, doneWhen }) => [
      `- [ ] **${id}: ${oneLine(title)}**`,
      ...(writes.length === 0 ? [] : [`  - Files: ${writes.join(', ')}`]),
      ...(doneWhen === '' ? [] : [`  - Done when: ${oneLine(doneWhen)}`]),
    ]),
  );
}

export function taskPlanText(milestone: string, slice: string, task: PlannedTask, status: string): string {
  const { mustHaves, expectedOutput, steps } = task;
  const front = {
    id: task.id,
    slice,
    milestone,
    title: task.title,
    status,
    depends: task.depends,
    writes: task.writes,
    ...(task.verify.length === 0 ? {} : { verify: task.verify }),
    ...(task.kind === 'feature' ? {} : { tag: task.kind }),
    ...(task.risk === undefined ? {} : { risk: task.risk }),
    ...(task.isLarge === undefined ? {} : { large_task: task.isLarge }),
    ...(task.doneWhen === '' ? {} : { done_when: task.doneWhen }),
    ...(task.tier === undefined ? {} : { tier: task.tier }),
    ...(task.effort === undefined ? {} : { effort: task.effort }),
    ...(task.symbols.length === 0 ? {} : { symbols: task.symbols }),
    must_haves: {
      truths: mustHaves.truths,
      artifacts: mustHaves.artifacts.map(({ path, provides, minLines, stubPatterns }) => ({
        path,
        provides: provides === '' ? path : provides,
        min_lines: minLines,
        ...(stubPatterns === undefined ? {} : { stub_patterns: stubPatterns }),
      })),
      key_links: mustHaves.links.map(({ via, ...link }) => ({ ...link, via: via === '' ? 'use' : via })),
    },
    expected_output: expectedOutput,
  };
  return joinLines(
    '---',
    stringify(front).trimEnd(),
    '---',
    `# ${task.id}: ${oneLine(task.title)}`,
    '',
    task.objective.trim(),
    '',
    ...sectionLines(
      'Steps',
      steps.map((step, at) => `${at + 1}. ${oneLine(step)}`),
    ),
    ...sectionLines(
      'Verification',
      task.verify.map((entry) => `- \`${typeof entry === 'string' ? entry : JSON.stringify(entry)}\``),
    ),
  );
}

export function riskText(slice: string, { risks }: RiskResult): string {
  const rows = risks.map(({ risk, severity, mitigation }) => [risk, severity, mitigation]);
  return joinLines(`# ${slice}: risks`, '', ...tableLines(['Risk', 'Severity', 'Mitigation'], rows));
}

export function securityText(task: string, words: readonly string[], { checklist }: SecurityResult): string {
  return joinLines(
    `# ${task}: security checklist`,
    '',
    `The plan mentions: ${words.join(', ')}.`,
    '',
    ...checklist.map((one) => `- [ ] ${oneLine(one)}`),
  );
}

export interface PlanCheckText {
  readonly slice: string;
  readonly mode: PlanCheckMode;
  readonly round: number;
  readonly outcome: PlanCheckOutcome | 'recorded' | 'unchecked';
  readonly dimensions: readonly JudgedDimension[];
  readonly closing?: readonly string[];
}

export function planCheckText(about: PlanCheckText): string {
  const { pass, warn, fail } = countVerdicts(about.dimensions);
  const rows = about.dimensions.map(({ dimension, verdict, why }) => [dimension, verdict, why]);
  return joinLines(
    `# ${about.slice}: plan check`,
    '',
    `**Mode:** ${about.mode}`,
    `**Round:** ${about.round}`,
    `**Outcome:** ${about.outcome}`,
    `**Counts:** ${pass} pass, ${warn} warn, ${fail} fail`,
    '',
    ...tableLines(['Dimension', 'Verdict', 'Justification'], rows),
    ...(about.closing === undefined ? [] : ['', ...about.closing]),
  );
}

export function symbolCheckText(slice: string, symbols: readonly (SymbolResult & { readonly task: string })[]): string {
  const rows = symbols.map(({ task, name, state, detail }) => [task, `\`${name}\``, state.toUpperCase(), detail]);
  return joinLines(`# ${slice}: symbol check`, '', ...tableLines(['Task', 'Symbol', 'Verdict', 'Where'], rows));
}

export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)];
}

/** Nothing at all where there is nothing to say. */
export function sectionLines(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : [`## ${title}`, '', ...body, ''];
}

export function joinLines(...all: readonly string[]): string {
  return `${all.join('\n').trimEnd()}\n`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
