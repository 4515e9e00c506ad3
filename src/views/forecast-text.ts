/** What a run will probably use and what it may use, as recorded when its plan was proposed. */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Chronicle } from './chronicle.ts';
import { spendText } from './figures.ts';
import { fieldLines } from './text-block.ts';

/** How a forecast says that nothing stops the run. */
const unlimited = 'no limit';

export type Forecast = EffectOutput<'forecast.make'>;

/** Of the newest proposal; undefined where none was made. */
export function forecastOf({ state }: Chronicle): Forecast | undefined {
  const made = [...state.effects.values()].findLast(
    ({ kind, result }) => kind === 'forecast.make' && result !== undefined,
  );
  return made?.result?.output as Forecast | undefined;
}

/** What it will cost, what has been spent so far, where the run stops, and who cannot be held to that. */
export function forecastLines(chronicle: Chronicle, columns: number): string[] {
  const forecast = forecastOf(chronicle);
  const used = spendText(chronicle.state.usage);
  // From the approval on, what was used is no longer for planning alone.
  const isApproved = chronicle.state.plan !== undefined;
  const planning = used === '' ? '' : isApproved ? used : `planning took ${used}`;
  const unknown =
    used === ''
      ? 'not known: the agent has reported no usage so far'
      : `not known beforehand; ${isApproved ? 'so far ' : ''}${planning}`;
  if (forecast === undefined) return fieldLines('cost', unknown, columns);
  const { text, limits, soft } = forecast;
  return [
    ...(text === ''
      ? fieldLines('cost', unknown, columns)
      : [...fieldLines('expected', text, columns), ...fieldLines('so far', planning, columns)]),
    ...fieldLines('limits', limits, columns),
    ...fieldLines(
      'soft limits',
      limits === unlimited || soft.length === 0 ? '' : `${soft.join(', ')}: what it uses is known only afterwards`,
      columns,
    ),
  ];
}

/** The same in a line each, for those who read a run as it goes by and are asked at its end, or not at all. */
export function forecastNotes(chronicle: Chronicle): string[] {
  const forecast = forecastOf(chronicle);
  if (forecast === undefined) return [];
  const { text, limits, soft } = forecast;
  const after = limits === unlimited || soft.length === 0 ? '' : ` (of ${soft.join(', ')} known only afterwards)`;
  return [...(text === '' ? [] : [`Expected: ${text}`]), `Limits: ${limits}${after}`];
}
