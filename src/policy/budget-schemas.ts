/**
 * The shapes of amounts, of budget settings and of what a journal keeps of the ledger. Apart from the arithmetic, because
 * those who only look at a run need no schemas.
 */
import { z } from 'zod';

const size = z.number().nonnegative().max(1e12).optional();
const count = z.int().nonnegative().max(1e12).optional();

/** What a person can limit. */
export const limitSchema = z.strictObject({
  usd: size,
  tokens: count,
  turns: count,
  minutes: size,
  attempts: count,
});

export const amountSchema = limitSchema.extend({ unpriced: count });

export const budgetSettingsSchema = z.strictObject({
  ...limitSchema.shape,
  /** For every task by itself. */
  task: limitSchema.prefault({}),
  /** For all work of a role together. */
  roles: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), limitSchema).default({}),
});
export type BudgetSettings = z.infer<typeof budgetSettingsSchema>;

const id = z.string().min(1);

/** What a journal keeps of it. */
export const budgetEntrySchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('reserved'),
    id,
    role: z.string(),
    task: z.string().optional(),
    amount: amountSchema,
    metered: z.boolean().optional(),
  }),
  /** The whole of what is set aside from now on. */
  z.strictObject({ type: z.literal('resized'), id, amount: amountSchema }),
  /** The whole of what metered requests used so far and those under way may use. */
  z.strictObject({ type: z.literal('drawn'), id, amount: amountSchema }),
  z.strictObject({ type: z.literal('settled'), id, amount: amountSchema }),
  z.strictObject({ type: z.literal('forfeited'), id }),
]);
export type BudgetEntry = z.infer<typeof budgetEntrySchema>;
