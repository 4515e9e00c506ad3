/** Reset times as they are really written, and those that are not any. */
import { describe, expect, it } from 'vitest';
import { resetDelay, resetIn } from '../../src/policy/reset-time.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** A Tuesday. */
const at = Date.parse('2026-03-10T12:00:00Z');

describe('a value', () => {
  it.each<[string | number | undefined, number | undefined]>([
    ['30', 30 * second],
    ['0.5', 500],
    [30, 30 * second],
    ['Tue, 10 Mar 2026 12:01:00 GMT', minute],
    ['2026-03-10T13:00:00Z', hour],
    ['2026-03-10T11:00:00Z', 0],
    [at / 1000 + 60, minute],
    [String(at / 1000 + 60), minute],
    [at + 60 * second, minute],
    ['6m0s', 6 * minute],
    ['34.074824224s', 34_075],
    ['250ms', 250],
    ['1h 2m 3s', hour + 2 * minute + 3 * second],
    ['2 days', 2 * day],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['90 s and more', undefined],
    ['400 days', undefined],
    [Number.NaN, undefined],
  ])('%s', (value, wanted) => {
    expect(resetDelay(value, at)).toBe(wanted);
  });

  it('that is absolute needs a moment to be seen from', () => {
    expect(resetDelay('2026-03-10T13:00:00Z', undefined)).toBeUndefined();
    expect(resetDelay(1_773_000_000, undefined)).toBeUndefined();
    expect(resetDelay('30', undefined)).toBe(30 * second);
  });
});

describe('a sentence', () => {
  it.each<[string, number | undefined]>([
    ['Rate limit exceeded — reset in 30s', 30 * second],
    ['try again in 5h 12m', 5 * hour + 12 * minute],
    [
      "You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.",
      2 * day + 17 * hour + 14 * minute,
    ],
    ['Please retry in 34.074824224s.', 34_075],
    ['Please try again in 6ms. Visit https://x', 6],
    ['Your quota will reset after 5h12m3s.', 5 * hour + 12 * minute + 3 * second],
    ['retry after 30 seconds', 30 * second],
    ['{"@type":"RetryInfo","retryDelay":"34s"}', 34 * second],
    [`Claude AI usage limit reached|${at / 1000 + 3600}`, hour],
    ['resets at 3pm', 3 * hour],
    ['resets at 3pm (UTC)', 3 * hour],
    ['resets 3:30pm', 3 * hour + 30 * minute],
    ['Your limit will reset at 9am (America/Chicago).', 2 * hour],
    ["You've hit your session limit · resets 8:30pm (Asia/Tokyo)", 23.5 * hour],
    ['resets at 11am', 23 * hour],
    ['resets at 12am', 12 * hour],
    ['resets 12pm', 0],
    ['resets at 11:55am', minute],
    ['try again at 14:05.', 2 * hour + 5 * minute],
    ['resets Mar 12, 3pm (UTC)', 2 * day + 3 * hour],
    ['try again at Mar 12th, 2026 3:04 PM.', 2 * day + 3 * hour + 4 * minute],
    ['You will regain access on 2026-03-11 at 00:00 UTC.', 12 * hour],
    ['resets at 3pm (Middle/Earth)', 3 * hour],
    ['resets at 3', undefined],
    ['resets at 13pm', undefined],
    ['resets at 12:75', undefined],
    ['reset the 3 counters', undefined],
    ['retry 3 times', undefined],
    ['waited 30s', undefined],
    ['', undefined],
  ])('%s', (text, wanted) => {
    expect(resetIn(text, { at, zone: 'UTC' })).toBe(wanted);
  });

  it('keeps to the zone that is given, also over a change of clocks', () => {
    // New York goes to summer time on 8 March 2026: 23:00 there is 04:00 UTC before, 03:00 UTC after.
    const before = Date.parse('2026-03-07T18:00:00Z');
    expect(resetIn('resets at 11pm', { at: before, zone: 'America/New_York' })).toBe(10 * hour);
    expect(resetIn('resets Mar 8 11pm', { at: before, zone: 'America/New_York' })).toBe(33 * hour);
    expect(resetIn('resets Mar 8 3:30am', { at: before, zone: 'America/New_York' })).toBe(13.5 * hour);
  });

  it('without a moment has only durations', () => {
    expect(resetIn('resets at 3pm', { at: undefined, zone: 'UTC' })).toBeUndefined();
    expect(resetIn('reset in 30s', { at: undefined, zone: 'UTC' })).toBe(30 * second);
  });
});
