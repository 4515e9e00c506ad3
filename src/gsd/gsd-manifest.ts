/**
 * `state-manifest.json`, which newer tools write beside the documents: what they hold for done. It is somebody else's
 * file, so every part of it may be missing. Pure.
 */
import { z } from 'zod';
import type { GsdStatus } from './gsd-project.ts';

const text = z.string().catch('');

/** One that cannot be read costs nothing but itself. */
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}
const schema = z.object({
  milestones: listOf(z.object({ id: z.string(), title: text, vision: text, status: text })),
  slices: listOf(
    z.object({
      milestone_id: z.string(),
      id: z.string(),
      title: text,
      status: text,
      risk: text,
      demo: text,
      depends: z.array(z.string()).catch([]),
      is_sketch: z.union([z.number(), z.boolean()]).catch(0),
    }),
  ),
  tasks: listOf(
    z.object({ milestone_id: z.string(), slice_id: z.string(), id: z.string(), title: text, status: text }),
  ),
});
export type GsdManifest = z.infer<typeof schema>;

/** Undefined when it is no such file. */
export function readManifest(source: string): GsdManifest | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(source));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function manifestStatus(word: string | undefined): GsdStatus | undefined {
  if (word === 'complete') return { state: 'done', evidence: 'manifest' };
  return word === 'skipped' ? { state: 'skipped', evidence: 'manifest' } : undefined;
}
