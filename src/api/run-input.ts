/**
 * What a workflow is started with, from the settings and the request: which agent plays which of its roles, and what
 * that workflow alone wants to know. A run never reads settings again.
 */
import { builtinWorkflows, type Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { readConfined } from '../files/confined.ts';
import { nearestWord } from '../plan/task-id.ts';
import { agentOfRole, type Settings } from '../policy/settings.ts';
import { moduleRoles } from '../workflows/modules/modules-input.ts';

/** Roles of `waves`, which workflows of one's own get too. */
export const waveRoles = ['planner', 'developer', 'tester', 'learner'] as const;

export interface RunWishes {
  readonly workflow: string;
  readonly agent: string | undefined;
  readonly barriers: boolean;
  readonly lite: boolean;
}

export function inputFor(
  forge: Pick<Forge, 'repo' | 'settings'>,
  wishes: RunWishes,
): Readonly<Record<string, unknown>> {
  const { settings, repo } = forge;
  if (builtinWorkflows.some(({ name }) => name === wishes.workflow)) requireRoles(settings, repo.root);
  if (wishes.workflow !== 'modules') requireFitting(wishes);
  if (wishes.workflow !== 'modules') return { agents: agentsFor(settings, waveRoles, wishes.agent) };
  return {
    agents: agentsFor(settings, moduleRoles, wishes.agent),
    parallel: settings.parallel,
    history: settings.history,
    barriers: wishes.barriers,
    lite: wishes.lite,
    dirty: repo.notices.filter((notice) => notice.code === 'dirty').flatMap((notice) => [...notice.paths]),
  };
}

/** An option that would do nothing is a misunderstanding, and better cleared up before anything is paid for. */
function requireFitting({ workflow, barriers, lite }: RunWishes): void {
  const given = [...(barriers ? ['--barriers'] : []), ...(lite ? ['--lite'] : [])];
  if (given.length === 0) return;
  throw new ForgeError('bad-input', `${given.join(' and ')} can not be used with the workflow ${workflow}`, {
    hint: 'Leave it out, or add --workflow modules.',
  });
}

/** A slip in a role's name would give the work to another agent, or leave it without its limit. */
function requireRoles({ roles, budget }: Settings, root: string): void {
  const known = [...new Set([...waveRoles, ...moduleRoles])];
  const named = [
    ...Object.keys(roles).map((role) => ({ role, where: `roles.${role}` })),
    ...Object.keys(budget.roles).map((role) => ({ role, where: `budget.roles.${role}` })),
  ];
  for (const { role, where } of named) {
    const meant = known.some((one) => one === role) ? undefined : nearestWord(role, known);
    if (meant === undefined || readConfined(root, `.forge/roles/${role}.md`).status === 'read') continue;
    throw new ForgeError('bad-config', `${where}: there is no role ${JSON.stringify(role)}`, {
      hint: `Did you mean ${meant}? A role of your own has a file .forge/roles/${role}.md.`,
    });
  }
}

function agentsFor<R extends string>(
  settings: Settings,
  roles: readonly R[],
  wanted: string | undefined,
): Readonly<Record<R, string>> {
  const known = Object.keys(settings.agents);
  const [first] = known;
  if (first === undefined) {
    throw new ForgeError('bad-config', 'No agent is configured', {
      hint: 'Install one (forge doctor shows how), then run forge init: it adds the agents it finds to .forge/config.yaml.',
    });
  }
  const choose = (role: R): string => {
    const name = wanted ?? agentOfRole(settings, role) ?? first;
    if (known.includes(name)) return name;
    const meant = nearestWord(name, known);
    const hint = meant === undefined ? `Configured: ${known.join(', ')}.` : `Did you mean ${meant}?`;
    const code = wanted === undefined ? 'bad-config' : 'bad-input';
    throw new ForgeError(code, `There is no agent ${JSON.stringify(name)}`, { hint });
  };
  return Object.fromEntries(roles.map((role) => [role, choose(role)])) as Record<R, string>;
}
