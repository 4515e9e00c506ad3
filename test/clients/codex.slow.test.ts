/** Codex: its figures are of the whole turn; the title it asks for afterwards is not in them. */
import { counted, describeClient } from './client-suite.ts';

describeClient('codex', { reader: (calls) => counted(calls.filter(({ rule }) => rule !== undefined)) });
