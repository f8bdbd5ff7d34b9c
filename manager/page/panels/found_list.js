// What people look for in a panel: a search, chips that narrow it, and cards page by page. A card is a picture, a title and facts in a
// button that plays it, to be dragged onto the wall as well; several can be picked and played together.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { needs, reaches } from '../rights.js';
import { t } from '../texts.js';
import { setPressed, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Picked } from './picked.js';
import { Previews } from './previews.js';
import { makeDraggable } from './source_drag.js';

/** @import { IconName } from '../icons.js' */
/** @import { Panel } from './panel.js' */
/** @import * as T from '../types.js' */

const kTypingMs = 150;

/** @typedef {{title: string, size?: T.Size}} Thing */

/**
 * key: the same for the same thing; preview: what its picture is of, as Previews takes it, or nothing; opens: a window, else it has one on the wall already.
 * @typedef {{key: string, icon: IconName, alt: string, preview: string, opens: boolean, facts: string, hint: string, playable: boolean}} Card
 */

/**
 * What a panel does that has such a list.
 * @template {Thing} Found
 * @typedef {object} Finder
 * @property {boolean} forgets what it had found, when a question is refused
 * @property {(search: string, before: Found[], count?: number) => [string, object]} question the verb for what comes behind these, and its parameters
 * @property {(answer: any, before: Found[]) => {found: Found[], more: boolean, count: string}} take what is found now, and how much in words
 * @property {(value: string) => void} pick a chip was pressed
 * @property {(found: Found) => Card} card
 * @property {(found: Found, at?: T.Point) => unknown} play at: wall pixels; else the manager chooses
 * @property {(found: Found[]) => object} content parameters of `play` for these, in one window
 * @property {(found: Found[]) => void} [played] these were
 * @property {(found: Found[]) => void} [favour]
 * @property {(found: Found, card: HTMLElement, handle: HTMLElement) => void} [equip] puts more than the button into a new card
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
  /** The key of the last one picked: Shift picks from there. */
  #last = '';

  /** Its elements are `filters` and `results`. @param {Panel & Finder<Found>} panel in the page @param {string} things "films" @param {string} chips what they choose @param {string} name of the list */
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

  /** A choice, where there is one. @param {[string, string][]} chips value and words @param {string} pressed */
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

  /** Asks for those behind the last one, or anew. Only the newest question's answer counts. @param {boolean} [anew] @param {number} [count] */
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
    const box = element('input', { type: 'checkbox', class: 'pick', 'aria-label': t('picked.pick', { title }), onclick: (/** @type {MouseEvent} */ event) => this.#pick(key, thing, event.shiftKey) });
    const card = element('li', {}, ...(opens ? [needs('presenter', box)] : []), handle);
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

  /** @param {string} key @param {Found} thing @param {boolean} range all from the last one on */
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
      const box = /** @type {HTMLInputElement | null} */ (card.querySelector('.pick'));
      if (box) box.checked = picked;
    }
  }

  /** What is dropped onto a window takes its place; what is picked goes along with one of it. @param {string} key @param {Found} thing @param {T.Point} at @param {number} window 0: none */
  #drop(key, thing, at, window) {
    if (this.#picked.has(key) && this.#picked.things.length > 1) return void this.#playAll(this.#picked.things, at);
    if (!window) return void this.#panel.play(thing, at);
    void this.#panel.store.act('replace', { window, ...this.#panel.content([thing]) }).then((done) => done && this.#panel.played?.([thing]));
  }

  /** Side by side. @param {Found[]} things @param {T.Point | null} at */
  async #playAll(things, at) {
    const { store } = this.#panel;
    this.#picked.clear();
    const places = await store.drops.take(at, things.map(({ size }) => size)).catch(() => []);
    await Promise.all(things.map((thing, i) => store.act('play', { ...this.#panel.content([thing]), ...places[i]?.play })));
    this.#panel.played?.(things);
  }

  /** One after another in one window. @param {boolean} loop */
  async #playInTurn(loop) {
    const { things } = this.#picked;
    this.#picked.clear();
    if (await this.#panel.store.act('play', { ...this.#panel.content(things), loop }, t('picked.inTurnDone', { count: things.length }))) this.#panel.played?.(things);
  }

  /** Also when it has changed: what a file is may be known later. @param {HTMLElement} card @param {Found} thing */
  #describe(card, thing) {
    const { opens, facts, hint, playable } = this.#panel.card(thing);
    const [handle, title, words] = ['.source', '.title', '.soft'].map((part) => /** @type {HTMLElement} */ (card.querySelector(part)));
    title.textContent = thing.title;
    words.textContent = facts;
    handle.title = hint;
    // The words that can be seen stand in it as they are seen.
    handle.setAttribute('aria-label', opens ? t('common.play', { title: thing.title, facts }) : `${thing.title} ${facts}`);
    /** @type {HTMLButtonElement} */ (handle).disabled = !playable || !reaches(this.#panel.store.right, 'presenter');
  }
}
