/**
 * A project whose agent is Forge's own, with a model that says what a script says: the real binary, the real dispatch,
 * meter and jail. Its workflow is the smallest there is, one piece of work of a developer, so that a story takes seconds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Script } from '../clients/model-server/script.ts';
import { type ModelServer, startModelServer } from '../clients/model-server/server.ts';
import { makeProject, type Project } from './support.ts';

export const providerKey = 'planted-provider-key-51c7';

export interface Story {
  readonly project: Project;
  readonly model: ModelServer;
  /** The run that was begun. */
  run(): string;
  notes(): readonly string[];
  budget(): readonly BudgetLine[];
  status(): Promise<Readonly<Record<string, unknown>>>;
}

export interface BudgetLine {
  readonly type: string;
  readonly id: string;
  readonly amount?: Readonly<Record<string, number>>;
}

export interface StoryOptions {
  readonly script: Script;
  /** Over the usual settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Over those of the agent. */
  readonly agent?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** What Forge's own agent is told that only one conversation is about. */
export const brief = 'Say hello in hello.txt.';

/** One piece of work of a developer. */
export const oneJob = `import { z } from 'zod';

const resultSchema = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] };

export const workflow = {
  name: 'one',
  version: 1,
  roles: { developer: { result: z.object({ summary: z.string() }), access: 'write' } },
  async run(bench) {
    const { agents, requirement } = bench.run.input;
    const { outcome, commit } = await bench.perform('agent.run', 'T1/develop#1', {
      agent: agents.developer,
      role: 'developer',
      task: 'T1',
      attempt: 1,
      workspace: 'T1',
      commit: bench.run.base,
      prompt: requirement,
      resultSchema,
    });
    if (outcome.status !== 'replied') {
      return { status: 'failed', reason: outcome.trouble?.message ?? outcome.status };
    }
    return { status: 'done', output: { commit, usage: outcome.usage, reply: outcome.reply } };
  },
};
`;

export async function makeStory(options: StoryOptions): Promise<Story> {
  const model = await startModelServer(options.script);
  const own = {
    driver: 'builtin',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    baseUrl: model.url,
    key: 'STORY_KEY',
    maxOutputTokens: 1000,
    ...options.agent,
  };
  const project = makeProject({
    config: stringify({ agents: { own }, ...options.settings }),
    files: { '.forge/workflows/one.mjs': oneJob, ...options.files },
    env: { STORY_KEY: providerKey, ...options.env },
  });
  const agreed = await project.forge('trust', '--yes');
  if (agreed.code !== 0) throw new Error(agreed.stderr);
  const run = (): string => project.runs()[0] ?? '';
  const progress = () =>
    factsOf(project, run()).flatMap(({ type, data }) => (type === 'effect.progressed' ? [data] : []));
  return {
    project,
    model,
    run,
    notes: () => progress().flatMap(({ note }) => note ?? []),
    budget: () => progress().flatMap(({ budget }) => budget ?? []),
    status: async () => JSON.parse((await project.forge('status', run(), '--json')).stdout) as Record<string, unknown>,
  };
}

interface Progress {
  readonly note?: string;
  readonly budget?: BudgetLine;
  readonly wait?: { readonly account: string; readonly until: string };
}

function factsOf(project: Project, run: string): readonly { readonly type: string; readonly data: Progress }[] {
  const text = readFileSync(join(project.directory(run), 'journal.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; data: Progress });
}
