/** Whole runs with a person who wants to be told: each thing once, over kills and resumes, and never at the cost of a run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { FileArtifacts } from '../../src/engine/files/file-artifacts.ts';
import type { RunArtifacts } from '../../src/engine/run-artifacts.ts';
import { hasUntoldEnd, runNotifier } from '../../src/notify/run-notifier.ts';
import { tempDir } from '../support/temp.ts';

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

async function listen(): Promise<{ readonly url: string; readonly texts: string[] }> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      texts.push((JSON.parse(Buffer.concat(chunks).toString()) as { text: string }).text);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, texts };
}

const keptBeside = (): RunArtifacts => new FileArtifacts(tempDir('notify-run'));

const fact = (seq: number, type: string, key: string, data: object): Fact =>
  ({ v: 1, seq, at: '2026-03-01T12:00:00.000Z', type, key, data, hash: '' }) as unknown as Fact;
const created = (settings: object = {}): Fact =>
  fact(1, 'run.created', '', { run: 'r1', title: 'Add a login', settings });
const asked = (seq: number, key: string): Fact => fact(seq, 'question.asked', key, { title: `May I ${key}?` });
const ended = (seq: number): Fact => fact(seq, 'run.ended', '', { status: 'done', reason: '' });

function home(text: string): Readonly<Record<string, string>> {
  const directory = tempDir('notify-home');
  mkdirSync(join(directory, '.config', 'forge'), { recursive: true });
  writeFileSync(join(directory, '.config', 'forge', 'notify.yaml'), text);
  return { HOME: directory, PATH: process.env['PATH'] ?? '' };
}

/** The local time of day, some minutes from now. */
function clock(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toTimeString().slice(0, 5);
}

const redact = (text: string): string => text.replaceAll('s3cret', '***');

describe('a person', () => {
  it('is not told again that a run is done when its result lands later', async () => {
    const { url, texts } = await listen();
    const place = { artifacts: keptBeside(), env: home(`channels: [{ webhook: { url: "${url}" } }]`), redact };
    const whole = [created(), fact(2, 'run.opened', '', {}), ended(3)];
    const first = runNotifier(place, []);
    first.take(whole);
    await first.settled?.();
    const landing = [
      fact(4, 'landing.started', '', { branch: 'main', commit: 'c', ended: { status: 'done', reason: '' } }),
      fact(5, 'run.opened', '', {}),
    ];
    const second = runNotifier(place, whole);
    second.take([...landing, asked(6, 'resolve a conflict')]);
    second.take([fact(7, 'question.answered', 'resolve a conflict', {}), ended(8)]);
    await second.settled?.();
    const third = runNotifier(place, [...whole, ...landing, ended(8)]);
    third.take([fact(9, 'run.opened', '', {})]);
    await third.settled?.();
    expect(texts).toEqual(['It is done.', 'It asks: May I resolve a conflict?']);
  });

  it('is told of questions and of the end, once, and of secrets nothing', async () => {
    const { url, texts } = await listen();
    const place = { artifacts: keptBeside(), env: home(`channels: [{ webhook: { url: "${url}" } }]`), redact };
    const observer = runNotifier(place, []);
    observer.take([created(), asked(2, 'use s3cret')]);
    observer.take([fact(3, 'question.answered', 'use s3cret', {}), ended(4)]);
    await observer.settled?.();
    expect(texts).toEqual(['It asks: May I use ***?', 'It is done.']);
  });

  it('is told by the next process of a question that the dead one did not get to, and of nothing twice', async () => {
    const { url, texts } = await listen();
    const place = { artifacts: keptBeside(), env: home(`channels: [{ webhook: { url: "${url}" } }]`), redact };
    const first = runNotifier(place, []);
    first.take([created(), asked(2, 'a')]);
    await first.settled?.();
    const before = [created(), asked(2, 'a'), asked(3, 'b'), asked(4, 'c'), fact(5, 'question.answered', 'c', {})];
    for (const _ of [1, 2]) await runNotifier(place, before).settled?.();
    expect(texts).toEqual(['It asks: May I a?', 'It asks: May I b?']);
  });

  it('is told by the next process when the dead one did not get to say anything', async () => {
    const { url, texts } = await listen();
    const place = { artifacts: keptBeside(), env: home(`channels: [{ webhook: { url: "${url}" } }]`), redact };
    const before = [created(), asked(2, 'a')];
    for (const _ of [1, 2]) await runNotifier(place, before).settled?.();
    await runNotifier({ ...place, artifacts: keptBeside() }, [created({ rehearsal: true }), asked(2, 'a')]).settled?.();
    expect(texts).toEqual(['It asks: May I a?']);
  });

  it('is told by the next process of an end that the dead one did not get to, once, and of none from before', async () => {
    const { url, texts } = await listen();
    const place = { artifacts: keptBeside(), env: home(`channels: [{ webhook: { url: "${url}" } }]`), redact };
    const begun = [created(), fact(2, 'run.opened', '', {})];
    const dead = runNotifier(place, []);
    dead.take(begun);
    await dead.settled?.();
    expect(await hasUntoldEnd(place.artifacts)).toBe(true);
    for (const _ of [1, 2]) await runNotifier(place, [...begun, ended(3)]).settled?.();
    expect([texts, await hasUntoldEnd(place.artifacts)]).toEqual([['It is done.'], false]);
    // It was over when nobody had said yet that they want to be told.
    const silent = keptBeside();
    await runNotifier({ ...place, artifacts: silent }, [...begun, ended(3)]).settled?.();
    expect([texts, await hasUntoldEnd(silent)]).toEqual([['It is done.'], false]);
    // Opened again it is at work again, and its next end is another one.
    const retried = runNotifier(place, [...begun, ended(3)]);
    retried.take([fact(4, 'task.reopened', 'a', {}), fact(5, 'run.opened', '', {})]);
    await retried.settled?.();
    expect(await hasUntoldEnd(place.artifacts)).toBe(true);
    retried.take([ended(6)]);
    await retried.settled?.();
    expect([texts, await hasUntoldEnd(place.artifacts)]).toEqual([['It is done.', 'It is done.'], false]);
  });

  it('is not told of rehearsals, of kinds they do not want, or in quiet hours', async () => {
    const { url, texts } = await listen();
    const channels = `channels: [{ webhook: { url: "${url}" } }]`;
    const tell = async (text: string, first: Fact): Promise<void> => {
      const observer = runNotifier({ artifacts: keptBeside(), env: home(text), redact }, []);
      observer.take([first, ended(2)]);
      await observer.settled?.();
    };
    await tell(channels, created({ rehearsal: true }));
    await tell(`on: [question]\n${channels}`, created());
    await tell(`quiet: { from: "${clock(-60)}", to: "${clock(60)}" }\n${channels}`, created());
    expect(texts).toEqual([]);
  });

  it('hears what is wrong with a channel or with the file, and the others still get their message', async () => {
    const { url, texts } = await listen();
    const text = `channels: [{ webhook: { url: "http://127.0.0.1:1/" } }, { webhook: { url: "${url}" } }]`;
    const observer = runNotifier({ artifacts: keptBeside(), env: home(text), redact }, []);
    observer.take([created(), ended(2)]);
    await expect(observer.settled?.()).rejects.toThrow();
    expect(texts).toEqual(['It is done.']);
    const broken = runNotifier({ artifacts: keptBeside(), env: home('channels: ['), redact }, []);
    expect(() => broken.take([created()])).toThrow(/is not YAML/);
  });
});
