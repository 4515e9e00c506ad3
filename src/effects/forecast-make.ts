/** `forecast.make`: what a plan will probably use, from what agents used here before, beside what the run may use. */
import type { Performer } from '../engine/performer.ts';
import { amountText, limitsFrom } from '../policy/budget-settings.ts';
import { describeForecast, forecastPlan, planDispatches } from '../policy/forecast.ts';
import type { EffectDeps } from './deps.ts';
import { routeRole } from './route-role.ts';

export function forecastMake({ dispatch, settings }: EffectDeps): Performer<'forecast.make'> {
  return {
    async perform({ tasks, perTask, whole, parallel }, { state }) {
      const roles = [...new Set([...perTask, ...whole].map(({ role }) => role))];
      const routes = new Map(roles.map((role) => [role, routeRole(dispatch, role, state)]));
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
      });
      const names = [...new Set([...routes.values()].map((route) => route.agent))];
      const agents = await Promise.all(names.map(async (name) => ({ name, agent: await dispatch.agent(name) })));
      const limits = limitsFrom(settings.budget, state.raised);
      return {
        text: agents.some(({ agent }) => agent.counted) ? describeForecast(forecast) : '',
        limits: amountText(limits.run),
        soft: agents.filter(({ agent }) => agent.metered === undefined).map(({ name }) => name),
      };
    },
  };
}

function spanned({ role, often: [low, likely, high] }: { role: string; often: [number, number, number] }) {
  return { role, times: { low, likely, high } };
}
