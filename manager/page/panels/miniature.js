// A small drawing of a saved wall: its tiles, and the windows with thumbnails where available.

import { svg } from './svg.js';

/** @import * as T from '../types.js' */

/** @typedef {{title: string, rect: T.Rect, jpeg?: string}} SavedWindow jpeg: base64 */

/** @param {Pick<T.Wall, 'size' | 'tiles'>} wall @param {SavedWindow[]} windows bottom to top */
export function miniature(wall, windows) {
  const [width, height] = wall.size;
  const thin = width / 160;
  const tiles = wall.tiles.map(({ at: [x, y], size: [w, h] }) => svg('rect', { class: 'tile', x, y, width: w, height: h }));
  const shapes = windows.flatMap(({ rect: [x, y, w, h], jpeg }) => {
    const place = { x, y, width: w, height: h };
    const picture = jpeg ? [svg('image', { ...place, href: `data:image/jpeg;base64,${jpeg}`, preserveAspectRatio: 'none' })] : [];
    return [svg('rect', { class: 'window', ...place }), ...picture, svg('rect', { class: 'frame', 'stroke-width': thin, ...place })];
  });
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'miniature', 'aria-hidden': 'true' }, ...tiles, ...shapes);
}
