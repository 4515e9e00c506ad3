/**
 * Questions of a run and what arrives for them. An answer may come before its question is asked, after the
 * process that asked is gone, or twice: the first that fits counts, and nothing posted is lost.
 */
import { refuseAnswer } from './answers.ts';
import { type Answer, type Place, type QuestionInput, questionSchema, type Signal } from './facts.ts';
import type { RunInbox } from './fact-log.ts';
import type { QuestionRecord } from './run-state.ts';
import type { Writer } from './writer.ts';

export class Questions {
  readonly #writer: Writer;
  readonly #inbox: RunInbox;
  readonly #waiting = new Map<string, (answer: Answer) => void>();

  constructor(writer: Writer, inbox: RunInbox) {
    this.#writer = writer;
    this.#inbox = inbox;
  }

  get open(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Not async: what goes wrong in asking is thrown here, and is nothing the one who waits could catch. */
  ask(key: string, input: QuestionInput, within?: Place): Promise<Answer> {
    const { state } = this.#writer;
    const known = state.questions.get(key);
    if (known?.answer !== undefined) return Promise.resolve(known.answer);
    const question = known?.question ?? questionSchema.parse(input);
    if (known === undefined)
      this.#writer.append('question.asked', key, within === undefined ? question : { ...question, within });
    const early = state.earlyAnswers.get(key)?.find((answer) => refuseAnswer(question, answer) === undefined);
    if (early !== undefined) return Promise.resolve(this.#accept(key, early));
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  /**
   * Turns what is in the inbox into facts; returns the last pause among it. A cancel stands in the state. A pause that
   * was posted while nobody was at work is `stale`: whoever resumed the run wants it to go on.
   */
  drain({ stale }: { readonly stale: boolean }): Extract<Signal, { type: 'pause' }> | undefined {
    let pause: Extract<Signal, { type: 'pause' }> | undefined;
    for (const { id, signal } of this.#inbox.read()) {
      if (!this.#writer.state.signals.has(id)) {
        const late = stale && signal.type === 'pause';
        if (signal.type === 'answer') this.#receive(id, signal);
        else
          this.#writer.append('signal.received', '', {
            id,
            signal,
            ...(late ? { refused: 'the run was resumed after it' } : {}),
          });
        if (signal.type === 'pause' && !late) pause = signal;
      }
      this.#inbox.remove(id);
    }
    return pause;
  }

  #receive(id: string, signal: Extract<Signal, { type: 'answer' }>): void {
    const asked = this.#writer.state.questions.get(signal.key);
    const refused = asked === undefined ? undefined : refuse(asked, signal.answer);
    this.#writer.append('signal.received', '', { id, signal, ...(refused === undefined ? {} : { refused }) });
    const resolve = this.#waiting.get(signal.key);
    if (refused !== undefined || resolve === undefined) return;
    this.#waiting.delete(signal.key);
    resolve(this.#accept(signal.key, signal.answer));
  }

  #accept(key: string, answer: Answer): Answer {
    this.#writer.append('question.answered', key, answer);
    return this.#writer.state.questions.get(key)?.answer ?? answer;
  }
}

function refuse(asked: QuestionRecord, answer: Answer): string | undefined {
  return asked.answer === undefined ? refuseAnswer(asked.question, answer) : 'the question was answered before';
}
