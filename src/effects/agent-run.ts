/**
 * `agent.run`: a workspace made from a commit, an agent at work in it, and what it left as a commit.
 * A cut-off attempt is continued where it stopped: the workspace is captured as found, the same session goes
 * on if the driver can, and otherwise a fresh one is told what is there. A read-only role gets the tree
 * mounted read-only and leaves the commit as it was.
 */
import { builtinContext } from '../agents/acp/records/builtin.ts';
import { fitPrompt } from '../policy/fit-prompt.ts';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentJob, AgentSink } from '../agents/agent.ts';
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import { openTranscript, recordUsage } from '../agents/transcript.ts';
import { transcriptName } from '../agents/transcript-name.ts';
import type { EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { readRecord } from '../git/capture-record.ts';
import { listChanges } from '../git/changes.ts';
import type { Snapshot, Workspace } from '../git/git.ts';
import { isAncestor } from '../git/refs.ts';
import { takeSnapshot } from '../git/snapshot.ts';
import { keepSpareTree } from '../git/spare-tree.ts';
import { breakSeal } from '../git/tree-seal.ts';
import { findWorkspace, prepareWorkspace, workspacePolicy } from '../git/workspace.ts';
import type { Change } from '../policy/receipt.ts';
import type { JailPolicy } from '../process/jail.ts';
import { renderRole } from '../roles/render-role.ts';
import type { Role } from '../roles/role.ts';
import type { EffectDeps } from './deps.ts';
import { dispatchAgent } from './dispatch-agent.ts';
import { grantedMachine } from './granted-machine.ts';
import { makeResultJudge } from './judge-result.ts';
import { nameForTry } from './name-for-try.ts';
import { setupOf } from './setup.ts';

type Request = EffectRequest<'agent.run'>;

const outputBytes = 64 * 1024 * 1024;

export function agentRun(deps: EffectDeps): Performer<'agent.run'> {
  return {
    async perform(asked, context) {
      const role = await deps.role(asked.role);
      // A role file can keep a role from writing, never let one write that only reads.
      const request: Request = role?.access === 'read' ? { ...asked, access: 'read' } : asked;
      const { workspace, ...opened } = await openWorkspace(deps, request, context);
      let { parent, found } = opened;
      const spare =
        request.access === 'write'
          ? keepSpareTree(deps.repo, { commit: request.commit, jail: deps.jail, signal: context.signal })
          : undefined;
      const from = context.clock.now().toISOString();
      const holder = { agent: request.agent };
      const own = (session: string): string => ownedSession(session, holder.agent, request);
      const { outcome, route } = await withSink(deps, { ...context, own }, (sink) =>
        dispatchAgent(
          deps.dispatch,
          {
            role: request.role,
            // A person may have given what remains to another agent since the work was planned.
            agent: context.snapshot.agent ?? request.agent,
            task: request.task,
            attempt: request.attempt,
            model: request.model ?? modelOf(role),
            usual: { tier: request.tier, effort: request.effort, thinking: request.thinking },
            risk: request.risk,
            isWriter: request.access === 'write',
            escalate: request.escalate,
            jobFor: async (agent, name, before) => {
              holder.agent = name;
              // The session of a cut-off attempt knows more than the one that attempt was to continue.
              const earlier = sessionOf(context.earlier.session ?? request.session, { agent: name, request });
              const session = agent.driver.canResume ? (before ?? { session: earlier }).session : undefined;
              if (before !== undefined && session === undefined && request.access === 'write') {
                const now = await capture(deps, { request, context, workspace, parent });
                parent = now.commit;
                if (now.changes.length > 0) found = now;
              }
              return makeJob(deps, { request, role, context, workspace, found, agent, name, session });
            },
            sink,
          },
          context,
        ),
      );
      await spare;
      const result = {
        outcome: { ...outcome, session: outcome.session === undefined ? undefined : own(outcome.session) },
        route: { ...route, reasons: [...route.reasons], provider: deps.providerOf(route.agent) },
        wall: { from, to: context.clock.now().toISOString() },
      };
      if (request.access === 'read') {
        return { ...result, commit: request.commit, changes: [], leftBehind: [], agentCommits: [], notes: [] };
      }
      const { commit, changes, leftBehind, agentCommits, notes } = await capture(deps, {
        request,
        context,
        workspace,
        parent,
      });
      return {
        ...result,
        commit,
        changes: [...changes],
        leftBehind: [...leftBehind],
        agentCommits: [...agentCommits],
        notes: [...notes],
      };
    },
  };
}

/** `inherit` is Claude Code's word for the agent's own model. */
function modelOf(role: Role | undefined): string | undefined {
  return role?.model === 'inherit' ? undefined : role?.model;
}

interface JobMatter {
  readonly request: Request;
  readonly role: Role | undefined;
  readonly context: EffectContext;
  readonly workspace: Workspace;
  readonly found: Snapshot | undefined;
  readonly agent: ConfiguredAgent;
  readonly name: string;
  readonly session: string | undefined;
}

async function makeJob(deps: EffectDeps, matter: JobMatter): Promise<AgentJob> {
  const { request, context, workspace, found, agent, name, session } = matter;
  const brief =
    found === undefined || session !== undefined ? request.prompt : tellFound(request.prompt, found.changes);
  const { role, task, attempt, resultSchema, wallMs, idleMs, access } = request;
  const isTold = matter.role === undefined || request.isWhole === true;
  const text = isTold || matter.role === undefined ? '' : `${renderRole(matter.role, resultSchema)}\n`;
  return {
    run: context.run.id,
    key: nameForTry(context.key, context),
    role,
    task,
    attempt,
    access,
    resultSchema,
    limits: { wallMs, idleMs, outputBytes },
    judge: makeResultJudge(resultSchema),
    tools: deps.tools(role, context, request.tools),
    prompt: fitPrompt(`${text}${brief}`, windowOf(deps, name)),
    session,
    workspace: await jobWorkspace(deps, request, {
      agent,
      name,
      workspace,
      documents: await documentsOf(context),
      granted: grantedMachine(context.snapshot.granted).readable,
    }),
  };
}

/** Undefined: the agent's own business, taken to be as large as usual. */
function windowOf({ settings }: EffectDeps, agent: string): number | undefined {
  const configured = settings.agents[agent];
  return configured?.driver === 'builtin' ? builtinContext(configured) : undefined;
}

interface Opened {
  readonly workspace: Workspace;
  /** What the next snapshot follows. */
  readonly parent: string;
  /** What a cut-off attempt had left, captured before anything else happens. */
  readonly found: Snapshot | undefined;
}

/** The workspace of an earlier round or of a cut-off attempt when it continues this commit; else a fresh one. */
async function openWorkspace(deps: EffectDeps, request: Request, context: EffectContext): Promise<Opened> {
  const { repo, settings } = deps;
  const place = { run: context.run.id, name: nameForTry(request.workspace, context), task: request.task };
  const existing = await findWorkspace(repo, place);
  const last = existing === undefined ? undefined : ((await readRecord(existing))?.commit ?? existing.base);
  const cutOff = context.earlier.interruptions > 0;
  if (
    existing !== undefined &&
    last !== undefined &&
    (last === request.commit || (cutOff && (await isAncestor(repo, request.commit, last))))
  ) {
    // Without a jail something may go on writing there: the tree is not for anybody after this.
    if (deps.jail.name === 'none') await breakSeal(existing);
    if (!cutOff || request.access === 'read') return { workspace: existing, parent: last, found: undefined };
    const found = await capture(deps, { request, context, workspace: existing, parent: last });
    return { workspace: existing, parent: found.commit, found };
  }
  const setup = setupOf(settings, deps.jail);
  const workspace = await prepareWorkspace(repo, {
    ...place,
    commit: request.commit,
    existing: 'fresh',
    jail: deps.jail,
    copy: settings.workspace.copy,
    ...(setup === undefined ? {} : { setup }),
    signal: context.signal,
  });
  return { workspace, parent: request.commit, found: undefined };
}

/** `changes` are all of this work, also those of a cut-off attempt, whose snapshot may be the parent of this one. */
async function capture(
  deps: EffectDeps,
  at: { request: Request; context: EffectContext; workspace: Workspace; parent: string },
): Promise<Snapshot> {
  const { request, context, workspace, parent } = at;
  const title = request.task === undefined ? request.role : `${request.task}: ${request.role}`;
  const snapshot = await takeSnapshot(deps.repo, workspace, {
    jail: deps.jail,
    message: `${title}, as left by ${request.agent} (${context.key})`,
    parent,
    task: request.task,
    date: context.clock.now(),
  });
  if (parent === request.commit) return snapshot;
  return { ...snapshot, changes: await listChanges(deps.repo, request.commit, snapshot.commit) };
}

async function jobWorkspace(
  deps: EffectDeps,
  request: Request,
  place: {
    agent: ConfiguredAgent;
    name: string;
    workspace: Workspace;
    documents: string | undefined;
    granted: readonly string[];
  },
): Promise<AgentJob['workspace']> {
  const { agent, name, workspace, documents, granted } = place;
  const own = workspacePolicy(workspace, agent.network);
  const policy = agent.ownHome ? { ...own, home: await sessionHome(workspace, `${name}.${request.role}`) } : own;
  const shown = documents === undefined ? [] : [documents];
  const readable = [...policy.readable, ...deps.settings.jail.readable, ...granted, ...shown];
  const seen: JailPolicy =
    request.access === 'read'
      ? { ...policy, writable: [], readable: [...readable, workspace.tree], given: [workspace.tree, ...shown] }
      : { ...policy, readable, given: shown };
  const env = documents === undefined ? workspace.env : { ...workspace.env, FORGE_DOCUMENTS: documents };
  return { tree: workspace.tree, jail: deps.jail, policy: seen, env };
}

/** The home of one agent's session: what it remembers lies there, and no other agent's session reads it. */
async function sessionHome(workspace: Workspace, name: string): Promise<string> {
  const home = join(workspace.root, 'homes', name);
  if (existsSync(home)) return home;
  await mkdir(home, { recursive: true, mode: 0o700 });
  await copyFile(join(workspace.home, '.gitconfig'), join(home, '.gitconfig')).catch(() => undefined);
  return home;
}

/** The run's documents, which agents may read and never write. */
async function documentsOf({ artifacts }: EffectContext): Promise<string | undefined> {
  if ((await artifacts.list('documents')).length === 0) return undefined;
  return (await artifacts.openFolder('documents')).path;
}

async function withSink<T>(
  deps: EffectDeps,
  context: EffectContext & { readonly own: (session: string) => string },
  work: (sink: AgentSink) => Promise<T>,
): Promise<T> {
  const transcript = openTranscript({
    lines: context.artifacts.append(transcriptName(context.key)),
    redactor: deps.redactor,
    now: () => context.clock.now().getTime(),
  });
  try {
    return await work({
      started: async (process) => context.progress({ process }),
      session: async (session) => context.progress({ session: context.own(session) }),
      usage: recordUsage((entry) => transcript.append(entry)),
      entry: (entry) => transcript.append(entry),
    });
  } finally {
    await transcript.close();
  }
}

function tellFound(prompt: string, changes: readonly Change[]): string {
  const paths = changes.slice(0, 50).map((change) => `- ${change.path} (${change.status})`);
  const more = changes.length > 50 ? `\n- and ${changes.length - 50} more` : '';
  const list = paths.length === 0 ? 'Nothing had been changed yet.' : `${paths.join('\n')}${more}`;
  return `${prompt}\n\nAn earlier attempt at this was cut off. What it had changed is still in place:\n${list}`;
}

/** A session belongs to the agent that began it; one that took over marks what it leaves as its own. */
function ownedSession(session: string, agent: string, { agent: asked }: Request): string {
  return agent === asked ? session : `${ownerMark}${agent}/${session}`;
}

function sessionOf(
  session: string | undefined,
  { agent, request }: { agent: string; request: Request },
): string | undefined {
  if (session?.startsWith(ownerMark) !== true) return agent === request.agent ? session : undefined;
  const [owner, ...rest] = session.slice(ownerMark.length).split('/');
  return owner === agent ? rest.join('/') : undefined;
}

const ownerMark = 'of:';
