// Moving and resizing by keys. Pure; in wall pixels.

/** @import * as T from '../types.js' */

import { centre, legal, moved, zoomed } from './geometry.js';

const kDirections = /** @type {[string, T.Point][]} */ ([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
]);
const kSteps = /** @type {[string, number][]} */ ([
  ['Shift+', 10],
  ['Ctrl+', 100],
  ['Alt+', 1],
]);

/** The step of each key chord, in wall pixels. @type {Map<string, T.Point>} */
export const kNudges = new Map(
  kDirections.flatMap(([key, [x, y]]) => kSteps.map(([prefix, step]) => /** @type {[string, T.Point]} */ ([prefix + key, [x * step, y * step]]))),
);

/** @param {T.Rect} rect @param {T.Point} step */
export function nudged(rect, step) {
  return legal(moved(rect, ...step));
}

/** Scaled about its centre; the width changes by at least two pixels. @param {T.Rect} rect @param {number} factor */
export function sized(rect, factor) {
  const least = factor > 1 ? 1 + 2 / rect[2] : 1 / (1 + 2 / rect[2]);
  return legal(zoomed(rect, factor > 1 ? Math.max(factor, least) : Math.min(factor, least), centre(rect)));
}
