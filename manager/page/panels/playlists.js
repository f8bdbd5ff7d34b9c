// Playlists of the wall: what plays, the order of items (by mouse and keys), new items. And tours.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { field, section, setText, sureButton, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { clock } from './times.js';

/** @import { IconName } from '../icons.js' */
/** @import { Store } from '../store.js' */
/** @import { Changed } from './panel.js' */
/** @typedef {{name: string, items: number, plays?: {item?: number}}} Playlist */
/** @typedef {{title: string, seconds?: number}[]} Items */
/** @typedef {{name: string, sources: number, every_s: number, held?: boolean, playlist?: boolean, cells: {pinned?: boolean}[]}} Tour */

/** How far the keys with Alt move an item. @type {Record<string, number>} */
const kMoves = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

export class Playlists {
  #store;
  #list = element('ul', { class: 'saved', 'aria-label': t('playlists.title') });
  #tours = element('ul', { class: 'saved', 'aria-label': t('tours.title') });
  #loop = element('input', { type: 'checkbox' });
  #shuffle = element('input', { type: 'checkbox' });
  /** The names of all playlists. @type {string[]} */
  #names = [];
  /** The item that is dragged, and its list. @type {{list: Element, at: number} | null} */
  #dragged = null;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  section() {
    const name = element('input', { type: 'text', required: true, maxlength: 64 });
    const source = element('input', { type: 'text', required: true, maxlength: 4096 });
    const form = element('form', { class: 'pair three' }, field(t('playlists.name'), name), field(t('playlists.source'), source), element('button', { type: 'submit' }, t('playlists.add')));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const verb = this.#names.includes(name.value) ? 'playlist_add' : 'playlist_save';
      if (!(await this.#store.act(verb, { name: name.value, items: [{ source: source.value }] }))) return;
      this.#names.push(name.value);
      source.value = '';
    });
    return needs('operator', section(t('playlists.title'), form, field(t('playback.loop'), this.#loop, 'check'), field(t('playlists.shuffle'), this.#shuffle, 'check'), this.#list, this.#tours));
  }

  /** @param {Changed} changed */
  async update(changed) {
    if (changed && !changed.has('playlists') && !changed.has('order')) return;
    /** @type {Playlist[]} */
    const playlists = (await this.#store.call('playlist_list').catch(() => ({}))).playlists ?? [];
    this.#names = playlists.map(({ name }) => name);
    showList(this.#list, playlists, ({ name }) => name, ({ name }) => this.#row(name), showPlaylist);
    for (const row of this.#list.children) void this.#showItems(row);
    this.#showTours(await this.#store.call('tour_list').catch(() => ({})));
  }

  /** Cells are pinned by locking their windows. @param {{tours?: Tour[]}} answer */
  #showTours({ tours = [] }) {
    showList(this.#tours, tours.filter(({ playlist }) => !playlist), ({ name }) => name, ({ name }) => {
      const button = (/** @type {IconName} */ icon, /** @type {string} */ label, /** @type {string} */ verb, /** @type {object} */ how) =>
        iconButton(icon, `${label}: ${name}`, async () => this.#showTours((await this.#store.act(verb, { name, ...how })) ?? { tours }));
      return element('li', {}, element('div', { class: 'drawing' }), element('div', { class: 'words' }, element('span', { class: 'title' }, name), element('span', { class: 'soft facts' })), element('div', { class: 'actions' },
        button('page-before', t('tours.before'), 'tour_control', { action: 'previous' }), button('pause', t('playback.pause'), 'tour_control', { action: 'hold' }),
        button('play', t('playback.play'), 'tour_control', { action: 'go' }), button('page-next', t('playlists.next'), 'tour_control', { action: 'next' }), button('close', t('playlists.stop'), 'tour_stop', {})));
    }, (row, { sources, every_s: every, held, cells }) => {
      const pinned = cells.filter((cell) => cell.pinned).length;
      setText(/** @type {Element} */ (row.querySelector('.facts')), t('tours.facts', { cells: cells.length, sources, every: clock(every), pinned }));
      const [, hold, go] = row.querySelectorAll('button');
      hold.hidden = !!held;
      go.hidden = !held;
    });
  }

  /** @param {string} name */
  #row(name) {
    const about = (/** @type {string} */ label) => `${label}: ${name}`;
    const play = textButton(t('playback.play'), () => this.#play(name));
    play.setAttribute('aria-label', about(t('playback.play')));
    const next = iconButton('page-next', about(t('playlists.next')), () => void this.#store.act('tour_control', { name, action: 'next' }));
    const stop = iconButton('close', about(t('playlists.stop')), () => void this.#store.act('tour_stop', { name }));
    const remove = sureButton(t('common.remove'), t('common.really'), () => void this.#store.act('playlist_delete', { name }), { class: 'danger', name });
    const items = element('details', { ontoggle: () => void this.#showItems(row) }, element('summary', {}), element('ol', { class: 'actions', 'aria-label': name }));
    const row = element('li', {}, element('div', { class: 'drawing' }), element('div', { class: 'words' }, element('span', { class: 'title' }, name), items), element('div', { class: 'actions' }, play, next, stop, remove));
    return row;
  }

  /** @param {string} name @param {object} [how] */
  #play(name, how) {
    void this.#store.act('playlist_play', { name, loop: this.#loop.checked, shuffle: !how && this.#shuffle.checked, ...how });
  }

  /** @param {Element} row */
  async #showItems(row) {
    const name = /** @type {HTMLElement} */ (row).dataset.key ?? '';
    if (!row.querySelector('details')?.open) return;
    const { items = [] } = await this.#store.call('playlist_get', { name }).catch(() => ({}));
    this.#draw(name, row, items);
  }

  /** @param {string} name @param {Element} row @param {Items} items */
  #draw(name, row, items) {
    const list = /** @type {Element} */ (row.querySelector('ol'));
    const focused = [...list.children].findIndex((node) => node.contains(document.activeElement));
    list.replaceChildren(...items.map(({ title, seconds }, i) => element('li', {}, this.#item(name, row, i + 1, seconds ? `${title} · ${clock(seconds)}` : title))));
    this.#focus(list, focused + 1);
  }

  /** @param {Element} list @param {number} at from 1; 0: none */
  #focus(list, at) {
    list.children[at - 1]?.querySelector('button')?.focus();
  }

  /** @param {string} name @param {Element} row @param {number} at @param {string} label */
  #item(name, row, at, label) {
    const list = /** @type {Element} */ (row.querySelector('ol'));
    const change = async (/** @type {string} */ verb, /** @type {number} */ item, /** @type {number} */ to) => {
      const changed = await this.#store.act(verb, { name, item, ...(verb === 'playlist_move' && { to }) });
      if (!changed) return;
      this.#draw(name, row, changed.items);
      this.#focus(list, Math.min(to, changed.items.length));
    };
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      const to = event.altKey ? at + (kMoves[event.key] ?? 0) : at;
      const moves = to !== at && to > 0 && to <= list.children.length;
      if (!moves && event.key !== 'Delete') return;
      event.preventDefault();
      void change(moves ? 'playlist_move' : 'playlist_remove', at, to);
    };
    return element('button', { type: 'button', class: 'title', draggable: 'true', title: t('playlists.keys'), onkeydown,
      onclick: () => this.#play(name, { start_at: at }),
      ondragstart: () => (this.#dragged = { list, at }),
      ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
      ondrop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        if (this.#dragged?.list === list) void change('playlist_move', this.#dragged.at, at);
        this.#dragged = null;
      } }, label);
  }
}

/** @param {HTMLElement} row @param {Playlist} playlist */
function showPlaylist(row, { items, plays }) {
  const facts = t('playlists.facts', { count: items });
  setText(/** @type {Element} */ (row.querySelector('summary')), plays?.item ? t('playlists.now', { facts, item: plays.item }) : facts);
  for (const button of row.querySelectorAll('.icon')) /** @type {HTMLElement} */ (button).hidden = !plays;
}
