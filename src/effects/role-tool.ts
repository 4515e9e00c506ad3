/**
 * A tool that Forge serves through the bridge, made of a schema and a function: arguments come from an agent and are
 * checked first; answers are JSON, bounded and redacted.
 */
import { z } from 'zod';
import type { JobTool } from '../agents/agent.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { Memory } from '../memory/memory-files.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import type { Redactor } from '../process/redact.ts';

export interface RoleToolDeps {
  readonly memory: Memory;
  readonly redactor: Redactor;
  /** The directory whose `.forge/store` holds the records. */
  readonly storeRoot: string;
}

export type ToolMaker = (context: EffectContext, deps: RoleToolDeps) => JobTool;

const longestAnswer = 64 * 1024;

interface RoleTool<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  call(args: z.output<S>): Promise<unknown>;
}

export function roleTool<S extends z.ZodType>({ redactor }: RoleToolDeps, own: RoleTool<S>): JobTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(own.input, { io: 'input' });
  return {
    name: own.name,
    description: own.description,
    inputSchema,
    async call(args) {
      const parsed = own.input.safeParse(args);
      if (!parsed.success) {
        const [first] = explainSchema(parsed.error.issues, args);
        return { text: `${first?.where ?? 'arguments'}: ${first?.problem ?? ''} ${first?.fix ?? ''}`, isError: true };
      }
      const text = redactor.redact(JSON.stringify(await own.call(parsed.data)));
      return text.length <= longestAnswer
        ? { text, isError: false }
        : { text: `The answer has ${text.length} characters: ask for less.`, isError: true };
    },
  };
}
