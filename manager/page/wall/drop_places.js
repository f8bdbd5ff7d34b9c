// Where dropped content would be placed: the manager computes it, and ghosts show it during the drag.

import { element } from '../dom.js';
import { t } from '../texts.js';
import { putAt } from './wall_map.js';
import { toScreen } from './viewport.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Viewport } from './viewport.js' */

/** The assumed size of pictures of unknown size. @type {T.Size} */
const kUsual = [1920, 1080];
const kMost = 64; // most places in one request to the manager

/**
 * `rect`: where the window would be; `play`: parameters of the `play` request that place it there.
 * @typedef {{rect: T.Rect, play: object}} DropPlace
 */

export class DropPlaces {
  node = element('div', { class: 'layer ghosts', 'aria-hidden': 'true' });
  #store;
  #viewport;
  /** The next request to the manager. @type {{at: T.Point, sizes: (T.Size | undefined)[]} | null} */
  #wanted = null;
  #asking = false;
  #shown = false;

  /** @param {Store} store @param {() => Viewport} viewport */
  constructor(store, viewport) {
    this.#store = store;
    this.#viewport = viewport;
  }

  /** Shows where the content would be placed; call it at each move. @param {T.Point} at wall pixels @param {(T.Size | undefined)[]} sizes of the pictures; undefined: unknown */
  show(at, sizes) {
    this.#shown = true;
    this.#wanted = { at, sizes };
    if (!this.#asking) void this.#ask();
  }

  /** Shows that the content would replace this window. @param {number} window */
  showInstead(window) {
    this.hide();
    const ghost = element('div', { class: 'ghost instead' }, element('span', {}, t('drop.replaces', { title: this.#store.window(window)?.title ?? '' })));
    putAt(ghost, toScreen(this.#viewport(), this.#store.rectOf(window)));
    this.node.replaceChildren(ghost);
  }

  hide() {
    this.#shown = false;
    this.#wanted = null;
    this.node.replaceChildren();
  }

  /**
   * Hides the ghosts and returns the places, one for each size.
   * @param {T.Point | null} at wall pixels; null: anywhere with free space @param {(T.Size | undefined)[]} sizes @returns {Promise<DropPlace[]>}
   */
  async take(at, sizes) {
    this.hide();
    /** @type {DropPlace[]} */
    const places = [];
    for (let i = 0; i < sizes.length; i += kMost) places.push(...(await this.#find(at, sizes.slice(i, i + kMost))));
    return places;
  }

  /** Sends one request at a time; the next one uses the newest position. */
  async #ask() {
    this.#asking = true;
    while (this.#wanted) {
      const { at, sizes } = this.#wanted;
      this.#wanted = null;
      const places = await this.#find(at, sizes.slice(0, kMost)).catch(() => []);
      if (this.#shown) this.#draw(places);
    }
    this.#asking = false;
  }

  /** @param {T.Point | null} at @param {(T.Size | undefined)[]} sizes @returns {Promise<DropPlace[]>} */
  async #find(at, sizes) {
    const params = { sizes: sizes.map((size) => size ?? kUsual), ...(at ? { at: at.map(Math.round) } : {}) };
    return (await this.#store.call('find_places', params)).places;
  }

  /** @param {DropPlace[]} places */
  #draw(places) {
    this.node.replaceChildren(...places.map(({ rect }) => {
      const ghost = element('div', { class: 'ghost' }, element('span', {}, `${rect[2]} × ${rect[3]}`));
      putAt(ghost, toScreen(this.#viewport(), rect));
      return ghost;
    }));
  }
}
