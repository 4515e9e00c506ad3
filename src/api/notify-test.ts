/** Tries every channel a person has set up, or says how to set one up. Quiet hours do not count: somebody is looking. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { readConfinedText } from '../files/confined.ts';
import type { Notification } from '../notify/notification.ts';
import { channelName, type NotifySettings, parseNotifySettings } from '../notify/notify-settings.ts';
import { sendNotification } from '../notify/send-notification.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

export interface TriedChannel {
  readonly channel: string;
  readonly ok: boolean;
  readonly detail: string;
}

export const notifyTest: Operation<typeof input, readonly TriedChannel[]> = {
  name: 'notify-test',
  summary: 'send a test notification through every channel',
  input,
  async run({ env }) {
    const { settings, file } = readNotifySettings(env);
    if (settings.channels.length === 0) {
      throw new ForgeError('bad-config', 'There is no notification channel yet', {
        hint: `Write one to ${file}, for example:\n  channels: [{ desktop: true }]`,
      });
    }
    const terminal = process.stderr.isTTY ? (text: string) => void process.stderr.write(text) : undefined;
    const surroundings = { env, platform: process.platform, terminal, now: new Date() };
    return Promise.all(
      settings.channels.map(async (channel) => {
        const outcome = await sendNotification(channel, example, surroundings);
        const detail = outcome.status === 'sent' ? 'sent' : outcome.reason;
        return { channel: channelName(channel), ok: outcome.status === 'sent', detail };
      }),
    );
  },
};

const example: Notification = {
  id: 'test#1',
  kind: 'done',
  run: 'test',
  title: 'Forge: test notification',
  text: 'If you can read this, the channel works.',
  command: 'forge list',
};

/** The person's own file. Without one, nobody is told anything. */
function readNotifySettings(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: NotifySettings;
  readonly file: string;
} {
  const directory = join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'forge');
  const file = join(directory, 'notify.yaml');
  return { settings: parseNotifySettings(readConfinedText(directory, 'notify.yaml') ?? '', file), file };
}
