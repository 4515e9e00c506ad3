/**
 * Which phases a task or a bug goes through: the pipeline the record names, else the project's default, else the built-in
 * one. A name nobody defined falls back too, and says so. Pure.
 */
import type { PipelinePhase, PipelineSettings } from '../policy/pipeline-settings.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { builtinPipelines } from './builtin-pipelines.ts';

export interface ResolvedPipeline {
  readonly name: string;
  readonly source: 'record' | 'settings' | 'built in';
  readonly description: string;
  readonly phases: readonly PipelinePhase[];
  /** Markdown, or the path of a file; undefined: the built-in ones of its kind. */
  readonly gates: string | undefined;
  readonly note?: string;
}

export interface PipelineWish {
  readonly kind: 'task' | 'bug';
  /** What the record itself names. */
  readonly key?: string | undefined;
}

export function resolvePipeline(settings: PipelineSettings, { kind, key }: PipelineWish): ResolvedPipeline {
  const own = key === undefined ? undefined : pipelineNamed(settings, key);
  if (key !== undefined && own !== undefined) return { name: key, source: 'record', ...own };
  const usual = kind === 'bug' ? 'bug' : 'default';
  const set = pipelineNamed(settings, usual);
  const { description, phases } = builtinPipelines[kind];
  const fallback: ResolvedPipeline =
    set === undefined
      ? { name: usual, source: 'built in', description, phases, gates: undefined }
      : { name: usual, source: 'settings', ...set };
  if (key === undefined || key === usual) return fallback;
  const guess = didYouMean(key, Object.keys(settings));
  return { ...fallback, note: `There is no pipeline ${JSON.stringify(key)}, so ${usual} is used. ${guess}`.trim() };
}

function pipelineNamed(
  settings: PipelineSettings,
  name: string,
): Pick<ResolvedPipeline, 'description' | 'phases' | 'gates'> | undefined {
  const found = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return found === undefined ? undefined : { description: found.description, phases: found.phases, gates: found.gates };
}
