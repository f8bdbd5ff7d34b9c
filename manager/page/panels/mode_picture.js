// A drawing of an arrangement mode, 32 × 18.

import { svg } from './svg.js';

/** @typedef {[number, number, number, number]} Box */

/** @type {Record<'grid' | 'aspect' | 'main', Box[]>} */
const kBoxes = {
  grid: [[1, 1, 9, 7], [11.5, 1, 9, 7], [22, 1, 9, 7], [1, 10, 9, 7], [11.5, 10, 9, 7], [22, 10, 9, 7]],
  aspect: [[1, 1, 17, 9], [20, 1, 11, 9], [1, 12, 8, 5], [11, 12, 20, 5]],
  main: [[1, 1, 21, 16], [24, 1, 7, 4.3], [24, 6.8, 7, 4.3], [24, 12.7, 7, 4.3]],
};

/** @param {'grid' | 'aspect' | 'main'} mode */
export function modePicture(mode) {
  const boxes = kBoxes[mode].map(([x, y, width, height]) => svg('rect', { x, y, width, height, rx: 1 }));
  return svg('svg', { viewBox: '0 0 32 18', class: 'mode-picture', 'aria-hidden': 'true' }, ...boxes);
}
