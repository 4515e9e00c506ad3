/** `{slug}-dev-W{n}.md` and `{slug}-handoff-W{n}.md`: what a wave's developer did, and what later waves need to know. */
import type { Change } from '../../policy/receipt.ts';
import type { DeveloperResult, Handoff } from '../../policy/role-results.ts';
import { type AgentReading, replyOf } from '../agent-reading.ts';
import { attemptsOf, type Chronicle } from '../chronicle.ts';
import { shortCommit } from '../figures.ts';
import { proposalOf } from '../proposal.ts';
import { plainLine } from '../terminal-text.ts';
import { outputOf } from '../view-node.ts';
import { integrationRounds, roundsOf, wavesStep } from '../waves-keys.ts';
import { checksText } from '../wording.ts';
import { list, page, prose, section } from './markdown.ts';

interface Session {
  readonly title: string;
  readonly key: string;
  /** Key of the engine's checks on it. */
  readonly check?: string;
}

export function devDocument(chronicle: Chronicle, wave: number): string | undefined {
  const sessions = sessionsOf(chronicle, wave).filter(({ key }) => readingsOf(chronicle, key).length > 0);
  if (sessions.length === 0) return undefined;
  const { waves = [], tasks = [] } = proposalOf(chronicle) ?? {};
  const members = (waves[wave - 1] ?? []).map((id) => `${id}: ${tasks.find((task) => task.id === id)?.title ?? ''}`);
  const outcome = chronicle.state.tasks.get(`W${wave}`)?.outcome;
  const receipt = chronicle.state.receipts.find(({ task }) => task === `W${wave}`);
  const end = receipt === undefined ? outcome && `${outcome.status}: ${outcome.reason}` : `merged as ${receipt.after}`;
  return page(`Development of wave ${wave}`, [
    section('Tasks', list(members)),
    ...sessions.map((session) => section(session.title, sessionText(chronicle, session))),
    ...(end === undefined ? [] : [section('Outcome', plainLine(end))]),
    ...(receipt === undefined || receipt.flags.length === 0
      ? []
      : [section('Flags', list(receipt.flags.map((flag) => `${flag.case} ${flag.path}: ${flag.reason}`)))]),
  ]);
}

/** The newest word on each point counts: a fix that says nothing about interfaces leaves them as they were. */
export function handoffDocument(chronicle: Chronicle, wave: number): string | undefined {
  const readings = sessionsOf(chronicle, wave).flatMap(({ key }) => readingsOf(chronicle, key));
  const handoffs = readings.flatMap((reading) => replyOf(reading, 'developer')?.handoff ?? []);
  if (handoffs.length === 0) return undefined;
  const newest = (part: keyof Handoff): readonly string[] =>
    handoffs.findLast((handoff) => handoff[part].length > 0)?.[part] ?? [];
  return page(`Handoff of wave ${wave}`, [
    section('Files Modified', list(filesModified(readings, newest('filesModified')))),
    section('Key Interfaces', list(newest('keyInterfaces'))),
    section('State Dependencies', list(newest('stateDependencies'))),
    section('Deviations from Plan', list(newest('deviations'))),
  ]);
}

/** What really changed; what was only claimed is said to be so. */
function filesModified(readings: readonly AgentReading[], claimed: readonly string[]): string[] {
  const changed = new Map<string, Change['status']>();
  for (const { path, status } of readings.flatMap((reading) => reading.changes)) {
    const isNew = changed.get(path) === 'added' && status === 'modified';
    changed.set(path, isNew ? 'added' : status);
  }
  const real = [...changed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, status]) => `${path} (${status})`);
  const unreal = claimed.filter((path) => !changed.has(path.replace(/^\.\//, '').replace(/\s.*$/, '')));
  return [...real, ...unreal.map((path) => `${path} (claimed, not changed)`)];
}

/** The wave's rounds, then what the integration test sent back to it. */
function sessionsOf(chronicle: Chronicle, wave: number): Session[] {
  const rounds = roundsOf(chronicle, `W${wave}`).map(({ number, develop, verify }) => ({
    title: number === 1 ? 'Round 1' : `Fix round ${number - 1}`,
    key: develop,
    check: `${verify}/check`,
  }));
  const later = integrationRounds(chronicle).flatMap(({ number, keys }) =>
    keys.flatMap((key) => {
      const step = wavesStep(key);
      const isFix = step?.step === 'integration-fix' && step.wave === wave && step.attempt === 1;
      return isFix ? [{ title: `Fix round ${number - 1} of the integration test`, key }] : [];
    }),
  );
  return [...rounds, ...later];
}

function readingsOf(chronicle: Chronicle, key: string): AgentReading[] {
  return attemptsOf(chronicle, key).flatMap((attempt) => chronicle.readings.get(attempt) ?? []);
}

function sessionText(chronicle: Chronicle, { key, check }: Session): string {
  const readings = readingsOf(chronicle, key);
  const report = check === undefined ? undefined : outputOf(chronicle, check, 'check.run');
  const cut = readings.filter((reading) => reading.status !== 'accepted');
  const reply = readings.map((reading) => replyOf(reading, 'developer')).findLast((one) => one !== undefined);
  const facts = [
    ...(reply === undefined ? [] : replyFacts(reply)),
    ...cut.map((one) => `Attempt ${one.attempt} did not count: ${whyOf(one)}`),
    `Commit: ${shortCommit(readings.at(-1)?.commit ?? '')}`,
    ...(report === undefined ? [] : [`Checks by the engine: ${checksText(report)}`]),
  ];
  return `${reply === undefined ? 'No usable reply.' : prose(reply.summary)}\n\n${list(facts)}`;
}

function replyFacts(reply: DeveloperResult): string[] {
  return [
    `Status: ${reply.status}`,
    ...(reply.unitTests === '' ? [] : [`Unit tests: ${reply.unitTests}`]),
    ...reply.bugsFixed.map((bug) => `Fixed: ${bug}`),
    ...reply.bugsRemaining.map((bug) => `Not fixed: ${bug}`),
  ];
}

function whyOf(reading: AgentReading): string {
  return reading.status === 'accepted' ? '' : reading.why;
}
