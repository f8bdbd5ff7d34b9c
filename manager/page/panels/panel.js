// What the side panels have in common: built once, brought up to date only while somebody can see them.

/** @import { Identity } from '../identity.js' */
/** @import { Shares } from '../shares.js' */
/** @import { Store } from '../store.js' */
/** @import { Uploads } from './uploads.js' */
/** @import * as T from '../types.js' */

/** Names of the state's parts that changed; null: take everything anew. @typedef {Set<string> | null} Changed */

/**
 * A subclass makes its elements in build() and brings them up to date in update(), which is called while the panel is
 * visible and a state is known, and in any case when it becomes visible.
 */
export class Panel extends HTMLElement {
  static observedAttributes = ['hidden'];

  /** Set before the panel is put into the page. @type {Store} */
  store = /** @type {any} */ (null);
  /** Set before the panel is put into the page. @type {Identity} */
  identity = /** @type {any} */ (null);
  /** Set before the panel is put into the page. @type {Uploads} */
  uploads = /** @type {any} */ (null);
  /** Set before the panel is put into the page. @type {Shares} */
  shares = /** @type {any} */ (null);
  #built = false;
  /** @type {AbortController | null} */
  #listening = null;

  connectedCallback() {
    if (!this.#built) this.build();
    this.#built = true;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    this.store.addEventListener('state', (event) => this.#refresh(/** @type {CustomEvent} */ (event).detail.keys), { signal });
    this.listen(signal);
    this.#refresh(null);
  }

  disconnectedCallback() {
    this.#listening?.abort();
  }

  /** Becoming visible, after having missed changes. */
  attributeChangedCallback() {
    if (this.isConnected && this.#built) this.#refresh(null);
  }

  get visible() {
    return this.isConnected && !this.hidden;
  }

  /** The state, for update() and what comes after it. @returns {T.WallState} */
  get state() {
    return /** @type {T.WallState} */ (this.store.state);
  }

  /** @param {Changed} changed */
  #refresh(changed) {
    if (this.visible && this.store.state) this.update(changed);
  }

  /** Makes the elements. */
  build() {}

  /** Listens to more than `state`. @param {AbortSignal} _signal ends the listening */
  listen(_signal) {}

  /** @param {Changed} _changed */
  update(_changed) {}
}
