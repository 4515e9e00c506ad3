/** What a person can type after a run has stopped: how to answer it, how to continue it. Pure. */
import type { ExecutionEnd } from '../api/facts.ts';
import { ForgeError } from '../errors.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { isOfLanding, landingOf } from '../views/landing.ts';
import { answerCommand, questionHead } from '../views/question-text.ts';

export interface LeavingRun {
  readonly run: string;
  readonly end: ExecutionEnd;
  /** The question about its plan, where the plan was all that was wanted. */
  readonly planned: string | undefined;
  /** Its questions are what it waits for, though it was paused: the person left at one. */
  readonly left: boolean;
}

export function adviceFor({ state }: Chronicle, leaving: LeavingRun): readonly string[] {
  const { status } = leaving.end;
  if (status === 'done' || status === 'failed' || status === 'cancelled') return [];
  const to = landingOf(state);
  return [
    ...goingOn({ state }, leaving),
    ...(to?.asked && state.landing === undefined ? [`When it is done, it lands on ${to.into}.`] : []),
  ];
}

function goingOn({ state }: Pick<Chronicle, 'state'>, { run, end, planned, left }: LeavingRun): readonly string[] {
  const asked = (key: string): readonly string[] => {
    const question = state.questions.get(key)?.question;
    return question === undefined
      ? []
      : [...questionHead(question).split('\n'), `  ${answerCommand(run, key, question)}`];
  };
  if (planned !== undefined) {
    const answer = asked(planned).at(-1) ?? '';
    return ['The plan is ready, and nothing is built yet. To go ahead with it:', `  forge resume ${run}`, answer];
  }
  if (end.status === 'waiting' || (end.status === 'paused' && left)) {
    const open = [...state.questions].filter(
      ([key, record]) => record.answer === undefined && (state.landing === undefined || isOfLanding(state, key)),
    );
    return open.flatMap(([key]) => asked(key));
  }
  if (end.status === 'limited')
    return ['Continue it, when the limit is over or with a higher one:', `  forge resume ${run} --budget <limit>`];
  if (end.status === 'paused') return ['Continue it:', `  forge resume ${run}`];
  if (end.status !== 'stopped') return [];
  const hint = end.error instanceof ForgeError ? end.error.hint : undefined;
  return [
    `forge: ${end.reason}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    'When you have fixed it:',
    `  forge resume ${run}`,
  ];
}
