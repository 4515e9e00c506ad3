/** What every effect kind is described with: its schemas, and what makes a piece of work this one and no other. */
import { z } from 'zod';

export const commitSchema = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'a full commit id');
/** Names directories and refs: one path component. `@` cannot be in a task's id, so it sets generations apart. */
export const pathNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/);

export function defineEffect<I extends z.ZodObject, O extends z.ZodType>(spec: {
  input: I;
  output: O;
  identity: readonly (keyof z.output<I> & string)[];
}) {
  return spec;
}
