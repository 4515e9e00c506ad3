/**
 * Looks into an answer as it passes: usage, and errors in the middle of a stream. Reads a copy of the bytes,
 * decompressed if a provider compresses unasked, in bounded memory; what passes through is never touched.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { TroubleReport } from '../../policy/trouble.ts';
import type { KnownUse } from './bound.ts';
import { troubleInEvent } from './provider-answer.ts';
import { parsedJson, readEvents } from './sse.ts';
import { usageReaders, type WireProtocol } from './wire.ts';

export interface AnswerReader {
  push(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  known(): KnownUse;
  trouble(): TroubleReport | undefined;
}

const largestJson = 32 * 1024 * 1024;

export function readAnswer(wire: WireProtocol, headers: IncomingHttpHeaders): AnswerReader {
  const usage = usageReaders[wire]();
  let trouble: TroubleReport | undefined;
  const take = (data: unknown) => {
    usage.take(data);
    trouble ??= troubleInEvent(data);
  };
  const text: ByteSink = isStream(headers) ? readEvents(take, () => usage.done?.()) : readWhole(take);
  const source = decoded(headers['content-encoding'], text);
  return {
    push: (chunk) => source.push(chunk),
    end: () => source.end(),
    known: () => (text.isCut?.() === true ? { ...usage.known(), complete: false } : usage.known()),
    trouble: () => trouble,
  };
}

interface ByteSink {
  /** Not all of it was read. */
  readonly isCut?: () => boolean;
  push(chunk: Buffer): void;
  end(): void;
}

function isStream(headers: IncomingHttpHeaders): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function readWhole(take: (data: unknown) => void): ByteSink {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      size += chunk.length;
      if (size <= largestJson) chunks.push(chunk);
      else chunks.length = 0;
    },
    end() {
      const data = size <= largestJson ? parsedJson(Buffer.concat(chunks).toString('utf8')) : undefined;
      chunks.length = 0;
      if (data !== undefined) take(data);
    },
  };
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What cannot be decoded is not read: its usage is then unknown. */
function decoded(encoding: string | undefined, sink: ByteSink): Pick<AnswerReader, 'push' | 'end'> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') {
    return { push: async (chunk) => sink.push(chunk), end: async () => sink.end() };
  }
  const decoder = decoders[name]?.();
  if (decoder === undefined) return { push: async () => {}, end: async () => {} };
  let broken = false;
  decoder.on('data', (chunk: Buffer) => sink.push(chunk));
  const ended = new Promise<void>((resolve) => {
    decoder.on('end', resolve);
    decoder.on('error', () => {
      broken = true;
      resolve();
    });
  });
  return {
    push: (chunk) =>
      broken
        ? Promise.resolve()
        : Promise.race([ended, new Promise<void>((resolve) => decoder.write(chunk, () => resolve()))]),
    end: async () => {
      if (!broken) decoder.end();
      await ended;
      sink.end();
    },
  };
}
