// Shown on a wall without windows: how to begin, and a button that restores the last windows.

import { element } from '../dom.js';
import { moment } from '../panels/times.js';
import { kAutosave, restoreSession } from '../restore.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

/** The autosaved session if the wall is empty and that session has windows. @param {T.WallState} state */
export function lastWall({ sessions, windows }) {
  return windows.size === 0 ? sessions.find((saved) => saved.name === kAutosave && saved.windows > 0) : undefined;
}

export class EmptyWall {
  #store;
  #words = element('p', {}, t('wall.empty'));
  #restore = element('button', { type: 'button', class: 'primary', hidden: true, onclick: () => void restoreSession(this.#store, kAutosave) }, t('sessions.restoreWall'));
  node = element('div', { class: 'empty', hidden: true }, needs('presenter', this.#words), needs('operator', this.#restore));

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {T.WallState} state */
  render(state) {
    this.node.hidden = state.windows.size > 0;
    const last = lastWall(state);
    this.#restore.hidden = !last;
    if (last) this.#restore.textContent = t('wall.restore', { windows: t('windows', { count: last.windows }), when: moment(last.saved_at) });
  }
}
