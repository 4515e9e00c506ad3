/**
 * A JSON-RPC connection to an ACP agent over its standard streams, on the protocol's own library, which is slow to load
 * and therefore loaded here only. The library sees nothing but well-formed messages; updates of sessions go past it, in
 * the order in which they came. Permissions are always granted: what contains the agent is the jail.
 */
import { z } from 'zod';
import type { TextLine } from '../text-lines.ts';
import { decodeLine, type JsonRpcMessage, type SessionUpdate } from './decode.ts';

export interface AcpConnection {
  /** Takes what the agent printed. */
  readonly onLines: (lines: readonly TextLine[]) => void;
  open(stdin: NodeJS.WritableStream): void;
  /** Throws `Refused` when the agent answers with an error, `HungUp` when it is gone. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  close(): void;
}

export interface Listener {
  update(session: string, update: SessionUpdate): void;
  /** A line that is no part of the protocol. */
  noise(line: TextLine): void;
}

/** An error the agent answered with, as it came. */
export class RequestRefused extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.data = data;
  }
}

export class ConnectionClosed extends Error {
  override readonly name = 'HungUp';
}

export async function acpConnection(listener: Listener): Promise<AcpConnection> {
  const { client, RequestError } = await import('@agentclientprotocol/sdk/unstable');
  const asked = new Set<string | number>();
  let incoming: ReadableStreamDefaultController<JsonRpcMessage> | undefined;
  let connection: ReturnType<ReturnType<typeof client>['connect']> | undefined;
  const opened = () => {
    if (connection === undefined) throw new ConnectionClosed('there is no connection yet');
    return connection.agent;
  };

  return {
    onLines(lines) {
      for (const line of lines) {
        const heard = decodeLine(line, (id) => asked.delete(id));
        if (heard.kind === 'update') listener.update(heard.session, heard.update);
        else if (heard.kind === 'message') incoming?.enqueue(heard.message);
        else if (heard.kind === 'noise') listener.noise(line);
      }
    },
    open(stdin) {
      const readable = new ReadableStream<JsonRpcMessage>({ start: (controller) => void (incoming = controller) });
      const writable = new WritableStream<object>({
        write(message) {
          if ('method' in message && 'id' in message) asked.add(message.id as string | number);
          stdin.write(`${JSON.stringify(message)}\n`);
        },
      });
      connection = client({ name: 'forge' })
        .onRequest(
          'session/request_permission',
          (params: unknown) => params,
          ({ params }) => allow(params),
        )
        .connect({ readable, writable });
    },
    async request(method, params) {
      try {
        return await opened().request<unknown, object>(method, params);
      } catch (error) {
        if (error instanceof RequestError) throw new RequestRefused(error.code, error.message, error.data);
        throw new ConnectionClosed('the agent is gone', { cause: error });
      }
    },
    notify(method, params) {
      connection?.agent.notify(method, params).catch(() => {});
    },
    close() {
      try {
        incoming?.close();
      } catch {
        // Closed before, by us or by the library.
      }
      incoming = undefined;
    },
  };
}

const permissionSchema = z.object({ options: z.array(z.object({ optionId: z.string(), kind: z.string() })) });

function allow(params: unknown): object {
  const options = permissionSchema.safeParse(params).data?.options ?? [];
  const chosen = ['allow_once', 'allow_always']
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
  return { outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', ...pick(chosen) } };
}

function pick({ optionId }: { readonly optionId: string }): object {
  return { optionId };
}
