/**
 * Keeps one lesson in the project's memory. One that is known already changes nothing. What is to hold for all projects
 * has to be promoted by a person, so that no model writes into their other projects.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { openMemory } from '../memory/memory-files.ts';
import type { Operation } from './operation.ts';
import { lessonScopes, memoryIsOff, memoryMode, memoryPlaces } from './recall-lessons.ts';

export const lessonCategories = [
  'test_command',
  'convention',
  'failure_pattern',
  'architecture',
  'success_pattern',
  'dependency',
  'tool_usage',
] as const;

const input = z.strictObject({
  pattern: z.string().trim().min(1).max(1000),
  category: z.enum(lessonCategories),
  scope: z.enum(lessonScopes).default('project'),
  confidence: z.number().min(0).max(1).default(0.7),
  /** The day it was learnt, YYYY-MM-DD; today when left out. */
  date: z.iso.date().optional(),
});

const output = z.strictObject({
  status: z.enum(['saved', 'known']),
  scope: z.enum(lessonScopes),
  category: z.string(),
  pattern: z.string(),
  files: z.array(z.string()),
});

export const saveLesson: Operation<typeof input, typeof output> = {
  name: 'save-lesson',
  kind: 'command',
  description:
    'Saves one lesson for later work, in a Markdown file that a person can read and edit. A lesson that is known already is not added again.',
  input,
  output,
  tool: { name: 'memory_save', title: 'Save a lesson', hints: { idempotent: true }, hidden: ['date'] },
  async run(context, { pattern, category, scope, confidence, date }) {
    if (scope === 'global') {
      throw new ForgeError('bad-input', 'Only a person can keep a lesson for all projects', {
        hint: 'Save it with scope "project"; then the person can run: forge memory promote <id>',
      });
    }
    if ((await memoryMode(context)) === 'off')
      throw new ForgeError('bad-config', memoryIsOff, { hint: 'Nothing was kept.' });
    const places = await memoryPlaces(context);
    const memory = openMemory({ ...places, user: undefined });
    const { added, merged, files, problems } = await memory.save({
      lessons: [{ category, keywords: [], text: pattern, confidence }],
      applied: [],
      date: date ?? new Date().toISOString().slice(0, 10),
    });
    if (added === 0 && merged === 0) {
      const [first] = problems;
      const why = first?.problem ?? 'nothing is left of it';
      const detail = first === undefined ? {} : { hint: `Look at ${first.source}.` };
      throw new ForgeError('bad-config', `The lesson could not be kept: ${why}`, detail);
    }
    return { status: added > 0 ? 'saved' : 'known', scope, category, pattern, files: [...files] };
  },
};
