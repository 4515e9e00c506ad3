/**
 * What the meter does with an answer on its way: nothing for what is free; for a model's answer it reads along,
 * says when it goes beyond what was set aside, and in the end pays, counts and notes what went wrong. Paid is what
 * the provider counted; what it did not tell counts at its bound.
 */
import type { IncomingMessage } from 'node:http';
import type { AdmittedRequest } from './admit-request.ts';
import { type AnswerReader, readAnswer } from './answer-reader.ts';
import { allTokens, costOfUse, type KnownUse, usedTokens } from './bound.ts';
import type { JobLease } from './lease.ts';
import { troubleInAnswer } from './provider-answer.ts';
import { noTokens } from './read-usage/usage-reader.ts';
import { explainUnreachable } from './refusal.ts';
import { parsedJson } from './sse.ts';
import { usageReaders } from './wire.ts';

/** What is done with what comes back. */
export interface AnswerHandler {
  begin(answered: IncomingMessage): void;
  /** Whether it may go on. */
  take(chunk: Buffer): Promise<boolean>;
  end(how: AnswerEnding): Promise<void>;
}

export interface AnswerEnding {
  /** There was a connection: the provider may have the request, and may count it. */
  readonly sent: boolean;
  /** The answer came to its end. */
  readonly whole: boolean;
  /** The agent left, or its job was ended. */
  readonly gone: boolean;
  /** Of the system, when the connection failed. */
  readonly code?: string;
}

/** What costs nothing only has to end some time. */
export class UnmeteredAnswer implements AnswerHandler {
  #left = 64 * 1024 * 1024;

  begin(): void {}

  async take(chunk: Buffer): Promise<boolean> {
    this.#left -= chunk.length;
    return this.#left >= 0;
  }

  async end(): Promise<void> {}
}

export class MeteredAnswer implements AnswerHandler {
  readonly #lease: JobLease;
  readonly #admitted: AdmittedRequest;
  #answered: IncomingMessage | undefined;
  #reader: AnswerReader | undefined;
  /** Of an answer that is an error: only what says which. */
  #error = '';
  #left: number;

  constructor(lease: JobLease, admitted: AdmittedRequest) {
    this.#lease = lease;
    this.#admitted = admitted;
    // No wire needs as much around a token; an endless answer without any usage in it is ended here.
    this.#left = 1024 * 1024 + admitted.bound.tokens.output * 4096;
  }

  begin(answered: IncomingMessage): void {
    this.#answered = answered;
    this.#lease.noteHeaders(answered.headers);
    if (this.#succeeded()) this.#reader = readAnswer(this.#admitted.request.wire, answered.headers);
  }

  async take(chunk: Buffer): Promise<boolean> {
    this.#left -= chunk.length;
    if (this.#reader === undefined) {
      if (this.#error.length < 64 * 1024) this.#error += chunk.toString('utf8');
      return this.#left >= 0;
    }
    await this.#reader.push(chunk);
    return this.#left >= 0 && !this.#goesTooFar(this.#reader.known());
  }

  async end(how: AnswerEnding): Promise<void> {
    const { request, deposit, bound } = this.#admitted;
    await this.#reader?.end();
    this.#report(how);
    if (!this.#mayBeCharged(how)) {
      await deposit.pay({});
      return;
    }
    const heard = this.#heard(how);
    const { prices, fees } = this.#lease;
    const charged = await deposit.pay(costOfUse(request, bound, heard, { prices, fees }));
    if (!bound.priced) this.#lease.noteUnpriced(request.model);
    this.#lease.count(usedTokens(request, bound, heard), charged);
    const overdraft = this.#lease.terms.purse.overdraft();
    if (overdraft !== undefined) this.#lease.noteOverdrawn(request.model, overdraft);
  }

  /** What was said of the use. Of several answers one may have come to its end where another was cut. */
  #heard({ whole }: AnswerEnding): KnownUse {
    const known = this.#reader?.known() ?? this.#usageOfError() ?? { tokens: {}, complete: false };
    return whole || this.#admitted.request.answers === 1 ? known : { ...known, complete: false };
  }

  /** Some report with an error what was used until then. */
  #usageOfError(): KnownUse | undefined {
    const body = parsedJson(this.#error);
    if (typeof body !== 'object' || body === null) return undefined;
    const reader = usageReaders[this.#admitted.request.wire]();
    const inside = (body as { readonly error?: unknown }).error;
    // A message is known by its type, which is that of the error here.
    const type = this.#admitted.request.wire === 'anthropic' ? 'message' : undefined;
    for (const each of [body, inside]) if (typeof each === 'object') reader.take({ ...each, type });
    const known = reader.known();
    const isThere = Object.keys(known.tokens).length > 0 || (known.usd ?? 0) > 0;
    return isThere ? { ...known, complete: known.tokens.output !== undefined } : undefined;
  }

  #succeeded(): boolean {
    const status = this.#answered?.statusCode ?? 0;
    return status >= 200 && status < 300;
  }

  /**
   * Providers do not charge for requests they refuse, unless they say so. One that ran out of time may have been answered
   * all the same.
   */
  #mayBeCharged({ sent }: AnswerEnding): boolean {
    if (this.#answered === undefined) return sent;
    const isCutOff = [408, 499, 504, 524].includes(this.#answered.statusCode ?? 0);
    return this.#succeeded() || isCutOff || this.#usageOfError() !== undefined;
  }

  #goesTooFar({ tokens }: KnownUse): boolean {
    const { output: written, ...read } = { ...noTokens, ...tokens };
    const { output, ...most } = this.#admitted.bound.tokens;
    return written > output || allTokens({ ...read, output: 0 }) > allTokens({ ...most, output: 0 });
  }

  #report({ whole, gone, code }: AnswerEnding): void {
    const about = this.#admitted.request.model;
    const answered = this.#answered;
    const inStream = this.#reader?.trouble();
    if (answered === undefined) {
      if (!gone)
        this.#lease.noteTrouble(about, { code: [code ?? 'ECONNRESET', 'network'], message: explainUnreachable(code) });
    } else if (!this.#succeeded()) {
      this.#lease.noteTrouble(
        about,
        troubleInAnswer(answered.statusCode ?? 0, answered.headers, parsedJson(this.#error)),
      );
    } else if (inStream !== undefined) this.#lease.noteTrouble(about, inStream);
    else if (whole && this.#reader?.known().complete === true) this.#lease.noteSuccess(about);
    else if (!gone)
      this.#lease.noteTrouble(about, { code: 'stream_cut', message: "The provider's answer was cut off." });
  }
}
