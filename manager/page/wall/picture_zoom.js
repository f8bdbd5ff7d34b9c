// Zooms into the pictures of windows by the wheel. Turns that come while the manager answers are added up.

import { gestureName } from './drags.js';
import { zoomedPart } from './look.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kRestMs = 1000; // turns after this pause are another undo step

export class PictureZoom {
  #store;
  #window = 0;
  /** @type {T.Point} */
  #at = [0, 0];
  #gesture = '';
  #turned_ms = 0;
  #factor = 1;
  #busy = false;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {number} number @param {T.Point} at fractions of the window @param {number} factor above 1: into the picture */
  turn(number, at, factor) {
    const window = this.#store.window(number);
    if (!window || window.locked || !this.#store.mayChange([window])) return;
    const now_ms = performance.now();
    if (number !== this.#window || now_ms > this.#turned_ms + kRestMs) this.#gesture = gestureName('zoom');
    if (number !== this.#window) this.#factor = 1;
    this.#window = number;
    this.#at = at;
    this.#turned_ms = now_ms;
    this.#factor *= factor;
    if (!this.#busy) void this.#zoom(window);
  }

  /** @param {T.WallWindow} window */
  async #zoom(window) {
    this.#busy = true;
    /** @type {T.WallWindow | undefined} */
    let shown = window;
    while (shown && this.#factor !== 1) {
      const part = zoomedPart(shown, this.#at, this.#factor);
      this.#factor = 1;
      // The answer is the window as it is then.
      shown = /** @type {T.WallWindow | undefined} */ (await this.#store.act('look', { window: shown.window, gesture: this.#gesture, ...(part ? { crop: part } : { whole: true }) }));
      if (shown?.window !== this.#window) shown = this.#store.window(this.#window);
    }
    this.#busy = false;
  }
}
