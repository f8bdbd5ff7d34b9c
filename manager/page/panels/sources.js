// What this wall can show: search, kinds, addresses and files of one's own; pressed it plays, dragged it plays where it is dropped.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { field, setPressed, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';
import { Previews } from './previews.js';
import { describeCard, kKinds, sourceCard } from './source_card.js';
import { makeDraggable } from './source_drag.js';
import { fileSize } from './times.js';
import { Shares } from '../shares.js';
import { centre, legal, moved } from '../wall/geometry.js';

/** @import { Source, SourceKind } from './source_card.js' */
/** @import * as T from '../types.js' */

const kPage = 40;
const kMostAtOnce = 500; // that the manager lists
const kTypingMs = 150;
const kLookingMs = 1000;

class Sources extends Panel {
  #search = element('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search sources', oninput: () => this.#typed() });
  #kinds = element('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of sources' });
  #list = element('ul', { class: 'sources', 'aria-label': 'Sources' });
  #count = element('p', { class: 'soft', role: 'status' });
  #room = element('p', { class: 'soft', hidden: true });
  #more = textButton('Show more', () => void this.#load(), { class: 'wide' });
  /** @type {SourceKind | ''} */
  #kind = '';
  /** @type {Source[]} */
  #sources = [];
  #total = 0;
  #typing = 0;
  #looking = 0;
  #asked = 0;
  #loading = false;
  /** @type {WeakMap<Element, HTMLImageElement>} by card */
  #images = new WeakMap();
  /** @type {Previews} */
  #previews = /** @type {any} */ (null);

  build() {
    this.#previews = new Previews(this.identity);
    this.uploads.acceptDrops(this, () => null);
    this.uploads.addEventListener('done', () => void this.#load(true));
    for (const [kind, { label }] of /** @type {[SourceKind | '', {label: string}][]} */ ([['', { label: 'All' }], ...Object.entries(kKinds)])) {
      this.#kinds.append(element('button', { type: 'button', class: 'chip-button', 'data-kind': kind, 'aria-pressed': 'false', onclick: () => this.#pick(kind) }, label));
    }
    new IntersectionObserver(([entry]) => entry.isIntersecting && void this.#load()).observe(this.#more);
    this.append(this.#search, this.#kinds, this.#own(), this.uploads.list, this.#room, this.#count, this.#list, this.#more);
    this.#more.hidden = true;
    this.#pick('');
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.connection.addEventListener('open', () => void this.#load(true), { signal });
  }

  /** What people bring themselves. */
  #own() {
    const files = element('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-label': 'Files to upload' });
    files.addEventListener('change', () => {
      this.uploads.add([...(files.files ?? [])], null);
      files.value = '';
    });
    const url = element('input', { type: 'text', inputmode: 'url', placeholder: 'rtsp://, https://, srt://, udp://', required: true, autocomplete: 'off', spellcheck: 'false' });
    const title = element('input', { type: 'text', placeholder: 'its name in this list', maxlength: 200, autocomplete: 'off' });
    const form = element('form', { class: 'stack' }, field('Address', url), field('Title', title),
      element('button', { type: 'submit', class: 'primary' }, 'Save the address'));
    const address = element('details', {}, element('summary', {}, icon('plus'), element('span', {}, 'Add address')), form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const saved = await this.store.act('source_save', { url: url.value.trim(), title: title.value.trim() || url.value.trim() }, 'The address is saved.');
      if (!saved) return;
      form.reset();
      address.open = false;
      await this.#load(true);
    });
    const upload = textButton('Upload files', () => files.click(), { icon: 'upload', title: 'Or drop them onto the wall' });
    const screen = textButton('Share screen', () => void this.shares.start('screen'), { icon: 'screen', title: Shares.obstacle || 'Of this computer: all of it, a window or a tab' });
    const camera = textButton('Share camera', () => void this.shares.start('camera'), { icon: 'camera', title: Shares.obstacle || 'Of this computer' });
    return element('div', { class: 'own' }, upload, files, screen, camera, this.shares.list, address, this.#writing());
  }

  /** What is written on the wall: a text, or the time where this person is. */
  #writing() {
    const text = element('textarea', { rows: 3, maxlength: 1000, required: true, placeholder: 'Welcome' });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const form = element('form', { class: 'stack' }, field('Text', text),
      element('button', { type: 'submit', class: 'primary' }, 'Show the note'),
      textButton('Show a clock', () => void this.store.act('play', { media: [`clock:${zone}`] }, `The time of ${zone} is on the wall.`)));
    const details = element('details', {}, element('summary', {}, icon('plus'), element('span', {}, 'Write')), form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const lines = text.value.trim().replaceAll('\n', '\\n');
      if (!lines || !await this.store.act('play', { media: [`note:${lines}`] }, 'The note is on the wall.')) return;
      form.reset();
      details.open = false;
    });
    return details;
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => void this.#load(true), kTypingMs);
  }

