/** The person's own `notify.yaml`. Without one, nobody is told anything. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readConfinedText } from '../files/confined.ts';
import { type NotifySettings, parseNotifySettings } from './notify-settings.ts';

export function readNotifySettings(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: NotifySettings;
  readonly file: string;
} {
  const directory = join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'forge');
  const file = join(directory, 'notify.yaml');
  return { settings: parseNotifySettings(readConfinedText(directory, 'notify.yaml') ?? '', file), file };
}
