/**
 * The ledger of a run: what was spent and what is set aside, held against limits for the run, each task and each
 * role. Pure and immutable; folded from entries, so that it survives with the journal. Parallel and nested
 * reservations add up. While nobody settles for more than was set aside, spent and set aside together never exceed
 * a limit. A reservation ends once: settling or forfeiting it again changes nothing.
 */
import {
  type Amount,
  addAmounts,
  amountMeasures,
  coversAmount,
  emptyAmount,
  largestAmount,
  leftOf,
  type Measure,
  perMeasure,
  subtractAmount,
} from './amount.ts';
import type { BudgetEntry } from './budget-schemas.ts';

export interface BudgetLimits {
  readonly run: Amount;
  /** For every task by itself. */
  readonly task: Amount;
  /** For all work of a role together. */
  readonly roles: Readonly<Record<string, Amount>>;
}

export interface Ledger {
  readonly limits: BudgetLimits;
  /** What is settled, per level. */
  readonly spent: ReadonlyMap<string, Amount>;
  readonly open: ReadonlyMap<string, Reservation>;
  readonly closed: ReadonlySet<string>;
}

export interface Reservation {
  readonly role: string;
  readonly task: string | undefined;
  readonly amount: Amount;
  /** What its requests used and may still use, where a meter counts them. */
  readonly drawn?: Amount;
}

export interface ReservationRequest {
  readonly id: string;
  readonly role: string;
  readonly task?: string | undefined;
  /** What it would like to have, and the least it can begin with. */
  readonly want: Amount;
  readonly min: Amount;
  /** Its requests are counted one by one. */
  readonly metered?: boolean | undefined;
}

export interface Refusal {
  readonly measure: Measure;
  readonly level: 'run' | 'task' | 'role';
  /** Which task or role. */
  readonly name: string | undefined;
  readonly limit: number;
  readonly left: number;
  readonly needed: number;
  /** How far the limit is passed already, by what was charged beyond what was set aside. */
  readonly over?: number | undefined;
}

export type ReservationResult =
  | { readonly ok: true; readonly ledger: Ledger; readonly granted: Amount }
  | { readonly ok: false; readonly refusal: Refusal };

export function emptyLedger(limits: BudgetLimits): Ledger {
  return { limits, spent: new Map(), open: new Map(), closed: new Set() };
}

export function foldLedger(limits: BudgetLimits, entries: readonly BudgetEntry[]): Ledger {
  return entries.reduce(applyEntry, emptyLedger(limits));
}

/** As a process finds it that begins: what another had set aside and never settled counts as used. */
export function openLedger(limits: BudgetLimits, entries: readonly BudgetEntry[]): Ledger {
  const found = foldLedger(limits, entries);
  return [...found.open.keys()].reduce(forfeitReservation, found);
}

/** Takes an entry as it is: whether it was allowed was decided when it was made. */
export function applyEntry(ledger: Ledger, entry: BudgetEntry): Ledger {
  switch (entry.type) {
    case 'reserved':
      return withOpen(ledger, entry.id, {
        role: entry.role,
        task: entry.task,
        amount: perMeasure(of(entry.amount)),
        ...(entry.metered === true ? { drawn: emptyAmount } : {}),
      });
    case 'resized': {
      const held = ledger.open.get(entry.id);
      return held === undefined
        ? ledger
        : withOpen(ledger, entry.id, { ...held, amount: perMeasure(of(entry.amount)) });
    }
    case 'drawn': {
      const held = ledger.open.get(entry.id);
      return held === undefined ? ledger : withOpen(ledger, entry.id, { ...held, drawn: perMeasure(of(entry.amount)) });
    }
    case 'settled':
      return settleReservation(ledger, entry.id, entry.amount);
    case 'forfeited':
      return forfeitReservation(ledger, entry.id);
  }
}

/** As much of what is wanted as every level has left, if that is at least the minimum. */
export function reserveBudget(ledger: Ledger, request: ReservationRequest): ReservationResult {
  if (ledger.open.has(request.id) || ledger.closed.has(request.id)) {
    throw new Error(`reserved twice: ${request.id}`);
  }
  const metered = request.metered === true ? { drawn: emptyAmount } : {};
  const place = { role: request.role, task: request.task, amount: emptyAmount, ...metered };
  return grant(withOpen(ledger, request.id, place), request.id, request);
}

/** More for an open reservation; `want` and `min` are on top of what it has. */
export function extendReservation(
  ledger: Ledger,
  reservation: string,
  more: { readonly want: Amount; readonly min: Amount },
): ReservationResult {
  return grant(ledger, reservation, more);
}

/** Gives back what is over `keep`; never takes more. */
export function shrinkReservation(ledger: Ledger, reservation: string, keep: Amount): Ledger {
  const held = mustBeOpen(ledger, reservation);
  const amount = perMeasure((measure) => Math.min(held.amount[measure] ?? 0, keep[measure] ?? 0));
  return withOpen(ledger, reservation, { ...held, amount });
}

/** The rest returns. What was used beyond the reservation counts too: an agent that cannot be metered may do that. */
export function settleReservation(ledger: Ledger, reservation: string, actual: Amount): Ledger {
  const held = ledger.open.get(reservation);
  if (held === undefined) return ledger;
  const spent = new Map(ledger.spent);
  for (const { key } of levelsOf(ledger.limits, held))
    spent.set(key, addAmounts(spent.get(key) ?? emptyAmount, actual));
  const open = new Map(ledger.open);
  open.delete(reservation);
  return { ...ledger, spent, open, closed: new Set([...ledger.closed, reservation]) };
}

