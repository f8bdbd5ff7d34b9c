// How windows show their pictures (see "look" in COMMANDS.md), for small pictures of them and for what changes it. Pure.

/** @import * as T from '../types.js' */

/** The bounds of a part: the picture, or that of an eye. @param {T.WallWindow} window @returns {T.Size} */
export function pictureSize({ look = {}, frame_size: [width, height] }) {
  if (!look.stereo) return [width, height];
  return look.halves === 'top-bottom' ? [width, Math.max(1, Math.floor(height / 2))] : [Math.max(1, Math.floor(width / 2)), height];
}

/** What is seen of it, as large as that is by itself. @param {T.WallWindow} window @returns {T.Size} */
export function shownSize(window) {
  return window.shown_size ?? window.frame_size;
}

/** A quarter clockwise as one sees it: mirrored pictures turn the other way round. @param {T.Look} [look] */
export function turnedOn(look = {}) {
  return ((look.rotate ?? 0) + (look.flip ? 270 : 90)) % 360;
}

/** What a window shows of its frames, as shares: x, y, width, height. Of two eyes the left one's. @param {T.WallWindow} window */
function partOf(window) {
  const { look = {}, frame_size: [width, height] } = window;
  const [eyeWidth, eyeHeight] = pictureSize(window);
  const right = look.stereo === 'right';
  const [x, y, w, h] = look.crop ?? [0, 0, eyeWidth, eyeHeight];
  return [(x + (right ? width - eyeWidth : 0)) / width, (y + (right ? height - eyeHeight : 0)) / height, w / width, h / height];
}

/**
 * What brings a picture of whole frames, stretched over a box, to what the window shows. Its origin is the box's corner.
 * @param {T.WallWindow} window @param {T.Size} box
 */
export function pictureTransform(window, [width, height]) {
  const { look } = window;
  if (!look) return '';
  const [x, y, w, h] = partOf(window);
  // From shares of the part to shares of the box: [across by x, by y, start], [down by x, by y, start].
  const turns = { 0: [[1, 0, 0], [0, 1, 0]], 90: [[0, -1, 1], [1, 0, 0]], 180: [[-1, 0, 1], [0, -1, 1]], 270: [[0, 1, 0], [-1, 0, 1]] };
  const [across, down] = turns[look.rotate ?? 0];
  const flipped = look.flip ? [-across[0], -across[1], 1 - across[2]] : across;
  const [a, b] = [flipped, down].map(([byX, byY, start], axis) => {
    const side = [width, height][axis];
    return [(side * byX) / (w * width), (side * byY) / (h * height), side * (start - (byX * x) / w - (byY * y) / h)];
  });
  return `matrix(${[a[0], b[0], a[1], b[1], a[2], b[2]].map((value) => Number(value.toFixed(6))).join(', ')})`;
}