  /** @param {SourceKind | ''} kind */
  #pick(kind) {
    this.#kind = kind;
    for (const chip of this.#kinds.children) setPressed(/** @type {HTMLElement} */ (chip), chip.getAttribute('data-kind') === kind);
    void this.#load(true);
  }

  /** Asks for the next page, or anew. Only the newest question's answer counts. @param {boolean} [anew] @param {number} [count] */
  async #load(anew = false, count = kPage) {
    if (this.store.connection.phase !== 'open' || (this.#loading && !anew)) return;
    this.#loading = true;
    const asked = ++this.#asked;
    const search = this.#search.value.trim();
    const params = { offset: anew ? 0 : this.#sources.length, count, ...(search ? { search } : {}), ...(this.#kind ? { kind: this.#kind } : {}) };
    let answer;
    try {
      answer = await this.store.call('sources', params);
    } catch (error) {
      if (asked === this.#asked) this.#count.textContent = error instanceof Error ? error.message : String(error);
      return;
    } finally {
      if (asked === this.#asked) this.#loading = false;
    }
    if (asked !== this.#asked) return;
    this.#total = answer.total;
    this.#showRoom(answer.uploads);
    // What nobody has looked at yet is known in a moment.
    clearTimeout(this.#looking);
    if (answer.unprobed) this.#looking = window.setTimeout(() => void this.#load(true, Math.min(Math.max(kPage, this.#sources.length), kMostAtOnce)), kLookingMs);
    this.#sources = anew ? answer.sources : [...this.#sources, ...answer.sources];
    this.#show();
  }

  #show() {
    const left = this.#total - this.#sources.length;
    const found = this.#total === 1 ? '1 source' : `${this.#total} sources`;
    this.#count.textContent = this.#total ? found : 'Nothing found.';
    this.#more.hidden = left <= 0;
    const before = [...this.#list.children];
    showList(this.#list, this.#sources, (source) => source.source, (source) => this.#make(source), describeCard);
    for (const card of before) {
      const image = this.#images.get(card);
      if (image && !card.isConnected) this.#previews.forget(image);
    }
  }

  /** @param {Source} source */
  #make(source) {
    const { card, handle, image } = sourceCard(source, {
      play: () => void this.#play(source),
      remove: () => void this.#remove(source),
      rename: (name) => void this.#rename(source, name),
    });
    const { title, size } = source;
    makeDraggable(handle, this.store, { title, size, opens: source.kind !== 'application' }, (at) => void this.#play(source, at));
    if (source.kind === 'file') this.#previews.show(image, `source=${encodeURIComponent(source.source)}`);
    this.#images.set(card, image);
    return card;
  }

  /** @param {Source} source @param {T.Point} [at] wall pixels; else the manager chooses */
  async #play(source, at) {
    if (source.kind === 'application') return this.#bring(source, at);
    const [place] = at ? await this.store.drops.take(at, [source.size]).catch(() => []) : [];
    const started = await this.store.act('play', { source: source.source, ...place?.play });
    if (started?.window) this.store.say(`${source.title} is on the wall.`);
  }

  /** What runs is on the wall already: its window is selected, and comes to the front or where it is dropped. @param {Source} source @param {T.Point} [at] */
  #bring(source, at) {
    const window = this.store.window(Number(source.source.replace('window/', '')));
    if (!window) return this.store.say(`${source.title} has ended.`);
    this.store.select([window.window]);
    if (!at) return void this.store.act('raise', { windows: [window.window] });
    const [x, y] = centre(window.rect);
    void this.store.place(new Map([[window.window, legal(moved(window.rect, at[0] - x, at[1] - y))]]));
  }

  /** How much uploads take of what they may. @param {{used_bytes: number, quota_bytes: number} | undefined} uploads missing: none are taken */
  #showRoom(uploads) {
    this.#room.hidden = !uploads;
    if (uploads) this.#room.textContent = `Uploads take ${fileSize(uploads.used_bytes)} of ${fileSize(uploads.quota_bytes)}.`;
  }

  /** @param {Source} source @param {string} name */
  async #rename(source, name) {
    if (await this.store.act('source_rename', { source: source.source, name })) await this.#load(true);
  }

  /** @param {Source} source */
  async #remove(source) {
    if (await this.store.act('source_remove', { source: source.source }, `${source.title} is no longer in the list.`)) await this.#load(true);
  }
}

customElements.define('vt-sources', Sources);
