/** Where a project keeps the documents of its tasks, features and sprints. */
import { readConfinedText } from '../files/confined.ts';

/** The directory of engineering documents; stores of other tools say it in their own settings. */
export function engineeringRoot(root: string): string {
  const text = readConfinedText(root, '.forge/config.json');
  if (text === undefined) return 'engineering';
  try {
    const { paths } = JSON.parse(text) as { readonly paths?: { readonly engineering?: unknown } };
    return typeof paths?.engineering === 'string' ? paths.engineering : 'engineering';
  } catch {
    return 'engineering';
  }
}
