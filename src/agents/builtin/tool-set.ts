/**
 * The tools of one turn in one shape, whether they are the agent's own or come from a client's MCP servers, and one at a
 * time: models call several in one step, and two edits of one file must not meet.
 */
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { McpTool } from './mcp-servers.ts';
import { editTool } from './tools/edit.ts';
import { listTool } from './tools/list.ts';
import { readTool } from './tools/read.ts';
import { runTool } from './tools/run.ts';
import { searchTool } from './tools/search.ts';
import type { BuiltinTool, ToolAnswer, ToolKind, ToolPlace } from './tools/tool.ts';
import { writeTool } from './tools/write.ts';

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** When it worked, the turn is over. */
  readonly ends: boolean;
  title(input: unknown): string;
  paths(input: unknown): readonly string[];
  /** Throws with words for the model when it does not work. */
  call(input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

/** A submission that was taken is the end of the work: another model call would only say so. */
const endsTurn = 'submit_result';

export function toolSet(place: ToolPlace, access: 'read' | 'write', mcp: readonly McpTool[]): readonly LoopTool[] {
  const reading = [own(readTool, place), own(listTool, place), own(searchTool, place), own(runTool, place)];
  const ours = access === 'read' ? reading : [...reading, own(writeTool, place), own(editTool, place)];
  const taken = new Set(ours.map(({ name }) => name));
  const theirs = mcp.map((tool): LoopTool => {
    const name = taken.has(tool.name) ? `${tool.server}_${tool.name}` : tool.name;
    taken.add(name);
    return {
      name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64),
      description: tool.description,
      kind: 'other',
      inputSchema: tool.inputSchema,
      ends: tool.name === endsTurn,
      title: () => name,
      paths: () => [],
      call: async (input, signal) => ({ text: await tool.call(input, signal) }),
    };
  });
  return oneAtATime([...ours, ...theirs]);
}

function own<Input>(tool: BuiltinTool<Input>, place: ToolPlace): LoopTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.schema, { io: 'input' });
  const shownInput = (input: unknown): Input | undefined => tool.schema.safeParse(input).data;
  return {
    name: tool.name,
    description: tool.description,
    kind: tool.kind,
    inputSchema,
    ends: false,
    title(input) {
      const read = shownInput(input);
      return read === undefined ? tool.name : tool.title(read);
    },
    paths(input) {
      const read = shownInput(input);
      return read === undefined ? [] : tool.paths(read);
    },
    async call(input, signal) {
      const read = tool.schema.safeParse(input);
      if (!read.success) throw new Error(`The arguments of ${tool.name} are wrong: ${z.prettifyError(read.error)}`);
      return tool.run(read.data, place, signal);
    },
  };
}

function oneAtATime(tools: readonly LoopTool[]): readonly LoopTool[] {
  let last: Promise<unknown> = Promise.resolve();
  return tools.map((tool) => ({
    ...tool,
    call(input, signal) {
      const mine = last.then(() => {
        if (signal.aborted) throw new Error('cancelled');
        return tool.call(input, signal);
      });
      last = mine.catch((error: unknown) => messageOf(error));
      return mine;
    },
  }));
}
