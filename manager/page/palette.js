// The command palette: finds actions, windows, panels, sessions, layouts and sources; Enter runs the chosen one.

import { showDialog } from './dialogs.js';
import { element } from './dom.js';
import { everything, matching, sourcesLike } from './find.js';
import { t } from './texts.js';

/** @import { Actions } from './actions.js' */
/** @import { Found } from './find.js' */
/** @import { Panels } from './panels.js' */
/** @import { Store } from './store.js' */

const kTypingMs = 120;

/** @param {Store} store @param {Actions} actions @param {Panels} panels */
export function showPalette(store, actions, panels) {
  new Palette(store, everything(store, actions, panels));
}

class Palette {
  #store;
  #all;
  /** @type {Found[]} */
  #found = [];
  #chosen = 0;
  #asked = 0;
  #typing = 0;
  #input = element('input', { type: 'search', autofocus: true, placeholder: t('palette.placeholder'), 'aria-label': t('palette.find'), role: 'combobox', 'aria-controls': 'found', 'aria-expanded': 'true', autocomplete: 'off', oninput: () => this.#typed() });
  #list = element('ul', { id: 'found', role: 'listbox', 'aria-label': t('palette.found') });
  #nothing = element('p', { class: 'soft', role: 'status' });
  #dialog;

  /** @param {Store} store @param {Found[]} all */
  constructor(store, all) {
    this.#store = store;
    this.#all = all;
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    this.#dialog = showDialog(t('action.palette'), this.#input, this.#list, this.#nothing);
    this.#show([]);
  }

  #typed() {
    const asked = ++this.#asked;
    this.#chosen = 0;
    this.#show([], t('palette.looking'));
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(async () => {
      const sources = await sourcesLike(this.#store, this.#input.value).catch(() => []);
      if (asked === this.#asked) this.#show(sources);
    }, kTypingMs);
  }

  /** @param {Found[]} sources @param {string} [otherwise] shown when nothing is found */
  #show(sources, otherwise = t('palette.nothing', { text: this.#input.value.trim() })) {
    this.#found = [...matching(this.#input.value, this.#all), ...sources];
    this.#list.replaceChildren(...this.#found.map((found, index) => this.#option(found, index)));
    this.#list.hidden = this.#found.length === 0;
    this.#nothing.textContent = this.#found.length ? '' : otherwise;
    this.#input.setAttribute('aria-expanded', String(this.#found.length > 0));
    this.#choose(this.#chosen);
  }

  /** @param {Found} found @param {number} index */
  #option({ label, kind, keys }, index) {
    const about = kind ? element('span', { class: 'soft' }, kind) : keys ? element('kbd', {}, keys) : '';
    return element('li', { role: 'option', id: `found-${index}`, onclick: () => this.#run(index) }, element('span', { class: 'title' }, label), ' ', about);
  }

  /** @param {number} index */
  #choose(index) {
    this.#chosen = index;
    [...this.#list.children].forEach((node, at) => node.setAttribute('aria-selected', String(at === index)));
    if (this.#found.length) this.#input.setAttribute('aria-activedescendant', `found-${index}`);
    else this.#input.removeAttribute('aria-activedescendant');
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number} index */
  #run(index) {
    if (!this.#found[index]) return;
    this.#dialog.close();
    this.#found[index].run();
    // The dialog has restored the focus. If no element has the focus, the wall gets it, so that keys work.
    const at = document.activeElement;
    if (!at || at === document.body || this.#dialog.contains(at)) /** @type {HTMLElement | null} */ (document.querySelector('vt-wall'))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') this.#run(this.#chosen);
    else if (event.key === 'Escape') this.#dialog.close(); // a search field would use the first Escape to clear itself
    else if (step && this.#found.length) this.#choose((this.#chosen + step + this.#found.length) % this.#found.length);
    else return;
    event.preventDefault();
  }
}
