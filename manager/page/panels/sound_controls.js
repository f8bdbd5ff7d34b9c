// Volume and mute of the selected windows, on the wall or in their applications.

import { element } from '../dom.js';
import { sounds } from '../kinds.js';
import { t } from '../texts.js';
import { gestureName } from '../wall/drags.js';
import { field, section, setPressed, textButton, toggleButton } from './controls.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

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
      element('div', { class: 'pair' }, this.#solo, this.#follow));
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
