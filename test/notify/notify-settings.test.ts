import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuietTime, parseNotifySettings } from '../../src/notify/notify-settings.ts';

const at = (clock: string): Date => new Date(`2026-03-01T${clock}:00`);

describe('quiet hours', () => {
  it.each([
    ['09:00', { from: '22:00', to: '07:00' }, false],
    ['23:30', { from: '22:00', to: '07:00' }, true],
    ['06:59', { from: '22:00', to: '07:00' }, true],
    ['07:00', { from: '22:00', to: '07:00' }, false],
    ['12:30', { from: '12:00', to: '13:00' }, true],
    ['13:00', { from: '12:00', to: '13:00' }, false],
    ['12:00', { from: '12:00', to: '12:00' }, false],
    ['12:00', undefined, false],
  ])('%s in %j: %s', (clock, quiet, expected) => expect(isQuietTime(quiet, at(clock))).toBe(expected));

  it('and the hours between them make up the day', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    fc.assert(
      fc.property(clock, clock, clock, (from, to, now) => {
        fc.pre(from !== to);
        expect(isQuietTime({ from, to }, at(now))).toBe(!isQuietTime({ from: to, to: from }, at(now)));
      }),
    );
  });
});

describe('notify.yaml', () => {
  it('may be empty', () => {
    expect(parseNotifySettings('', 'notify.yaml')).toEqual({ on: ['question', 'stuck', 'done'], channels: [] });
  });

  it.each([
    ['channels: [{ desktop: yes please }]', /notify\.yaml, channels/],
    ['quiet: { from: "25:00", to: "07:00" }', /quiet\.from/],
    ['channels: [{ webhook: { url: "file:///etc/passwd" } }]', /channels/],
    ['channels: [{ webhook: { url: "https://me:hunter2@example.org/x" } }]', /^(?!.*hunter2).*channels/s],
    ['channels: [{ ntfy: { url: "https://token@example.org/x" } }]', /^(?!.*token@).*channels/s],
    ['channels: [', /is not YAML/],
    ['chanels: []', /chanels/],
  ])('%s is refused with its place', (text, message) => {
    expect(() => parseNotifySettings(text, 'notify.yaml')).toThrow(message);
  });
});
