import assert from 'node:assert/strict';
import { test } from 'node:test';

import { matching } from '../../../manager/page/find.js';
import { isSingleKey } from '../../../manager/page/keys.js';
import { doing, kindOf, missing } from '../../../manager/page/kinds.js';

/** @param {object} [playback] */
function window(playback) {
  return /** @type {any} */ ({ playback });
}

test('a window is of the kind that its application tells', () => {
  const film = { duration_s: 10, paused: false, live: false };
  assert.deepEqual([kindOf(window(film)), doing(window(film))], ['film', 'playing']);
  assert.equal(doing(window({ ...film, paused: true })), 'paused');
  assert.deepEqual([kindOf(window({ live: true })), doing(window({ live: true }))], ['live', 'live']);
  assert.deepEqual([kindOf(window({ page: 2, pages: 3 })), doing(window({ page: 2, pages: 3 }))], ['document', 'page 2 of 3']);
  assert.deepEqual([kindOf(window({ page: 1, pages: 1 })), doing(window({ page: 1, pages: 1 }))], ['picture', '']);
  assert.deepEqual([kindOf(window()), doing(window())], ['application', '']);
});

test('who is missing is said for programs and for ranks', () => {
  const away = 'rank 1 of 3 (bplay) has been gone since 14:02:11: its part is dark';
  assert.equal(missing(/** @type {any} */ ({ away })), away);
  assert.equal(missing(/** @type {any} */ ({ lost: { why: 'it is lost', since_s: 1 } })), 'it is lost');
  assert.match(missing(window({ live: true, silent_since_s: 1000 })), /^no signal since \d\d:\d\d:40$/);
  assert.equal(missing(window({ live: true, silent_since_s: 1000, fallback: true })), '');
  assert.equal(missing(window()), '');
});

test('what is found has all the words, and no kind crowds out the others', () => {
  const run = () => {};
  const all = [...Array.from({ length: 9 }, (_, index) => ({ label: `Harbour ${index}`, kind: 'source', run })), { label: 'Harbour', kind: 'window 3', run }];
  assert.deepEqual(matching('HAR bour', all).map(({ kind }) => kind), ['source', 'source', 'source', 'source', 'source', 'source', 'window 3']);
  assert.deepEqual(matching('window harbour', all).length, 1);
  assert.deepEqual(matching('harbour x', all), []);
});

test('single keys are those typed without Ctrl and Alt', () => {
  for (const chord of ['F', 'Shift+F', '?', '+', '0', '[']) assert.ok(isSingleKey(chord), chord);
  for (const chord of ['Ctrl+A', 'Alt+A', 'Delete', 'Space', 'ArrowLeft', 'Shift+ArrowLeft', 'F1']) assert.ok(!isSingleKey(chord), chord);
});
