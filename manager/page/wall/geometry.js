// Rectangles on the wall: moved, resized by a handle, scaled together. Pure; all values in wall pixels.

/** @import * as T from '../types.js' */

export const kLeastSide = 32; // smaller windows would be hard to grab
const kMostSide = 65536; // the manager's bounds
const kMostOffset = 1000000;

/** The eight handles, named by the sides that they move. @typedef {'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'} Handle */
export const kHandles = /** @type {Handle[]} */ (['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w']);

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

/** Rounds to whole pixels and clamps to the manager's limits. @param {T.Rect} rect @returns {T.Rect} */
export function legal([x, y, width, height]) {
  const w = clamp(Math.round(width), 1, kMostSide);
  const h = clamp(Math.round(height), 1, kMostSide);
  return [clamp(Math.round(x), -kMostOffset, kMostOffset), clamp(Math.round(y), -kMostOffset, kMostOffset), w, h];
}

/** @param {T.Rect} rect @param {number} dx @param {number} dy @returns {T.Rect} */
export function moved([x, y, width, height], dx, dy) {
  return [x + dx, y + dy, width, height];
}

/** @param {T.Rect} rect @returns {T.Point} */
export function centre([x, y, width, height]) {
  return [x + width / 2, y + height / 2];
}

/** @param {T.Rect} rect @param {T.Point} point */
export function contains([x, y, width, height], [px, py]) {
  return px >= x && py >= y && px < x + width && py < y + height;
}

/** @param {T.Rect} a @param {T.Rect} b */
export function overlap(a, b) {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The part of the first rectangle that lies in the second one; all of it if they do not overlap. @param {T.Rect} a @param {T.Rect} b @returns {T.Rect} */
export function common(a, b) {
  if (overlap(a, b) === 0) return a;
  const [x, y] = [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
  return [x, y, Math.min(a[0] + a[2], b[0] + b[2]) - x, Math.min(a[1] + a[3], b[1] + b[3]) - y];
}

/** The bounding rectangle of at least one rectangle. @param {T.Rect[]} rects @returns {T.Rect} */
export function around(rects) {
  const left = Math.min(...rects.map((rect) => rect[0]));
  const top = Math.min(...rects.map((rect) => rect[1]));
  const right = Math.max(...rects.map((rect) => rect[0] + rect[2]));
  const bottom = Math.max(...rects.map((rect) => rect[1] + rect[3]));
  return [left, top, right - left, bottom - top];
}

/** The rectangle with these opposite corners. @param {T.Point} a @param {T.Point} b @returns {T.Rect} */
export function between(a, b) {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])];
}

/** The tile or partition that overlaps the rectangle most. @template P @param {T.Rect} rect @param {P[]} places @param {(place: P) => T.Rect} rectOf */
export function mostUnder(rect, places, rectOf) {
  /** @type {P | undefined} */
  let best;
  let most = 0;
  for (const place of places) {
    const area = overlap(rect, rectOf(place));
    if (area > most) [best, most] = [place, area];
  }
  return best;
}

/** @param {T.Tile} tile @returns {T.Rect} */
export function tileRect(tile) {
  return [...tile.at, ...tile.size];
}

/**
 * The rectangle after its handle moved by (dx, dy). If the aspect is kept, the opposite side or corner stays in place, and
 * a handle on an edge also grows the two adjacent sides evenly. Otherwise only the handle's own sides move.
 * @param {T.Rect} rect @param {Handle} handle @param {number} dx @param {number} dy @param {boolean} keepAspect @returns {T.Rect}
 */
export function resized(rect, handle, dx, dy, keepAspect) {
  const [x, y, width, height] = rect;
  const sx = handle.includes('e') ? 1 : handle.includes('w') ? -1 : 0;
  const sy = handle.includes('s') ? 1 : handle.includes('n') ? -1 : 0;
  let w = width + sx * dx;
  let h = height + sy * dy;
  if (keepAspect) {
    // The size follows the movement along the diagonal, so movement along either side changes it.
    let factor = sx && sy ? (w * width + h * height) / (width * width + height * height) : sx ? w / width : h / height;
    factor = Math.max(factor, kLeastSide / Math.min(width, height));
    factor = Math.min(factor, kMostSide / Math.max(width, height));
    w = width * factor;
    h = height * factor;
  } else {
    w = Math.max(w, kLeastSide);
    h = Math.max(h, kLeastSide);
  }
  const left = sx < 0 ? x + width - w : sx > 0 ? x : x + (width - w) / 2;
  const top = sy < 0 ? y + height - h : sy > 0 ? y : y + (height - h) / 2;
  return [left, top, w, h];
}

/** Scaled about a fixed point, within the limits of size. @param {T.Rect} rect @param {number} factor @param {T.Point} about @returns {T.Rect} */
export function zoomed([x, y, width, height], factor, about) {
  const limited = clamp(factor, kLeastSide / Math.min(width, height), kMostSide / Math.max(width, height));
  return [about[0] + (x - about[0]) * limited, about[1] + (y - about[1]) * limited, width * limited, height * limited];
}

/**
 * Scales windows with their bounding rectangle. Edges are rounded instead of sizes, so that adjacent windows stay
 * adjacent.
 * @param {Map<number, T.Rect>} rects @param {T.Rect} from @param {T.Rect} to @returns {Map<number, T.Rect>}
 */
export function scaledTogether(rects, from, to) {
  const mapX = (/** @type {number} */ x) => Math.round(to[0] + ((x - from[0]) * to[2]) / from[2]);
  const mapY = (/** @type {number} */ y) => Math.round(to[1] + ((y - from[1]) * to[3]) / from[3]);
  return new Map(
    [...rects].map(([number, [x, y, width, height]]) => {
      const [left, top] = [mapX(x), mapY(y)];
      return [number, legal([left, top, mapX(x + width) - left, mapY(y + height) - top])];
    }),
  );
}
