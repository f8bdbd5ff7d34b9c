// Requests thumbnails of the visible windows, at the size and rate that are useful, and only while the page is visible.

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { WindowBox } from './window_box.js' */

const kSettleMs = 250; // milliseconds from a change of the view to the request
const kLeastBox = 24; // CSS pixels; smaller boxes get no thumbnail
const kWidths = [96, 160, 256, 400, 640];
const kMany = 24; // with more windows than this, fewer thumbnails a second

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

  /** Call it when windows or the view have changed. */
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
    // If the manager or an application has no thumbnails, boxes show their titles: no message.
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
