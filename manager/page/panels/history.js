// The history: who did what, with undo and redo.

import { showDialog } from '../dialogs.js';
import { element } from '../dom.js';
import { setStep } from '../header.js';
import { iconButton } from '../icons.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { section, setText, textButton } from './controls.js';
import { Journal } from './journal.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';
import { moment } from './times.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

class History extends Panel {
  #undo = textButton(t('action.undo'), () => void this.store.act('undo'), { icon: 'undo' });
  #redo = textButton(t('action.redo'), () => void this.store.act('redo'), { icon: 'redo' });
  #list = element('ol', { class: 'history', 'aria-label': t('history.list') });
  #empty = element('p', { class: 'soft' }, t('history.empty'));

  build() {
    this.append(section(t('history.title'), needs('presenter', element('div', { class: 'pair' }, this.#undo, this.#redo)), this.#empty, this.#list),
      needs('admin', textButton(t('journal.open'), () => showDialog(t('journal.title'), new Journal(this.store).root), { class: 'wide' })));
  }

  /** @param {number} number @param {string} what @param {boolean} note */
  #row(number, what, note) {
    const back = note ? '' : needs('operator', iconButton('history', t('history.goBack', { what }), () => void this.#goTo(number)));
    return element('li', {}, element('span', { class: 'what' }), element('span', { class: 'soft who' }), back);
  }

  /** Undoes or redoes steps until this one is the newest that is done. @param {number} number */
  async #goTo(number) {
    for (;;) {
      const { done, undo, redo } = await this.store.call('history');
      const verb = done > number ? undo && 'undo' : done < number ? redo && 'redo' : null;
      if (!verb || !(await this.store.act(verb))) return;
    }
  }

  /** @param {Changed} changed */
  update(changed) {
    if (changed && !changed.has('history')) return;
    const { undo, redo, done, entries } = this.state.history;
    setStep(this.#undo, 'undo', undo);
    setStep(this.#redo, 'redo', redo);
    this.#empty.hidden = entries.length > 0;
    showList(this.#list, [...entries].reverse(), ({ number }) => number, ({ number, what, note }) => this.#row(number, what, note === true), (row, entry) => showEntry(row, entry, !entry.note && entry.number > done));
  }
}


/** @param {HTMLElement} row @param {T.HistoryEntry} entry @param {boolean} undone */
function showEntry(row, { what, who, note, at }, undone) {
  row.classList.toggle('undone', undone);
  row.classList.toggle('note', note === true);
  setText(row.children[0], what);
  const name = who || (note ? '' : t('history.nobody'));
  const words = [at && moment(at), undone ? t('history.undone', { who: name }) : name];
  setText(row.children[1], words.filter(Boolean).join(' · '));
}

customElements.define('vt-history', History);
