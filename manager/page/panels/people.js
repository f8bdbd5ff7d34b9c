// Who is connected, by name and colour; one's own can be changed here.

import { element } from '../dom.js';
import { field, section, setText } from './controls.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

export class People extends Panel {
  #list = element('ul', { class: 'rows', 'aria-label': 'People' });
  #name = element('input', { type: 'text', maxlength: 64, required: true, autocomplete: 'nickname' });
  #colour = element('input', { type: 'color' });

  build() {
    const form = element('form', { class: 'pair three' }, field('My name', this.#name), field('Colour', this.#colour), element('button', { type: 'submit' }, 'Change'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.identity.setPerson(this.#name.value.trim(), this.#colour.value);
      this.store.connection.connect(); // says hello anew
    });
    this.append(section('People', this.#list, form));
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.addEventListener('connection', () => this.#showMyself(), { signal });
    this.#showMyself();
  }

  #showMyself() {
    if (this.contains(document.activeElement)) return;
    this.#name.value = this.identity.name;
    this.#colour.value = this.store.connection.welcome?.colour || this.identity.colour || '#2456c7';
  }

  /** @param {Changed} changed */
  update(changed) {
    if (changed && !changed.has('clients')) return;
    const me = this.store.connection.welcome?.client;
    showList(this.#list, this.state.clients, ({ client }) => client, () => personRow(), (row, person) => showPerson(row, person, person.client === me));
  }
}

function personRow() {
  return element('li', { class: 'person-row' }, element('span', { class: 'dot', 'aria-hidden': 'true' }), element('span', { class: 'title' }), element('span', { class: 'soft' }));
}

/** @param {HTMLElement} row @param {T.Person} person @param {boolean} me */
function showPerson(row, { name, colour }, me) {
  /** @type {HTMLElement} */ (row.children[0]).style.setProperty('--colour', colour);
  setText(row.children[1], name);
  setText(row.children[2], me ? 'you' : '');
}

customElements.define('vt-people', People);
