/**
 * What `STATE.md` says is being worked on, in whichever form it has. The file lags behind the others, so this is a
 * hint for what was active and never for what is done. Pure.
 */
import type { GsdProject } from './gsd-project.ts';
import { boldField, readGsdDocument, sectionLines } from './gsd-text.ts';

export function readStateHint(source: string): GsdProject['hint'] {
  const { lines } = readGsdDocument(source);
  const position = sectionLines(lines, 'Current Position') ?? [];
  const item = (name: string): string | undefined =>
    position
      .find(({ text }) => text.startsWith(`- ${name}:`))
      ?.text.slice(name.length + 3)
      .trim();
  // Bold as tools write it, plain as people do.
  const field = (name: string): string | undefined =>
    boldField(lines, name) ??
    lines
      .find(({ text, isFenced }) => !isFenced && text.startsWith(`${name}:`))
      ?.text.slice(name.length + 1)
      .trim();
  const milestone = idIn(item('milestone') ?? field('Active Milestone'), /\bM[\d-][\w-]*/);
  const slice = idIn(item('slice') ?? field('Active Slice'), /\bS\d+\b/);
  const phase = item('phase') ?? field('Phase');
  return {
    ...(milestone === undefined ? {} : { milestone }),
    ...(slice === undefined ? {} : { slice }),
    ...(phase === undefined || /^(?:—|none)?$/i.test(phase) ? {} : { phase }),
  };
}

function idIn(text: string | undefined, pattern: RegExp): string | undefined {
  return pattern.exec(text ?? '')?.[0];
}
