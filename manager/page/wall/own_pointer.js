// This person's pointer on the wall.

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

export const kStyles = /** @type {const} */ (['arrow', 'laser', 'spotlight', 'magnifier']);

/** Sends this person's pointer, at most once a frame, while the tool is on. */
export class OwnPointer {
  #store;
  #on = false;
  #frame = 0;
  /** @type {{at: T.Point, pressed: boolean} | null} */
  #next = null;
  /** @type {typeof kStyles[number]} */
  style = 'arrow';

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  get on() {
    return this.#on;
  }

  /** @param {boolean} on */
  turn(on) {
    this.#on = on;
    if (!on) this.hide();
  }

  /** @param {T.Point} at wall pixels @param {boolean} pressed */
  move(at, pressed) {
    if (!this.#on) return;
    this.#next = { at: [Math.round(at[0]), Math.round(at[1])], pressed };
    this.#frame ||= requestAnimationFrame(() => this.#send());
  }

  hide() {
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#store.notify('pointer', { pointer: 0, hidden: true });
  }

  #send() {
    this.#frame = 0;
    if (this.#next) this.#store.notify('pointer', { pointer: 0, style: this.style, ...this.#next });
  }
}
