/**
 * One job's place at the meter: where its requests go, with which key, on whose money, and what came of them.
 * Keeps counts, the last trouble (bounded, redacted) and the account's windows; never a body. Closing it ends what is
 * under way and waits until that is paid for.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Amount } from '../../policy/amount.ts';
import type { Trouble } from '../../policy/agent-outcome.ts';
import { addUsage, noUsage, type Usage } from '../../policy/usage.ts';
import type { Refusal } from '../../policy/budget.ts';
import { refusalText } from '../../policy/budget-settings.ts';
import type { PriceSettings, TokenCounts } from '../../policy/prices.ts';
import { classifyTrouble, type TroubleReport } from '../../policy/trouble.ts';
import type { UsageWindow } from '../../policy/usage-threshold.ts';
import { createRedactor, type Redactor } from '../../process/redact.ts';
import type { Meter } from '../agent.ts';
import { windowsIn } from './provider-answer.ts';
import type { RequestTerms } from './model-request.ts';
import type { JobPurse } from './purse.ts';
import { type RequestBounds, RequestGate } from './request-gate.ts';
import type { WireProtocol } from './wire.ts';

export interface LeaseTerms {
  readonly wire: WireProtocol;
  /** The provider's origin, without `/v1`; a path in it goes before that of each request. */
  readonly upstream: string;
  /** The real key; undefined: the agent's own login passes through. */
  readonly key: string | undefined;
  readonly purse: JobPurse;
  readonly prices?: PriceSettings;
  /** What a person has set for the agent. */
  readonly allowFields?: readonly string[] | undefined;
  readonly fees?: Readonly<Record<string, number>> | undefined;
  readonly bounds?: RequestBounds;
}

export interface MeterLease extends Meter {
  /** The account's windows, as the provider last told. */
  windows(): readonly UsageWindow[];
  /** The fullest of them, between 0 and 1. */
  utilization(): number | undefined;
  /** Models whose price is not known: their dollars are not in the usage. */
  unpriced(): readonly string[];
  close(): Promise<void>;
}

export class JobLease implements MeterLease {
  readonly url: string;
  readonly key: string | undefined;
  readonly terms: LeaseTerms;
  readonly upstream: URL;
  readonly closing = new AbortController();
  readonly gate: RequestGate;
  readonly #redactor: Redactor;
  readonly #onClose: () => void;
  readonly #underWay = new Set<Promise<void>>();
  readonly #unpriced = new Set<string>();
  #usage: Usage = noUsage;
  #trouble: { readonly about: string; readonly trouble: Trouble } | undefined;
  #windows = new Map<string, UsageWindow>();
  #fault: unknown;

  constructor(
    terms: LeaseTerms,
    place: { readonly url: string; readonly placeholder: string; readonly onClose: () => void },
  ) {
    this.terms = terms;
    this.url = place.url;
    this.key = terms.key === undefined ? undefined : place.placeholder;
    this.upstream = new URL(terms.upstream);
    this.gate = new RequestGate(terms.bounds);
    this.#redactor = createRedactor({}, terms.key === undefined ? [] : [terms.key]);
    this.#onClose = place.onClose;
  }

  get prices(): PriceSettings {
    return this.terms.prices ?? {};
  }

  get fees(): Readonly<Record<string, number>> {
    return this.terms.fees ?? {};
  }

  /** What the reading of a request goes by. */
  get requestTerms(): RequestTerms {
    const { allowFields, fees } = this.terms;
    return { allowFields, fees, host: this.upstream.hostname };
  }

  usage(): Usage {
    return this.#usage;
  }

  trouble(): Trouble | undefined {
    return this.#trouble?.trouble;
  }

  windows(): readonly UsageWindow[] {
    return [...this.#windows.values()];
  }

  utilization(): number | undefined {
    return this.#windows.size === 0 ? undefined : Math.max(...this.windows().map(({ used }) => used)) / 100;
  }

  unpriced(): readonly string[] {
    return [...this.#unpriced];
  }

  /** Rejects if what was spent could not be recorded. */
  async close(): Promise<void> {
    this.#onClose();
    this.closing.abort();
    await Promise.all(this.#underWay);
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** An exchange that closing must wait for. */
  track(exchange: Promise<void>): void {
    const watched = exchange
      .catch((error: unknown) => {
        this.#fault ??= error;
      })
      .finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
  }

  /** What a request was charged, and how its tokens were said to be. */
  count(tokens: TokenCounts, charged: Amount): void {
    const { output: outputTokens, ...input } = tokens;
    const inputTokens = Object.values(input).reduce((sum, each) => sum + each, 0);
    this.#usage = addUsage(this.#usage, {
      inputTokens,
      outputTokens,
      costUsd: charged.usd ?? 0,
      turns: charged.turns ?? 0,
    });
  }

  noteUnpriced(model: string): void {
    if (this.#unpriced.size < 100) this.#unpriced.add(model.slice(0, 200));
  }

  noteHeaders(headers: IncomingHttpHeaders): void {
    for (const window of windowsIn(headers)) this.#windows.set(window.window, window);
  }

  noteTrouble(about: string, report: TroubleReport): void {
    const { message, ...rest } = classifyTrouble({ ...report, at: Date.now() });
    this.#trouble = { about, trouble: { ...rest, message: this.#redactor.redact(message).slice(0, 500) } };
  }

  /** The words with which a request that does not fit is refused. */
  noteRefused(about: string): string {
    const refusal = this.terms.purse.refusal();
    const message = `The budget does not allow this request. ${refusal === undefined ? 'The job is over.' : refusalText(refusal)}`;
    this.#trouble = { about, trouble: { code: 'limit_reached', message } };
    return message;
  }

  /** A request that was not sent, and why. */
  noteUnsent(about: string, message: string): void {
    this.#trouble = { about, trouble: { code: 'unknown', message: this.#redactor.redact(message).slice(0, 500) } };
  }

  noteTooMany(message: string): void {
    this.#trouble = { about: '', trouble: { code: 'limit_reached', message } };
  }

  /** A provider charged more than was set aside, and more than there was. */
  noteOverdrawn(about: string, refusal: Refusal): void {
    this.#trouble = { about, trouble: { code: 'limit_reached', message: refusalText(refusal) } };
  }

  /** The same model answered again: whatever it was, it is over. */
  noteSuccess(about: string): void {
    if (this.#trouble?.about === about) this.#trouble = undefined;
  }
}
