/**
 * How a person wants to be told, from their own file `notify.yaml` in their configuration directory. A repository has no
 * say in it: what is sent where, and with which program, is the person's alone. Pure.
 */
import { mostAliases, readYaml, yamlProblem } from '../plan/read-yaml.ts';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import { notificationKinds } from './notification.ts';

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time such as 22:00');
const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable');
/** A password in an address would be shown wherever the address is. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''), {
    message: 'An address with a user or password is not taken: name the variable that holds the key instead',
  });

const channelSchema = z.union([
  z.strictObject({ desktop: z.literal(true) }),
  z.strictObject({ terminal: z.enum(['bell', 'osc9', 'osc777']) }),
  /** `secret` names the variable that holds the key the body is signed with. */
  z.strictObject({ webhook: z.strictObject({ url: address, secret: variable.optional() }) }),
  /** `token` names the variable that holds the access token. */
  z.strictObject({ ntfy: z.strictObject({ url: address, token: variable.optional() }) }),
  z.strictObject({ command: z.array(z.string().min(1)).min(1), env: z.array(variable).default([]) }),
]);

export const notifySettingsSchema = z.strictObject({
  on: z.array(z.enum(notificationKinds)).default([...notificationKinds]),
  /** Local time. Nothing is sent from the one until the other. */
  quiet: z.strictObject({ from: time, to: time }).optional(),
  channels: z.array(channelSchema).default([]),
});
export type NotifySettings = z.infer<typeof notifySettingsSchema>;
export type NotifyChannel = NotifySettings['channels'][number];

export function parseNotifySettings(text: string, source: string): NotifySettings {
  const document = readYaml(text, { prettyErrors: true, uniqueKeys: true });
  const [syntax] = document.errors;
  if (syntax !== undefined) {
    throw new ForgeError('bad-config', `${source} is not YAML: ${yamlProblem(syntax)}`, {
      hint: 'Fix that line, then try it: forge notify test',
    });
  }
  const value: unknown = document.toJS({ maxAliasCount: mostAliases }) ?? {};
  const parsed = notifySettingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = explainSchema(parsed.error.issues, value);
  throw new ForgeError('bad-config', `${source}, ${first?.where ?? ''}: ${first?.problem ?? 'it does not fit'}`, {
    hint: first?.fix || 'docs/notifications.md shows every channel with an example.',
  });
}

/** Whether a local time of day lies in the quiet hours, which may go over midnight. */
export function isQuietTime(quiet: NotifySettings['quiet'], at: Date): boolean {
  if (quiet === undefined || quiet.from === quiet.to) return false;
  const now = at.getHours() * 60 + at.getMinutes();
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function minutesOf(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** For messages: what a channel is called. */
export function channelName(channel: NotifyChannel): string {
  if ('desktop' in channel) return 'desktop';
  if ('terminal' in channel) return `terminal (${channel.terminal})`;
  if ('webhook' in channel) return `webhook (${new URL(channel.webhook.url).host})`;
  if ('ntfy' in channel) return `ntfy (${new URL(channel.ntfy.url).host})`;
  return `command (${channel.command[0] ?? ''})`;
}
