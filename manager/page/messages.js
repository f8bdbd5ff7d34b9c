// Messages to the person: short notes in a corner, with the same text for screen readers.

import { byId, element } from './dom.js';

/** @import { Store } from './store.js' */

const kShownMs = { info: 3000, error: 8000 };
const kMostShown = 4;

export class Messages {
  /** @param {Store} store */
  constructor(store) {
    store.addEventListener('message', (event) => {
      const { text, kind } = /** @type {CustomEvent<{text: string, kind: 'info' | 'error' | 'quiet'}>} */ (event).detail;
      if (kind !== 'quiet') this.#toast(text, kind);
      byId(kind === 'error' ? 'alert' : 'live').textContent = text;
    });
  }

  /** @param {string} text @param {'info' | 'error'} kind */
  #toast(text, kind) {
    const toasts = byId('toasts');
    const toast = element('div', { class: `toast ${kind}`, onclick: () => toast.remove() }, text);
    toasts.append(toast);
    while (toasts.childElementCount > kMostShown) toasts.firstElementChild?.remove();
    setTimeout(() => toast.remove(), kShownMs[kind]);
  }
}
