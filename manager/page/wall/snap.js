// Snapping: edges and centres of a moved rectangle jump to nearby ones of tiles, wall, partitions and other windows, and
// guides show where. Pure; all in wall pixels.

/** @import { Handle } from './geometry.js' */
/** @import * as T from '../types.js' */

import { resized } from './geometry.js';

/**
 * A line to snap to, at `at` on the axis, from `from` to `to` on the other axis. takes: what may snap to it.
 * @typedef {{at: number, from: number, to: number, takes: 'edge' | 'centre' | 'both'}} Line
 */
/** @typedef {{x: Line[], y: Line[]}} Lines x: vertical lines, y: horizontal lines */
/** @typedef {{axis: 'x' | 'y', at: number, from: number, to: number}} Guide */
/** @typedef {{rect: T.Rect, guides: Guide[]}} Snapped */

/**
 * All lines to snap to; of lines at the same distance the first wins.
 * @param {T.Size} wall @param {T.Rect[]} tiles @param {T.Rect[]} partitions @param {T.Rect[]} windows the windows that are not moved
 * @returns {Lines}
 */
export function snapLines(wall, tiles, partitions, windows) {
  /** @type {Lines} */
  const lines = { x: [], y: [] };
  // Only centres snap to the wall's centre lines: with an even number of tiles they lie on a mullion.
  addRect(lines, [0, 0, ...wall], 'centre');
  for (const rect of partitions) addRect(lines, rect, 'both');
  for (const rect of tiles) addRect(lines, rect, 'both');
  for (const rect of windows) addRect(lines, rect, 'centre');
  return lines;
}

/** @param {Lines} lines @param {T.Rect} rect @param {'centre' | 'both'} middle what may snap to the rectangle's centre lines */
function addRect(lines, [x, y, width, height], middle) {
  for (const at of [x, x + width]) lines.x.push({ at, from: y, to: y + height, takes: 'edge' });
  for (const at of [y, y + height]) lines.y.push({ at, from: x, to: x + width, takes: 'edge' });
  lines.x.push({ at: x + width / 2, from: y, to: y + height, takes: middle });
  lines.y.push({ at: y + height / 2, from: x, to: x + width, takes: middle });
}

/** @typedef {{line: Line, by: number}} Pull */

/**
 * The line nearest to any of the places, or null if none is within reach.
 * @param {Line[]} lines @param {{at: number, kind: 'edge' | 'centre'}[]} places @param {number} reach @returns {Pull | null}
 */
function nearest(lines, places, reach) {
  /** @type {Pull | null} */
  let best = null;
  let least = reach;
  for (const line of lines) {
    for (const place of places) {
      if (line.takes !== 'both' && line.takes !== place.kind) continue;
      const distance = Math.abs(line.at - place.at);
      if (distance < least || (distance === least && best === null)) [best, least] = [{ line, by: line.at - place.at }, distance];
    }
  }
  return best;
}

/** @param {number} start @param {number} length @returns {{at: number, kind: 'edge' | 'centre'}[]} */
function places(start, length) {
  return [
    { at: start, kind: 'edge' },
    { at: start + length, kind: 'edge' },
    { at: start + length / 2, kind: 'centre' },
  ];
}

/** @param {'x' | 'y'} axis @param {Line} line @param {number} from @param {number} to @returns {Guide} */
function guide(axis, line, from, to) {
  return { axis, at: line.at, from: Math.min(line.from, from), to: Math.max(line.to, to) };
}

/** Snaps a rectangle that is being moved. @param {T.Rect} rect @param {Lines} lines @param {number} reach @returns {Snapped} */
export function snapMove(rect, lines, reach) {
  const [x, y, width, height] = rect;
  const pullX = nearest(lines.x, places(x, width), reach);
  const pullY = nearest(lines.y, places(y, height), reach);
  /** @type {T.Rect} */
  const snapped = [x + (pullX?.by ?? 0), y + (pullY?.by ?? 0), width, height];
  return { rect: snapped, guides: guidesOf(snapped, pullX, pullY) };
}

/** @param {T.Rect} rect @param {Pull | null} pullX @param {Pull | null} pullY @returns {Guide[]} */
function guidesOf([x, y, width, height], pullX, pullY) {
  const guides = [];
  if (pullX) guides.push(guide('x', pullX.line, y, y + height));
  if (pullY) guides.push(guide('y', pullY.line, x, x + width));
  return guides;
}

/**
 * Snaps a rectangle that is being resized by a handle. If the aspect is kept, only the nearer of the two lines counts: it
 * determines the size, and the other side follows.
 * @param {T.Rect} from the rectangle before the gesture @param {Handle} handle @param {number} dx @param {number} dy
 * @param {boolean} keepAspect @param {Lines} lines @param {number} reach @returns {Snapped}
 */
export function snapResize(from, handle, dx, dy, keepAspect, lines, reach) {
  const rect = resized(from, handle, dx, dy, keepAspect);
  const [x, y, width, height] = rect;
  const edgeX = handle.includes('e') ? x + width : handle.includes('w') ? x : null;
  const edgeY = handle.includes('s') ? y + height : handle.includes('n') ? y : null;
  let pullX = edgeX === null ? null : nearest(lines.x, [{ at: edgeX, kind: 'edge' }], reach);
  let pullY = edgeY === null ? null : nearest(lines.y, [{ at: edgeY, kind: 'edge' }], reach);
  if (!keepAspect) {
    const snapped = resized(from, handle, dx + (pullX?.by ?? 0), dy + (pullY?.by ?? 0), false);
    return { rect: snapped, guides: guidesOf(snapped, pullX, pullY) };
  }
  if (pullX && pullY) {
    if (Math.abs(pullX.by) <= Math.abs(pullY.by)) pullY = null;
    else pullX = null;
  }
  if (!pullX && !pullY) return { rect, guides: [] };
  const snapped = withSide(from, handle, pullX ? { width: width + outwards(handle, 'e', pullX.by) } : { height: height + outwards(handle, 's', pullY?.by ?? 0) });
  return { rect: snapped, guides: guidesOf(snapped, pullX, pullY) };
}

/** The growth of the rectangle when its edge moves by `by`. @param {Handle} handle @param {string} growing @param {number} by */
function outwards(handle, growing, by) {
  return handle.includes(growing) ? by : -by;
}

/** Resizes by the handle to exactly this width or height and keeps the aspect. @param {T.Rect} from @param {Handle} handle @param {{width?: number, height?: number}} side */
function withSide(from, handle, side) {
  const factor = side.width !== undefined ? side.width / from[2] : (side.height ?? from[3]) / from[3];
  const sx = handle.includes('w') ? -1 : 1;
  const sy = handle.includes('n') ? -1 : 1;
  return resized(from, handle, sx * from[2] * (factor - 1), sy * from[3] * (factor - 1), true);
}
