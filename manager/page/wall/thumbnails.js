// Asks for thumbnails of the windows that can be seen, as large and as often as they are of use, and only while the page
// is looked at.

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { WindowBox } from './window_box.js' */

const kSettleMs = 250; // what is asked for follows the view, not each of its changes
const kLeastBox = 24; // screen pixels; smaller boxes stay without
const kWidths = [96, 160, 256, 400, 640];
const kMany = 24; // more windows than this get fewer pictures a second

export class Thumbnails {
  #store;
  #boxes;
  #asked = '';
  #timer = 0;

  /** @param {Store} store @param {Map<number, WindowBox>} boxes */
  constructor(store, boxes) {
    this.#store = store;
    this.#boxes = boxes;
    store.connection.addEventListener('phase', () => {
      this.#asked = '';
      this.changed();
    });
    document.addEventListener('visibilitychange', () => this.#ask());
    store.addEventListener('thumbnail', (event) => {
      const { window, jpeg } = /** @type {CustomEvent<T.Thumbnail>} */ (event).detail;
      this.#boxes.get(window)?.show(decoded(jpeg));
    });
  }

  /** To be called when windows or the view have changed. */
  changed() {
    if (!this.#timer) this.#timer = window.setTimeout(() => this.#ask(), kSettleMs);
  }

  #ask() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#store.connection.phase !== 'open') return;
    const seen = document.visibilityState === 'visible' ? this.#seen() : [];
    const widest = Math.max(0, ...seen.map((number) => this.#boxes.get(number)?.width ?? 0));
    const pixels = widest * Math.min(devicePixelRatio, 2);
    const width = kWidths.find((one) => one >= pixels) ?? kWidths[kWidths.length - 1];
    const params = seen.length ? { windows: seen, width, per_second: seen.length > kMany ? 1 : 2 } : { windows: [] };
    const asked = JSON.stringify(params);
    if (asked === this.#asked) return;
    this.#asked = asked;
    // A manager or an application without thumbnails is nothing to tell anybody: boxes show their titles then.
    this.#store.call('watch_thumbnails', params).catch(() => {});
  }

  #seen() {
    return [...this.#boxes]
      .filter(([, box]) => box.visible && box.width >= kLeastBox && box.height >= kLeastBox)
      .map(([number]) => number)
      .sort((a, b) => a - b);
  }
}

/** @param {string} base64 */
function decoded(base64) {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/jpeg' });
}
