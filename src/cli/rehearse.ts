/**
 * `forge rehearse`: a recorded run, or a stretch of history, done again by scripted agents, and whether the same came of
 * it. Exit 0 when it did, 1 with the difference when it did not; a run that is not over ends as any other would.
 */
import { openContext } from '../api/context.ts';
import type { Fact } from '../api/facts.ts';
import { judgeRehearsal } from '../api/judge-rehearsal.ts';
import { performOperation } from '../api/operation.ts';
import { rehearseHistory } from '../api/rehearse-history.ts';
import { rehearseRun } from '../api/rehearse-run.ts';
import { ForgeError } from '../errors.ts';
import { rehearsalText } from '../rehearsal/rehearsal-text.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { conductRun } from './conduct.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: CommandCall): Promise<number> {
  const { values, switches } = call;
  const what = chooseWhat(call);
  refuseOtherOptions(call, what);
  if ('check' in what) return report(call, what.check, { tidy: false, measure: false });
  const json = switches.has('json');
  const numbers = { ...numberOf(call, 'parallel'), ...numberOf(call, 'pace') };
  let name: string | undefined;
  const code = await conductRun({
    terminal: openTerminal(),
    json,
    yes: 'range' in what || switches.has('yes'),
    planOnly: false,
    begin: async (context, note) => {
      const begun =
        'range' in what
          ? await performOperation(rehearseHistory, context, {
              ...what,
              ...numbers,
              barriers: switches.has('barriers'),
            })
          : await performOperation(rehearseRun, context, {
              ...what,
              ...numbers,
              ...(values['workflow'] === undefined ? {} : { workflow: values['workflow'] }),
            });
      for (const notice of begun.notices) note(notice);
      name = begun.run;
    },
  });
  if (name === undefined) return code;
  const measure = 'range' in what && !switches.has('no-measure');
  if (isOver(code)) return report(call, name, { tidy: !switches.has('keep'), measure });
  process.stderr.write(`note: when it is over, compare: forge rehearse --check ${name}\n`);
  return code;
}

/** Done, or failed and cancelled: both can be what was recorded. */
function isOver(code: number): boolean {
  return code === 0 || code === 1;
}

type What = { readonly file: string } | { readonly range: string } | { readonly check: string };

function chooseWhat({ words: [file], values }: CommandCall): What {
  const range = values['from-history'];
  const check = values['check'];
  const given: What[] = [
    ...(file === undefined ? [] : [{ file }]),
    ...(range === undefined ? [] : [{ range }]),
    ...(check === undefined ? [] : [{ check }]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new ForgeError(
    'bad-input',
    given.length === 0 ? 'There is nothing to rehearse' : 'There are two things to rehearse',
    {
      hint: 'forge rehearse <file>, or forge rehearse --from-history A..B',
    },
  );
}

/** An option that would have no effect is refused: whoever gives it expects one. */
function refuseOtherOptions({ values, switches }: CommandCall, what: What): void {
  const [kind, unfit] =
    'range' in what
      ? (['--from-history', ['workflow', 'pace']] as const)
      : 'check' in what
        ? (['--check', ['workflow', 'pace', 'parallel', 'barriers', 'keep', 'yes', 'no-measure']] as const)
        : (['a recording', ['barriers', 'no-measure']] as const);
  const given = unfit.find((name) => values[name] !== undefined || switches.has(name));
  if (given === undefined) return;
  const why = given === 'workflow' ? 'Forge chooses the workflow that can replay commits.' : 'Leave it out.';
  throw new ForgeError('bad-input', `--${given} has no effect with ${kind}`, {
    hint: 'check' in what ? 'Leave it out.' : why,
  });
}

function numberOf({ values }: CommandCall, flag: 'parallel' | 'pace'): Readonly<Record<string, number>> {
  const text = values[flag];
  if (text === undefined) return {};
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw new ForgeError('bad-input', `--${flag} ${text} is not a number`, { hint: 'See forge rehearse --help.' });
  return { [flag]: number };
}

async function report(
  { switches }: CommandCall,
  name: string,
  { tidy, measure }: { readonly tidy: boolean; readonly measure: boolean },
): Promise<number> {
  const onFact = switches.has('json') ? () => undefined : sayCommit;
  const context = openContext({
    cwd: process.cwd(),
    worker: { where: 'here', options: { onFact }, take: () => undefined },
  });
  const judged = await performOperation(judgeRehearsal, context, { run: name, tidy, measure });
  if (switches.has('json')) printJson({ type: 'rehearsal.judged', ...judged });
  else console.log(rehearsalText(judged));
  return judged.same ? 0 : 1;
}

/** Measuring takes as long as the project's checks, so each commit is named. */
function sayCommit(fact: Fact): void {
  if (fact.type !== 'step.started' || fact.data.kind !== 'task') return;
  process.stderr.write(`Running the checks on ${plainLine(fact.key)} ${plainLine(fact.data.title)}\n`);
}
