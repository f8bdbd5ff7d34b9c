// Saved sessions (content and places, with thumbnails), layouts (places only) and playlists.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { needs } from '../rights.js';
import { locale, t } from '../texts.js';
import { field, section, sureButton, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { miniature } from './miniature.js';
import { Panel } from './panel.js';
import { Playlists } from './playlists.js';
import { moment } from './times.js';
import { kAutosave, restoreSession, switchToSession } from '../restore.js';
import { lastWall } from '../wall/empty_wall.js';

/** @import { Changed } from './panel.js' */
/** @import { SavedWindow } from './miniature.js' */
/** @import * as T from '../types.js' */

class Sessions extends Panel {
  #offer = element('div', { class: 'offer', hidden: true });
  #sessions = element('ul', { class: 'saved', 'aria-label': t('sessions.title') });
  #fade = element('input', { type: 'number', min: 0, max: 2, step: 0.1, value: 0 });
  #closeAll = textButton(t('action.close-all'), () => void this.#close(), { icon: 'close', class: 'wide', title: t('sessions.closeAllTitle') });
  #layouts = element('ul', { class: 'saved', 'aria-label': t('layouts.title') });
  /** @type {Playlists | undefined} */
  #playlists;
  /** The saving time of each drawn session, by name. @type {Map<string, number>} */
  #drawn = new Map();

  build() {
    this.#playlists = new Playlists(this.store);
    this.append(this.#offer,
      section(t('sessions.title'), element('p', { class: 'soft' }, t('sessions.about')),
        needs('operator', saveForm(t('sessions.saveAs'), (name) => this.store.act('session_save', { name }, t('sessions.saved', { name })), todaysName)),
        needs('operator', this.#closeAll), needs('operator', field(t('sessions.fade'), this.#fade)), this.#sessions),
      section(t('layouts.title'), element('p', { class: 'soft' }, t('layouts.about')),
        needs('operator', saveForm(t('layouts.saveAs'), (name) => this.store.act('layout_save', { name }, t('layouts.saved', { name })))), this.#layouts),
      this.#playlists.section());
  }

  #close() {
    const windows = [...this.state.windows.values()].filter(({ locked }) => !locked).map(({ window }) => window);
    return this.store.act('close', { windows });
  }

  /** @param {Changed} changed */
  update(changed) {
    this.#closeAll.disabled = this.state.windows.size === 0;
    void this.#playlists?.update(changed);
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
    const restore = sureButton(t('sessions.restore'), t('sessions.replace'), () => void restoreSession(this.store, name), { class: 'primary', needed: () => this.state.windows.size > 0, name });
    const change = textButton(t('sessions.switch'), () => void (this.#fade.reportValidity() && switchToSession(this.store, name, Number(this.#fade.value))), { title: t('sessions.switchTitle') });
    change.setAttribute('aria-label', `${t('sessions.switch')}: ${name}`);
    const look = iconButton('eye', `${t('sessions.preview')}: ${name}`, () => void this.#preview(name, node));
    const remove = sureButton(t('common.remove'), t('common.really'), () => void this.store.act('session_remove', { name }), { class: 'danger', name });
    const node = row(name, restore, change, look, remove);
    return node;
  }

  /** Draws and says what a switch to the session would show now. @param {string} name @param {HTMLElement} node */
  async #preview(name, node) {
    const shown = await this.store.act('scene_preview', { name });
    if (!shown) return;
    node.querySelector('.drawing')?.replaceChildren(miniature(this.state.wall, savedWindows(shown)));
    const opens = shown.windows.filter((/** @type {any} */ window) => !window.number).length;
    this.store.say(t('sessions.would', { name, opens, stays: shown.windows.length - opens, closes: shown.closed.length }));
  }

  /** @param {string} name */
  #layout(name) {
    const apply = textButton(t('layouts.apply'), () => void this.store.act('layout_apply', { name }, t('layouts.applied', { name })), { class: 'primary' });
    apply.setAttribute('aria-label', t('layouts.applyName', { name }));
    const remove = sureButton(t('common.remove'), t('common.really'), () => void this.store.act('layout_remove', { name }), { class: 'danger', name });
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
      this.#drawn.delete(name); // retried at the next change
    }
  }

  /** Offers to restore the autosaved session on an empty wall. */
  #offerAutosave() {
    const saved = lastWall(this.state);
    if (!saved) {
      this.#offer.replaceChildren();
      this.#drawn.delete(kAutosave);
    } else if (!this.#offer.childElementCount) {
      const drawing = element('div', { class: 'drawing' });
      this.#offer.append(element('h2', {}, t('sessions.goOn')), drawing,
        element('p', { class: 'soft' }, t('sessions.facts', { windows: t('windows', { count: saved.windows }), when: moment(saved.saved_at) })),
        needs('operator', textButton(t('sessions.restoreWall'), () => void restoreSession(this.store, kAutosave), { class: 'primary wide' })));
      void this.#draw(drawing, kAutosave);
    }
    this.#offer.hidden = !saved;
  }
}

/** @param {string} name @param {...HTMLButtonElement} actions */
function row(name, ...actions) {
  return element('li', {}, element('div', { class: 'drawing' }),
    element('div', { class: 'words' }, element('span', { class: 'title' }, name), element('span', { class: 'soft facts' })),
    needs('operator', element('div', { class: 'actions' }, ...actions)));
}

/** @param {HTMLElement} node @param {T.Saved} saved */
function showFacts(node, saved) {
  const facts = node.querySelector('.facts');
  if (facts) facts.textContent = t('sessions.facts', { windows: t('windows', { count: saved.windows }), when: moment(saved.saved_at) });
}

/** The default name of a session. */
function todaysName() {
  return new Date().toLocaleString(locale, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

/** @param {string} label @param {(name: string) => Promise<any>} save @param {() => string} [unnamed] the default name for an empty field */
function saveForm(label, save, unnamed) {
  const name = element('input', { type: 'text', required: !unnamed, maxlength: 64, placeholder: t(unnamed ? 'sessions.today' : 'sessions.aName'), autocomplete: 'off' });
  const form = element('form', { class: 'pair' }, field(label, name), element('button', { type: 'submit' }, t('common.save')));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = name.value.trim() || unnamed?.();
    if (chosen && (await save(chosen))) form.reset();
  });
  return form;
}

/** @param {any} document the answer of session_get @returns {SavedWindow[]} */
function savedWindows(document) {
  return (document.windows ?? []).map((/** @type {any} */ window) => ({ title: window.title, rect: window.rect, jpeg: window.thumbnail?.jpeg }));
}

customElements.define('vt-sessions', Sessions);
