/**
 * The first half of a module's round: developer, quality gate, tester. Each changes only what is theirs; anything else is
 * taken back, and the agent hears of it.
 */
import type { Bench } from '../../../engine/bench.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { runCheck } from '../../moves/check-steps.ts';
import type { RoundStart } from '../../moves/repeat-until-passed.ts';
import { developerBrief, testerBrief } from '../briefs/module-briefs.ts';
import { enginePaths } from '../context.ts';
import { gateCommands, testerFiles } from '../plan/module-plan.ts';
import { askDesignRole } from '../roles.ts';
import {
  type BuildRequest,
  endLoop,
  fundamentalIssue,
  type ModuleStanding,
  redRound,
  type WorkEnd,
} from './module-round.ts';

/** Developer, gate, tester: each meets what the one before left. */
export async function developModule(
  bench: Bench,
  request: BuildRequest,
  at: RoundStart<ModuleStanding>,
): Promise<WorkEnd> {
  const { name, task, subject, judge, notes } = request;
  const { context, module } = subject;
  const { round, standing } = at;
  const { commands } = context.conventions;
  const own = testerFiles(commands, module.id);
  const place = { input: context.input, task: task.id, workspace: name.replaceAll('/', '-') };
  const developed = await askDesignRole(bench, `${name}/develop#${round}`, {
    ...place,
    role: 'module-developer',
    title: round === 1 ? 'developer' : `developer, round ${round}`,
    doing: standing.situation.mode,
    tier: standing.isHeavy ? 'heavy' : undefined,
    commit: standing.commit,
    session: standing.session,
    brief: (recovery) => developerBrief({ ...subject, takenBack: standing.takenBack }, standing.situation, recovery),
  });
  if (developed.status !== 'accepted')
    return {
      status: 'infrastructure',
      standing: { ...standing, commit: developed.commit, session: undefined },
      reason: `the developer: ${explainAnswer(developed)}`,
    };
  const { result } = developed;
  const issue = fundamentalIssue(result.planIssue, notes);
  if (issue !== undefined) return endLoop(issue, developed.commit, standing);
  notes.push(...result.notes);
  const mine = await bench.perform('changes.confine', `${name}/develop#${round}/scope`, {
    from: standing.commit,
    commit: developed.commit,
    forbids: [
      ...own,
      `${commands.phaseTests}/**`,
      `${commands.e2eTests}/**`,
      ...enginePaths(context),
      ...othersFiles(subject),
    ],
  });
  const next: ModuleStanding = {
    ...standing,
    commit: mine.commit,
    session: mine.restored.length === 0 ? developed.session : undefined,
    isHeavy: false,
    takenBack: mine.restored.map(({ path }) => path),
  };
  const gate = gateCommands(commands);
  if (gate.length > 0) {
    const asked = {
      commit: next.commit,
      judge,
      task: task.id,
      source: 'plan',
      entries: [...gate],
      part: 'plan',
    } as const;
    const report = await runCheck(bench, `${name}/gate#${round}`, { ...asked, entries: [...gate] }, 'quality gate');
    const broken = report.commands.filter(({ exit }) => exit !== 0);
    if (broken.length > 0) {
      const output = broken.map(({ label, output: text }) => `$ ${label}\n${text}`).join('\n\n');
      return redRound(next, {
        situation: { mode: 'gate', output },
        stage: 'gate',
        count: broken.length,
        reason: `the quality gate fails: ${broken.map(({ label }) => label).join(', ')}`,
      });
    }
  }
  const tested = await askDesignRole(bench, `${name}/test#${round}`, {
    ...place,
    role: 'module-tester',
    title: round === 1 ? 'tester' : `tester, round ${round}`,
    commit: next.commit,
    brief: (recovery) =>
      testerBrief(
        { ...subject, takenBack: [] },
        { notes: [result.summary, ...result.notes].join('\n'), findings: next.testFindings },
        recovery,
      ),
  });
  if (tested.status !== 'accepted')
    return { status: 'infrastructure', standing: next, reason: `the tester: ${explainAnswer(tested)}` };
  const found = fundamentalIssue(tested.result.planIssue, notes);
  if (found !== undefined) return endLoop(found, tested.commit, next);
  const theirs = await bench.perform('changes.confine', `${name}/test#${round}/scope`, {
    from: next.commit,
    commit: tested.commit,
    writes: [...own],
  });
  if (theirs.restored.length > 0)
    notes.push(`the tester changed ${theirs.restored.map(({ path }) => path).join(', ')}, which was taken back`);
  const standingAfter = {
    ...next,
    commit: theirs.commit,
    session: theirs.commit === next.commit ? next.session : undefined,
    testFindings: [],
  };
  if (tested.result.result === 'fail') {
    const { failures } = tested.result;
    return redRound(standingAfter, {
      situation: { mode: 'tests', failures },
      stage: 'test',
      count: Math.max(1, failures.length),
      reason: `${failures.length} of ${tested.result.total} tests fail`,
    });
  }
  return {
    status: 'worked',
    commit: theirs.commit,
    leftBehind: developed.leftBehind,
    standing: standingAfter,
    message: { description: result.commit === '' ? result.summary : result.commit, footer: result.footer },
  };
}

/** Files of other modules: a developer uses their interfaces and leaves their files alone. */
function othersFiles({ context, module, plan }: BuildRequest['subject']): readonly string[] {
  const own = new Set(plan.files);
  return [...context.plans].flatMap(([id, { files }]) =>
    id === module.id ? [] : files.filter((path) => !own.has(path)),
  );
}
