// Play, pause, seek, rate, loop, track and page controls for the selected windows that play something.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { keysText } from '../keys.js';
import { kindOf, turnPages } from '../kinds.js';
import { t } from '../texts.js';
import { field, section, setPressed, setText, textButton, toggleButton } from './controls.js';
import { moves, positionNow } from './playback.js';
import { clock } from './times.js';
import { TrackMenus } from './track_menus.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

/** @typedef {T.WallWindow & {playback: T.Playback}} Playing */

const kRates = [0.25, 0.5, 1, 1.25, 1.5, 2, 4];
const kSeekEveryMs = 100;

export class PlaybackControls {
  #store;
  #play = element('button', { type: 'button', class: 'primary play', onclick: () => this.#toggle() });
  #seek = element('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': t('playback.position'), oninput: () => this.#drag(), onchange: () => this.#drop() });
  #times = element('span', { class: 'times' });
  #rate = element('select', { onchange: () => this.#control('rate', Number(this.#rate.value)) });
  #loop = toggleButton('loop', t('playback.loop'), () => this.#control('loop', this.#loop.getAttribute('aria-pressed') === 'true' ? 0 : 1));
  #speed = element('div', { class: 'pair' }, field(t('playback.speed'), this.#rate), this.#loop);
  #page = element('input', { type: 'number', min: 1, step: 1, inputmode: 'numeric', 'aria-label': t('playback.page'), onchange: () => this.#turn(this.#page.valueAsNumber) });
  #pageCount = element('span', { class: 'soft' });
  #number = element('div', { class: 'page-number' }, this.#page, this.#pageCount);
  #tracks;
  #film;
  #pages;
  /** @type {Playing[]} */
  #playing = [];
  /** The seek bar is being dragged and does not follow the playback. */
  #dragging = false;
  #lastSeek = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.#rate.append(...kRates.map((rate) => element('option', { value: rate }, `${rate} ×`)));
    this.#tracks = new TrackMenus(store);
    this.#film = element('div', { class: 'film' },
      element('div', { class: 'transport' }, this.#play, this.#seek, this.#times),
      this.#speed, this.#tracks.root);
    this.#pages = element('div', { class: 'pages', role: 'group', 'aria-label': t('playback.pages') },
      element('div', { class: 'pair' },
        textButton(t('action.page-before'), () => turnPages(this.#store, this.#playing, -1), { icon: 'page-before', title: keysText('PageUp') }),
        textButton(t('action.page-next'), () => turnPages(this.#store, this.#playing, 1), { icon: 'page-next', title: keysText('PageDown') })),
      this.#number);
    this.root = section(t('playback.title'), this.#film, this.#pages);
  }

  /** Shows the controls that apply to all windows; none if their kinds differ. @param {T.WallWindow[]} windows */
  show(windows) {
    const before = this.#playing[0]?.window;
    const kind = windows.length > 0 && windows.every((window) => kindOf(window) === kindOf(windows[0])) ? kindOf(windows[0]) : 'application';
    const pages = kind === 'document';
    this.#playing = pages || kind === 'film' || kind === 'live' ? /** @type {Playing[]} */ (windows) : [];
    this.root.hidden = this.#playing.length === 0;
    const playback = this.#playing[0]?.playback;
    if (!playback) return;
    if (this.#playing[0].window !== before) this.#dragging = false;
    this.#pages.hidden = !pages;
    this.#film.hidden = pages;
    setText(/** @type {Element} */ (this.root.firstElementChild), pages ? t('playback.pagesTitle') : t('playback.title'));
    if (pages) this.#showPages(playback, playback.pages ?? 1);
    else this.#showFilm(playback);
    this.tick();
  }

  /** @param {T.Playback} playback */
  #showFilm(playback) {
    const does = this.#playing.every((window) => window.playback.ended) ? 'replay' : this.#stands() ? 'play' : 'pause';
    const label = t(`playback.${does}`);
    if (this.#play.title !== label) {
      this.#play.title = label;
      this.#play.replaceChildren(icon(does));
      this.#play.setAttribute('aria-label', label);
    }
    if (document.activeElement !== this.#rate) this.#showRate(playback.rate);
    setPressed(this.#loop, playback.loop);
    this.#play.hidden = this.#speed.hidden = playback.live === true;
    this.#seek.hidden = !(playback.duration_s > 0);
    this.#seek.max = String(playback.duration_s || 1);
    this.#tracks.show(this.#playing);
  }

  /** Adds a rate that was set elsewhere to the choices. @param {number} rate */
  #showRate(rate) {
    const value = String(rate);
    if (![...this.#rate.options].some((option) => option.value === value)) this.#rate.append(element('option', { value }, `${rate} ×`));
    this.#rate.value = value;
  }

  /** @param {T.Playback} playback @param {number} pages */
  #showPages(playback, pages) {
    this.#number.hidden = this.#playing.length > 1;
    this.#page.max = String(pages);
    if (document.activeElement !== this.#page) this.#page.value = String(playback.page ?? 1);
    setText(this.#pageCount, t('playback.of', { pages }));
  }

  /** Advances the displayed position. */
  tick() {
    const playback = this.#playing[0]?.playback;
    if (!playback || this.#film.hidden) return;
    const now_s = positionNow(playback, this.#store.wallSeconds());
    if (!this.#dragging) this.#seek.value = String(now_s);
    const shown_s = this.#dragging ? this.#seek.valueAsNumber : now_s;
    const text = playback.duration_s > 0 ? `${clock(shown_s)} / ${clock(playback.duration_s)}` : playback.live ? t('doing.live') : clock(shown_s);
    setText(this.#times, text);
    if (this.#seek.getAttribute('aria-valuetext') !== text) this.#seek.setAttribute('aria-valuetext', text);
  }

  #toggle() {
    this.#control(this.#stands() ? 'resume' : 'pause');
  }

  #stands() {
    return !this.#playing.some((window) => moves(window.playback));
  }

  #drag() {
    this.#dragging = true;
    this.tick();
    // Seeks are expensive for the player: send few while dragging; the last one is always sent on release.
    if (performance.now() - this.#lastSeek < kSeekEveryMs) return;
    this.#lastSeek = performance.now();
    this.#control('seek', this.#seek.valueAsNumber);
  }

  #drop() {
    this.#control('seek', this.#seek.valueAsNumber);
    this.#dragging = false;
  }

  /** @param {number} page from 1 */
  #turn(page) {
    const pages = this.#playing[0]?.playback.pages ?? 1;
    if (Number.isFinite(page)) this.#control('page', Math.min(Math.max(1, Math.round(page)), pages));
  }

  /** @param {string} action @param {number} [value] */
  #control(action, value) {
    for (const { window } of this.#playing) void this.#store.act('control', { window, action, ...(value === undefined ? {} : { value }) });
  }
}
