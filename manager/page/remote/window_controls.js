// The controls of one window: playback, position, pages and sound.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { kindOf, sounds, turnPages } from '../kinds.js';
import { setPressed, setText, textButton, toggleButton } from '../panels/controls.js';
import { moves, positionNow } from '../panels/playback.js';
import { Previews } from '../panels/previews.js';
import { clock } from '../panels/times.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { SpeakerNotes } from './speaker_notes.js';

/** @import { Identity } from '../identity.js' */
/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kSkip_s = 10;
const kTickMs = 250;

export class WindowControls {
  #store;
  /** @type {T.WallWindow | undefined} */
  #window;
  #play = element('button', { type: 'button', class: 'primary', onclick: () => this.#control(moves(this.#window?.playback) ? 'pause' : 'resume') });
  #seek = element('input', { type: 'range', min: 0, max: 1, step: 0.1, 'aria-label': t('playback.position'), onchange: () => this.#control('seek', this.#seek.valueAsNumber) });
  #times = element('span', { class: 'times' });
  #film = element('div', {},
    element('div', { class: 'row' }, this.#skip(-kSkip_s), this.#play, this.#skip(kSkip_s)),
    element('div', { class: 'row' }, this.#seek, this.#times));
  #pageNumber = element('span', { class: 'times' });
  #next = element('img', { alt: t('action.page-next'), hidden: true });
  #nextBox = element('div', { class: 'next', hidden: true }, this.#next);
  #nextPage = ''; // that #next shows
  #previews;
  #notes;
  /** When the presentation started, in ms; 0: it has not. It starts with the first page that is turned here. */
  #started = 0;
  #timer = element('span', { class: 'times', role: 'timer' }, clock(0));
  #document = element('div', {},
    element('div', { class: 'row turn' },
      textButton(t('action.page-before'), () => this.#turn(-1), { icon: 'page-before' }), this.#pageNumber,
      textButton(t('action.page-next'), () => this.#turn(1), { icon: 'page-next', class: 'primary' })),
    element('div', { class: 'row' }, this.#timer, textButton(t('remote.reset'), () => this.#start(0), { icon: 'replay' })),
    this.#nextBox);
  #mute = toggleButton('mute', t('sound.mute'), () => this.#sound({ muted: !this.#window?.muted }));
  #volume = element('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': t('sound.volume'), onchange: () => this.#sound({ volume: this.#volume.valueAsNumber }) });
  #heard = element('div', { class: 'row' }, this.#mute, this.#volume);
  #others = element('p', { class: 'soft' }, t('role.others'));
  #own = element('div', {}, this.#film, this.#document, this.#heard);
  root = needs('presenter', element('section', { 'aria-label': t('playback.title') }, this.#others, this.#own));

  /** @param {Store} store @param {Identity} identity */
  constructor(store, identity) {
    this.#store = store;
    this.#previews = new Previews(identity);
    this.#notes = new SpeakerNotes(store);
    this.#document.insertBefore(this.#notes.root, this.#nextBox);
    setInterval(() => this.#tick(), kTickMs);
  }

  /** @param {T.WallWindow | undefined} window */
  show(window) {
    this.#window = window;
    this.root.hidden = window === undefined;
    if (!window) return;
    const mine = this.#store.mayChange([window]);
    this.#others.hidden = mine;
    this.#own.hidden = !mine;
    const { playback } = window;
    this.#film.hidden = kindOf(window) !== 'film';
    this.#document.hidden = !playback?.pages;
    this.#document.classList.toggle('single', playback?.pages === 1);
    this.#heard.hidden = !sounds(this.#store, window);
    const does = playback?.ended ? 'replay' : moves(playback) ? 'pause' : 'play';
    if (this.#play.dataset.does !== does) {
      this.#play.dataset.does = does;
      this.#play.replaceChildren(icon(does), t(`playback.${does}`));
    }
    setText(this.#pageNumber, t('doing.page', { page: playback?.page ?? 1, pages: playback?.pages ?? 1 }));
    this.#showNext(window);
    if (mine && !this.#document.hidden) void this.#notes.show(window);
    setPressed(this.#mute, window.muted ?? false);
    if (document.activeElement !== this.#volume) this.#volume.value = String(window.volume ?? 1);
    this.#tick();
  }

  /** Shows the page after the present one. @param {T.WallWindow} window */
  #showNext({ window, playback }) {
    const { page = 1, pages = 1 } = playback ?? {};
    const next = this.#document.hidden || page >= pages ? '' : `window=${window}&page=${page + 1}`;
    if (next === this.#nextPage) return;
    this.#nextPage = next;
    this.#previews.forget(this.#next);
    this.#next.hidden = true;
    this.#nextBox.hidden = !next;
    if (next) this.#previews.show(this.#next, next);
  }

  /** @param {number} at */
  #start(at) {
    this.#started = at;
    this.#tick();
  }

  #tick() {
    setText(this.#timer, clock(this.#started && (Date.now() - this.#started) / 1000));
    const playback = this.#window?.playback;
    if (!playback || this.#film.hidden) return;
    const now_s = positionNow(playback, this.#store.wallSeconds());
    const ends = playback.duration_s > 0;
    this.#seek.hidden = !ends;
    this.#seek.max = String(playback.duration_s || 1);
    if (document.activeElement !== this.#seek) this.#seek.value = String(now_s);
    setText(this.#times, ends ? `${clock(now_s)} / ${clock(playback.duration_s)}` : clock(now_s));
  }

  /** @param {number} seconds */
  #skip(seconds) {
    const label = t(seconds < 0 ? 'remote.back' : 'remote.forward', { seconds: Math.abs(seconds) });
    const press = () => {
      const { playback } = this.#window ?? {};
      if (playback) this.#control('seek', Math.max(0, positionNow(playback, this.#store.wallSeconds()) + seconds));
    };
    return element('button', { type: 'button', 'aria-label': label, title: label, onclick: press }, t(seconds < 0 ? 'remote.minus' : 'remote.plus', { seconds: Math.abs(seconds) }));
  }

  /** @param {1 | -1} step */
  #turn(step) {
    if (!this.#started) this.#start(Date.now());
    if (this.#window) turnPages(this.#store, [this.#window], step);
  }

  /** @param {string} action @param {number} [value] */
  #control(action, value) {
    if (this.#window) void this.#store.act('control', { window: this.#window.window, action, value });
  }

  /** @param {object} sound */
  #sound(sound) {
    if (this.#window) void this.#store.act('sound', { window: this.#window.window, ...sound });
  }
}
