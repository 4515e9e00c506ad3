/**
 * Budgets as people write them: the `budget` of the settings and `--budget 5`, `$5`, `200k tokens`, `30 turns`,
 * `2h`, or a list of those; and as people read them. Pure. A run for which nothing is set still has a limit.
 */
import { ForgeError } from '../errors.ts';
import { type Amount, amountMeasures, type Measure } from './amount.ts';
import type { BudgetLimits, Refusal } from './budget.ts';
import { defaultRunLimit, withBackstop } from './budget-backstop.ts';
import type { BudgetSettings } from './budget-schemas.ts';

/** What was asked for this run goes before what is configured; the default only where neither says anything. */
export function limitsFrom(settings: BudgetSettings, asked: Amount = {}): BudgetLimits {
  const { task, roles, ...configured } = settings;
  const set = defined({ ...defined(configured), ...defined(asked) });
  return withBackstop({ run: Object.keys(set).length === 0 ? defaultRunLimit : set, task: defined(task), roles });
}

export function parseBudget(text: string): Amount {
  const result: { [M in Measure]?: number } = {};
  for (const part of text.split(',')) {
    const [measure, value] = parsePart(part.trim(), text);
    if (result[measure] !== undefined) throw budgetSyntaxError(text, `it has two limits for ${measure}`);
    result[measure] = value;
  }
  return result;
}

/** Such as `$10, 20M tokens, 8 h`. */
export function amountText(amount: Amount): string {
  const parts = amountMeasures.flatMap((measure) => {
    const value = amount[measure];
    return value === undefined || measure === 'unpriced' ? [] : [wording[measure](value)];
  });
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}

/** What a run may use, as a person approves it; `models` are those of its work of which no price is known. */
export function limitsText(limits: BudgetLimits, models: readonly string[]): string {
  const backstop = backstopText(limits, models);
  return `${amountText(limits.run)}${backstop === '' ? '' : `; ${backstop}`}`;
}

/** What holds models without a known price where only dollars are limited; nothing where no such limit is. */
export function backstopText({ run, task, roles }: BudgetLimits, models: readonly string[]): string {
  const held = (limit: Amount, where: string) =>
    limit.unpriced === undefined ? [] : [`${wording.unpriced(limit.unpriced)}${where}`];
  const instead = [
    ...held(run, ''),
    ...held(task, ' for each task'),
    ...Object.entries(roles).flatMap(([role, limit]) => held(limit, ` for the role ${role}`)),
  ];
  if (models.length === 0 || instead.length === 0) return '';
  return `no price is known for ${models.join(', ')}: held by ${instead.join(', ')} instead of dollars`;
}

/** Which limit it was, at which level, and how much is left. */
export function refusalText(refusal: Refusal): string {
  const { measure, level, name, limit, left, needed, over } = refusal;
  const whose = level === 'run' ? 'The run' : level === 'task' ? `Task ${name}` : `The role ${name}`;
  const say = wording[measure];
  const which =
    measure === 'unpriced'
      ? `the ${say(limit)} that stand for its limit in dollars where no price is known`
      : `its limit of ${say(limit)}`;
  if (over !== undefined && over > 0)
    return `${whose} is over ${which}, by ${atLeast(measure, over)}: more was charged than had been set aside.`;
  const rest = left <= 0 ? `${whose} has used up ${which}` : `${whose} has ${atMost(measure, left)} left of ${which}`;
  return `${rest}; at least ${atLeast(measure, needed)} would be needed.`;
}

/** Nobody is told that there is more than there is. */
function atMost(measure: Measure, value: number): string {
  return value < smallest[measure] ? `less than ${wording[measure](smallest[measure])}` : wording[measure](value);
}

/** Nor that less is needed than is. */
function atLeast(measure: Measure, value: number): string {
  const step = shownSteps[measure].find(([from]) => value >= from)?.[1] ?? smallest[measure];
  return wording[measure](Math.ceil(value / step - 1e-6) * step);
}

