// Who did what, and taking it back; beneath it who is here, and who I am to them.

import { element } from '../dom.js';
import { section, setText, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';
import './people.js';

/** @import { Changed } from './panel.js' */
/** @import { People } from './people.js' */
/** @import * as T from '../types.js' */

class History extends Panel {
  #undo = textButton('Undo', () => void this.store.act('undo'), { icon: 'undo' });
  #redo = textButton('Redo', () => void this.store.act('redo'), { icon: 'redo' });
  #list = element('ol', { class: 'history', 'aria-label': 'What was done, newest first' });
  #empty = element('p', { class: 'soft' }, 'Nothing has been done yet.');

  build() {
    const people = /** @type {People} */ (document.createElement('vt-people'));
    people.store = this.store;
    people.identity = this.identity;
    this.append(section('History', element('div', { class: 'pair' }, this.#undo, this.#redo), this.#empty, this.#list), people);
  }

  /** @param {Changed} changed */
  update(changed) {
    if (changed && !changed.has('history')) return;
    const { undo, redo, done, entries } = this.state.history;
    step(this.#undo, 'Undo', undo);
    step(this.#redo, 'Redo', redo);
    this.#empty.hidden = entries.length > 0;
    showList(this.#list, [...entries].reverse(), ({ number }) => number, () => entryRow(), (row, entry) => showEntry(row, entry, !entry.note && entry.number > done));
  }
}

function entryRow() {
  return element('li', {}, element('span', { class: 'what' }), element('span', { class: 'soft who' }));
}

/** @param {HTMLElement} row @param {T.HistoryEntry} entry @param {boolean} undone */
function showEntry(row, { what, who, note }, undone) {
  row.classList.toggle('undone', undone);
  row.classList.toggle('note', note === true);
  setText(row.children[0], what);
  setText(row.children[1], `${who || (note ? '' : 'nobody')}${undone ? ' · undone' : ''}`);
}

/** @param {HTMLButtonElement} button @param {string} label @param {T.Step | null} what */
function step(button, label, what) {
  button.disabled = what === null;
  const words = what ? `${label}: ${what.what}${what.who ? ` (${what.who})` : ''}` : `Nothing to ${label.toLowerCase()}`;
  button.title = words;
  button.setAttribute('aria-label', words);
}

customElements.define('vt-history', History);
