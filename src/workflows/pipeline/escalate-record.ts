/**
 * A person takes over: the record says so, an event tells why, the halt advisor explains it in plain words as well as it
 * can, and the message names what to look at and the exact command that goes on. The task ends; nothing else waits for it.
 */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { type RecordEscalation, escalationLine, escalationLines } from '../../pipelines/escalation.ts';
import { resultContract } from '../../policy/result-contract.ts';
import { renderSections } from '../../policy/sections.ts';
import { askAgent } from '../moves/ask-agent.ts';
import type { RunContext } from './context.ts';
import { type RecordDesk, writeDesk } from './desk.ts';
import { roleBlock } from '../../pipelines/personas.ts';
import { type LeadAdvice, adviceResult } from './role-results.ts';
import { pipelineRoles } from './roles.ts';

export interface EscalatedRecord {
  readonly reason: string;
  /** For people: what, what to do, what to look at, how to go on. */
  readonly lines: readonly string[];
}

/** The advisor gets so long, and one attempt. */
const adviceMs = 180_000;

export async function escalateRecord(
  bench: Bench,
  key: string,
  about: {
    readonly desk: RecordDesk;
    readonly context: RunContext;
    readonly commit: string;
    readonly escalation: RecordEscalation;
  },
): Promise<EscalatedRecord> {
  const { desk, context, commit } = about;
  const escalation: RecordEscalation = { artifact: artifactOf(desk, context), ...about.escalation };
  const notes = escalationLine(escalation);
  const matter = { persona: 'orchestrator', phase: escalation.phase, notes } as const;
  const written = await writeDesk(bench, `${key}/escalated`, desk, {
    // A bug has no such state, and a record that someone else changed is left as it is.
    ...(desk.kind === 'task' && escalation.reason !== 'record-conflict' ? { status: 'escalated' } : {}),
    events: [
      ...(escalation.reason === 'record-conflict' ? [{ matter: { action: 'conflict' as const, ...matter } }] : []),
      { matter: { action: 'escalated' as const, verdict: 'escalated', ...matter } },
    ],
    progress: [{ agent: `${desk.id}:forge:${escalation.phase}:1`, status: 'error', text: notes }],
  });
  if (written.status !== 'written') desk.notes.push(written.detail);
  const advice = await adviseHalt(bench, `${key}/advice`, { desk, context, commit, escalation });
  return { reason: notes, lines: [...escalationLines(desk, escalation, context.run), ...adviceLines(advice)] };
}

/** What a person reads of it, wherever they look. */
export function describeEscalated({ reason, lines }: EscalatedRecord): StepEndInput {
  return { status: 'blocked', detail: reason, lines: [...lines] };
}

function artifactOf({ record, kind }: RecordDesk, { inRepository }: RunContext): string {
  const path = inRepository(String(record['path']));
  return kind === 'task' ? `${path}, and forge store read task ${String(record['taskId'])}` : path;
}

/** What an advisor needs of a record, besides its id and its summaries. */
const advisedFields = ['title', 'status', 'description', 'dependencies', 'pipeline'];

/** Best effort: without an answer, the message stands by itself. */
async function adviseHalt(
  bench: Bench,
  key: string,
  about: {
    readonly desk: RecordDesk;
    readonly context: RunContext;
    readonly commit: string;
    readonly escalation: RecordEscalation;
  },
): Promise<LeadAdvice | undefined> {
  const { desk, context, commit, escalation } = about;
  const { input } = context;
  const schema = z.toJSONSchema(adviceResult, { io: 'input' }) as Readonly<Record<string, unknown>>;
  const prompt = renderSections([
    {
      title: 'Your role',
      text: roleBlock('halt-advisor', input.options.inline, context.ownRoles['halt-advisor']),
      budget: 6_000,
    },
    { title: 'What stopped', text: escalationLines(desk, escalation, context.run).join('\n'), budget: 6_000 },
    { title: 'The record', text: JSON.stringify(desk.record), budget: 12_000, fields: advisedFields },
    { title: 'How to end', text: resultContract(schema), budget: 12_000 },
  ]);
  const answer = await askAgent<LeadAdvice>(bench, key, {
    agent: input.agents['halt-advisor'] ?? input.agents['engineer'] ?? '',
    role: 'halt-advisor',
    task: desk.id,
    workspace: `${desk.id}.advice`,
    commit,
    access: 'read',
    tier: 'light',
    isWhole: true,
    tools: ['records'],
    result: adviceResult,
    prompt,
    recoveryPrompt: () => prompt,
    attempts: 1,
    title: 'halt advisor',
    describe: (result) => pipelineRoles['halt-advisor'].describe?.(result) ?? { status: 'done' },
    limits: { wallMs: adviceMs },
  });
  await bench.perform('workspace.drop', `${key}/drop`, {
    workspace: `${desk.id}.advice`,
    captured: commit,
    readOnly: true,
  });
  return answer.status === 'accepted' ? answer.result : undefined;
}

function adviceLines(advice: LeadAdvice | undefined): readonly string[] {
  if (advice === undefined) return [];
  const { what, why, next } = advice;
  return [`In plain words: ${[what, why].filter((one) => one !== '').join(' ')}`, ...next.map((step) => `  - ${step}`)];
}
