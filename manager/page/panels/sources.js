// What this wall can show: kinds of sources, addresses and files of one's own.

import { element } from '../dom.js';
import { icon, iconButton } from '../icons.js';
import { field, textButton } from './controls.js';
import { FoundList } from './found_list.js';
import { Panel } from './panel.js';
import { canBeChanged, editName, kKinds, sourceCard } from './source_card.js';
import { counted, fileSize } from './times.js';
import { Shares } from '../shares.js';
import { centre, legal, moved } from '../wall/geometry.js';

/** @import { Source } from './source_card.js' */
/** @import * as T from '../types.js' */

const kPage = 40;
const kMostAtOnce = 500; // that the manager lists
const kLookingMs = 1000;

class Sources extends Panel {
  #room = element('p', { class: 'soft', hidden: true });
  #kind = '';
  #looking = 0;
  /** @type {FoundList<Source>} */
  #list = /** @type {any} */ (null);

  forgets = false;
  card = sourceCard;

  build() {
    this.#list = new FoundList(this, 'sources', 'Kinds of sources');
    this.uploads.acceptDrops(this, () => null);
    this.uploads.addEventListener('done', () => void this.#list.load(true));
    this.append(...this.#list.filters, this.#own(), this.uploads.list, this.#room, ...this.#list.results);
    this.pick('');
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
      await this.#list.load(true);
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

  /** @param {string} search @param {Source[]} before @param {number} [count] @returns {[string, object]} */
  question(search, before, count = kPage) {
    return ['sources', { offset: before.length, count, ...(search && { search }), ...(this.#kind && { kind: this.#kind }) }];
  }

  /** @param {string} kind or all of them */
  pick(kind) {
    this.#kind = kind;
    this.#list.showChips([['', 'All'], ...Object.entries(kKinds).map(([value, { label }]) => /** @type {[string, string]} */ ([value, label]))], kind);
    void this.#list.load(true);
  }

  /** @param {any} answer @param {Source[]} before */
  take({ sources, total, uploads, unprobed }, before) {
    const found = [...before, ...sources];
    this.#showRoom(uploads);
    // What nobody has looked at yet is known in a moment.
    clearTimeout(this.#looking);
    if (unprobed) this.#looking = window.setTimeout(() => void this.#list.load(true, Math.min(Math.max(kPage, found.length), kMostAtOnce)), kLookingMs);
    return { found, more: found.length < total, count: total ? counted(total, 'source') : 'Nothing found.' };
  }

  /** @param {Source} source @param {HTMLElement} card @param {HTMLElement} handle */
  equip(source, card, handle) {
    if (!canBeChanged(source)) return;
    const { source: id, title } = source;
    const change = async (/** @type {string} */ verb, /** @type {object} */ params, /** @type {string} */ done = '') => {
      if (await this.store.act(verb, { source: id, ...params }, done)) await this.#list.load(true);
    };
    card.append(iconButton('rename', `Rename ${title}`, () => editName(card, handle, (name) => void change('source_rename', { name }))),
      iconButton('trash', `Remove ${title}`, () => void change('source_remove', {}, `${title} is no longer in the list.`)));
  }

  /** @param {Source} source @param {T.Point} [at] wall pixels; else the manager chooses */
  async play(source, at) {
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
}

customElements.define('vt-sources', Sources);
