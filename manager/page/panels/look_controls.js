// View transform of the selected windows: rotation, mirroring, opacity, crop, stereo.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { t } from '../texts.js';
import { gestureName } from '../wall/drags.js';
import { pictureSize, turnedOn } from '../wall/look.js';
import { field, section, setOptions, setPressed, textButton, toggleButton } from './controls.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kSides = /** @type {const} */ (['left', 'top', 'width', 'height']);
const kEyes = [['off', t('look.noStereo')], ['left', t('look.leftEye')], ['right', t('look.rightEye')], ['anaglyph', t('look.anaglyph')]];
const kHalves = [['side-by-side', t('look.sideBySide')], ['top-bottom', t('look.topBottom')]];

export class LookControls {
  #store;
  /** @type {T.WallWindow[]} */
  #windows = [];
  #gesture = '';
  /** The last opacity from the manager: the slider follows it only when it changes, so that a drag is not disturbed. */
  #shown = '';
  #flip = toggleButton('flip', t('look.mirror'), () => this.#change(() => ({ flip: this.#flip.getAttribute('aria-pressed') !== 'true' })));
  #opacity = element('input', { type: 'range', min: 0, max: 1, step: 0.01, oninput: () => this.#fade(), onchange: () => (this.#gesture = '') });
  #sides = kSides.map(() => element('input', { type: 'number', min: 0, step: 1, inputmode: 'numeric', onchange: () => this.#crop() }));
  #whole = textButton(t('look.whole'), () => this.#change(() => ({ whole: true })), { icon: 'whole' });
  #eye = select(kEyes, (stereo) => this.#change(() => ({ stereo })));
  #halves = select(kHalves, (halves) => this.#change(() => ({ halves })));
  #halvesField = field(t('look.halves'), this.#halves);
  #part = element('div', { class: 'sides' }, ...this.#sides.map((input, side) => field(t(`look.${kSides[side]}`), input)));

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    const turn = element('div', { class: 'buttons', role: 'group', 'aria-label': t('look.turn') },
      iconButton('turn-left', t('look.turnLeft'), () => this.#change(({ look = {} }) => ({ rotate: (turnedOn(look) + 180) % 360 }))),
      iconButton('turn-right', t('look.turnRight'), () => this.#change(({ look = {} }) => ({ rotate: turnedOn(look) }))));
    this.root = section(t('look.title'), element('div', { class: 'stack' },
      element('div', { class: 'pair' }, turn, this.#flip), field(t('look.opacity'), this.#opacity),
      element('div', { class: 'pair' }, field(t('look.stereo'), this.#eye), this.#halvesField), this.#part, this.#whole));
  }

  /** Shows the view transform of the first window for all. @param {T.WallWindow[]} windows */
  show(windows) {
    this.#windows = windows;
    const [first] = windows;
    const look = first?.look ?? {};
    setPressed(this.#flip, look.flip === true);
    const shown = `${first?.window} ${look.opacity ?? 1}`;
    if (!this.#gesture && shown !== this.#shown) this.#opacity.value = String(look.opacity ?? 1);
    this.#shown = shown;
    this.#opacity.setAttribute('aria-valuetext', t('percent', { percent: Math.round(100 * this.#opacity.valueAsNumber) }));
    this.#eye.value = look.stereo ?? 'off';
    this.#halves.value = look.halves ?? 'side-by-side';
    this.#halvesField.hidden = !look.stereo;
    this.#part.hidden = windows.length !== 1;
    this.#whole.disabled = windows.every((window) => !window.look?.crop);
    for (const control of [this.#flip, this.#opacity, this.#eye, this.#halves, ...this.#sides]) control.disabled = windows.some((window) => window.locked);
    if (windows.length !== 1 || this.#sides.some((input) => input === document.activeElement)) return;
    const size = pictureSize(first);
    const part = look.crop ?? [0, 0, ...size];
    this.#sides.forEach((input, side) => {
      input.max = String(size[side % 2]);
      input.min = side < 2 ? '0' : '1';
      input.value = String(part[side]);
    });
  }

  /** @param {(window: T.WallWindow) => object} wanted */
  #change(wanted) {
    for (const window of this.#windows) void this.#store.act('look', { window: window.window, ...wanted(window) });
  }

  /** Sets the opacity; a whole drag is one undo step. */
  #fade() {
    this.#gesture ||= gestureName('opacity');
    const opacity = this.#opacity.valueAsNumber;
    this.#change(() => ({ opacity, gesture: this.#gesture }));
  }

  /** Applies the crop fields, limited to the picture. */
  #crop() {
    if (this.#sides.some((input) => input.value === '' || !input.reportValidity())) return;
    const [x, y, width, height] = this.#sides.map((input) => Math.round(input.valueAsNumber));
    this.#change((window) => {
      const [most, highest] = pictureSize(window);
      const [left, top] = [Math.min(x, most - 1), Math.min(y, highest - 1)];
      return { crop: [left, top, Math.min(width, most - left), Math.min(height, highest - top)] };
    });
  }
}

/** @param {string[][]} options @param {(value: string) => void} choose */
function select(options, choose) {
  const node = element('select', { onchange: () => choose(node.value) });
  setOptions(node, options.map(([value, label]) => ({ value, label })));
  return node;
}
