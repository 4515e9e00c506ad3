/** `forecast.make`: what a plan will probably use, from what agents used here before, beside what the run may use. */
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import type { EffectRequest } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { limitsFrom, limitsText } from '../policy/budget-settings.ts';
import type { EstimateSpan } from '../policy/dispatch-estimate.ts';
import { describeForecast, forecastPlan, planDispatches } from '../policy/forecast.ts';
import { plainCategory } from '../policy/lesson-choice.ts';
import { type PriceSettings, priceOf } from '../policy/prices.ts';
import type { Route } from '../policy/routing.ts';
import { patternsOf, type RunPattern, similarRuns, successCategory } from '../policy/run-pattern.ts';
import type { EffectDeps } from './deps.ts';
import { routeRole } from './route-role.ts';

export function forecastMake({ dispatch, settings, memory }: EffectDeps): Performer<'forecast.make'> {
  return {
    async perform({ tasks, perTask, whole, parallel }, { run, snapshot }) {
      const roles = [...new Set([...perTask, ...whole].map(({ role }) => role))];
      const routes = new Map(roles.map((role) => [role, routeRole(dispatch, role, { run, snapshot })]));
      const dispatches = planDispatches({
        tasks,
        perTask: perTask.map(spanned),
        once: whole.map(spanned),
        route: (role) => routes.get(role) ?? { tier: 'standard' },
      });
      const forecast = forecastPlan({
        dispatches,
        history: dispatch.history.past(),
        prices: settings.prices,
        tasks,
        parallel,
        like: similarRuns(await patterns(memory), { workflow: snapshot.workflow, tasks: tasks.length }),
      });
      const names = [...new Set([...routes.values()].map((route) => route.agent))];
      const agents = await Promise.all(names.map(async (name) => ({ name, agent: await dispatch.agent(name) })));
      const limits = limitsFrom(settings.budget, snapshot.raised);
      const isCounted = agents.some(({ agent }) => agent.counted);
      return {
        text: isCounted ? describeForecast(forecast) : '',
        ...(isCounted
          ? {
              expected: {
                usd: bounds(forecast.usd),
                minutes: bounds(forecast.minutes),
                tokens: bounds(forecast.tokens),
              },
            }
          : {}),
        limits: limitsText(limits, unpricedOf([...routes.values()], agents, settings.prices)),
        soft: agents.filter(({ agent }) => agent.metered === undefined).map(({ name }) => name),
      };
    },
  };
}

function bounds({ low, likely, high }: EstimateSpan): [number, number, number] {
  return [low, likely, high];
}

/** Of the work of agents whose use is counted: models without a known price, and those that agents choose themselves. */
function unpricedOf(
  routes: readonly Route[],
  agents: readonly { readonly name: string; readonly agent: ConfiguredAgent }[],
  prices: PriceSettings,
): readonly string[] {
  const counted = new Set(agents.filter(({ agent }) => agent.counted).map(({ name }) => name));
  const models = routes
    .filter(({ agent }) => counted.has(agent))
    .filter(({ model }) => model === undefined || !priceOf(model, prices).known)
    .map(({ agent, model }) => model ?? `${agent}'s own model`);
  return [...new Set(models)];
}

/** Runs that went well in this project; what a user knows from others says little about this one. */
async function patterns(memory: EffectDeps['memory']): Promise<readonly RunPattern[]> {
  const { lessons } = await memory.list();
  const own = lessons.filter(
    ({ category, scope }) => scope === 'project' && plainCategory(category) === successCategory,
  );
  return patternsOf(own);
}

function spanned({ role, often: [low, likely, high], onRetry }: EffectRequest<'forecast.make'>['perTask'][number]) {
  return { role, times: { low, likely, high }, ...(onRetry === undefined ? {} : { onRetry }) };
}
