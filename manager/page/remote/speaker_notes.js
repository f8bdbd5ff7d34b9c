// The speaker's notes of the page that a document shows, and the title of the next page.

import { element } from '../dom.js';
import { setText } from '../panels/controls.js';
import { t } from '../texts.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

export class SpeakerNotes {
  #store;
  #of = ''; // the document whose notes are in #pages or are being fetched
  /** @type {T.PageNotes[]} */
  #pages = [];
  /** Shown in place of notes: why there are none. */
  #problem = '';
  #failedOn = 0; // the page that was shown when they could not be fetched; 0: no failure
  #text = element('p', { class: 'notes' });
  #next = element('p', { class: 'soft' });
  root = element('section', { 'aria-label': t('remote.notes') }, this.#text, this.#next);

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {T.WallWindow} window shows a document or picture */
  async show(window) {
    const { page = 1, pages } = window.playback ?? {};
    const of = `${window.window} ${pages}`;
    if (of !== this.#of || (this.#failedOn && this.#failedOn !== page)) await this.#fetch(window, of);
    if (of === this.#of) this.#draw(this.#store.window(window.window) ?? window);
  }

  /** @param {T.WallWindow} window @param {string} of */
  async #fetch(window, of) {
    this.#of = of;
    this.#pages = [];
    this.#problem = '…';
    this.#failedOn = 0;
    this.#draw(window);
    try {
      const { pages } = await this.#store.call('speaker_notes', { window: window.window });
      if (of === this.#of) [this.#pages, this.#problem] = [pages, ''];
    } catch (error) {
      if (of === this.#of) [this.#problem, this.#failedOn] = [this.#store.problem(error), window.playback?.page ?? 1];
      if (this.#store.connection.phase !== 'open') this.#of = ''; // asks again
    }
  }

  /** @param {T.WallWindow} window */
  #draw({ playback }) {
    const { page = 1, pages } = playback ?? {};
    const { notes, cut } = this.#pages[page - 1] ?? {};
    const next = this.#pages[page]?.title;
    this.root.hidden = pages === 1 && !notes; // most are pictures
    setText(this.#text, this.#problem || [notes ?? (cut ? '' : t('remote.notesNone')), cut && t('remote.notesCut')].filter(Boolean).join('\n\n'));
    setText(this.#next, next ? `${t('action.page-next')}: ${next}` : '');
  }
}
