import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chordOf, keysText } from '../../../manager/page/keys.js';

/** @param {string} key @param {object} [more] */
function press(key, more = {}) {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, code: '' };
  return chordOf(/** @type {KeyboardEvent} */ (/** @type {unknown} */ ({ ...none, key, ...more })));
}

test('letters count without their case, Shift is told', () => {
  assert.equal(press('f'), 'F');
  assert.equal(press('F', { shiftKey: true }), 'Shift+F');
  assert.equal(press('F'), 'F'); // Caps Lock
});

test('signs are what they are, however they are typed', () => {
  assert.equal(press('?', { shiftKey: true }), '?');
  assert.equal(press('+', { shiftKey: true }), '+');
  assert.equal(press('0'), '0');
});

test('modifiers with named keys', () => {
  assert.equal(press('ArrowLeft', { shiftKey: true }), 'Shift+ArrowLeft');
  assert.equal(press('ArrowLeft', { altKey: true }), 'Alt+ArrowLeft');
  assert.equal(press('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+Z');
  assert.equal(press('z', { metaKey: true }), 'Ctrl+Z');
  assert.equal(press(' '), 'Space');
});

test('keys as people read them', () => {
  assert.equal(keysText('Ctrl+Shift+Z'), 'Ctrl Shift Z');
  assert.equal(keysText('+'), '+');
  assert.equal(keysText('Shift+ArrowLeft'), 'Shift ←');
});