/** Nobody knows what was used: it costs everything that was set aside, but for what a meter has counted. */
export function forfeitReservation(ledger: Ledger, reservation: string): Ledger {
  const held = ledger.open.get(reservation);
  if (held === undefined) return ledger;
  const { amount, drawn } = held;
  if (drawn === undefined) return settleReservation(ledger, reservation, amount);
  const { usd, tokens, turns, unpriced } = drawn;
  return settleReservation(ledger, reservation, { ...amount, usd, tokens, turns, unpriced });
}

/** What a piece of work of this role and task could still set aside; measures that are absent are unlimited. */
export function roomFor(ledger: Ledger, place: { readonly role: string; readonly task?: string | undefined }): Amount {
  const tight = tightest(ledger, { role: place.role, task: place.task });
  return Object.fromEntries([...tight].map(([measure, { left }]) => [measure, left]));
}

/** A limit that is passed: something was charged that was not set aside. */
export function overdraftFor(
  ledger: Ledger,
  place: { readonly role: string; readonly task?: string | undefined },
): Refusal | undefined {
  const passed = [...tightest(ledger, { role: place.role, task: place.task })].find(([, { over }]) => over > 0);
  if (passed === undefined) return undefined;
  const [measure, { level, name, limit, over }] = passed;
  return { measure, level, name, limit, left: 0, needed: 0, over };
}

/** What counts as used although nobody knows whether it was: of work that was cut off, and is under way no more. */
export function lostAmount(entries: readonly BudgetEntry[]): Amount {
  const ledger = openLedger({ run: {}, task: {}, roles: {} }, entries);
  const settled = entries.flatMap((entry) => (entry.type === 'settled' ? [entry.amount] : []));
  return subtractAmount(spentAmount(ledger), settled.reduce(addAmounts, emptyAmount));
}

export function spentAmount(ledger: Ledger): Amount {
  return ledger.spent.get('run') ?? emptyAmount;
}

export function reservedAmount(ledger: Ledger): Amount {
  return [...ledger.open.values()].reduce((sum, each) => addAmounts(sum, each.amount), emptyAmount);
}

function grant(
  ledger: Ledger,
  reservation: string,
  wish: { readonly want: Amount; readonly min: Amount },
): ReservationResult {
  const held = mustBeOpen(ledger, reservation);
  const tight = tightest(ledger, held);
  const wanted = largestAmount(perMeasure(of(wish.want)), perMeasure(of(wish.min)));
  const granted = perMeasure((measure) => Math.min(wanted[measure] ?? 0, tight.get(measure)?.left ?? Infinity));
  const short = amountMeasures.find(
    (measure) => !coversAmount({ [measure]: granted[measure] }, { [measure]: wish.min[measure] }),
  );
  const room = short === undefined ? undefined : tight.get(short);
  if (short !== undefined && room !== undefined) {
    const { level, name, limit, left, over } = room;
    const needed = wish.min[short] ?? 0;
    return {
      ok: false,
      refusal: { measure: short, level, name, limit, left, needed, ...(over > 0 ? { over } : {}) },
    };
  }
  const amount = addAmounts(held.amount, granted);
  return { ok: true, ledger: withOpen(ledger, reservation, { ...held, amount }), granted };
}

interface LimitLevel {
  readonly key: string;
  readonly level: Refusal['level'];
  readonly name: string | undefined;
  readonly limits: Amount;
}

function levelsOf(limits: BudgetLimits, place: Pick<Reservation, 'role' | 'task'>): readonly LimitLevel[] {
  const { role, task } = place;
  const ofRole = Object.hasOwn(limits.roles, role) ? limits.roles[role] : undefined;
  return [
    { key: 'run', level: 'run', name: undefined, limits: limits.run },
    ...(task === undefined ? [] : [{ key: `task:${task}`, level: 'task' as const, name: task, limits: limits.task }]),
    { key: `role:${role}`, level: 'role', name: role, limits: ofRole ?? emptyAmount },
  ];
}

interface Room extends Omit<LimitLevel, 'limits' | 'key'> {
  readonly limit: number;
  readonly left: number;
  readonly over: number;
}

/** For each limited measure the level that has least left. */
function tightest(ledger: Ledger, place: Pick<Reservation, 'role' | 'task'>): ReadonlyMap<Measure, Room> {
  const result = new Map<Measure, Room>();
  for (const { key, level, name, limits } of levelsOf(ledger.limits, place)) {
    const used = [...ledger.open.values()]
      .filter((each) => levelsOf(ledger.limits, each).some((one) => one.key === key))
      .reduce((sum, each) => addAmounts(sum, each.amount), ledger.spent.get(key) ?? emptyAmount);
    for (const measure of amountMeasures) {
      const limit = limits[measure];
      if (limit === undefined) continue;
      const left = leftOf(limit, used[measure] ?? 0, measure);
      const over = leftOf(used[measure] ?? 0, limit, measure);
      const before = result.get(measure);
      if (before === undefined || left - over < before.left - before.over)
        result.set(measure, { level, name, limit, left, over });
    }
  }
  return result;
}

function withOpen(ledger: Ledger, reservation: string, held: Reservation): Ledger {
  return { ...ledger, open: new Map(ledger.open).set(reservation, held) };
}

function mustBeOpen(ledger: Ledger, reservation: string): Reservation {
  const held = ledger.open.get(reservation);
  if (held === undefined) throw new Error(`no open reservation ${reservation}`);
  return held;
}

function of(amount: Amount): (measure: Measure) => number {
  return (measure) => amount[measure] ?? 0;
}
