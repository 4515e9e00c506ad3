/**
 * Lines of a stream, as long as they are not too long: one that is goes no further, and whoever sent it hears of it if
 * the message names itself. Without it one message could fill the memory, and the transport would give up for all.
 */
import { Transform, type TransformCallback } from 'node:stream';

const mostBytes = 8 * 1024 * 1024;
/** The id of a message stands near its beginning or its end. */
const keptBytes = 1024;

export class BoundedLines extends Transform {
  #line: Buffer[] = [];
  #size = 0;
  readonly #refuse: (answer: object) => void;

  constructor(refuse: (answer: object) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#take(rest.subarray(0, end + 1));
      this.#endLine();
      rest = rest.subarray(end + 1);
    }
    this.#take(rest);
    done();
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    this.#line.push(piece);
    if (this.#size <= mostBytes) return;
    // Only what may name the message is kept of it.
    const all = Buffer.concat(this.#line);
    this.#line = [all.subarray(0, keptBytes), all.subarray(Math.max(keptBytes, all.length - keptBytes))];
  }

  #endLine(): void {
    const line = Buffer.concat(this.#line);
    const size = this.#size;
    this.#line = [];
    this.#size = 0;
    if (size <= mostBytes) this.push(line);
    else this.#refuse(tooLong(line.toString('latin1'), size));
  }
}

function tooLong(line: string, size: number): object {
  const ends = [line.slice(0, keptBytes), line.slice(-keptBytes)];
  const found = ends.map((end) => /"id"\s*:\s*(\d{1,15}|"[^"\\]{1,128}")/.exec(end)?.[1]).find(Boolean);
  const id: unknown = found === undefined ? null : JSON.parse(found);
  const message = `A message of ${size} bytes is too long: at most ${mostBytes} are taken.`;
  return { jsonrpc: '2.0', id, error: { code: -32600, message } };
}
