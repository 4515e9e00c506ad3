/** `{slug}-knowledge.md`: the lessons of this run, in the format of the memory they are merged into. */
import { replyOf } from '../agent-reading.ts';
import { attemptsOf, type Chronicle } from '../chronicle.ts';
import { plainLine } from '../terminal-text.ts';
import { page } from './markdown.ts';

export function knowledgeDocument(chronicle: Chronicle): string | undefined {
  const key = attemptsOf(chronicle, 'learn').findLast((one) => chronicle.readings.has(one));
  const lessons = key === undefined ? undefined : replyOf(chronicle.readings.get(key), 'learner')?.lessons;
  if (key === undefined || lessons === undefined) return undefined;
  const date = (chronicle.timeline.effects.get(key)?.endedAt ?? '').slice(0, 10);
  const groups = new Map<string, { readonly keywords: Set<string>; readonly lines: string[] }>();
  for (const lesson of lessons) {
    const category = plainLine(lesson.category) || 'General';
    const group = groups.get(category) ?? { keywords: new Set(), lines: [] };
    groups.set(category, group);
    for (const keyword of lesson.keywords) group.keywords.add(plainLine(keyword));
    group.lines.push(`- [${date},0] ${plainLine(lesson.text)}`);
  }
  const sections = [...groups].map(([category, { keywords, lines }]) => {
    const words = [...keywords].join(', ');
    return `## ${category}${words === '' ? '' : ` (${words})`}\n\n${lines.join('\n')}`;
  });
  return page('Lessons of this run', sections.length === 0 ? ['- (none)'] : sections);
}
