// Base class of the side panels: built once, updated only while visible.

/** @import { Identity } from '../identity.js' */
/** @import { Shares } from '../shares.js' */
/** @import { Store } from '../store.js' */
/** @import { Uploads } from './sources/uploads.js' */
/** @import * as T from '../types.js' */

/** Names of the changed members of the state; null: everything. @typedef {Set<string> | null} Changed */

/**
 * A subclass creates its elements in build() and updates them in update(), which is called while the panel is visible and
 * a state is known, and when it becomes visible.
 */
export class Panel extends HTMLElement {
  static observedAttributes = ['hidden'];

  /** Set before the panel is inserted. @type {Store} */
  store = /** @type {any} */ (null);
  /** Set before the panel is inserted. @type {Identity} */
  identity = /** @type {any} */ (null);
  /** Set before the panel is inserted. @type {Uploads} */
  uploads = /** @type {any} */ (null);
  /** Set before the panel is inserted. @type {Shares} */
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

  /** Updates everything when the panel becomes visible. */
  attributeChangedCallback() {
    if (this.isConnected && this.#built) this.#refresh(null);
  }

  get visible() {
    return this.isConnected && !this.hidden;
  }

  /** The state; valid in update() and after it. @returns {T.WallState} */
  get state() {
    return /** @type {T.WallState} */ (this.store.state);
  }

  /** @param {Changed} changed */
  #refresh(changed) {
    if (this.visible && this.store.state) this.update(changed);
  }

  /** Creates the elements. */
  build() {}

  /** Adds listeners for other events than `state`. @param {AbortSignal} _signal removes them */
  listen(_signal) {}

  /** @param {Changed} _changed */
  update(_changed) {}
}
