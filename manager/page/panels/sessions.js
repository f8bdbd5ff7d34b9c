// What is kept: sessions (what plays where, with its pictures) and layouts (only where windows stand).

import { element } from '../dom.js';
import { field, section, sureButton, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { miniature } from './miniature.js';
import { Panel } from './panel.js';
import { counted, moment } from './times.js';

/** @import { Changed } from './panel.js' */
/** @import { SavedWindow } from './miniature.js' */
/** @import * as T from '../types.js' */

const kAutosave = 'autosave';

class Sessions extends Panel {
  #offer = element('div', { class: 'offer', hidden: true });
  #sessions = element('ul', { class: 'saved', 'aria-label': 'Sessions' });
  #layouts = element('ul', { class: 'saved', 'aria-label': 'Layouts' });
  /** When what is drawn was saved, by name. @type {Map<string, number>} */
  #drawn = new Map();

  build() {
    this.append(this.#offer,
      section('Sessions', element('p', { class: 'soft' }, 'What plays where. Restoring one starts it all again.'),
        saveForm('Save what is on the wall as', (name) => this.store.act('session_save', { name }, `The session “${name}” is saved.`)), this.#sessions),
      section('Layouts', element('p', { class: 'soft' }, 'Only the places, for the windows that are there.'),
        saveForm('Save the places as', (name) => this.store.act('layout_save', { name }, `The layout “${name}” is saved.`)), this.#layouts));
  }

  /** @param {Changed} changed */
  update(changed) {
    if (!changed || changed.has('sessions') || changed.has('windows') || changed.has('order')) this.#offerAutosave();
    if (!changed || changed.has('sessions')) {
      const named = this.state.sessions.filter(({ name }) => name !== kAutosave);
      showList(this.#sessions, named, ({ name }) => name, ({ name }) => this.#session(name), (row, saved) => this.#showSession(row, saved));
    }
    if (!changed || changed.has('layouts')) {
      showList(this.#layouts, this.state.layouts, ({ name }) => name, ({ name }) => this.#layout(name), (row, saved) => this.#showLayout(row, saved));
    }
  }

  /** @param {string} name */
  #session(name) {
    const restore = sureButton('Restore', 'Replace all that is there?', () => void this.#restore(name), { class: 'primary', needed: () => this.state.windows.size > 0, name });
    const remove = sureButton('Remove', 'Really?', () => void this.store.act('session_remove', { name }), { class: 'danger', name });
    return row(name, restore, remove);
  }

  /** @param {string} name */
  #layout(name) {
    const apply = textButton('Apply', () => void this.store.act('layout_apply', { name }, `The layout “${name}” is applied.`), { class: 'primary' });
    apply.setAttribute('aria-label', `Apply ${name}`);
    const remove = sureButton('Remove', 'Really?', () => void this.store.act('layout_remove', { name }), { class: 'danger', name });
    return row(name, apply, remove);
  }

  /** @param {HTMLElement} node @param {T.Saved} saved */
  #showSession(node, saved) {
    showFacts(node, saved);
    if (this.#drawn.get(saved.name) === saved.saved_at) return;
    this.#drawn.set(saved.name, saved.saved_at);
    void this.#draw(/** @type {HTMLElement} */ (node.querySelector('.drawing')), saved.name);
  }

  /** @param {HTMLElement} node @param {T.Saved} saved */
  #showLayout(node, saved) {
    showFacts(node, saved);
    const windows = saved.rects?.map((rect) => ({ title: '', rect }));
    node.querySelector('.drawing')?.replaceChildren(...(windows ? [miniature(this.state.wall, windows)] : []));
  }

  /** @param {HTMLElement} place @param {string} name */
  async #draw(place, name) {
    try {
      const windows = savedWindows(await this.store.call('session_get', { name }));
      place.replaceChildren(miniature(this.state.wall, windows));
    } catch {
      this.#drawn.delete(name); // tried again with the next change
    }
  }

  /** @param {string} name */
  async #restore(name) {
    this.store.say(`Restoring “${name}” …`);
    try {
      const { started, failed } = await this.store.connection.call('session_restore', { name }, kRestoreMs);
      for (const { title, why } of failed ?? []) this.store.say(`${title}: ${why}`, 'error');
      this.store.say(`“${name}” is back with ${counted(started?.length ?? 0, 'window')}.`);
    } catch (error) {
      this.store.say(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  /** An empty wall, and something that was on it before: that is offered. */
  #offerAutosave() {
    const saved = this.state.sessions.find(({ name, windows }) => name === kAutosave && windows > 0);
    const offered = saved !== undefined && this.state.windows.size === 0;
    if (!offered) {
      this.#offer.replaceChildren();
      this.#drawn.delete(kAutosave);
    } else if (!this.#offer.childElementCount) {
      const drawing = element('div', { class: 'drawing' });
      this.#offer.append(element('h2', {}, 'Go on where you left off'), drawing,
        element('p', { class: 'soft' }, `${counted(saved.windows, 'window')}, ${moment(saved.saved_at)}`),
        textButton('Restore the wall', () => void this.#restore(kAutosave), { class: 'primary wide' }));
      void this.#draw(drawing, kAutosave);
    }
    this.#offer.hidden = !offered;
  }
}

const kRestoreMs = 60000; // all its programs have to open their windows first

/** @param {string} name @param {HTMLButtonElement} use @param {HTMLButtonElement} remove */
function row(name, use, remove) {
  return element('li', {}, element('div', { class: 'drawing' }),
    element('div', { class: 'words' }, element('span', { class: 'title' }, name), element('span', { class: 'soft facts' })),
    element('div', { class: 'actions' }, use, remove));
}

/** @param {HTMLElement} node @param {T.Saved} saved */
function showFacts(node, saved) {
  const facts = node.querySelector('.facts');
  if (facts) facts.textContent = `${counted(saved.windows, 'window')}, ${moment(saved.saved_at)}`;
}

/** @param {string} label @param {(name: string) => Promise<any>} save */
function saveForm(label, save) {
  const name = element('input', { type: 'text', required: true, maxlength: 64, placeholder: 'a name', autocomplete: 'off' });
  const form = element('form', { class: 'pair' }, field(label, name), element('button', { type: 'submit' }, 'Save'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (name.value.trim() && (await save(name.value.trim()))) form.reset();
  });
  return form;
}

/** @param {any} document of session_get @returns {SavedWindow[]} */
function savedWindows(document) {
  return (document.windows ?? []).map((/** @type {any} */ window) => ({ title: window.title, rect: window.rect, jpeg: window.thumbnail?.jpeg }));
}

customElements.define('vt-sessions', Sessions);
