/**
 * What a run has to tell a person who is not looking: it asks something, it cannot go on, it is over. Pure: from facts
 * to messages. Each message belongs to one fact and is known by it, so nobody is told twice.
 */
import type { Fact } from '../engine/facts.ts';

/** `question`: it waits for an answer. `stuck`: it stopped and needs a person. `done`: it is over and went well. */
export const notificationKinds = ['question', 'stuck', 'done'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface Notification {
  /** The run and the fact it is about. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly run: string;
  readonly title: string;
  /** One or two sentences. */
  readonly text: string;
  /** What to type. */
  readonly command: string;
}

/** What a fact means for a person; undefined: nothing. */
export function notificationOf(run: string, requirement: string, fact: Fact): Notification | undefined {
  const message = messageOf(run, fact);
  if (message === undefined) return undefined;
  const title = `Forge: ${clip(requirement, 80)}`;
  return { id: `${run}#${fact.seq}`, run, title, ...message, text: clip(message.text, 300) };
}

type Message = Pick<Notification, 'kind' | 'text' | 'command'>;

function messageOf(run: string, fact: Fact): Message | undefined {
  if (fact.type === 'question.asked') {
    return { kind: 'question', text: `It asks: ${fact.data.title}`, command: `forge answer ${run}` };
  }
  if (fact.type === 'run.suspended') return suspension(run, fact.data);
  return fact.type === 'run.ended' ? ending(run, fact.data) : undefined;
}

/** A pause is a person's own doing, and a question has been told already. */
function suspension(run: string, { reason, detail }: { reason: string; detail: string }): Message | undefined {
  const because = detail === '' ? '' : `: ${detail}`;
  if (reason === 'limit')
    return { kind: 'stuck', text: `A limit stopped it${because}`, command: `forge resume ${run}` };
  if (reason === 'error') return { kind: 'stuck', text: `It stopped${because}`, command: `forge status ${run}` };
  return undefined;
}

function ending(run: string, { status, reason }: { status: string; reason: string }): Message | undefined {
  if (status === 'done') return { kind: 'done', text: 'It is done.', command: `forge show ${run}` };
  if (status === 'failed') {
    return { kind: 'stuck', text: `It failed${reason === '' ? '' : `: ${reason}`}`, command: `forge show ${run}` };
  }
  return undefined;
}

function clip(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
