import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pictureSize, pictureTransform, turnedOn, zoomedPart } from '../../../manager/page/wall/look.js';

/** @typedef {import('../../../manager/page/types.js').WallWindow} WallWindow */

/** @param {object} look @returns {WallWindow} */
const window = (look) => /** @type {any} */ ({ frame_size: [200, 100], look });

/** The position in a box of 80 × 60 of a point given as fractions of the frame. @param {object} look @param {[number, number]} at */
function placed(look, [x, y]) {
  const [a, b, c, d, e, f] = pictureTransform(window(look), [80, 60]).match(/-?[\d.]+/g)?.map(Number) ?? [];
  return [a * 80 * x + c * 60 * y + e, b * 80 * x + d * 60 * y + f].map((value) => Math.round(value * 100) / 100 + 0);
}

test('the corner of a picture comes where the window shows it', () => {
  assert.equal(pictureTransform(/** @type {any} */ ({ frame_size: [200, 100] }), [80, 60]), '');
  for (const [rotate, flip, corner] of /** @type {[number, boolean, number[]][]} */ ([
    [0, false, [0, 0]], [90, false, [80, 0]], [180, false, [80, 60]], [270, false, [0, 60]],
    [0, true, [80, 0]], [90, true, [0, 0]], [180, true, [0, 60]], [270, true, [80, 60]],
  ])) {
    assert.deepEqual(placed({ rotate, flip }, [0, 0]), corner, `${rotate} ${flip}`);
    assert.deepEqual(placed({ rotate, flip }, [1, 1]), [80 - corner[0], 60 - corner[1]], `${rotate} ${flip}`);
  }
});

test('a part fills the box', () => {
  const crop = [50, 20, 100, 40];
  assert.deepEqual(placed({ crop }, [0.25, 0.2]), [0, 0]);
  assert.deepEqual(placed({ crop }, [0.75, 0.6]), [80, 60]);
  assert.deepEqual(placed({ crop, rotate: 90 }, [0.25, 0.2]), [80, 0]);
  assert.deepEqual(placed({ stereo: 'right', crop: [0, 0, 50, 100] }, [0.5, 0]), [0, 0]);
  assert.deepEqual(placed({ stereo: 'left', halves: 'top-bottom' }, [1, 0.5]), [80, 60]);
  assert.deepEqual(pictureSize(window({ stereo: 'anaglyph' })), [100, 100]);
});

test('turning goes clockwise, mirrored or not', () => {
  assert.equal(turnedOn(), 90);
  assert.equal(turnedOn({ rotate: 270 }), 0);
  assert.equal(turnedOn({ rotate: 90, flip: true }), 0);
  assert.equal(turnedOn({ flip: true }), 270);
});

test('zooming keeps the point under the pointer, in any look', () => {
  assert.deepEqual(zoomedPart(window({}), [0, 0], 2), [0, 0, 100, 50]);
  assert.deepEqual(zoomedPart(window({}), [1, 0.5], 2), [100, 25, 100, 50]);
  assert.deepEqual(zoomedPart(window({ crop: [50, 20, 100, 50] }), [0.5, 0.5], 2), [75, 33, 50, 25]);
  for (const rotate of [0, 90, 180, 270]) {
    for (const flip of [false, true]) {
      const before = placed({ rotate, flip }, [0.25, 0.5]);
      const crop = zoomedPart(window({ rotate, flip }), [before[0] / 80, before[1] / 60], 2);
      assert.deepEqual(crop, [25, 25, 100, 50]);
      assert.deepEqual(placed({ rotate, flip, crop }, [0.25, 0.5]), before);
    }
  }
});

test('zooming out ends with the whole picture, and zooming in with a few pixels', () => {
  assert.equal(zoomedPart(window({}), [0.5, 0.5], 0.5), null);
  assert.equal(zoomedPart(window({ crop: [50, 20, 100, 50] }), [0.5, 0.5], 0.1), null);
  assert.deepEqual(zoomedPart(window({ crop: [190, 90, 10, 10] }), [0, 0], 0.5), [180, 80, 20, 20]);
  const [, , width, height] = zoomedPart(window({}), [0.5, 0.5], 1e6) ?? [];
  assert.deepEqual([width, height], [32, 16]);
  assert.deepEqual(zoomedPart(window({ crop: [0, 0, 4, 4] }), [0, 0], 2), [0, 0, 4, 4]);
});
