import assert from 'node:assert';
import test from 'node:test';
import { convertWeight } from '../src/weight.js';

test('kilograms to grams', () => {
  assert.equal(convertWeight(2, 'kg', 'g'), 2000);
});

test('pounds to kilograms', () => {
  assert.ok(Math.abs(convertWeight(10, 'lb', 'kg') - 4.5359237) < 1e-9);
});
