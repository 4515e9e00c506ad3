/**
 * Works on a run in this process, in front of a person or a script: shows what happens, puts questions to the person,
 * or takes the recommended answers, or leaves when nobody can answer. The first Ctrl-C pauses the run and waits until it
 * has stopped, the second one leaves at once; both can be resumed.
 */
import { stdout } from 'node:process';
import { type ApiContext, openContext } from '../api/context.ts';
import type { Answer, ExecutionEnd, Fact, RunHandle } from '../api/facts.ts';
import { type RunTalk, talkToRuns } from '../api/talk-to-run.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { isOfLanding, landingOf } from '../views/landing.ts';
import { planText } from '../views/plan-text.ts';
import { adviceFor } from './advice.ts';
import { askPerson } from './ask-person.ts';
import { exitCode } from './exit-code.ts';
import { endLanding, type LandedFormat, landInto } from './print-landed.ts';
import { RunScreen } from './run-screen.ts';
import type { Terminal } from './terminal.ts';

export interface ConductOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly yes: boolean;
  /** As far as the run has come: it is resumed. */
  readonly chronicle?: Chronicle;
  /** Questions that are open in it and that were answered a moment ago. */
  readonly answered?: readonly string[];
  /** Leave it when its plan is ready. Left out: as it was started, until its plan has been shown once. */
  readonly planOnly?: boolean | undefined;
  /** The run is over, and only its result is landed: a script wants to know what came of that, not every fact. */
  readonly landsOnly?: boolean;
  /** Performs the operation that starts or continues a run; there may be none to do. The run may be shown meanwhile. */
  readonly begin: (context: ApiContext, note: (text: string) => void) => Promise<void>;
  /** The exit code when `begin` began nothing; 0 when left out. */
  readonly whenNothingBegan?: () => number;
}

export async function conductRun(options: ConductOptions): Promise<number> {
  const { terminal } = options;
  const conductor: { current: Conductor | undefined } = { current: undefined };
  const taken: { handle: RunHandle | undefined } = { handle: undefined };
  const context = openContext({
    cwd: process.cwd(),
    worker: {
      where: 'here',
      options: {
        whenWaiting: terminal.isInteractive && !options.json ? 'stay' : 'leave',
        onOpen: (facts) => conductor.current?.catchUp(facts),
        onFact: (fact) => conductor.current?.take(fact),
      },
      take: (handle) => {
        taken.handle = handle;
      },
    },
  });
  const talk = await talkToRuns(context);
  const active = new Conductor(options, talk);
  conductor.current = active;
  const unhook = onInterrupt(() => active.interrupt());
  try {
    await active.answerEarly();
    await options.begin(context, (text) => active.note(text));
    const { handle } = taken;
    if (handle === undefined) return options.whenNothingBegan?.() ?? 0;
    if (handle.state.landing !== undefined) return await land(context, active, { handle, options });
    const end = await active.follow(handle);
    const code = active.report(handle.run, end);
    const into = end.status === 'done' ? active.landing() : undefined;
    taken.handle = undefined;
    if (into !== undefined) await landInto(context, handle.run, { into, as: tellingOf(options) });
    // Unset again only where the compiler does not see it: landing may have opened the run.
    const landing = taken.handle as RunHandle | undefined;
    return landing === undefined ? code : await land(context, active, { handle: landing, options });
  } finally {
    unhook();
    active.close();
  }
}

/** A run that was over is open to put its result on a branch that has moved. */
async function land(
  context: ApiContext,
  active: Conductor,
  { handle, options }: { readonly handle: RunHandle; readonly options: ConductOptions },
): Promise<number> {
  const { branch = '' } = handle.state.landing ?? {};
  const end = await active.follow(handle);
  if (!isOver(end)) return active.report(handle.run, end);
  await endLanding(context, { handle, branch, end, as: tellingOf(options) });
  return 0;
}

