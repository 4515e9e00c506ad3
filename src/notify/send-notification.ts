/**
 * Sends one notification through one channel, within a time limit. It never throws: what went wrong is the answer, and
 * no channel can hurt a run. Text is data in every channel: an argument, a JSON value, or stripped of control characters.
 */
import { createHmac } from 'node:crypto';
import { messageOf } from '../errors.ts';
import { runProcess } from '../process/spawn.ts';
import type { Notification } from './notification.ts';
import type { NotifyChannel } from './notify-settings.ts';

export interface SendSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Writes to the person's terminal; undefined where there is none. */
  readonly terminal: ((text: string) => void) | undefined;
  readonly now: Date;
}

export type SendResult = { readonly status: 'sent' } | { readonly status: 'failed'; readonly reason: string };

const timeLimitMs = 10_000;
const sent: SendResult = { status: 'sent' };

export async function sendNotification(
  channel: NotifyChannel,
  message: Notification,
  surroundings: SendSurroundings,
): Promise<SendResult> {
  try {
    if ('desktop' in channel) return await toDesktop(message, surroundings);
    if ('terminal' in channel) return toTerminal(channel.terminal, message, surroundings);
    if ('webhook' in channel) return await toWebhook(channel.webhook, message, surroundings);
    if ('ntfy' in channel) return await toNtfy(channel.ntfy, message, surroundings);
    return await toCommand(channel, message, surroundings);
  } catch (error) {
    return failed(messageOf(error));
  }
}

function failed(reason: string): SendResult {
  return { status: 'failed', reason };
}

async function toDesktop(message: Notification, surroundings: SendSurroundings): Promise<SendResult> {
  const body = `${message.text}\n${message.command}`;
  if (surroundings.platform !== 'darwin') {
    return start(['notify-send', '--app-name=Forge', '--', message.title, body], surroundings, desktopVariables);
  }
  // The texts are arguments of the script, never part of it.
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return start(['osascript', '-e', script, message.title, body], surroundings, desktopVariables);
}

const desktopVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

function toTerminal(
  form: 'bell' | 'osc9' | 'osc777',
  message: Notification,
  { terminal }: SendSurroundings,
): SendResult {
  if (terminal === undefined) return failed('no terminal is attached');
  const text = printable(`${message.title}: ${message.text}`);
  const title = printable(message.title).replaceAll(';', ',');
  const sequences = {
    bell: '\u0007',
    osc9: `\u001B]9;${text}\u0007`,
    osc777: `\u001B]777;notify;${title};${printable(message.text)}\u0007`,
  };
  terminal(sequences[form]);
  return sent;
}

/** A control character would end the sequence, and begin another one of somebody else's choice. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to go
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, ' ');
}

/** The signature covers the time too, so that an old message cannot be sent again later. */
async function toWebhook(
  { url, secret }: { readonly url: string; readonly secret?: string | undefined },
  message: Notification,
  { env, now }: SendSurroundings,
): Promise<SendResult> {
  const key = secret === undefined ? undefined : env[secret];
  if (secret !== undefined && (key === undefined || key === '')) return failed(`the variable ${secret} is not set`);
  const body = JSON.stringify(message);
  const at = String(Math.floor(now.getTime() / 1000));
  const signature = key === undefined ? undefined : createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
  return post(url, body, {
    'content-type': 'application/json',
    'x-forge-id': message.id,
    'x-forge-timestamp': at,
    ...(signature === undefined ? {} : { 'x-forge-signature': `sha256=${signature}` }),
  });
}

async function toNtfy(
  { url, token }: { readonly url: string; readonly token?: string | undefined },
  message: Notification,
  { env }: SendSurroundings,
): Promise<SendResult> {
  const key = token === undefined ? undefined : env[token];
  if (token !== undefined && (key === undefined || key === '')) return failed(`the variable ${token} is not set`);
  const { origin, pathname } = new URL(url);
  const topic = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  const base = `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}`;
  const priority = message.kind === 'done' ? 3 : 4;
  const body = JSON.stringify({
    topic,
    title: message.title,
    message: `${message.text}\n${message.command}`,
    priority,
  });
  return post(base, body, {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  });
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<SendResult> {
  const signal = AbortSignal.timeout(timeLimitMs);
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal });
  await answer.body?.cancel();
  return answer.ok ? sent : failed(`the server answered ${answer.status}`);
}

/** A program of the person's: the notification as JSON on standard input. */
async function toCommand(
  { command, env: names }: { readonly command: readonly string[]; readonly env: readonly string[] },
  message: Notification,
  surroundings: SendSurroundings,
): Promise<SendResult> {
  return start(command, surroundings, names, `${JSON.stringify(message)}\n`);
}

async function start(
  [program = '', ...args]: readonly string[],
  { env }: SendSurroundings,
  names: readonly string[],
  stdin?: string,
): Promise<SendResult> {
  const given = ['PATH', 'HOME', 'LANG', ...names].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { end } = await runProcess({
    program,
    args,
    cwd: env['HOME'] ?? '/',
    env: Object.fromEntries(given),
    ...(stdin === undefined ? {} : { stdin }),
    limits: { timeMs: timeLimitMs, outputBytes: 1024 * 1024 },
  });
  if (end.status === 'not-started') return failed(end.reason);
  if (end.status === 'timed-out') return failed(`${program} did not end in time`);
  if (end.status !== 'exited') return failed(`${program}: ${end.status}`);
  return end.code === 0 ? sent : failed(`${program} exited with ${end.code}`);
}
