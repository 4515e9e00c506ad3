/**
 * A page that a workflow words once and every skin lays out: a plan to be approved, for example. Blocks say what
 * something is (fields, a list, a table), not how it looks. Plain JSON; texts are as they came and are made safe when
 * they are drawn.
 */
import { z } from 'zod';

const fieldSchema = z.strictObject({ name: z.string(), value: z.string() });
export type PageField = z.infer<typeof fieldSchema>;

const blockSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('list'), items: z.array(z.string()) }),
  z.strictObject({ type: z.literal('fields'), fields: z.array(fieldSchema) }),
  z.strictObject({
    type: z.literal('table'),
    head: z.array(z.string()),
    /** `fields` stand below the cells of their row. */
    rows: z.array(z.strictObject({ cells: z.array(z.string()), fields: z.array(fieldSchema).default([]) })),
  }),
]);
export type PageBlock = z.infer<typeof blockSchema>;

const sectionSchema = z.strictObject({
  title: z.string(),
  /** Also part of the short form, for people who are not asked. */
  isBrief: z.boolean().default(false),
  blocks: z.array(blockSchema),
});

export const pageSchema = z.strictObject({ title: z.string(), sections: z.array(sectionSchema) });
export type Page = z.infer<typeof pageSchema>;
export type PageInput = z.input<typeof pageSchema>;
