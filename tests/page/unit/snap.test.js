import assert from 'node:assert/strict';
import { test } from 'node:test';

import { snapLines, snapMove, snapResize } from '../../../manager/page/wall/snap.js';

/** @typedef {import('../../../manager/page/types.js').Rect} Rect */

/** @type {Rect[]} */
const tiles = [[0, 0, 1000, 1000], [1020, 0, 1000, 1000]];
const lines = snapLines([2020, 1000], tiles, [[300, 200, 600, 600]], [[1200, 700, 400, 200]]);

test('edges jump to a tile’s edges, with guides', () => {
  const { rect, guides } = snapMove([1013, 437, 200, 100], lines, 10);
  assert.deepEqual(rect, [1020, 437, 200, 100]);
  assert.deepEqual(guides, [{ axis: 'x', at: 1020, from: 0, to: 1000 }]);
});

test('the right and lower edges count as well as the left and upper', () => {
  assert.deepEqual(snapMove([803, 895, 200, 100], lines, 10).rect, [800, 900, 200, 100]);
});

test('centres jump to centres', () => {
  const { rect } = snapMove([1352, 640, 100, 50], lines, 5);
  assert.equal(rect[0], 1350); // the centre moves to 1400, the other window's centre
});

test('edges do not jump to another window’s middle, but to a tile’s', () => {
  assert.equal(snapMove([1403, 340, 90, 33], lines, 5).rect[0], 1403);
  assert.equal(snapMove([1523, 340, 90, 33], lines, 5).rect[0], 1520);
});

test('partitions pull', () => {
  assert.deepEqual(snapMove([304, 196, 120, 77], lines, 8).rect, [300, 200, 120, 77]);
});

test('the middle of the wall is for middles: between two tiles it lies behind the mullion', () => {
  assert.equal(snapMove([1008, 437, 90, 33], lines, 5).rect[0], 1008);
  assert.equal(snapMove([963, 437, 90, 33], lines, 9).rect[0], 965);
});

test('out of reach nothing moves', () => {
  const { rect, guides } = snapMove([1045.5, 441, 120, 77], lines, 8);
  assert.deepEqual(rect, [1045.5, 441, 120, 77]);
  assert.deepEqual(guides, []);
});

test('a resized corner keeps the aspect while an edge snaps', () => {
  const { rect, guides } = snapResize([100, 40, 400, 200], 'se', 393, 190, true, lines, 12);
  assert.deepEqual(rect.map(Math.round), [100, 40, 800, 400]); // right edge at 900: the partition's
  assert.equal(guides.length, 1);
  assert.equal(guides[0].at, 900);
});

test('of two lines in reach, the nearer one sets the size, whichever way it pulls', () => {
  const { rect, guides } = snapResize([109, 38, 400, 380], 'se', 400, 380, true, lines, 12);
  assert.deepEqual(guides.map(({ axis, at }) => [axis, at]), [['y', 800]]); // by 2 down, not by 9 to the left
  assert.equal(Math.round(rect[3]), 762);
});

test('a resized corner, free, snaps both ways', () => {
  const { rect, guides } = snapResize([100, 100, 400, 200], 'se', 393, 506, false, lines, 12);
  assert.deepEqual(rect, [100, 100, 800, 700]);
  assert.equal(guides.length, 2);
});

test('each handle lands on its line exactly', () => {
  for (const [handle, dx, dy, edge] of /** @type {const} */ ([['w', -196, 0, [0, 300]], ['nw', -196, -98, [0, 300]], ['n', 0, -205, [1, 200]]])) {
    const { rect } = snapResize([500, 400, 400, 200], handle, dx, dy, true, lines, 9);
    assert.ok(Math.abs(rect[edge[0]] - edge[1]) < 1e-6, `${handle}: ${rect}`);
    assert.ok(Math.abs(rect[2] / rect[3] - 2) < 1e-9);
  }
});