function tellingOf({ json, landsOnly }: ConductOptions): LandedFormat {
  if (!json) return 'text';
  return landsOnly === true ? 'json' : 'nothing';
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
  /** The plan was all that was wanted: the key of the question about it, and whether it is a new one. */
  #planned: { readonly key: string; readonly isNew: boolean } | undefined;
  #interrupts = 0;

  constructor(options: ConductOptions, talk: RunTalk) {
    this.#options = options;
    this.#talk = talk;
    this.#screen = new RunScreen(options.terminal, {
      json: options.json,
      silent: options.json && options.landsOnly === true,
      talk,
      showPlan: options.yes && options.planOnly !== true,
      ...(options.chronicle === undefined ? {} : { chronicle: options.chronicle }),
    });
  }

  get #run(): string {
    return this.#screen.chronicle.state.created?.run ?? '';
  }

  note(text: string): void {
    this.#screen.note(text);
  }

  catchUp(facts: readonly Fact[]): void {
    this.#screen.catchUp(facts);
  }

  take(fact: Fact): void {
    this.#screen.take(fact);
    if (fact.type === 'question.asked' && !this.#leavesAt(fact.key, true)) this.#question(fact.key);
    if (fact.type === 'question.answered') this.#answered.get(fact.key)?.abort();
  }

  /** What was asked before this process came: such a question is not asked again as a fact. */
  async answerEarly(): Promise<void> {
    if (!this.#options.yes) return;
    for (const key of this.#open()) {
      if (this.#isPlan(key) && this.#options.planOnly === true) continue;
      const answer = this.#screen.recommended(key);
      if (answer !== undefined) await this.#talk.answer(this.#run, key, { ...answer, by: '--yes' });
    }
  }

  async follow(handle: RunHandle): Promise<ExecutionEnd> {
    this.#handle = handle;
    if (this.#interrupts > 0) handle.pause('interrupted');
    for (const key of this.#options.chronicle === undefined ? [] : this.#screen.openQuestions()) {
      if (handle.state.landing !== undefined && !isOfLanding(handle.state, key)) continue;
      if (!this.#leavesAt(key, false) && !this.#options.yes) this.#question(key);
    }
    if (this.#planned !== undefined) this.#leavePlanned();
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
    const { mode, chronicle } = this.#screen;
    const planned = end.status === 'paused' || end.status === 'waiting' ? this.#planned : undefined;
    if (!json || this.#options.landsOnly === true) {
      if (isOver(end)) terminal.write(`\n${this.#screen.summary({ lands: end.status === 'done' })}\n`);
      const isPlanAsked = end.status === 'waiting' && this.#screen.openQuestions().some((key) => this.#isPlan(key));
      if (planned !== undefined || (isPlanAsked && mode !== 'live'))
        terminal.write(`\n${planText(chronicle, { columns: terminal.columns() }) ?? ''}\n\n`);
      const leaving = { run, end, planned: planned?.key, left: this.#left };
      for (const line of adviceFor(chronicle, leaving)) process.stderr.write(`${line}\n`);
    }
    if (end.status === 'stopped' && !(end.error instanceof ForgeError)) throw end.error;
    if (planned !== undefined) return 0;
    return end.status === 'paused' && this.#left ? 3 : exitCode(end);
  }

  /** Open when this process came. What is asked later comes as a fact. */
  #open(): readonly string[] {
    const { chronicle, answered = [] } = this.#options;
    const asked = [...(chronicle?.state.questions ?? [])].filter(([, record]) => record.answer === undefined);
    return asked.map(([key]) => key).filter((key) => !answered.includes(key) && !this.#answered.has(key));
  }

  #isPlan(key: string): boolean {
    return this.#screen.chronicle.state.questions.get(key)?.question.topic === 'approval';
  }

  /** At the question about a plan, if the plan is all that is wanted. */
  #leavesAt(key: string, isNew: boolean): boolean {
    if (!this.#isPlan(key)) return false;
    const { created, questions } = this.#screen.chronicle.state;
    const isFirst = [...questions.keys()].filter((one) => this.#isPlan(one)).length === 1;
    const started = (created?.input as { planOnly?: unknown } | null | undefined)?.planOnly === true;
    if (!(this.#options.planOnly ?? (started && isNew && isFirst))) return false;
    this.#planned = { key, isNew };
    this.#leavePlanned();
    return true;
  }

  /** Where nobody can be asked the run leaves by itself: only questions are left. */
  #leavePlanned(): void {
    const { terminal, json } = this.#options;
    if (terminal.isInteractive && !json) this.#handle?.pause('the plan was all that was wanted');
  }

  #question(key: string): void {
    const { terminal, yes, json } = this.#options;
    // It may have been answered before it was asked: by a recording, or by somebody else.
    if (this.#handle?.state.questions.get(key)?.answer !== undefined) return;
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

function isOver({ status }: ExecutionEnd): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

function onInterrupt(action: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, action);
  return () => {
    for (const signal of signals) process.off(signal, action);
    if (stdout.isTTY) stdout.write('\u001b[?25h');
  };
}
