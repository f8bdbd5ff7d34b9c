// The panel of sources that this wall can show: files, uploads, URLs, test cards, commands and applications.

import { element } from '../dom.js';
import { icon, iconButton } from '../icons.js';
import { needs, reaches } from '../rights.js';
import { t } from '../texts.js';
import { field, setOptions, textButton } from './controls.js';
import { FoundList } from './found_list.js';
import { kept, keepRecent, turnFavourites } from './kept.js';
import { Panel } from './panel.js';
import { canBeChanged, editName, kKinds, sourceCard } from './sources/source_card.js';
import { fileSize } from './times.js';
import { Shares } from '../shares.js';
import { centre, legal, moved } from '../wall/geometry.js';

/** @import { Changed } from './panel.js' */
/** @import { Source } from './sources/source_card.js' */
/** @import * as T from '../types.js' */

const kPage = 40;
const kMostAtOnce = 500; // most sources in one answer of the manager
const kLookingMs = 1000;
const kNone = '-'; // matches no source
const kOrders = /** @type {const} */ (['', 'name', 'newest', 'largest', 'longest']);

class Sources extends Panel {
  #room = element('p', { class: 'soft', hidden: true });
  #kind = '';
  #looking = 0;
  /** A source was removed; undo restores it. */
  #removed = false;
  /** @type {FoundList<Source>} */
  #list = /** @type {any} */ (null);

  forgets = false;
  card = sourceCard;
  #folder = element('select', { onchange: () => void this.#list.load(true) });
  #order = element('select', { onchange: () => void this.#list.load(true) });
  #folders = field(t('sources.folder'), this.#folder);

