/** `{slug}-knowledge.md`: the lessons of this run, in the format of the memory they are merged into. */

import type { Chronicle } from '../../../views/chronicle.ts';
import { markdownPage } from '../../../views/markdown.ts';
import { plainLine } from '../../../views/terminal-text.ts';
import { learnerRole } from '../../moves/learn.ts';

export function knowledgeDocument({ sessions, timeline }: Chronicle): string | undefined {
  const learned = [...sessions].findLast(([, { role, outcome }]) => role === 'learner' && outcome.status === 'replied');
  if (learned === undefined) return undefined;
  const [key, { outcome }] = learned;
  const reply = learnerRole.result.safeParse(outcome.status === 'replied' ? outcome.reply : undefined);
  if (!reply.success) return undefined;
  const date = (timeline.effects.get(key)?.endedAt ?? '').slice(0, 10);
  const groups = new Map<string, { readonly keywords: Set<string>; readonly lines: string[] }>();
  for (const lesson of reply.data.lessons) {
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
  return markdownPage('Lessons of this run', sections.length === 0 ? ['- (none)'] : sections);
}
