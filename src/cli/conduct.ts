/**
 * Works on a run in this process, in front of a person or a script: shows what happens, puts questions to the person,
 * or takes the recommended answers, or leaves when nobody can answer. The first Ctrl-C pauses the run and waits for it
 * to come to rest, the second one leaves at once; both can be resumed.
 */
import { stdout } from 'node:process';
import type { Answer, ExecutionEnd, Fact, RunHandle, RunOptions } from '../api/facts.ts';
import { openContext, type ApiContext, type ContextOptions } from '../api/operation.ts';
import { type RunTalk, talkToRuns } from '../api/talk-to-run.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { landingOf } from '../views/landing.ts';
import { answerCommand } from '../views/question-text.ts';
import { askPerson } from './ask-person.ts';
import { exitCode } from './exit-code.ts';
import { landInto } from './land.ts';
import { RunScreen } from './run-screen.ts';
import type { Terminal } from './terminal.ts';

export interface ConductOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly yes: boolean;
  readonly settings?: ContextOptions['settings'];
  /** As far as the run has come: it is resumed. */
  readonly chronicle?: Chronicle;
  /** Questions that are open in it and that were answered a moment ago. */
  readonly answered?: readonly string[];
  /** Begins the work; undefined when there is none to do. */
  readonly begin: (context: ApiContext) => Promise<RunHandle | undefined>;
  /** The exit code when `begin` began nothing; 0 when left out. */
  readonly whenNothingBegan?: () => number;
}

export async function conduct(options: ConductOptions): Promise<number> {
  const { terminal } = options;
  const conductor: { current: Conductor | undefined } = { current: undefined };
  const watcher: RunOptions = {
    whenWaiting: terminal.isInteractive && !options.json ? 'stay' : 'leave',
    onFact: (fact) => conductor.current?.take(fact),
  };
  const settings = options.settings === undefined ? {} : { settings: options.settings };
  const context = openContext({ cwd: process.cwd(), watcher, ...settings });
  const talk = await talkToRuns(context);
  const active = new Conductor(options, talk);
  conductor.current = active;
  const unhook = onInterrupt(() => active.interrupt());
  try {
    await active.answerEarly();
    const handle = await options.begin(context);
    if (handle === undefined) return options.whenNothingBegan?.() ?? 0;
    const end = await active.follow(handle);
    const code = active.report(handle.run, end);
    const into = end.status === 'done' ? active.landing() : undefined;
    if (into !== undefined) await landInto(context, handle.run, { into, json: options.json });
    return code;
  } finally {
    unhook();
    active.close();
  }
}

class Conductor {
  readonly #options: ConductOptions;
  readonly #talk: RunTalk;
  readonly #screen: RunScreen;
  /** Questions that are put to the person, one after the other. */
  #asking: Promise<void> = Promise.resolve();
  readonly #answered = new Map<string, AbortController>();
  #handle: RunHandle | undefined;
  #left = false;
  #interrupts = 0;