  build() {
    this.#list = new FoundList(this, t('sources.things'), t('sources.kinds'), t('sources.list'));
    this.uploads.acceptDrops(this, () => null);
    this.uploads.addEventListener('done', () => void this.#list.load(true));
    this.append(...this.#list.filters, this.#own(), this.uploads.list, this.#room, element('div', { class: 'sorting' }, this.#folders, field(t('sources.order'), this.#order)), ...this.#list.results);
    setOptions(this.#order, kOrders.map((value) => ({ value, label: t(`sources.order.${value || 'folder'}`) })));
    this.pick('');
  }

  /** The forms with which people add sources. */
  #own() {
    const files = element('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-label': t('sources.files.choose') });
    files.addEventListener('change', () => {
      this.uploads.add([...(files.files ?? [])], null);
      files.value = '';
    });
    const url = element('input', { type: 'text', inputmode: 'url', placeholder: 'rtsp://, https://, srt://, udp://', required: true, autocomplete: 'off', spellcheck: 'false' });
    const title = element('input', { type: 'text', placeholder: t('sources.addressName'), maxlength: 200, autocomplete: 'off' });
    const form = element('form', { class: 'stack' }, field(t('sources.address'), url), field(t('sources.addressTitle'), title),
      element('button', { type: 'submit', class: 'primary' }, t('sources.addressSave')));
    const address = element('details', {}, element('summary', {}, icon('plus'), element('span', {}, t('sources.addressAdd'))), form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const saved = await this.store.act('source_save', { url: url.value.trim(), title: title.value.trim() || url.value.trim() }, t('sources.addressSaved'));
      if (!saved) return;
      form.reset();
      address.open = false;
      await this.#list.load(true);
    });
    const upload = textButton(t('sources.upload'), () => files.click(), { icon: 'upload', title: t('sources.uploadTitle') });
    const screen = textButton(t('sources.screen'), () => void this.shares.start('screen'), { icon: 'screen', title: Shares.obstacle || t('sources.screenTitle') });
    const camera = textButton(t('sources.camera'), () => void this.shares.start('camera'), { icon: 'camera', title: Shares.obstacle || t('sources.cameraTitle') });
    return needs('presenter', element('div', { class: 'own' }, upload, files, screen, camera, this.shares.list, needs('admin', address), this.#writing()));
  }

  /** Text or a clock to show on the wall. */
  #writing() {
    const text = element('textarea', { rows: 3, maxlength: 1000, required: true, placeholder: t('sources.writePlaceholder') });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const form = element('form', { class: 'stack' }, field(t('sources.writeText'), text),
      element('button', { type: 'submit', class: 'primary' }, t('sources.note')),
      textButton(t('sources.clock'), () => void this.store.act('play', { media: [`clock:${zone}`] }, t('sources.clockDone', { zone }))),
      textButton(t('sources.qr'), () => this.#showQr()));
    const details = element('details', {}, element('summary', {}, icon('plus'), element('span', {}, t('sources.write'))), form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const lines = text.value.trim().replaceAll('\n', '\\n');
      if (!lines || !await this.store.act('play', { media: [`note:${lines}`] }, t('sources.noteDone'))) return;
      form.reset();
      details.open = false;
    });
    return details;
  }

  /** Shows a QR code with the address of the remote, as phones reach it: never that of this host for itself. */
  #showQr() {
    const home = /^(localhost$|127\.|\[::1\]$)/.test(location.hostname) ? this.store.connection.welcome?.pages?.[0] : new URL('.', location.href);
    if (home) void this.store.act('play', { media: [`qr:${home}remote/`] });
    else this.store.say(t('sources.qrNowhere'), 'error');
  }

  /** @param {Changed} changed */
  update(changed) {
    if (!this.#removed || !changed?.has('history') || !this.state.history.redo) return;
    this.#removed = false;
    void this.#list.load(true);
  }

  /** @param {string} search @param {Source[]} before @param {number} [count] @returns {[string, object]} */
  question(search, before, count = kPage) {
    const own = this.#kind === 'favourites' || this.#kind === 'recent';
    const ids = own ? kept(/** @type {'favourites' | 'recent'} */ (this.#kind)) : [];
    const narrowed = own ? { ids: ids.length ? ids : [kNone] } : { ...(this.#kind && { kind: this.#kind }), ...(this.#folder.value && { folder: this.#folder.value }) };
    return ['sources', { offset: before.length, count, ...(search && { search }), ...narrowed, ...(this.#order.value && { order: this.#order.value }) }];
  }

  /** @param {string} kind of source, a list kept in this browser, or "" for all */
  pick(kind) {
    this.#kind = kind;
    this.#list.showChips([['', t('sources.all')], ['favourites', t('sources.favourites')], ['recent', t('sources.recent')], ...Object.entries(kKinds).map(([value, { label }]) => /** @type {[string, string]} */ ([value, label]))], kind);
    void this.#list.load(true);
  }

  /** @param {any} answer @param {Source[]} before */
  take({ sources, total, uploads, unprobed, folders = [] }, before) {
    const found = [...before, ...sources];
    setOptions(this.#folder, [{ value: '', label: t('sources.allFolders') }, ...folders.map((/** @type {string} */ value) => ({ value, label: value }))]);
    this.#folders.hidden = folders.length < 2;
    this.#showRoom(uploads);
    // The manager is still probing some sources: asks again soon.
    clearTimeout(this.#looking);
    if (unprobed) this.#looking = window.setTimeout(() => void this.#list.load(true, Math.min(Math.max(kPage, found.length), kMostAtOnce)), kLookingMs);
    return { found, more: found.length < total, count: total ? t('sources.count', { count: total }) : t('common.nothingFound') };
  }

  /** @param {Source} source @param {HTMLElement} card @param {HTMLElement} handle */
  equip(source, card, handle) {
    if (!canBeChanged(source) || !reaches(this.store.right, 'admin')) return;
    const { source: id, title } = source;
    const change = async (/** @type {string} */ verb, /** @type {object} */ params, /** @type {string} */ done = '') => {
      if (await this.store.act(verb, { source: id, ...params }, done)) await this.#list.load(true);
    };
    card.append(iconButton('rename', t('sources.rename', { title }), () => editName(card, handle, (name) => void change('source_rename', { name }))),
      iconButton('trash', t('sources.remove', { title }), () => void change('source_remove', {}, t('sources.removed', { title })).then(() => (this.#removed = true))));
  }

  /** @param {Source[]} sources */
  content(sources) {
    const ids = sources.map(({ source }) => source);
    return ids.length === 1 ? { source: ids[0] } : { sources: ids };
  }

  /** @param {Source[]} sources */
  played(sources) {
    keepRecent(sources.map(({ source }) => source));
  }

  /** @param {Source[]} sources */
  favour(sources) {
    turnFavourites(sources.map(({ source }) => source));
    void this.#list.load(true);
  }

  /** @param {Source} source @param {T.Point} [at] wall pixels; omitted: the manager chooses */
  async play(source, at) {
    if (source.kind === 'application') return this.#bring(source, at);
    const [place] = at ? await this.store.drops.take(at, [source.size]).catch(() => []) : [];
    const started = await this.store.act('play', { source: source.source, ...place?.play });
    if (!started?.window) return;
    this.played([source]);
    this.store.say(t('said.playing', { title: source.title }));
  }

  /** Selects the window of a running application, and raises it or moves it to where it was dropped. @param {Source} source @param {T.Point} [at] */
  #bring(source, at) {
    const window = this.store.window(Number(source.source.replace('window/', '')));
    if (!window) return this.store.say(t('sources.ended', { title: source.title }));
    this.store.select([window.window]);
    if (!at) return void this.store.act('raise', { windows: [window.window] });
    const [x, y] = centre(window.rect);
    void this.store.place(new Map([[window.window, legal(moved(window.rect, at[0] - x, at[1] - y))]]));
  }

  /** Shows the quota of uploads. @param {{used_bytes: number, quota_bytes: number} | undefined} uploads undefined: uploads are disabled */
  #showRoom(uploads) {
    this.#room.hidden = !uploads;
    if (uploads) this.#room.textContent = t('sources.room', { used: fileSize(uploads.used_bytes), quota: fileSize(uploads.quota_bytes) });
  }
}

customElements.define('vt-sources', Sources);
