import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PictureZoom } from '../../../manager/page/wall/picture_zoom.js';

/** @typedef {import('../../../manager/page/store.js').Store} Store */

test('a turn on another window counts while the manager answers', async () => {
  /** @type {{params: any, answer: (window?: object) => void}[]} */
  const asked = [];
  const picture = (/** @type {number} */ window) => ({ window, frame_size: [200, 100] });
  const zoom = new PictureZoom(/** @type {Store} */ (/** @type {unknown} */ ({
    window: picture,
    mayChange: () => true,
    act: (/** @type {string} */ _, /** @type {object} */ params) => new Promise((answer) => asked.push({ params, answer })),
  })));
  const answered = async (/** @type {number} */ i, /** @type {object | undefined} */ window) => {
    asked[i].answer(window);
    await new Promise(setImmediate);
  };
  zoom.turn(1, [0, 0], 2);
  zoom.turn(2, [1, 1], 2);
  await answered(0, picture(1));
  assert.deepEqual(asked.map(({ params }) => params.window), [1, 2]);
  assert.deepEqual(asked[1].params.crop, [100, 50, 100, 50]);
  assert.notEqual(asked[1].params.gesture, asked[0].params.gesture);
  zoom.turn(2, [0, 0], 2);
  await answered(1, { ...picture(2), look: { crop: [100, 50, 100, 50] } });
  assert.deepEqual(asked[2].params.crop, [100, 50, 50, 25], 'turns are added up where the pointer is then');
  await answered(2, undefined);
  assert.equal(asked.length, 3);
});