  constructor(options: ConductOptions, talk: RunTalk) {
    this.#options = options;
    this.#talk = talk;
    this.#screen = new RunScreen(options.terminal, {
      json: options.json,
      directory: (run) => talk.directory(run),
      showPlan: options.yes,
      ...(options.chronicle === undefined ? {} : { chronicle: options.chronicle }),
    });
  }

  get #run(): string {
    return this.#screen.chronicle.state.created?.run ?? '';
  }

  take(fact: Fact): void {
    this.#screen.take(fact);
    if (fact.type === 'question.asked') this.#question(fact.key);
    if (fact.type === 'question.answered') this.#answered.get(fact.key)?.abort();
  }

  /** What was asked before this process came: such a question is not asked again as a fact. */
  async answerEarly(): Promise<void> {
    if (!this.#options.yes) return;
    for (const key of this.#open()) {
      const answer = this.#screen.recommended(key);
      if (answer !== undefined) await this.#talk.answer(this.#run, key, { ...answer, by: '--yes' });
    }
  }

  async follow(handle: RunHandle): Promise<ExecutionEnd> {
    this.#handle = handle;
    if (this.#interrupts > 0) handle.pause('interrupted');
    if (!this.#options.yes)
      for (const key of this.#options.chronicle === undefined ? [] : this.#screen.openQuestions()) this.#question(key);
    const end = await handle.ended;
    for (const controller of this.#answered.values()) controller.abort();
    await this.#asking;
    this.#screen.finish();
    return end;
  }

  interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1 || this.#handle === undefined) {
      this.close();
      process.exit(130);
    }
    this.#handle.pause('interrupted at the terminal');
    if (this.#options.json) return;
    this.#screen.hide();
    this.#options.terminal.say('Pausing. Ctrl-C once more leaves at once; both can be resumed.');
    this.#screen.show();
  }

  close(): void {
    this.#screen.hide();
  }

  /** The branch it is to land on. */
  landing(): string | undefined {
    const to = landingOf(this.#screen.chronicle.state);
    return to?.asked ? to.into : undefined;
  }

  report(run: string, end: ExecutionEnd): number {
    const { json, terminal } = this.#options;
    if (!json) {
      if (['done', 'failed', 'cancelled'].includes(end.status))
        terminal.write(`\n${this.#screen.summary({ lands: end.status === 'done' })}\n`);
      const into = ['done', 'failed', 'cancelled'].includes(end.status) ? undefined : this.landing();
      const later = into === undefined ? [] : [`When it is done, it lands on ${into}.`];
      for (const line of [...this.#advice(run, end), ...later]) process.stderr.write(`${line}\n`);
    }
    if (end.status === 'stopped' && !(end.error instanceof ForgeError)) throw end.error;
    return end.status === 'paused' && this.#left ? 3 : exitCode(end);
  }

  /** Open when this process came. What is asked later comes as a fact. */
  #open(): readonly string[] {
    const { chronicle, answered = [] } = this.#options;
    const asked = [...(chronicle?.state.questions ?? [])].filter(([, record]) => record.answer === undefined);
    return asked.map(([key]) => key).filter((key) => !answered.includes(key) && !this.#answered.has(key));
  }

  #advice(run: string, end: ExecutionEnd): readonly string[] {
    if (end.status === 'waiting' || (end.status === 'paused' && this.#left)) {
      return this.#screen.openQuestions().flatMap((key) => this.#howToAnswer(run, key));
    }
    if (end.status === 'limited')
      return ['Go on with it, when the limit is over or with a higher one:', `  forge resume ${run} --budget <limit>`];
    if (end.status === 'paused') return ['Go on with it:', `  forge resume ${run}`];
    if (end.status !== 'stopped') return [];
    const hint = end.error instanceof ForgeError ? end.error.hint : undefined;
    return [
      `forge: ${end.reason}`,
      ...(hint === undefined ? [] : [`  ${hint}`]),
      'When it is mended:',
      `  forge resume ${run}`,
    ];
  }

  #howToAnswer(run: string, key: string): readonly string[] {
    const question = this.#screen.chronicle.state.questions.get(key)?.question;
    if (question === undefined) return [];
    return [question.title, `  ${answerCommand(run, key, question)}`];
  }

  #question(key: string): void {
    const { terminal, yes, json } = this.#options;
    const recommended = yes ? this.#screen.recommended(key) : undefined;
    if (recommended !== undefined) {
      // Not awaited: it is posted when the call returns.
      void this.#talk.answer(this.#run, key, { ...recommended, by: '--yes' });
      return;
    }
    if (!terminal.isInteractive || json) return;
    const controller = new AbortController();
    this.#answered.set(key, controller);
    this.#asking = this.#asking.then(() => this.#ask(key, controller.signal));
  }

  async #ask(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#left || this.#interrupts > 0) return;
    this.#screen.hide();
    const answer: Pick<Answer, 'option' | 'text'> | undefined = await askPerson(
      this.#options.terminal,
      this.#screen.chronicle,
      key,
      signal,
    );
    if (answer !== undefined) await this.#talk.answer(this.#run, key, answer);
    else if (!signal.aborted && this.#interrupts === 0) {
      // Nobody there to answer any more: the run waits for another day.
      this.#left = true;
      this.#handle?.pause('the person left at a question');
    }
    if (this.#interrupts === 0) this.#screen.show();
  }
}

function onInterrupt(action: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, action);
  return () => {
    for (const signal of signals) process.off(signal, action);
    if (stdout.isTTY) stdout.write('\u001b[?25h');
  };
}
