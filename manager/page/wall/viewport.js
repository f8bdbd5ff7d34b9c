// Which part of the wall the view shows, and at which scale. Pure. A viewport is the scale (view pixels per wall pixel) and the
// position of the wall's top left corner in the view.

/** @import * as T from '../types.js' */

import { clamp } from './geometry.js';

const kMargin = 24; // view pixels around a wall that is shown whole
const kMostScale = 4;

/** @typedef {{scale: number, x: number, y: number}} Viewport */

/** The viewport that shows the whole wall, centred. @param {T.Size} wall @param {T.Size} screen the view's size @returns {Viewport} */
export function fitted(wall, screen) {
  const margin = Math.min(kMargin, screen[0] / 20, screen[1] / 20);
  const scale = Math.max(Math.min((screen[0] - 2 * margin) / wall[0], (screen[1] - 2 * margin) / wall[1]), 1e-4);
  return { scale, x: (screen[0] - wall[0] * scale) / 2, y: (screen[1] - wall[1] * scale) / 2 };
}

/** @param {Viewport} view @param {T.Rect} rect @returns {T.Rect} view pixels */
export function toScreen(view, [x, y, width, height]) {
  return [x * view.scale + view.x, y * view.scale + view.y, width * view.scale, height * view.scale];
}

/** @param {Viewport} view @param {number} x @param {number} y view pixels @returns {T.Point} wall pixels, fractions included */
export function toWall(view, x, y) {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

/**
 * Zooms about a fixed point, between half the scale of the whole wall and kMostScale.
 * @param {Viewport} view @param {number} factor @param {T.Point} at view pixels @param {Viewport} whole the result of fitted()
 * @returns {Viewport}
 */
export function zoomedAt(view, factor, at, whole) {
  const scale = clamp(view.scale * factor, whole.scale / 2, Math.max(kMostScale, whole.scale));
  const real = scale / view.scale;
  return { scale, x: at[0] - (at[0] - view.x) * real, y: at[1] - (at[1] - view.y) * real };
}

/** Moves the view, but keeps a part of the wall visible. @param {Viewport} view @param {number} dx @param {number} dy @param {T.Size} wall @param {T.Size} screen @returns {Viewport} */
export function panned(view, dx, dy, wall, screen) {
  const keep = 80; // view pixels of the wall that stay visible
  const x = clamp(view.x + dx, keep - wall[0] * view.scale, screen[0] - keep);
  const y = clamp(view.y + dy, keep - wall[1] * view.scale, screen[1] - keep);
  return { scale: view.scale, x, y };
}
