/** `{slug}-dev-W{n}.md` and `{slug}-handoff-W{n}.md`: what a wave's developer did, and what later waves need to know. */
import type { EffectOutput } from '../../../engine/effect-map.ts';
import type { Change } from '../../../policy/receipt.ts';
import type { AgentSession } from '../../../views/agent-session.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import { shortCommit } from '../../../views/figures.ts';
import { markdownList, markdownPage, markdownProse, markdownSection } from '../../../views/markdown.ts';
import { plainLine } from '../../../views/terminal-text.ts';
import { checksText } from '../../../views/wording.ts';
import type { DeveloperResult, Handoff } from '../role-results.ts';
import { developerTitle } from '../test-integration.ts';
import { type AgentStep, integrationPlace, proposalOf, replyOf, roundsAt, wavePlace } from './wave-record.ts';

interface DeveloperSession {
  readonly title: string;
  readonly agent: AgentStep;
  readonly checks: EffectOutput<'check.run'> | undefined;
}

export function devDocument(run: Chronicle, wave: number): string | undefined {
  const sessions = developersOf(run, wave);
  if (sessions.length === 0) return undefined;
  const { waves = [], tasks = [] } = proposalOf(run) ?? {};
  const members = (waves[wave - 1] ?? []).map((id) => `${id}: ${tasks.find((task) => task.id === id)?.title ?? ''}`);
  const outcome = run.state.tasks.get(`W${wave}`)?.outcome;
  const receipt = run.state.receipts.find(({ task }) => task === `W${wave}`);
  const end = receipt === undefined ? outcome && `${outcome.status}: ${outcome.reason}` : `merged as ${receipt.after}`;
  return markdownPage(`Development of wave ${wave}`, [
    markdownSection('Tasks', markdownList(members)),
    ...sessions.map((session) => markdownSection(session.title, sessionText(session))),
    ...(end === undefined ? [] : [markdownSection('Outcome', plainLine(end))]),
    ...(receipt === undefined || receipt.flags.length === 0
      ? []
      : [
          markdownSection(
            'Flags',
            markdownList(receipt.flags.map((flag) => `${flag.case} ${flag.path}: ${flag.reason}`)),
          ),
        ]),
  ]);
}

/** The newest word on each point counts: a fix that says nothing about interfaces leaves them as they were. */
export function handoffDocument(run: Chronicle, wave: number): string | undefined {
  const developers = developersOf(run, wave);
  const handoffs = developers.flatMap(({ agent }) => replyOf(agent, 'developer')?.handoff ?? []);
  if (handoffs.length === 0) return undefined;
  const newest = (part: keyof Handoff): readonly string[] =>
    handoffs.findLast((handoff) => handoff[part].length > 0)?.[part] ?? [];
  const sessions = developers.flatMap(({ agent }) => agent.sessions);
  return markdownPage(`Handoff of wave ${wave}`, [
    markdownSection('Files Modified', markdownList(filesModified(sessions, newest('filesModified')))),
    markdownSection('Key Interfaces', markdownList(newest('keyInterfaces'))),
    markdownSection('State Dependencies', markdownList(newest('stateDependencies'))),
    markdownSection('Deviations from Plan', markdownList(newest('deviations'))),
  ]);
}

/** What really changed; what was only claimed is said to be so. */
function filesModified(sessions: readonly AgentSession[], claimed: readonly string[]): string[] {
  const changed = new Map<string, Change['status']>();
  for (const { path, status } of sessions.flatMap((session) => session.changes)) {
    const isNew = changed.get(path) === 'added' && status === 'modified';
    changed.set(path, isNew ? 'added' : status);
  }
  const real = [...changed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, status]) => `${path} (${status})`);
  const unreal = claimed.filter((path) => !changed.has(path.replace(/^\.\//, '').replace(/\s.*$/, '')));
  return [...real, ...unreal.map((path) => `${path} (claimed, not changed)`)];
}

/** The wave's rounds, then what the integration test sent back to it. */
function developersOf(run: Chronicle, wave: number): DeveloperSession[] {
  const own = roundsAt(run, wavePlace(wave)).flatMap(({ number, agents, checks }) =>
    agents
      .filter(isDeveloper)
      .map((agent) => ({ title: number === 1 ? 'Round 1' : `Fix round ${number - 1}`, agent, checks })),
  );
  const later = roundsAt(run, integrationPlace).flatMap(({ number, agents }) =>
    agents
      .filter((agent) => isDeveloper(agent) && agent.title === developerTitle(`W${wave}`))
      .map((agent) => ({ title: `Fix round ${number} of the integration test`, agent, checks: undefined })),
  );
  return [...own, ...later];
}

function isDeveloper({ sessions }: AgentStep): boolean {
  return sessions.at(-1)?.role === 'developer';
}

function sessionText({ agent, checks }: DeveloperSession): string {
  const reply = replyOf(agent, 'developer');
  const facts = [
    ...(reply === undefined ? [] : replyFacts(reply)),
    ...agent.recoveries,
    `Commit: ${shortCommit(agent.sessions.at(-1)?.commit ?? '')}`,
    ...(checks === undefined ? [] : [`Checks by the engine: ${checksText(checks)}`]),
  ];
  return `${reply === undefined ? 'No usable reply.' : markdownProse(reply.summary)}\n\n${markdownList(facts)}`;
}

function replyFacts(reply: DeveloperResult): string[] {
  return [
    `Status: ${reply.status}`,
    ...(reply.unitTests === '' ? [] : [`Unit tests: ${reply.unitTests}`]),
    ...reply.bugsFixed.map((bug) => `Fixed: ${bug}`),
    ...reply.bugsRemaining.map((bug) => `Not fixed: ${bug}`),
  ];
}
