import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fitted, panned, toScreen, toWall, zoomedAt } from '../../../manager/page/wall/viewport.js';

const wall = /** @type {[number, number]} */ ([3840, 1080]);
const screen = /** @type {[number, number]} */ ([1000, 800]);

test('the whole wall is shown in the middle', () => {
  const [x, y, width, height] = toScreen(fitted(wall, screen), [0, 0, ...wall]);
  assert.ok(x > 0 && y > 0);
  assert.ok(Math.abs(2 * x + width - 1000) < 1e-6);
  assert.ok(Math.abs(2 * y + height - 800) < 1e-6);
});

test('what is under the pointer stays there while zooming', () => {
  const whole = fitted(wall, screen);
  const before = toWall(whole, 320, 410);
  const after = toWall(zoomedAt(whole, 3, [320, 410], whole), 320, 410);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-6);
});

test('zoom has its limits', () => {
  const whole = fitted(wall, screen);
  assert.equal(zoomedAt(whole, 1e-9, [0, 0], whole).scale, whole.scale / 2);
  assert.equal(zoomedAt(whole, 1e9, [0, 0], whole).scale, 4);
});

test('the wall cannot be moved out of sight', () => {
  const whole = fitted(wall, screen);
  for (const [dx, dy] of [[1e6, 0], [-1e6, 0], [0, 1e6], [0, -1e6]]) {
    const [x, y, width, height] = toScreen(panned(whole, dx, dy, wall, screen), [0, 0, ...wall]);
    assert.ok(x < 1000 && y < 800 && x + width > 0 && y + height > 0);
  }
});
