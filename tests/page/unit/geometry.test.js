import assert from 'node:assert/strict';
import { test } from 'node:test';

import { around, between, kHandles, kLeastSide, legal, mostUnder, overlap, resized, scaledTogether, zoomed } from '../../../manager/page/wall/geometry.js';
import { kNudges, nudged, sized } from '../../../manager/page/wall/nudge.js';

/** @typedef {import('../../../manager/page/types.js').Rect} Rect */

test('places become whole pixels within the manager’s bounds', () => {
  assert.deepEqual(legal([0.4, -0.6, 99.5, 0.2]), [0, -1, 100, 1]);
  assert.deepEqual(legal([-5e6, 5e6, 1e6, 20]), [-1000000, 1000000, 65536, 20]);
});

test('a corner resizes along the diagonal and keeps the aspect and the opposite corner', () => {
  const [x, y, width, height] = resized([100, 100, 1600, 900], 'se', 160, 90, true);
  assert.deepEqual([x, y, width, height].map(Math.round), [100, 100, 1760, 990]);
  const [left, top, w, h] = resized([100, 100, 1600, 900], 'nw', 160, 90, true);
  assert.deepEqual([left + w, top + h].map(Math.round), [1700, 1000]);
  assert.equal(Math.round(w), 1440);
});

test('an edge with the aspect kept grows its neighbours evenly', () => {
  assert.deepEqual(resized([0, 0, 200, 100], 'e', 100, 999, true), [0, -25, 300, 150]);
  assert.deepEqual(resized([0, 0, 200, 100], 'n', 999, -100, true), [-100, -100, 400, 200]);
});

test('free, only the handle’s own sides move', () => {
  assert.deepEqual(resized([0, 0, 200, 100], 'e', 50, 70, false), [0, 0, 250, 100]);
  assert.deepEqual(resized([0, 0, 200, 100], 'nw', 50, 20, false), [50, 20, 150, 80]);
});

test('no handle makes a window so small that it could not be taken hold of', () => {
  for (const handle of kHandles) {
    for (const keep of [true, false]) {
      const rect = resized([0, 0, 400, 300], handle, handle.includes('w') ? 9000 : -9000, handle.includes('n') ? 9000 : -9000, keep);
      assert.ok(Math.min(rect[2], rect[3]) >= kLeastSide - 1e-9, `${handle} ${keep} ${rect}`);
    }
  }
});

test('windows side by side stay so when they are scaled together', () => {
  /** @type {Map<number, Rect>} */
  const rects = new Map([[1, [0, 0, 333, 200]], [2, [333, 0, 334, 200]], [3, [667, 0, 333, 200]]]);
  const scaled = scaledTogether(rects, around([...rects.values()]), [17, 5, 771, 155]);
  const [a, b, c] = [1, 2, 3].map((number) => /** @type {Rect} */ (scaled.get(number)));
  assert.equal(a[0], 17);
  assert.equal(a[0] + a[2], b[0]);
  assert.equal(b[0] + b[2], c[0]);
  assert.equal(c[0] + c[2], 17 + 771);
});

test('zooming keeps the point it is about', () => {
  assert.deepEqual(zoomed([100, 100, 200, 100], 2, [200, 150]), [0, 50, 400, 200]);
  assert.deepEqual(zoomed([0, 0, 200, 100], 1000, [0, 0]), [0, 0, 65536, 32768], 'the manager’s longest side');
  assert.deepEqual(zoomed([0, 0, 200, 100], 0, [0, 0]), [0, 0, 64, 32]);
});

test('a band between corners, and what it touches', () => {
  assert.deepEqual(between([50, 60], [10, 80]), [10, 60, 40, 20]);
  assert.equal(overlap([0, 0, 10, 10], [10, 0, 5, 5]), 0);
  assert.equal(overlap([0, 0, 10, 10], [8, 8, 5, 5]), 4);
});

test('a window belongs to the tile that it covers most', () => {
  const tiles = /** @type {Rect[]} */ ([[0, 0, 100, 100], [100, 0, 100, 100]]);
  assert.equal(mostUnder([60, 0, 100, 50], tiles, (tile) => tile), tiles[1]);
  assert.equal(mostUnder([500, 0, 100, 50], tiles, (tile) => tile), undefined);
});

test('arrows move with Shift by 10, with Ctrl by 100, with Alt by 1', () => {
  const moves = ['Shift+ArrowLeft', 'Ctrl+ArrowDown', 'Alt+ArrowRight'].map((chord) => nudged([50, 50, 10, 10], kNudges.get(chord) ?? [NaN, NaN]));
  assert.equal(kNudges.get('ArrowLeft'), undefined, 'arrows alone turn pages');
  assert.deepEqual(moves, [[40, 50, 10, 10], [50, 150, 10, 10], [51, 50, 10, 10]]);
});

test('larger and smaller change even the smallest window', () => {
  assert.ok(sized([0, 0, 33, 33], 1.05)[2] > 33);
  assert.ok(sized([0, 0, 40, 40], 1 / 1.05)[2] < 40);
});
