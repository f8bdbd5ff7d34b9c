// Turning the pages of documents.

/** @import { Store } from './store.js' */
/** @import * as T from './types.js' */

/** Each document to its next page or the one before; those at their end stay. @param {Store} store @param {T.WallWindow[]} windows @param {1 | -1} step */
export function turnPages(store, windows, step) {
  for (const { window, playback } of windows) {
    const page = (playback?.page ?? 1) + step;
    if (page >= 1 && page <= (playback?.pages ?? 1)) void store.act('control', { window, action: 'page', value: page });
  }
}
