/**
 * The body of a request from an agent: whole, decompressed, bounded. `claim` is asked for every piece of it and may
 * say that there is no more room. Undefined when it is too large or unreadable.
 */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

export const largestBody = 32 * 1024 * 1024;

export async function receiveBody(
  request: IncomingMessage,
  claim: (bytes: number) => boolean,
): Promise<Buffer | undefined> {
  try {
    const body = await received(request, claim);
    return body === undefined ? undefined : await decode(body, request.headers['content-encoding']);
  } catch {
    // Gone in the middle of it, or not what its encoding says.
    return undefined;
  }
}

async function received(request: IncomingMessage, claim: (bytes: number) => boolean): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody || !claim(chunk.length)) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function decode(body: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return body;
  if (name !== 'gzip' && name !== 'deflate' && name !== 'br') return undefined;
  return decoders[name](body, { maxOutputLength: largestBody });
}
