/** Shapes that the answers of several operations are made of. */
import { z } from 'zod';

/** An object with fields that somebody else describes: a record of the store, its summary, a JSON Schema. */
export const storedRecordSchema = z.record(z.string(), z.unknown());

/** What is wrong, where, and what to do. */
export const issueSchema = z.strictObject({ where: z.string(), problem: z.string(), fix: z.string() });
