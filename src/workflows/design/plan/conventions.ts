/**
 * The conventions that every module follows: twelve topics, written by the first planner, added to by the others, merged
 * between phases without saying anything twice. Pure.
 */
import { z } from 'zod';
import { readMarkdown } from '../../../markdown/markdown-document.ts';
import { findSection } from '../../../markdown/section-lookup.ts';
import { bulletList, tableText } from './markdown-text.ts';
import { type WorkflowCommands, workflowCommandsSchema } from './module-plan.ts';

export const conventionTopics = {
  directories: 'Directory Structure',
  naming: 'File Naming',
  errors: 'Error Handling',
  sharedTypes: 'Shared Types',
  imports: 'Code Conventions',
  tests: 'Test Organization',
  security: 'Security Patterns',
  isolation: 'Test Isolation Rules',
  observability: 'Observability Patterns',
  performance: 'Performance Testing',
  workflow: 'Development Workflow',
  agents: 'AI Agent Instruction Files',
} as const;
export type ConventionTopic = keyof typeof conventionTopics;
const topicNames = Object.keys(conventionTopics) as ConventionTopic[];

const rules = z.array(z.string().max(2000)).max(100);
const topicRules = (schema: z.ZodType<string[]>) =>
  z.object(
    Object.fromEntries(topicNames.map((topic) => [topic, schema])) as Record<ConventionTopic, z.ZodType<string[]>>,
  );

/** The first planner says something about every topic, if only that nothing applies. */
export const conventionsSchema = z.object({
  topics: topicRules(rules.min(1)),
  commands: workflowCommandsSchema.prefault({}),
});
export type Conventions = z.infer<typeof conventionsSchema>;

export const conventionAdditionsSchema = z
  .partialRecord(z.enum(topicNames as [ConventionTopic, ...ConventionTopic[]]), rules)
  .default({});
export type ConventionAdditions = z.infer<typeof conventionAdditionsSchema>;

/** What is new of what was added, topic by topic; the same rule in other words stays, the same words do not. */
export function mergeConventions(
  { topics, commands }: Conventions,
  additions: readonly ConventionAdditions[],
): Conventions {
  const merged = topicNames.map((topic): [ConventionTopic, string[]] => {
    const all = [...topics[topic], ...additions.flatMap((added) => added[topic] ?? [])];
    const known = new Map(all.toReversed().map((rule) => [plain(rule), rule]));
    const first = all.filter((rule, at) => all.findIndex((other) => plain(other) === plain(rule)) === at);
    return [topic, first.filter((rule) => known.has(plain(rule)))];
  });
  return { topics: Object.fromEntries(merged) as Conventions['topics'], commands };
}

function plain(rule: string): string {
  return rule
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const commandNames: Readonly<Record<keyof WorkflowCommands, string>> = {
  lint: 'Lint',
  build: 'Build',
  types: 'Type check',
  test: 'Test',
  moduleTests: 'Module tests in',
  phaseTests: 'Phase tests in',
  e2eTests: 'End-to-end tests in',
  commitFooter: 'Below every commit message',
};

export function renderConventions({ topics, commands }: Conventions): string {
  const table = tableText(
    ['Command', 'Value'],
    (Object.keys(commandNames) as (keyof WorkflowCommands)[]).map((name) => [commandNames[name], commands[name]]),
  );
  const sections = topicNames.map((topic) => {
    const text = bulletList(topics[topic]);
    return `## ${conventionTopics[topic]}\n\n${topic === 'workflow' ? `${table}\n\n${text}` : text}`;
  });
  return `# Conventions\n\n${sections.join('\n\n')}\n`;
}

/** Read back for `--execute` and `--evolve`; what is missing is empty there and stays so. */
export function readConventions(text: string): Conventions {
  const reading = readMarkdown(text);
  const document = reading.status === 'read' ? reading.document : undefined;
  const rulesOf = (topic: ConventionTopic): string[] => {
    const section = document === undefined ? undefined : findSection(document, conventionTopics[topic]);
    return (section?.items ?? [])
      .map(({ text: rule }) => rule.trim())
      .filter((rule) => rule !== '' && rule !== '(none)');
  };
  const workflow = document === undefined ? undefined : findSection(document, conventionTopics.workflow);
  const values = new Map(
    (workflow?.tables ?? []).flatMap(({ rows: all }) =>
      all.map(({ cells }) => [cells[0]?.text.trim() ?? '', cells[1]?.text.trim() ?? ''] as const),
    ),
  );
  const given = (Object.keys(commandNames) as (keyof WorkflowCommands)[]).flatMap((name) => {
    const value = values.get(commandNames[name]) ?? '';
    return value === '' || value === '—' ? [] : [[name, value] as const];
  });
  return {
    topics: Object.fromEntries(topicNames.map((topic) => [topic, rulesOf(topic)])) as Conventions['topics'],
    commands: workflowCommandsSchema.parse(Object.fromEntries(given)),
  };
}
