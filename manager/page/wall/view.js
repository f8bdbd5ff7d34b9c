// The wall to scale.

/** @import { Store } from '../store.js' */

export class WallView extends HTMLElement {
  /** @type {Store | null} */
  #store = null;

  /** @param {Store} store */
  set store(store) {
    this.#store = store;
  }
}
customElements.define('vt-wall', WallView);
