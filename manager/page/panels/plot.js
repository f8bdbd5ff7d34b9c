// A plot of the last minute, small enough for a row of metrics.

import { svg } from './svg.js';

const kSamples = 60; // one sample a second
const kHeight = 20;

export class Plot {
  /** @type {number[]} */
  #samples = [];
  #line = svg('polyline', { class: 'line' });
  #area = svg('polygon', { class: 'area' });

  constructor() {
    this.root = svg('svg', { viewBox: `0 0 ${kSamples - 1} ${kHeight}`, preserveAspectRatio: 'none', class: 'plot', 'aria-hidden': 'true' }, this.#area, this.#line);
  }

  /** @param {number} value not negative */
  add(value) {
    this.#samples.push(Math.max(0, value));
    if (this.#samples.length > kSamples) this.#samples.shift();
    const points = plotPoints(this.#samples);
    this.#line.setAttribute('points', points);
    const first = kSamples - this.#samples.length;
    this.#area.setAttribute('points', `${first},${kHeight} ${points} ${kSamples - 1},${kHeight}`);
  }
}

/** The points of the line: the newest sample at the right edge, the highest at the top. @param {number[]} samples */
export function plotPoints(samples) {
  const most = Math.max(...samples, 1e-9);
  const first = kSamples - samples.length;
  return samples.map((value, i) => `${first + i},${(kHeight - 1 - (value / most) * (kHeight - 2)).toFixed(1)}`).join(' ');
}
