/** Tries every channel a person has set up, or says how to set one up. Quiet hours do not count: somebody is looking. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { Notification } from '../notify/notification.ts';
import { channelName } from '../notify/notify-settings.ts';
import { readNotifySettings } from '../notify/read-settings.ts';
import { sendNotification } from '../notify/send-notification.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

const output = z.array(z.strictObject({ channel: z.string(), ok: z.boolean(), detail: z.string() }));

export const notifyTest: Operation<typeof input, typeof output> = {
  name: 'notify-test',
  kind: 'command',
  description: 'Send a test notification through every channel.',
  input,
  output,
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
