/**
 * When a limit ends, as providers and agents say it: seconds, dates, durations, clock times with a zone, seconds since
 * the epoch. Answers are delays in milliseconds from the moment the trouble was seen; what is unreadable, or further
 * away than any limit lasts, is undefined, and what is past is 0.
 */

interface Moment {
  readonly at: number | undefined;
  /** For clock times that name none. */
  readonly zone: string;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const furthest = 35 * day;
/** A clock time that has just passed was meant for today; the account may need a moment. */
const justPassed = 10 * minute;

/** A value of its own: a header, a field. */
export function resetDelay(value: string | number | undefined, at: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const text = String(value).trim();
  if (/^\d{1,13}(?:\.\d{1,9})?$/.test(text)) return numberDelay(Number(text), at);
  return durationOf(text, 'whole') ?? until(dateOf(text), at);
}

/** A time within a sentence. */
export function resetIn(text: string, { at, zone }: Moment): number | undefined {
  const bounded = text.slice(0, 4000).replace(/[\u00a0\u202f]/g, ' ');
  const lasting = lastingPhrase.exec(bounded)?.[1];
  const delay = lasting === undefined ? undefined : durationOf(lasting, 'start');
  if (delay !== undefined) return delay;
  const epoch = /\blimit reached\|(\d{10})\b/i.exec(bounded)?.[1];
  if (epoch !== undefined) return numberDelay(Number(epoch), at);
  const dated = datedPhrase.exec(bounded);
  if (dated !== null) return until(Date.parse(`${dated[1]}T${dated[2] ?? '00:00'}Z`), at);
  const clock = clockPhrase.exec(bounded);
  return clock === null || at === undefined ? undefined : clockDelay(clock.groups ?? {}, { at, zone });
}

const lastingPhrase =
  /\b(?:resets?|retry(?:ing)?|try again|available again|wait|retry-after|retrydelay)"?(?: (?:in|after)|:)?\s*"?(\d.{0,60})/i;
const datedPhrase =
  /\b(?:resets?(?: at| on)?|regain access on|try again (?:at|on|after)) (\d{4}-\d\d-\d\d)(?:(?:T| at | )(\d\d:\d\d(?::\d\d)?))?/i;
const clockPhrase =
  /\b(?:resets?|try again)(?: at| on)? (?:(?<month>[A-Z][a-z]{2})[a-z]{0,6} (?<date>\d{1,2})(?:st|nd|rd|th)?(?:, (?<year>\d{4}))?(?:,| at)? )?(?<hour>\d{1,2})(?::(?<minute>\d\d))? ?(?<half>[ap]m)?(?![\w:])(?: \((?<zone>[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2})\))?/i;

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, second],
  [/^(?:m|mins?|minutes?)$/i, minute],
  [/^(?:h|hrs?|hours?)$/i, hour],
  [/^(?:d|days?)$/i, day],
];

/** `5h 12m`, `34.07s`, `2 days 17 hours and 14 minutes`; a bare number within a sentence is none. */
function durationOf(text: string, extent: 'whole' | 'start'): number | undefined {
  let rest = text;
  let total: number | undefined;
  for (;;) {
    const part = /^\s*(?:,\s*)?(?:and\s+)?(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]+)(?![a-z])/i.exec(rest);
    const unit = part === null ? undefined : units.find(([name]) => name.test(part[2] ?? ''))?.[1];
    if (part === null || unit === undefined) break;
    total = (total ?? 0) + Number(part[1]) * unit;
    rest = rest.slice(part[0].length);
  }
  if (total === undefined || (extent === 'whole' && rest.trim() !== '')) return undefined;
  return within(Math.ceil(total));
}

/** Seconds from now, or seconds or milliseconds since the epoch: their sizes do not meet. */
function numberDelay(value: number, at: number | undefined): number | undefined {
  if (value < 1e9) return within(Math.ceil(value * second));
  return until(value < 1e11 ? value * second : value, at);
}

function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d|^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN;
}

function until(moment: number, at: number | undefined): number | undefined {
  return at === undefined || Number.isNaN(moment) ? undefined : within(Math.max(0, moment - at));
}

function within(delay: number): number | undefined {
  return delay >= 0 && delay <= furthest ? delay : undefined;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function clockDelay(
  clock: Readonly<Record<string, string | undefined>>,
  { at, zone }: { at: number; zone: string },
): number | undefined {
  const hours = hoursOf(clock);
  if (hours === undefined) return undefined;
  const named = clock['zone'] ?? zone;
  const here = isZone(named) ? named : isZone(zone) ? zone : 'UTC';
  const today = new Date(at + offsetOf(at, here));
  const month = clock['month'] === undefined ? undefined : months.indexOf(clock['month'].toLowerCase());
  if (month === -1) return undefined;
  const date = clock['date'] === undefined ? today.getUTCDate() : Number(clock['date']);
  const year = clock['year'] === undefined ? today.getUTCFullYear() : Number(clock['year']);
  const wall = (addDays: number, addYears: number) =>
    instantOf(
      Date.UTC(year + addYears, month ?? today.getUTCMonth(), date + addDays, hours, Number(clock['minute'] ?? 0)),
      here,
    );
  const first = wall(0, 0);
  if (first >= at) return within(first - at);
  if (at - first <= justPassed) return minute;
  if (month === undefined) return within(wall(1, 0) - at);
  return clock['year'] === undefined ? within(wall(0, 1) - at) : 0;
}

/** Undefined where it is not a clock time: a plain number needs `am`, `pm` or minutes. */
function hoursOf({ hour: text, minute: minutes, half }: Readonly<Record<string, string | undefined>>) {
  const hours = Number(text);
  if (Number(minutes ?? 0) > 59) return undefined;
  if (half === undefined) return minutes === undefined || hours > 23 ? undefined : hours;
  if (hours < 1 || hours > 12) return undefined;
  return (hours % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The instant at which clocks of a zone show this wall time; asked twice, because the offset depends on the answer. */
function instantOf(wall: number, zone: string): number {
  const guess = wall - offsetOf(wall, zone);
  return wall - offsetOf(guess, zone);
}

function offsetOf(instant: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const shown = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute: minutes = 0, second: seconds = 0 } = shown;
  return Date.UTC(year, month - 1, date, hours, minutes, seconds) - Math.floor(instant / second) * second;
}
