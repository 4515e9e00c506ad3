/** The files a `pipeline` run leaves: reviews and retrospectives of sprints, as they were recorded. Pure. */
import { z } from 'zod';
import type { Chronicle } from '../../views/chronicle.ts';
import type { WorkflowDocument } from '../definition.ts';

const noteSchema = z.object({ document: z.object({ path: z.string().regex(/^[\w.-]+\.md$/), content: z.string() }) });

export function pipelineDocuments({ notes }: Chronicle): readonly WorkflowDocument[] {
  return [...notes.values()].flatMap(({ data }) => {
    const read = noteSchema.safeParse(data);
    return read.success ? [read.data.document] : [];
  });
}
