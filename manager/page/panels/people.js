// The connected people, by name and colour; this person's name and colour, the language, and signing out.

import { element } from '../dom.js';
import { chooseLanguage, chosenLanguage, kLanguages, t } from '../texts.js';
import { field, section, setOptions, setText, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

export class People extends Panel {
  #list = element('ul', { class: 'rows', 'aria-label': t('people.here') });
  #name = element('input', { type: 'text', maxlength: 64, required: true, autocomplete: 'nickname' });
  #colour = element('input', { type: 'color' });

  #about = element('p', {});
  #signOut = textButton(t('people.signOut'), () => {
    this.identity.setKey('');
    location.reload(); // after signing out, the page must no longer show the wall
  });
  #signedIn = element('div', { class: 'signed-in', hidden: true }, this.#about, this.#signOut);
  #language = element('select', { onchange: () => this.#speak() });

  build() {
    setOptions(this.#language, [{ value: '', label: t('settings.automatic') }, ...Object.entries(kLanguages).map(([value, { name }]) => ({ value, label: name }))]);
    this.#language.value = chosenLanguage();
    const form = element('form', { class: 'pair three' }, field(t('people.name'), this.#name), field(t('people.colour'), this.#colour), element('button', { type: 'submit' }, t('people.change')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.identity.setPerson(this.#name.value.trim(), this.#colour.value);
      this.store.connection.connect(); // sends hello again
      this.closest('dialog')?.close();
    });
    this.append(this.#signedIn, section(t('people.here'), this.#list, form), section(t('settings.title'), field(t('settings.language'), this.#language)));
  }

  /** Stores the language; texts are read when the page loads. */
  #speak() {
    chooseLanguage(this.#language.value);
    location.reload();
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.addEventListener('connection', () => this.#showMyself(), { signal });
    this.#showMyself();
  }

  #showMyself() {
    const { welcome } = this.store.connection;
    this.#signedIn.hidden = !welcome || (!welcome.user && !this.identity.key);
    this.#signOut.hidden = !this.identity.key;
    setText(this.#about, t(`people.signedIn.${this.store.right}`, { name: welcome?.user ?? this.identity.name }));
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
  setText(row.children[2], me ? t('people.you') : '');
}

customElements.define('vt-people', People);
