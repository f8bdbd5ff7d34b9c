// Moves the camera that the selected window shows: directions and zoom while a button is held, home, presets.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { t } from '../texts.js';
import { section, field, setOptions, textButton } from './controls.js';

/** @import { IconName } from '../icons.js' */
/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kHoldMs = 3000; // the camera stops after this time if the page is gone
const kAgainMs = 1000;
const kNudgeMs = 500;

/** @typedef {'up' | 'left' | 'home' | 'right' | 'down' | 'in' | 'out'} Way */
/** Icon and place of each button in the grid. @type {[Way, IconName, string][]} */
const kWays = [['up', 'play', '1 / 2'], ['left', 'play', '2 / 1'], ['home', 'home', '2 / 2'], ['right', 'play', '2 / 3'], ['down', 'play', '3 / 2'], ['in', 'plus', '1 / 5'], ['out', 'minus', '3 / 5']];

export class CameraControls {
  #store;
  #preset = element('select');
  #presets = element('div', { class: 'pair', hidden: true }, field(t('camera.preset'), this.#preset), textButton(t('camera.go'), () => void this.#move({ preset: this.#preset.value })));
  #window = 0;
  /** The window and its medium, as far as they are known. */
  #shown = '';
  /** The movement while a button is held. @type {object | null} */
  #held = null;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.root = section(t('camera.title'), element('div', { class: 'pad' }, ...kWays.map((way) => this.#button(...way))), this.#presets);
    this.root.hidden = true;
  }

  /** @param {T.WallWindow[]} windows */
  show([one, ...more]) {
    const { window, media = [] } = one;
    const may = more.length === 0 && media.length === 1 && media[0].includes('://') && this.#store.mayChange([one]);
    const shown = may ? `${window} ${media[0]}` : '';
    if (shown === this.#shown) return;
    this.#letGo();
    this.#shown = shown;
    this.#window = window;
    this.root.hidden = this.#presets.hidden = true;
    if (shown) void this.#ask(shown, media[0]);
  }

  /** Shows the controls if a camera that moves is the window's source. Errors are not shown: the person only selected a window. @param {string} shown @param {string} medium */
  async #ask(shown, medium) {
    const ask = (/** @type {string} */ method, /** @type {object} */ params) => this.#store.call(method, params).catch(() => ({}));
    const found = await ask('sources', { ids: [`url/${medium}`] });
    if (!found.sources?.[0]?.moves || shown !== this.#shown) return;
    this.root.hidden = false;
    const { presets = [] } = await ask('camera_presets', { window: this.#window });
    if (shown !== this.#shown) return;
    setOptions(this.#preset, presets.map((/** @type {{preset: string, name: string}} */ { preset, name }) => ({ value: preset, label: name || preset })));
    this.#presets.hidden = presets.length === 0;
  }

  /** @param {Way} way @param {IconName} icon @param {string} place */
  #button(way, icon, place) {
    const button = iconButton(icon, t(`camera.${way}`));
    button.style.gridArea = place;
    button.dataset.way = way;
    if (way === 'home') {
      button.addEventListener('click', () => void this.#move({ move: way }));
      return button;
    }
    button.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      void this.#hold(way);
    });
    // Without a default action, keys cause no click, which some browsers send when the key is released.
    for (const type of /** @type {const} */ (['keydown', 'keyup'])) {
      button.addEventListener(type, (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        if (type === 'keyup') this.#letGo();
        else if (!event.repeat) void this.#hold(way);
      });
    }
    for (const type of ['lostpointercapture', 'blur']) button.addEventListener(type, () => this.#letGo());
    // A click without a pointer or a key is of a screen reader.
    button.addEventListener('click', (event) => {
      if (event.detail === 0) void this.#move({ move: way, ms: kNudgeMs });
    });
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    return button;
  }

  /** @param {Way} way */
  async #hold(way) {
    this.#letGo();
    const held = (this.#held = {});
    while (this.#held === held) {
      // The manager stops a camera that may move after an error.
      if (!(await this.#move({ move: way, ms: kHoldMs })) && this.#held === held) this.#held = null;
      await new Promise((resume) => setTimeout(resume, kAgainMs));
    }
  }

  #letGo() {
    if (!this.#held) return;
    this.#held = null;
    void this.#move({ move: 'stop' });
  }

  /** @param {object} how */
  #move(how) {
    return this.#store.act('camera_move', { window: this.#window, ...how });
  }
}
