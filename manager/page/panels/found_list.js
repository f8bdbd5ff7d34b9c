// A searchable list in a panel: search field, filter chips, and cards loaded page by page. A card is a picture, a title and facts in
// a button that plays the item; it can be dragged onto the wall. Several items can be picked and played together.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { needs, reaches } from '../rights.js';
import { t } from '../texts.js';
import { setPressed, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Picked } from './picked.js';
import { Previews } from './previews.js';
import { makeDraggable } from './sources/source_drag.js';

/** @import { IconName } from '../icons.js' */
/** @import { Panel } from './panel.js' */
/** @import * as T from '../types.js' */

const kTypingMs = 150;

/** @typedef {{title: string, size?: T.Size}} Thing */

/**
 * key: identifies the item; preview: its query for Previews, or ""; opens: it opens a window, unlike items that have one on the wall already.
 * @typedef {{key: string, icon: IconName, alt: string, preview: string, opens: boolean, facts: string, hint: string, playable: boolean}} Card
 */

/**
 * What a panel with such a list implements.
 * @template {Thing} Found
 * @typedef {object} Finder
 * @property {boolean} forgets the items found before, if a request fails
 * @property {(search: string, before: Found[], count?: number) => [string, object]} question the method and parameters that request the items after these
 * @property {(answer: any, before: Found[]) => {found: Found[], more: boolean, count: string}} take stores the answer; returns all items and their count as text
 * @property {(value: string) => void} pick called when a chip was pressed
 * @property {(found: Found) => Card} card
 * @property {(found: Found, at?: T.Point) => unknown} play at: wall pixels; omitted: the manager chooses
 * @property {(found: Found[]) => object} content parameters of `play` that play these in one window
 * @property {(found: Found[]) => void} [played] called after these were played
 * @property {(found: Found[]) => void} [favour]
 * @property {(found: Found, card: HTMLElement, handle: HTMLElement) => void} [equip] adds further elements to a new card
 */

/** @template {Thing} Found */
export class FoundList {
  #panel;
  #search = element('input', { type: 'search', placeholder: t('common.searchField'), oninput: () => this.#typed() });
  #chips = element('div', { class: 'chips', role: 'group', hidden: true });
  #count = element('p', { class: 'soft', role: 'status' });
  #list = element('ul', { class: 'sources' });
  #more = textButton(t('common.more'), () => void this.load(), { class: 'wide' });
  /** @type {Found[]} */
  #found = [];
  #typing = 0;
  #asked = 0;
  #loading = false;
  /** @type {WeakMap<Element, HTMLImageElement>} by card */
  #images = new WeakMap();
  #previews;
  /** @type {Picked<Found>} */
  #picked;
  /** The key of the item picked last; Shift extends the range from it. */
  #last = '';

