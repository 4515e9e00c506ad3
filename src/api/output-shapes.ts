/** Shapes that the answers of several operations are made of. */
import { z } from 'zod';

/** A record as it is stored: its own schema is a matter of the store. */
export const storedRecordSchema = z.record(z.string(), z.unknown());

/** What is wrong, where, and what to do. */
export const issueSchema = z.strictObject({ where: z.string(), problem: z.string(), fix: z.string() });
