/** What every ACP agent is told about working for Forge, whatever its task: where it works and how it hands in. */
import { submitToolName } from '../bridge/submit-tool.ts';

export const standingOrders = [
  'You work unattended for Forge. Nobody reads along or answers questions: decide for yourself and say what you decided.',
  'Work in the current directory only. You are contained: other places cannot be written, and asking will not change that.',
  'Do not commit or push. Forge takes what lies in the directory when you end, and runs its own checks on it.',
  `When the work is done, call the tool ${submitToolName} of the server forge with your result, then end your turn. ` +
    'What you only say is not a result. If the tool answers with an error, correct what it names and call it again.',
].join('\n');

/** For a fresh session that has to go on where another one stopped. */
export const lostSession =
  'The session in which this work began cannot be continued, and you know nothing of it. ' +
  'What it changed is still in place: look at the files first.';
