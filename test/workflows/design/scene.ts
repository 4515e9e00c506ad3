/** A whole run of `design` on a scripted world, in a fraction of a second: what it asked, what it wrote, how it ended. */
import { join } from 'node:path';
import type { WorkflowResult } from '../../../src/engine/bench.ts';
import type { Fact } from '../../../src/engine/facts.ts';
import { readJournalFile } from '../../../src/engine/files/journal-file.ts';
import { runDesign } from '../../../src/workflows/design/design.ts';
import { type DesignInput, designInputSchema } from '../../../src/workflows/design/design-input.ts';
import { designRoles } from '../../../src/workflows/design/roles.ts';
import { makeEngine, request } from '../../engine/support.ts';
import { matchesKey } from './key-pattern.ts';
import type { Script } from './scripted-agents.ts';
import { makeWorld, type World } from './scripted-world.ts';
import { designDir, designFiles, planDir, prdDir } from './tiny-design.ts';

export type Answer = string | { readonly option?: string; readonly text?: string };

export interface SceneWishes {
  readonly script?: Script;
  /** By key of the question, with `*`; a list is given one after the other. Approvals are given unless said otherwise. */
  readonly answers?: Readonly<Record<string, Answer | readonly Answer[]>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: Partial<DesignInput>;
  /** A commit of the past that the run may read. */
  readonly old?: { readonly commit: string; readonly files: Readonly<Record<string, string>> };
}

export interface Scene {
  /** Undefined while a question waits. */
  readonly result: WorkflowResult | undefined;
  readonly waitsFor: string;
  readonly world: World;
  readonly facts: readonly Fact[];
  /** Keys of questions in the order they were asked. */
  readonly questions: readonly string[];
  /** Keys of agents' work in order. */
  readonly asked: readonly string[];
  /** A file of the plan directory on the integration head. */
  readonly document: (path: string) => string;
  /** Titles of the events that the log tells, in order. */
  readonly events: readonly string[];
}

const usual: Readonly<Record<string, Answer>> = { 'approve*': 'yes', 'impact*': 'yes' };

export const tinyInput = (more: Partial<DesignInput> = {}): DesignInput =>
  designInputSchema.parse({
    requirement: designDir,
    slug: 'echo',
    agents: Object.fromEntries(Object.keys(designRoles).map((role) => [role, 'actor'])),
    mode: 'full',
    design: { dir: designDir, name: 'Echo', prd: prdDir },
    plan: { dir: planDir, delivery: 1, designDelivery: '', family: 'autoforge/2026-05-04-echo-aaaa', date: '' },
    hasSource: true,
    parallel: 3,
    ...more,
  });

export async function playDesign(wishes: SceneWishes = {}): Promise<Scene> {
  const world = makeWorld(
    wishes.old === undefined ? { ...designFiles, ...wishes.files } : { ...wishes.files },
    wishes.script ?? {},
    wishes.old,
  );
  const engine = makeEngine({
    work: (bench) => runDesign(bench, tinyInput(wishes.input)),
    kinds: world.performers,
  });
  const given = new Map<string, number>();
  let end = await (await engine.start(request(), { whenWaiting: 'leave' })).ended;
  for (let rounds = 0; end.status === 'waiting' && rounds < 40; rounds += 1) {
    // Several may wait at once.
    const waiting = end.reason
      .split(', ')
      .map((key) => ({ key, answer: answerTo({ ...wishes.answers, ...usual }, key, given) }));
    if (waiting.every(({ answer }) => answer === undefined)) break;
    for (const { key, answer } of waiting) {
      if (answer === undefined) continue;
      await engine.signal('r1', {
        type: 'answer',
        key,
        answer: typeof answer === 'string' ? { option: answer } : answer,
      });
    }
    // A fresh execution, so that everything so far is also replayed.
    end = await (await engine.resume('r1', { whenWaiting: 'leave' })).ended;
  }
  const { facts } = readJournalFile(join(engine.runs, 'r1', 'journal.jsonl'));
  const isOver = end.status === 'done' || end.status === 'failed';
  if (!isOver && end.status !== 'waiting') throw new Error(`the run ended as ${end.status}: ${JSON.stringify(end)}`);
  return {
    result: isOver
      ? ({
          status: end.status,
          reason: 'reason' in end ? end.reason : '',
          output: 'output' in end ? end.output : undefined,
        } as WorkflowResult)
      : undefined,
    waitsFor: end.status === 'waiting' ? end.reason : '',
    world,
    facts,
    questions: facts.flatMap(({ type, key }) => (type === 'question.asked' ? [key] : [])),
    asked: facts.flatMap((fact) =>
      fact.type === 'effect.started' && fact.data.kind === 'agent.run' ? [fact.key] : [],
    ),
    document: (path) => world.files()[`${planDir}/${path}`] ?? '',
    events: [...(world.files()[`${planDir}/execution-log.md`] ?? '').matchAll(/^### .*? — (.*)$/gm)].map(
      ([, title]) => title ?? '',
    ),
  };
}

function answerTo(
  answers: Readonly<Record<string, Answer | readonly Answer[]>>,
  key: string,
  given: Map<string, number>,
): Answer | undefined {
  const pattern = Object.keys(answers).find((each) => matchesKey(each, key));
  if (pattern === undefined) return undefined;
  const list = answers[pattern];
  const all = Array.isArray(list) ? (list as readonly Answer[]) : [list as Answer];
  const at = given.get(pattern) ?? 0;
  given.set(pattern, at + 1);
  return all[Math.min(at, all.length - 1)];
}
