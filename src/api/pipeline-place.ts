/**
 * What operations on pipelines read: the settings, the Markdown with the gates, role files of the project, and the
 * record that is asked about. Changes nothing.
 */
import { readSettings } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { listConfined, readConfinedText } from '../files/confined.ts';
import { builtinGates } from '../pipelines/builtin-pipelines.ts';
import { checkPipeline } from '../pipelines/check-pipeline.ts';
import { type ResolvedPipeline, resolvePipeline } from '../pipelines/resolve-pipeline.ts';
import type { PipelineSettings } from '../policy/pipeline-settings.ts';
import type { StoredRecord } from '../records/entity.ts';
import { isDamaged, readEntry, recordPath } from '../store/record-files.ts';
import type { ApiContext } from './context.ts';
import { findStoreRoot, notFound, recordError, repositoryRoot, requireId } from './store-place.ts';

export interface PipelineProject {
  /** Where the records are. */
  readonly root: string;
  /** The repository's own root: settings, roles and gates are there. */
  readonly top: string;
  readonly settings: PipelineSettings;
  /** Names of role files that the project brings. */
  readonly roles: readonly string[];
}

export async function openPipelines(context: ApiContext): Promise<PipelineProject> {
  const root = await findStoreRoot(context);
  const top = repositoryRoot(root);
  const found = listConfined(top, '.forge/roles');
  const roles =
    found.status === 'read'
      ? found.entries.flatMap(({ name }) => (name.endsWith('.md') ? [name.slice(0, -3)] : []))
      : [];
  return { root, top, settings: readSettings(top).pipelines, roles };
}

/** The Markdown that holds the gates of a pipeline. */
export function gatesText(
  root: string,
  { gates, phases }: Pick<ResolvedPipeline, 'gates' | 'phases'>,
  kind: 'task' | 'bug',
): string {
  if (gates === undefined) return builtinGates(kind, phases);
  if (gates.includes('\n')) return gates;
  const isInside = !gates.startsWith('/') && !gates.split('/').includes('..');
  const text = isInside ? readConfinedText(root, gates) : undefined;
  if (text !== undefined) return text;
  throw new ForgeError('bad-config', `The pipeline's gates ${JSON.stringify(gates)} are not in the project`, {
    hint: 'Write the file, or put the blocks into the settings.',
  });
}

export interface PipelineSubject {
  readonly kind: 'task' | 'bug';
  readonly record: StoredRecord;
  readonly pipeline: ResolvedPipeline;
  readonly checked: ReturnType<typeof checkPipeline>;
}

/** A task or a bug with the pipeline it goes through. */
export function pipelineOf({ root, top, settings, roles }: PipelineProject, id: string): PipelineSubject {
  requireId(id);
  for (const kind of ['task', 'bug'] as const) {
    const found = readEntry(root, { entity: kind, file: recordPath(kind, id) });
    if (found === undefined) continue;
    if (isDamaged(found)) throw recordError(`${found.file}: ${found.problem}`, [], found.fix);
    const { pipeline: key } = found.record;
    const pipeline = resolvePipeline(settings, { kind, ...(typeof key === 'string' ? { key } : {}) });
    const checked = checkPipeline(pipeline.phases, gatesText(top, pipeline, kind), roles);
    return { kind, record: found.record, pipeline, checked };
  }
  throw notFound('task or bug', id, 'See forge store list task and forge store list bug.');
}
