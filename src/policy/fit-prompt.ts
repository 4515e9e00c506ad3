/**
 * The last look at a prompt before an agent gets it, whatever workflow made it: together with the role's own text it fits the
 * context of the agent that was chosen. A prompt with room is not touched. One without goes through the governor, section by
 * section, which says what it left out. Pure, and never throws.
 */
import type { Section } from './context-governor.ts';
import { renderSections } from './sections.ts';

const usualWindow = 200_000;
const tokenChars = 4;
/** Below this share the reader has room enough for work of its own. */
const roomyShare = 0.8;

export function fitPrompt(prompt: string, window = usualWindow): string {
  if (prompt.length < window * tokenChars * roomyShare) return prompt;
  const [preamble = '', ...parts] = prompt.split(/^(?=## )/m);
  if (parts.length === 0) return renderSections([readSection(`## Your work\n${prompt}`), goOn], { window });
  const left = Math.max(1, window - Math.ceil(preamble.length / tokenChars));
  return `${preamble}${renderSections(parts.map(readSection), { window: left })}`;
}

/** The governor keeps the last section whole: a prompt without sections needs one that may stay. */
const goOn: Section = { title: 'Go on', text: 'Do what is said above.', budget: 100 };

function readSection(part: string): Section {
  const end = part.indexOf('\n');
  const title = end === -1 ? part.slice(3) : part.slice(3, end);
  const text = end === -1 ? '' : part.slice(end + 1).trim();
  return { title, text, budget: text.length };
}