  /** The elements to insert are `filters` and `results`. @param {Panel & Finder<Found>} panel its owner @param {string} things "films" @param {string} chips their accessible name @param {string} name of the list */
  constructor(panel, things, chips, name) {
    this.#panel = panel;
    this.#previews = new Previews(panel.identity);
    const { favour } = panel;
    this.#picked = new Picked({
      play: () => void this.#playAll(this.#picked.things, null),
      inTurn: (loop) => void this.#playInTurn(loop),
      ...(favour && { favour: () => favour.call(panel, this.#picked.things) }),
    }, () => this.#markPicked());
    this.#list.addEventListener('keydown', (event) => event.key === 'Escape' && this.#picked.clear());
    this.#search.setAttribute('aria-label', t('common.search', { things }));
    this.#chips.setAttribute('aria-label', chips);
    this.#list.setAttribute('aria-label', name);
    this.#more.hidden = true;
    new IntersectionObserver(([entry]) => entry.isIntersecting && void this.load()).observe(this.#more);
    panel.store.connection.addEventListener('open', () => void this.load(true));
  }

  get filters() {
    return [this.#search, this.#chips];
  }

  get results() {
    return [this.#count, this.#list, this.#more, this.#picked.bar];
  }

  /** Shows the chips if there is more than one. @param {[string, string][]} chips value and text @param {string} pressed */
  showChips(chips, pressed) {
    this.#chips.hidden = chips.length < 2;
    showList(this.#chips, chips, ([value]) => value,
      ([value, words]) => element('button', { type: 'button', class: 'chip-button', onclick: () => this.#panel.pick(value) }, words),
      (chip, [value]) => setPressed(chip, value === pressed));
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => void this.load(true), kTypingMs);
  }

  /** Requests the next items, or the first ones again. Only the answer to the newest request counts. @param {boolean} [anew] from the start @param {number} [count] */
  async load(anew = false, count) {
    const { store } = this.#panel;
    if (store.connection.phase !== 'open' || (this.#loading && !anew)) return;
    this.#loading = true;
    const asked = ++this.#asked;
    const before = anew ? [] : this.#found;
    const [verb, params] = this.#panel.question(this.#search.value.trim(), before, count);
    let answer;
    try {
      answer = await store.call(verb, params);
    } catch (error) {
      if (asked === this.#asked) this.#refuse(store.problem(error));
      return;
    } finally {
      if (asked === this.#asked) this.#loading = false;
    }
    if (asked !== this.#asked) return;
    const now = this.#panel.take(answer, before);
    this.#count.textContent = now.count;
    this.#more.hidden = !now.more;
    this.#show(now.found);
  }

  /** @param {string} why */
  #refuse(why) {
    this.#count.textContent = why;
    if (!this.#panel.forgets) return;
    this.#more.hidden = true;
    this.#show([]);
  }

  /** @param {Found[]} found */
  #show(found) {
    this.#found = found;
    const before = [...this.#list.children];
    showList(this.#list, found, (thing) => this.#panel.card(thing).key, (thing) => this.#make(thing), (card, thing) => this.#describe(card, thing));
    for (const card of before) {
      const image = this.#images.get(card);
      if (image && !card.isConnected) this.#previews.forget(image);
    }
    this.#markPicked();
  }

  /** @param {Found} thing */
  #make(thing) {
    const { icon: name, alt, preview, opens } = this.#panel.card(thing);
    const image = element('img', { alt, hidden: true, draggable: 'false' });
    const handle = element('button', { type: 'button', class: 'source', onclick: (/** @type {MouseEvent} */ event) => this.#pressed(event, thing) },
      element('span', { class: 'picture' }, icon(name), image),
      element('span', { class: 'words' }, element('span', { class: 'title' }), ' ', element('span', { class: 'soft' })));
    const { key, title } = { key: this.#panel.card(thing).key, title: thing.title };
    const box = element('input', { type: 'checkbox', 'aria-label': t('picked.pick', { title }), onclick: (/** @type {MouseEvent} */ event) => this.#pick(key, thing, event.shiftKey) });
    const card = element('li', {}, ...(opens ? [needs('presenter', element('label', { class: 'pick' }, box))] : []), handle);
    this.#panel.equip?.(thing, card, handle);
    makeDraggable(handle, this.#panel.store, { title: thing.title, size: thing.size, opens }, (at, window) => this.#drop(key, thing, at, window));
    if (preview) this.#previews.show(image, preview);
    this.#images.set(card, image);
    return card;
  }

  /** @param {MouseEvent} event @param {Found} thing */
  #pressed(event, thing) {
    const { key, opens } = this.#panel.card(thing);
    if (opens && (event.shiftKey || event.ctrlKey || event.metaKey)) this.#pick(key, thing, event.shiftKey);
    else void this.#panel.play(thing);
  }

  /** @param {string} key @param {Found} thing @param {boolean} range pick all from the last picked one to this */
  #pick(key, thing, range) {
    const keys = this.#found.map((one) => this.#panel.card(one).key);
    const [from, to] = [keys.indexOf(this.#last), keys.indexOf(key)].sort((a, b) => a - b);
    this.#last = key;
    if (!range || from < 0) return this.#picked.pick(key, thing);
    for (const one of this.#found.slice(from, to + 1)) {
      const { key: other, opens, playable } = this.#panel.card(one);
      if (opens && playable) this.#picked.pick(other, one, true);
    }
  }

  #markPicked() {
    for (const card of this.#list.children) {
      const picked = this.#picked.has(/** @type {HTMLElement} */ (card).dataset.key ?? '');
      card.classList.toggle('is-picked', picked);
      const box = /** @type {HTMLInputElement | null} */ (card.querySelector('.pick input'));
      if (box) box.checked = picked;
    }
  }

  /** An item dropped onto a window replaces its content; dropping one of several picked items plays them all. @param {string} key @param {Found} thing @param {T.Point} at @param {number} window 0: none */
  #drop(key, thing, at, window) {
    if (this.#picked.has(key) && this.#picked.things.length > 1) return void this.#playAll(this.#picked.things, at);
    if (!window) return void this.#panel.play(thing, at);
    void this.#panel.store.act('replace', { window, ...this.#panel.content([thing]) }).then((done) => done && this.#panel.played?.([thing]));
  }

  /** Plays the items side by side. @param {Found[]} things @param {T.Point | null} at */
  async #playAll(things, at) {
    const { store } = this.#panel;
    this.#picked.clear();
    const places = await store.drops.take(at, things.map(({ size }) => size)).catch(() => []);
    await Promise.all(things.map((thing, i) => store.act('play', { ...this.#panel.content([thing]), ...places[i]?.play })));
    this.#panel.played?.(things);
  }

  /** Plays the picked items one after another in one window. @param {boolean} loop */
  async #playInTurn(loop) {
    const { things } = this.#picked;
    this.#picked.clear();
    if (await this.#panel.store.act('play', { ...this.#panel.content(things), loop }, t('picked.inTurnDone', { count: things.length }))) this.#panel.played?.(things);
  }

  /** Fills in the card; called again when the item changes, because a file's facts may become known later. @param {HTMLElement} card @param {Found} thing */
  #describe(card, thing) {
    const { opens, facts, hint, playable } = this.#panel.card(thing);
    const [handle, title, words] = ['.source', '.title', '.soft'].map((part) => /** @type {HTMLElement} */ (card.querySelector(part)));
    title.textContent = thing.title;
    words.textContent = facts;
    handle.title = hint;
    // The accessible name contains the visible text verbatim.
    handle.setAttribute('aria-label', opens ? t('common.play', { title: thing.title, facts }) : `${thing.title} ${facts}`);
    /** @type {HTMLButtonElement} */ (handle).disabled = !playable || !reaches(this.#panel.store.right, 'presenter');
  }
}
