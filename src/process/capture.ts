/**
 * Keeps the beginning and the end of a byte stream in bounded memory. Cuts never split a UTF-8
 * character: bytes of a split one count as left out. Bytes that are no UTF-8 at all become U+FFFD.
 */
import type { Captured } from './process.ts';

export interface CaptureLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

export class Capture {
  readonly #limits: CaptureLimits;
  readonly #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer[] = [];
  #tailSize = 0;
  #total = 0;

  constructor(limits: CaptureLimits) {
    this.#limits = limits;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const forHead = Math.min(chunk.length, this.#limits.headBytes - this.#headSize);
    if (forHead > 0) {
      // Copied, because a slice would keep the whole chunk alive.
      this.#head.push(Buffer.from(chunk.subarray(0, forHead)));
      this.#headSize += forHead;
    }
    const rest = chunk.subarray(Math.max(forHead, 0));
    if (rest.length === 0) return;
    const kept = Buffer.from(rest.subarray(Math.max(0, rest.length - this.#limits.tailBytes)));
    this.#tail.push(kept);
    this.#tailSize += kept.length;
    // Joined only when twice too much is held, so that many small chunks stay linear.
    if (this.#tailSize > 2 * this.#limits.tailBytes || this.#tail.length > 1024) this.#shrinkTail();
  }

  captured(): Captured {
    this.#shrinkTail();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (head.length + tail.length === this.#total) {
      const text = Buffer.concat([head, tail]).toString('utf8');
      return { head: text, tail: '', totalBytes: this.#total, droppedBytes: 0, text };
    }
    const keptHead = head.subarray(0, completeEnd(head));
    const keptTail = tail.subarray(completeStart(tail));
    const droppedBytes = this.#total - keptHead.length - keptTail.length;
    const headText = keptHead.toString('utf8');
    const tailText = keptTail.toString('utf8');
    return {
      head: headText,
      tail: tailText,
      totalBytes: this.#total,
      droppedBytes,
      text: joinParts(headText, `[... ${droppedBytes} bytes left out ...]`, tailText),
    };
  }

  #shrinkTail(): void {
    const whole = Buffer.concat(this.#tail);
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.length - this.#limits.tailBytes)));
    this.#tail = kept.length === 0 ? [] : [kept];
    this.#tailSize = kept.length;
  }
}

/** Where the last complete UTF-8 character ends. Bytes that are not UTF-8 count as complete. */
function completeEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return back < sequenceLength(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Where the first UTF-8 character that begins in these bytes begins. */
function completeStart(bytes: Buffer): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start] ?? 0)) start += 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function joinParts(head: string, note: string, tail: string): string {
  const before = head === '' || head.endsWith('\n') ? head : `${head}\n`;
  const after = tail === '' || tail.startsWith('\n') ? tail : `\n${tail}`;
  return `${before}${note}${after}`;
}
