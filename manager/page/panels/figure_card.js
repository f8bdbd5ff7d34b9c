// The metrics of one window or receiver: current values, and plots of the last minute.

import { element } from '../dom.js';
import { decimal } from '../texts.js';
import { setText } from './controls.js';
import { Plot } from './plot.js';

/** @import * as T from '../types.js' */

/**
 * @typedef {object} Measure
 * @property {string} label
 * @property {string} unit
 * @property {number} digits decimals
 * @property {boolean} [plotted]
 */

export class FigureCard {
  #title = element('span', { class: 'title' });
  #why = element('p', { class: 'why', hidden: true });
  /** @type {{value: HTMLElement, plot: Plot | null, measure: Measure}[]} */
  #cells;

  /** @param {Measure[]} measures */
  constructor(measures) {
    this.#cells = measures.map((measure) => ({ measure, value: element('dd'), plot: measure.plotted ? new Plot() : null }));
    const cells = this.#cells.map(({ measure, value, plot }) => element('div', { class: plot ? 'cell plotted' : 'cell' },
      element('dt', {}, measure.label), value, ...(plot ? [plot.root] : [])));
    this.root = element('li', { class: 'figures' }, this.#title, this.#why, element('dl', {}, ...cells));
  }

  /**
   * @param {string} title @param {(number | undefined)[]} values in the order of the measures
   * @param {T.Diagnosis} [health] its sentence is shown unless all is well
   */
  show(title, values, health) {
    setText(this.#title, title);
    const well = !health || health.state === 'well';
    this.root.dataset.state = health?.state ?? 'well';
    this.#why.hidden = well;
    if (!well) setText(this.#why, health.sentence);
    this.#cells.forEach(({ measure, value, plot }, i) => {
      const now = values[i];
      setText(value, now === undefined ? '–' : `${decimal(now, measure.digits)} ${measure.unit}`.trim());
      if (plot && now !== undefined) plot.add(now);
    });
  }
}
