/**
 * What happens when a module gets no further: another strategy on a stronger model, a diagnosis whose best option is tried, or
 * a person who chooses among options, gives an instruction of their own, leaves the module out, or stops.
 */
import type { Bench } from '../../../engine/bench.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import type { RoundsEscalation, ResumedRounds } from '../../moves/repeat-until-passed.ts';
import { diagnosisBrief, optionText } from '../briefs/module-briefs.ts';
import { moduleId } from '../context.ts';
import type { DiagnosisResult } from '../role-results.ts';
import { askDesignRole } from '../roles.ts';
import type { ModuleEscalation } from '../rules/module-loop.ts';
import type { BuildRequest, ModuleOver, ModuleStanding } from './module-round.ts';
import { recordDecided, recordDecision, recordDiagnosis, recordReplan } from './record-module.ts';

type Escalated = ResumedRounds<ModuleStanding, ModuleOver>;

export async function escalateModule(
  bench: Bench,
  request: BuildRequest,
  { to, round, standing, reason }: RoundsEscalation<ModuleStanding, ModuleEscalation>,
): Promise<Escalated> {
  if (to === 'replan') {
    await recordReplan(bench, request, { round, reason });
    return {
      status: 'again',
      standing: {
        ...standing,
        isHeavy: true,
        hasReplanned: true,
        session: undefined,
        situation: { mode: 'replan', history: standing.history },
      },
    };
  }
  const key = `${request.name}/${to}#${round}`;
  const diagnosis = await diagnose(bench, request, { key, standing, reason });
  const viable = diagnosis.options.find(({ isTradeOff }) => !isTradeOff);
  if (to === 'diagnose' && viable !== undefined) {
    await recordDiagnosis(bench, request, { key, diagnosis, chosen: viable.title });
    return {
      status: 'again',
      standing: { ...standing, session: undefined, situation: { mode: 'option', option: optionText(viable) } },
    };
  }
  return decide(bench, request, { key, diagnosis, standing });
}

async function diagnose(
  bench: Bench,
  request: BuildRequest,
  { key, standing, reason }: { readonly key: string; readonly standing: ModuleStanding; readonly reason: string },
): Promise<DiagnosisResult> {
  const { subject, task, name } = request;
  const answer = await askDesignRole(bench, `${key}/diagnosis`, {
    input: subject.context.input,
    role: 'diagnostician',
    task: task.id,
    workspace: name.replaceAll('/', '-'),
    commit: standing.commit,
    brief: (recovery) => diagnosisBrief({ ...subject, takenBack: [] }, standing.history, recovery),
  });
  if (answer.status === 'accepted') return answer.result;
  // A person can decide without one, too.
  return {
    pattern: reason,
    rootCause: 'implementation-complexity',
    explanation: `There is no diagnosis: ${explainAnswer(answer)}`,
    options: [
      {
        title: 'Try again',
        change: 'Try once more from where it stands.',
        tradeOffs: '',
        affects: '',
        isTradeOff: true,
      },
      {
        title: 'Try again from the beginning',
        change: 'Start over from the plan.',
        tradeOffs: '',
        affects: '',
        isTradeOff: true,
      },
    ],
  };
}

async function decide(
  bench: Bench,
  request: BuildRequest,
  about: { readonly key: string; readonly diagnosis: DiagnosisResult; readonly standing: ModuleStanding },
): Promise<Escalated> {
  const { key, diagnosis, standing } = about;
  const { context } = request.subject;
  const id = moduleId(request.task.id);
  await recordDecision(bench, request, { key, diagnosis, history: standing.history });
  // Whoever takes recommendations unasked gets one more go, and then the module is left out.
  const hasDecided = standing.history.some((line) => line.startsWith(decidedMark));
  const answer = await bench.ask(`${key}/choice`, {
    title: `${id} ${request.subject.module.name} makes no progress. What should happen next?`,
    detail: [
      `${diagnosis.rootCause}: ${diagnosis.explanation}`,
      ...diagnosis.options.map((option, at) => `${at + 1}. ${optionText(option)}`),
    ].join('\n\n'),
    options: [
      ...diagnosis.options.map(({ title }, at) => ({
        id: String(at + 1),
        label: title,
        recommended: at === 0 && !hasDecided,
      })),
      { id: 'skip', label: `Leave ${id} out`, recommended: hasDecided },
      { id: 'abort', label: 'Stop the run' },
    ],
    freeText: true,
    topic: 'decision',
  });
  const { option } = answer;
  const text = answer.text ?? '';
  const { commit, retries } = standing;
  if (option === 'skip') {
    await recordDecided(bench, context, {
      key,
      id,
      choice: 'leave it out',
      outcome: 'The module is skipped.',
      row: { dev: 'Skipped', notes: 'left out by a person' },
    });
    return { status: 'over', result: { kind: 'skipped', reason: 'a person left it out', commit, retries } };
  }
  if (option === 'abort')
    return { status: 'over', result: { kind: 'failed', reason: 'a person stopped the run', commit, retries } };
  const chosen = diagnosis.options[Number(option) - 1];
  const way = chosen === undefined ? text : `${optionText(chosen)}${text === '' ? '' : `\n${text}`}`;
  await recordDecided(bench, context, {
    key,
    id,
    choice: way,
    outcome: 'The developer goes that way.',
    row: { dev: 'Retry 0', notes: '' },
  });
  return {
    status: 'again',
    isFresh: true,
    standing: {
      ...standing,
      session: undefined,
      isHeavy: true,
      situation: { mode: 'option', option: way },
      history: [...standing.history, `${decidedMark} ${way}`],
    },
  };
}

const decidedMark = 'a person decided:';
