// Volume and mute of the selected windows, on the wall or in their applications.

import { element } from '../dom.js';
import { sounds } from '../kinds.js';
import { decimal, t } from '../texts.js';
import { gestureName } from '../wall/drags.js';
import { field, section, setPressed, setText, textButton, toggleButton } from './controls.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kQuietestDb = -60; // at the left end of a meter

/** A level as decibels of the loudest. @param {number} level 0 to 1 */
export function decibels(level) {
  return level > 0 ? Math.max(kQuietestDb, 20 * Math.log10(level)) : kQuietestDb;
}

export class SoundControls {
  #store;
  #volume = element('input', { type: 'range', min: 0, max: 1, step: 0.01, oninput: () => this.#drag(), onchange: () => (this.#gesture = '') });
  #mute = toggleButton('mute', t('sound.mute'), () => this.#tell({ muted: this.#mute.getAttribute('aria-pressed') !== 'true' }));
  #solo = textButton(t('sound.solo'), () => void this.#hear('info'));
  /** Whether a window that people select is heard alone. */
  #follow = toggleButton('mute', t('sound.follow'), () => {
    setPressed(this.#follow, !this.#follows());
    this.#selected = 0;
    this.show(this.#windows);
  });
  /** How loud the selected windows are at the wall's loudspeakers: the bar is the mean, its end the peak. */
  #bar = element('span');
  #peak = element('span', { class: 'peak' });
  #loudness = element('span', { class: 'soft' });
  #meter = element('div', { class: 'meter' }, element('div', { class: 'scale', 'aria-hidden': 'true' }, this.#bar, this.#peak), this.#loudness);
  /** Whether the manager sends levels. */
  #measured = false;
  /** The window that was selected alone last; 0: none. */
  #selected = 0;
  /** The name of the current drag of the slider, which is one undo step. */
  #gesture = '';
  /** The selected windows. @type {T.WallWindow[]} */
  #windows = [];
  /** Those with sound. @type {T.WallWindow[]} */
  #heard = [];

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.root = section(t('sound.title'), element('div', { class: 'pair' }, field(t('sound.volume'), this.#volume), this.#mute),
      this.#meter, element('div', { class: 'pair' }, this.#solo, this.#follow));
    store.addEventListener('levels', (event) => this.#showLevels(/** @type {CustomEvent} */ (event).detail.windows));
    store.connection.addEventListener('open', () => {
      this.#measured = false;
      this.#measure();
    });
    // Only what people see is measured.
    new IntersectionObserver(() => this.#measure()).observe(this.#meter);
  }

  #measure() {
    const on = this.#meter.checkVisibility();
    if (on === this.#measured) return;
    this.#measured = on;
    this.#showLevels([]);
    this.#store.call('watch_levels', { on }).catch(() => {});
  }

  /** @param {T.Level[]} levels */
  #showLevels(levels) {
    const own = levels.filter(({ window }) => this.#heard.some((one) => one.window === window));
    const [rms, peak] = [Math.max(0, ...own.map((one) => one.rms)), Math.max(0, ...own.map((one) => one.peak))];
    const shares = [rms, peak].map((level) => `${100 * (1 - decibels(level) / kQuietestDb)}%`);
    this.#bar.style.width = shares[0];
    this.#peak.style.left = shares[1];
    this.#meter.dataset.state = decibels(peak) > -1 ? 'bad' : 'well';
    setText(this.#loudness, peak > 0 ? t('sound.level', { peak: decimal(decibels(peak), 0), rms: decimal(decibels(rms), 0) }) : t('sound.silent'));
  }

  /** @param {T.WallWindow[]} windows */
  show(windows) {
    this.#windows = windows;
    this.#heard = windows.filter((window) => sounds(this.#store, window));
    const alone = windows.length === 1 && this.#heard.length === 1 ? windows[0].window : 0;
    if (alone !== this.#selected) {
      this.#selected = alone;
      if (alone && this.#follows()) void this.#hear('quiet');
    }
    this.#solo.disabled = !alone;
    this.root.hidden = this.#heard.length === 0;
    this.#meter.hidden = !this.#store.state?.wall.audio?.length;
    if (this.#heard.length === 0) return;
    setPressed(this.#mute, this.#heard.every((window) => window.muted));
    if (!this.#gesture && document.activeElement !== this.#volume) this.#volume.value = String(this.#heard[0].volume ?? 1);
  }

  #follows() {
    return this.#follow.getAttribute('aria-pressed') === 'true';
  }

  /** Mutes all other windows that this person may change. @param {'info' | 'quiet'} kind of the message about the others */
  async #hear(kind) {
    if (!this.#selected) return;
    const answer = await this.#store.act('sound', { window: this.#selected, solo: true });
    if (answer?.left_alone) this.#store.say(t('sound.leftAlone', { count: answer.left_alone }), kind);
  }

  #drag() {
    this.#gesture ||= gestureName('volume');
    this.#tell({ volume: this.#volume.valueAsNumber, gesture: this.#gesture });
  }

  /** @param {object} sound */
  #tell(sound) {
    for (const { window } of this.#heard) void this.#store.act('sound', { window, ...sound });
  }
}
