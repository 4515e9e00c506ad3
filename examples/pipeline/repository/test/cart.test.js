import assert from 'node:assert/strict';
import test from 'node:test';
import { total } from '../src/cart.js';

test('total adds up lines', () => {
  assert.equal(total([{ name: 'tea', price: 350, count: 2 }]), 700);
});