/** From which value on larger steps are shown. */
const tokenSteps = [
  [1e6, 1e5],
  [1e4, 1e3],
] as const;
const shownSteps: Readonly<Record<Measure, readonly (readonly [from: number, step: number])[]>> = {
  usd: [[1, 0.01]],
  tokens: tokenSteps,
  turns: [],
  minutes: [[60, 6]],
  attempts: [],
  unpriced: tokenSteps,
};

/** What is shown of each measure at least. */
const smallest: Readonly<Record<Measure, number>> = {
  usd: 0.0001,
  tokens: 1,
  turns: 1,
  minutes: 1,
  attempts: 1,
  unpriced: 1,
};

const wording: Readonly<Record<Measure, (value: number) => string>> = {
  usd: (value) => `$${withCents(trimmed(value, value >= 1 || value === 0 ? 2 : 4))}`,
  tokens: tokensText,
  turns: (value) => `${value} ${value === 1 ? 'turn' : 'turns'}`,
  minutes: (value) => (value >= 60 ? `${trimmed(value / 60, 1)} h` : `${trimmed(value, 0)} min`),
  attempts: (value) => `${value} ${value === 1 ? 'attempt' : 'attempts'}`,
  unpriced: tokensText,
};

function tokensText(value: number): string {
  return `${value >= 1e6 ? `${trimmed(value / 1e6, 1)}M` : value >= 1e4 ? `${trimmed(value / 1e3, 0)}k` : value} tokens`;
}

/** `0.50`, not `0.5`; whole dollars stay whole. */
function withCents(amount: string): string {
  return /\.\d$/.test(amount) ? `${amount}0` : amount;
}

/** Cut, not rounded up: nobody is told there is more than there is. */
function trimmed(value: number, digits: number): string {
  const scale = 10 ** digits;
  return String(Math.floor(value * scale + 1e-6) / scale);
}

const number = String.raw`(\d{1,9}(?:\.\d{1,6})?)`;
const scales: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6 };
const forms: readonly (readonly [RegExp, (match: readonly string[]) => readonly [Measure, number]])[] = [
  [new RegExp(String.raw`^\$?\s*${number}$`), ([, value]) => ['usd', Number(value)]],
  [new RegExp(String.raw`^${number}\s*(?:\$|usd|dollars?)$`), ([, value]) => ['usd', Number(value)]],
  [
    new RegExp(String.raw`^${number}\s*([km]?)\s*tok(?:en)?s?$`),
    ([, value, scale]) => ['tokens', Math.round(Number(value) * (scales[scale ?? ''] ?? 1))],
  ],
  [/^(\d{1,9})\s*turns?$/, ([, value]) => ['turns', Number(value)]],
  [/^(\d{1,9})\s*(?:attempts?|tries)$/, ([, value]) => ['attempts', Number(value)]],
  [new RegExp(String.raw`^${number}\s*m(?:in(?:ute)?s?)?$`), ([, value]) => ['minutes', Number(value)]],
  [new RegExp(String.raw`^${number}\s*h(?:ours?)?$`), ([, value]) => ['minutes', Number(value) * 60]],
  [/^(\d{1,3})\s*h\s*(\d{1,2})\s*m(?:in)?$/, ([, hours, rest]) => ['minutes', Number(hours) * 60 + Number(rest)]],
];

function parsePart(part: string, whole: string): readonly [Measure, number] {
  for (const [pattern, read] of forms) {
    const match = pattern.exec(part.toLowerCase());
    if (match === null) continue;
    const [measure, value] = read(match);
    if (value <= 0) throw budgetSyntaxError(whole, `"${part.slice(0, 40)}" lets nothing be done`);
    return [measure, value];
  }
  throw budgetSyntaxError(whole, part === '' ? 'a limit is missing' : `"${part.slice(0, 40)}" is not a limit`);
}

function budgetSyntaxError(text: string, why: string): ForgeError {
  return new ForgeError('bad-input', `The budget "${text.slice(0, 80)}" cannot be read: ${why}.`, {
    hint: 'Write it like 5, $5, 200k tokens, 30 turns, 3 attempts or 2h. Put commas between several.',
  });
}

function defined(amount: Amount): Amount {
  return Object.fromEntries(Object.entries(amount).filter(([, value]) => value !== undefined));
}
