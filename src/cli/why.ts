/** `forge why <file>:<line>` and `forge why F-001/AC3`: what stands behind a line, and behind a criterion. */
import { openContext } from '../api/context.ts';
import { explainOrigin, type OriginExplained } from '../api/explain-origin.ts';
import { performOperation } from '../api/operation.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [what], values, switches }: CommandCall): Promise<number> {
  const asked = { what, ...(values['run'] === undefined ? {} : { run: values['run'] }) };
  const found = await performOperation(explainOrigin, openContext({ cwd: process.cwd() }), asked);
  if (switches.has('json')) printJson(found);
  else for (const line of originLines(found)) console.log(line);
  return 0;
}

export function originLines(found: OriginExplained): readonly string[] {
  const { line, owners, criteria } = found;
  const head = line === undefined ? [] : lineHead(line);
  if (owners.length === 0 && criteria.length === 0)
    return [...head, '', 'No delivery of a design says anything about it.'];
  const first = line === undefined ? criteria : [];
  const rest = line === undefined ? [] : criteria;
  return [
    ...head,
    ...first.flatMap(criterionLines),
    ...owners.flatMap((module) => moduleLines(module, line === undefined)),
    ...rest.flatMap((each) => ['', ...criterionLines(each)]),
  ];
}

function lineHead({ file, number, text, commit, test }: NonNullable<OriginExplained['line']>): readonly string[] {
  return [
    `${plainLine(file)}:${number}  ${plainLine(text)}`,
    ...(test === '' ? [] : [field('test', test.slice(test.indexOf('::') + 2))]),
    field('commit', `${commit.id.slice(0, 7)} ${commit.subject}`),
    field('made', `${commit.at.slice(0, 10)}${commit.run === '' ? '' : `, by the run ${commit.run}`}`),
  ];
}

function moduleLines(
  { id, name, planFile, steps, commits, lines, sessions }: OriginExplained['owners'][number],
  isWhole: boolean,
): readonly string[] {
  return [
    '',
    plainLine(id === '' ? 'No module owns this file.' : `${id} ${name}`),
    ...(planFile === '' ? [] : [field('plan', planFile)]),
    ...steps.map(({ number, title, goal }) => field('step', `${number}. ${title}${goal === '' ? '' : `: ${goal}`}`)),
    ...(isWhole ? commits.map(({ id: commit, subject }) => field('commit', `${commit.slice(0, 7)} ${subject}`)) : []),
    ...(isWhole
      ? lines.map(({ file, from, to }) => field('lines', `${file}:${from}${to === from ? '' : `-${to}`}`))
      : []),
    ...sessions.map(({ role, agent, session, key }) =>
      field('agent', `${role} (${agent}${session === '' ? '' : `, session ${session}`}), ${key}`),
    ),
    ...(sessions.length === 0
      ? []
      : commits.slice(0, 1).map(({ run: by, task }) => field('see', `forge logs ${by} ${task}`))),
  ];
}

function criterionLines({ id, text, status, reason, tests }: OriginExplained['criteria'][number]): readonly string[] {
  const words: Readonly<Record<string, string>> = { PASS: 'proven', FAIL: 'fails', NOT_COVERED: 'not proven' };
  return [
    plainLine(`${id}  ${words[status] ?? status}${reason === '' ? '' : `: ${reason}`}`),
    `  ${plainLine(text)}`,
    ...tests.map(({ name, file, line, status: each }) =>
      field('test', `${file}:${line} ${name} (${each.toLowerCase()})`),
    ),
  ];
}

function field(name: string, value: string): string {
  return `  ${name.padEnd(7)} ${plainLine(value)}`;
}
