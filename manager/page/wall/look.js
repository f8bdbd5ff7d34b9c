// View transforms of windows ("look" in COMMANDS.md): for thumbnails and for the controls that change them. Pure.

/** @import * as T from '../types.js' */

/** The size to which a crop is limited: the whole picture, or one eye's. @param {T.WallWindow} window @returns {T.Size} */
export function pictureSize({ look = {}, frame_size: [width, height] }) {
  if (!look.stereo) return [width, height];
  return look.halves === 'top-bottom' ? [width, Math.max(1, Math.floor(height / 2))] : [Math.max(1, Math.floor(width / 2)), height];
}

/** The natural size of the visible part. @param {T.WallWindow} window @returns {T.Size} */
export function shownSize(window) {
  return window.shown_size ?? window.frame_size;
}

/** The rotation after a visible quarter turn clockwise; for mirrored pictures the value runs the other way. @param {T.Look} [look] */
export function turnedOn(look = {}) {
  return ((look.rotate ?? 0) + (look.flip ? 270 : 90)) % 360;
}

/** The visible part of the frames, as fractions: x, y, width, height. For both eyes together, the left eye's. @param {T.WallWindow} window */
function partOf(window) {
  const { look = {}, frame_size: [width, height] } = window;
  const [eyeWidth, eyeHeight] = pictureSize(window);
  const right = look.stereo === 'right';
  const [x, y, w, h] = look.crop ?? [0, 0, eyeWidth, eyeHeight];
  return [(x + (right ? width - eyeWidth : 0)) / width, (y + (right ? height - eyeHeight : 0)) / height, w / width, h / height];
}

/**
 * The CSS transform that turns a whole frame, stretched over a box, into the window's view. Its origin is the box's top left corner.
 * @param {T.WallWindow} window @param {T.Size} box
 */
export function pictureTransform(window, [width, height]) {
  const { look } = window;
  if (!look) return '';
  const [x, y, w, h] = partOf(window);
  // From fractions of the part to fractions of the box: [x from x, x from y, offset], [y from x, y from y, offset].
  const turns = { 0: [[1, 0, 0], [0, 1, 0]], 90: [[0, -1, 1], [1, 0, 0]], 180: [[-1, 0, 1], [0, -1, 1]], 270: [[0, 1, 0], [-1, 0, 1]] };
  const [across, down] = turns[look.rotate ?? 0];
  const flipped = look.flip ? [-across[0], -across[1], 1 - across[2]] : across;
  const [a, b] = [flipped, down].map(([byX, byY, start], axis) => {
    const side = [width, height][axis];
    return [(side * byX) / (w * width), (side * byY) / (h * height), side * (start - (byX * x) / w - (byY * y) / h)];
  });
  return `matrix(${[a[0], b[0], a[1], b[1], a[2], b[2]].map((value) => Number(value.toFixed(6))).join(', ')})`;
}

const kLeastSide = 16; // pixels of a part

/**
 * The part of the picture after zooming about a point of the window; null: the whole picture.
 * @param {T.WallWindow} window @param {T.Point} at fractions of the window @param {number} factor above 1: into the picture @returns {T.Rect | null}
 */
export function zoomedPart(window, [across, down], factor) {
  const { look = {} } = window;
  const [width, height] = pictureSize(window);
  const [x, y, w, h] = look.crop ?? [0, 0, width, height];
  const u = look.flip ? 1 - across : across;
  /** @type {Record<number, T.Point>} */
  const inPart = { 0: [u, down], 90: [down, 1 - u], 180: [1 - u, 1 - down], 270: [1 - down, u] };
  const [px, py] = inPart[look.rotate ?? 0];
  const least = Math.min(1, Math.max(kLeastSide / w, kLeastSide / h));
  const scale = Math.max(least, Math.min(1 / factor, width / w, height / h));
  const [newWidth, newHeight] = [Math.round(w * scale), Math.round(h * scale)];
  if (newWidth >= width && newHeight >= height) return null;
  const begin = (/** @type {number} */ from, /** @type {number} */ side, /** @type {number} */ share, /** @type {number} */ part, /** @type {number} */ all) => Math.max(0, Math.min(all - part, Math.round(from + share * (side - part))));
  return [begin(x, w, px, newWidth, width), begin(y, h, py, newHeight, height), newWidth, newHeight];
}
