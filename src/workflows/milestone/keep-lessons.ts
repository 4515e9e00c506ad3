/** What a milestone learned goes into Forge's memory at its end, and what earlier ones taught comes back at the start. */
import type { Bench } from '../../engine/bench.ts';
import { memoryText } from './documents/result-texts.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { MilestoneInput } from './milestone-input.ts';
import { type Fragment, fragmentCategories, type FragmentCategory } from './rules/memory-choice.ts';

/** Whose fragments are those that lie in the project already. */
export const projectUnit = 'project';

/** Of each kind only a few are worth keeping beyond the milestone. */
const mostKept = 12;

export async function recallFragments(
  bench: Bench,
  _input: MilestoneInput,
  about: string,
): Promise<readonly Omit<Fragment, 'unit' | 'hits'>[]> {
  const { lessons } = await bench.perform('memory.recall', 'recall', { query: about, limit: 30 });
  return lessons.map(({ id, category, text }) => ({
    category: categoryOf(category),
    confidence: 0.6,
    text,
    lesson: id,
  }));
}

/** For the next run on the milestone, whether this one is done or not. */
export async function leaveMemory(bench: Bench, { memory, paths }: MilestoneContext): Promise<void> {
  const all = memory.all.filter(({ unit, lesson }) => unit !== projectUnit && lesson === undefined);
  if (all.length === 0) return;
  await leaveDocument(bench, 'memory', { path: paths.milestone('MEMORY.md'), content: memoryText(all) });
}

function categoryOf(category: string): FragmentCategory {
  return fragmentCategories.find((one) => one === category) ?? 'pattern';
}

export async function keepLessons(bench: Bench, { memory, id }: MilestoneContext, isDone: boolean): Promise<void> {
  const own = memory.all.filter(({ unit, category }) => unit !== id && unit !== projectUnit && category !== 'decision');
  const best = [...own].sort((a, b) => b.confidence - a.confidence || b.hits - a.hits).slice(0, mostKept);
  const applied = memory.all.flatMap(({ lesson, hits }) => (lesson === undefined || hits === 0 ? [] : [lesson]));
  if (!isDone || (best.length === 0 && applied.length === 0)) return;
  const lessons = best.map(({ category, text }) => ({ category, keywords: keywordsOf(text), text }));
  await bench.perform('memory.save', 'save', { lessons, applied });
}

function keywordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}[\p{L}\d_-]{4,}/gu) ?? [])].slice(0, 6);
}
