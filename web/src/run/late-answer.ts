/** Somebody else was quicker: that is no fault of this person's, but they have to know. */
import { tellPerson } from '../parts/notices.tsx';

const wasLate = /Somebody else answered first|asks nothing|does not ask|no run that asks/;

/** True when it was that. The question leaves the page in a moment, so it is said elsewhere. */
export function tellWhenLate(title: string, error: string): boolean {
  if (!wasLate.test(error)) return false;
  const answer = /Somebody else answered first: (.+)/s.exec(error)?.[1];
  const said = answer === undefined ? '' : `: ${answer}`;
  tellPerson(`“${title}” was answered by somebody else first${said}. Your answer was not used.`);
  return true;
}
