// Players that are opening their window, at their expected places: title, and a button that ends the player.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { t } from '../texts.js';
import { toScreen } from './viewport.js';
import { putAt } from './wall_map.js';

/** @import { Store } from '../store.js' */
/** @import { WallView } from './view.js' */
/** @import * as T from '../types.js' */

/** The smallest readable size, in CSS pixels. @type {T.Size} */
const kLeast = [200, 64];

export class OpeningBoxes {
  #store;
  #view;
  #layer = element('div', { class: 'layer upload-boxes' });
  /** @type {Map<number, {box: HTMLElement, rect: T.Rect}>} */
  #boxes = new Map();
  #frame = 0;

  /** @param {Store} store @param {WallView} view */
  constructor(store, view) {
    this.#store = store;
    this.#view = view;
    view.append(this.#layer);
    store.addEventListener('state', () => this.#show(store.state?.openings ?? []));
  }

  /** @param {T.Opening[]} openings */
  #show(openings) {
    for (const [number, { box }] of this.#boxes) {
      if (openings.some(({ opening }) => opening === number)) continue;
      box.remove();
      this.#boxes.delete(number);
    }
    for (const { opening, title, rect, awaits_sender: awaits } of openings) {
      if (this.#boxes.has(opening)) continue;
      const text = awaits ? t('window.awaiting', { title }) : t('window.opening', { title });
      const box = element('div', { class: 'upload-box', 'data-opening': opening }, element('span', { class: 'title' }, text),
        iconButton('close', t('window.cancelOpening', { title }), () => void this.#store.act('opening_close', { opening })));
      this.#layer.append(box);
      this.#boxes.set(opening, { box, rect });
    }
    if (!this.#frame) this.#follow();
  }

  /** Updates the boxes each frame while there are any, because the view may be zoomed or moved. */
  #follow() {
    this.#frame = this.#boxes.size > 0 ? requestAnimationFrame(() => this.#follow()) : 0;
    for (const { box, rect } of this.#boxes.values()) {
      const [x, y, width, height] = toScreen(this.#view.viewport, rect);
      const [wide, high] = [Math.max(width, kLeast[0]), Math.max(height, kLeast[1])];
      putAt(box, [x + (width - wide) / 2, y + (height - high) / 2, wide, high]);
    }
  }
}
