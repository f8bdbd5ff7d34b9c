// Menus of the subtitle and sound tracks of the selected film. A menu without a choice is hidden.

import { element } from '../dom.js';
import { locale, t } from '../texts.js';
import { field, setOptions } from './controls.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

/** Numbers of the protocol that are not tracks. */
const kForced = -1;
const kOff = 0;
const kAll = -1;

const languages = new Intl.DisplayNames(locale, { type: 'language' });

/** The name of a language that a film gives as a code. @param {string} code */
export function languageName(code) {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code; // not a code
  }
}

/** "2: English · Commentary · 5.1". @param {T.SubtitleTrack & T.SoundTrack} track @param {number} number */
export function trackLabel(track, number) {
  const parts = [track.language && languageName(track.language), track.title, track.forced && t('tracks.forced'), track.file, track.layout];
  return `${number}: ${parts.filter(Boolean).join(' · ') || track.format}`;
}

export class TrackMenus {
  #store;
  #subtitles = element('select', { onchange: () => this.#choose('subtitles', this.#subtitles) });
  #sounds = element('select', { onchange: () => this.#choose('sound_track', this.#sounds) });
  #window = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.root = element('div', { class: 'stack' }, field(t('tracks.subtitles'), this.#subtitles), field(t('tracks.sound'), this.#sounds));
  }

  /** @param {T.WallWindow[]} windows */
  show(windows) {
    const tracks = windows.length === 1 ? windows[0].playback?.tracks : undefined;
    const subtitles = tracks?.subtitles ?? [];
    const sounds = tracks?.sounds ?? [];
    const [first, second] = /** @type {HTMLElement[]} */ ([...this.root.children]);
    first.hidden = subtitles.length === 0;
    second.hidden = sounds.length < 2;
    this.root.hidden = first.hidden && second.hidden;
    this.#window = windows[0]?.window ?? 0;
    if (!tracks || this.root.hidden) return;
    const others = [{ value: String(kForced), label: t('tracks.onlyForced') }, { value: String(kOff), label: t('tracks.off') }];
    if (tracks.subtitle === undefined) others.push({ value: '', label: t('tracks.file') });
    fill(this.#subtitles, [...others, ...subtitles.map(optionOf)], tracks.subtitle);
    const together = sounds.every(({ channels }) => channels === 1) ? [{ value: String(kAll), label: t('tracks.all') }] : [];
    fill(this.#sounds, [...sounds.map(optionOf), ...together], tracks.sound);
  }

  /** @param {string} action @param {HTMLSelectElement} menu */
  #choose(action, menu) {
    if (menu.value !== '') void this.#store.act('control', { window: this.#window, action, value: Number(menu.value) });
  }
}

/** @param {T.SubtitleTrack & T.SoundTrack} track @param {number} place */
function optionOf(track, place) {
  return { value: String(place + 1), label: trackLabel(track, place + 1) };
}

/** A menu in use keeps its choice. @param {HTMLSelectElement} menu @param {{value: string, label: string}[]} options @param {number} [chosen] */
function fill(menu, options, chosen) {
  setOptions(menu, options);
  if (document.activeElement !== menu) menu.value = String(chosen ?? '');
}
