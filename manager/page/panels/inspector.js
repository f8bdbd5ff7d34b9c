// The selected windows: position, properties, actions, and the controls of their playback.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { kindOf, missing } from '../kinds.js';
import { needs } from '../rights.js';
import { decimal, t } from '../texts.js';
import { shownSize } from '../wall/look.js';
import { CameraControls } from './camera_controls.js';
import { field, section, setText, toggleButton, setPressed } from './controls.js';
import { DriveControls } from './drive_controls.js';
import { LookControls } from './look_controls.js';
import { Panel } from './panel.js';
import { PlaybackControls } from './playback_controls.js';
import { SoundControls } from './sound_controls.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

const kSides = /** @type {const} */ (['x', 'y', 'width', 'height']);
const kMostSide = 65536;
const kMostOffset = 1000000;

class Inspector extends Panel {
  #title = element('h2', { class: 'window-title' });
  #none = element('p', { class: 'soft empty' }, t('window.none'));
  #all = element('div', { class: 'inspector' });
  #others = element('p', { class: 'soft', hidden: true });
  #controls = element('div', {});
  #facts = element('dl', { class: 'facts' });
  #about = section(t('window.about'), this.#facts);
  #sides = kSides.map((name, side) => this.#number(name, side));
  /** The field being edited; it does not follow the windows until its value is applied. @type {HTMLInputElement | null} */
  #typed = null;
  #keep = element('input', { type: 'checkbox', checked: true });
  #lock = toggleButton('lock', t('window.lock'), () => this.#each('lock', () => ({ on: this.#lock.getAttribute('aria-pressed') !== 'true' })));
  #maximise = toggleButton('maximise', t('window.maximise'), () => this.#each('maximise', () => ({ on: this.#maximise.getAttribute('aria-pressed') !== 'true' })));
  /** @type {PlaybackControls} */
  #playback = /** @type {any} */ (null);
  /** Sections that show the selected windows. @type {{root: HTMLElement, show: (windows: T.WallWindow[]) => void}[]} */
  #sections = [];

  build() {
    this.#playback = new PlaybackControls(this.store);
    this.#sections = [new DriveControls(this.store), new CameraControls(this.store), this.#playback, new LookControls(this.store), new SoundControls(this.store)];
    const order = element('div', { class: 'buttons', role: 'group', 'aria-label': t('window.order') },
      iconButton('front', t('action.front'), () => this.#together('raise')),
      iconButton('back', t('action.back'), () => this.#together('lower')),
      iconButton('fit', t('window.fitWall'), () => this.#each('fit')),
      iconButton('close', t('common.close'), () => this.#together('close')));
    order.lastElementChild?.classList.add('danger');
    const place = element('div', { class: 'sides' }, ...this.#sides.map((input, side) => field(t(`window.${kSides[side]}`), input)));
    this.#controls.append(order, element('div', { class: 'pair' }, this.#lock, this.#maximise),
      section(t('window.place'), place, field(t('window.keepShape'), this.#keep, 'check')),
      ...this.#sections.map(({ root }) => root));
    this.#all.append(this.#title, this.#others, needs('presenter', this.#controls), this.#about);
    this.append(this.#none, this.#all);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const show = () => this.visible && this.store.state && this.update(null);
    for (const type of ['selection', 'places', 'figures']) this.store.addEventListener(type, show, { signal });
    const timer = setInterval(() => this.visible && this.#playback.tick(), 250);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** @param {Changed} _changed */
  update(_changed) {
    const windows = this.store.selected();
    this.#none.hidden = windows.length > 0;
    this.#all.hidden = windows.length === 0;
    if (!windows.length) return;
    setText(this.#title, windows.length === 1 ? windows[0].title || t('window.number', { number: windows[0].window }) : t('windows', { count: windows.length }));
    const others = !this.store.mayChange(windows);
    this.#controls.hidden = others;
    this.#others.hidden = !others || this.store.right === 'viewer';
    setText(this.#others, t('role.others'));
    this.#showSides(windows);
    setPressed(this.#lock, windows.every((window) => window.locked));
    setPressed(this.#maximise, windows.every((window) => window.maximised));
    this.#showFacts(windows);
    for (const one of this.#sections) one.show(windows);
  }

  /** @param {T.WallWindow[]} windows */
  #showSides(windows) {
    const rects = windows.map(({ window }) => this.store.rectOf(window));
    this.#sides.forEach((input, side) => {
      const value = common(rects.map((rect) => Math.round(rect[side])));
      input.placeholder = value === undefined ? '–' : '';
      input.disabled = windows.some((window) => window.locked);
      if (this.#typed !== input) input.value = value === undefined ? '' : String(value);
    });
  }

  /** Shows the properties that all selected windows share. @param {T.WallWindow[]} windows */
  #showFacts(windows) {
    /** @type {[string, (window: T.WallWindow) => string | undefined][]} */
    const rows = [
      [t('window.numberName'), (window) => String(window.window)],
      [t('window.application'), (window) => window.owner],
      [t('window.codec'), (window) => t('window.codecOver', { codec: window.codec, transport: window.transport })],
      [t('window.picture'), (window) => window.frame_size.join(' × ')],
      [t('window.shown'), (window) => this.#rate(window)],
      [t('window.missing'), (window) => missing(window) || undefined],
      [t('window.partition'), (window) => window.partition],
      [t('window.media'), (window) => window.media?.map(fileName).join(', ')],
      [t('window.changedBy'), (window) => window.by || undefined],
    ];
    const known = rows.flatMap(([name, of]) => {
      const value = common(windows.map(of));
      return value === undefined ? [] : [[name, value]];
    });
    this.#about.hidden = known.length === 0;
    const nodes = [...this.#facts.children];
    if (nodes.length !== 2 * known.length) {
      this.#facts.replaceChildren(...known.flatMap(() => [element('dt'), element('dd')]));
    }
    known.flat().forEach((text, i) => setText(this.#facts.children[i], text));
  }

  /** The frame rate as text; undefined for documents and pictures, which are still. @param {T.WallWindow} window */
  #rate(window) {
    if (kindOf(window) === 'document' || kindOf(window) === 'picture') return undefined;
    return t('window.fps', { fps: decimal(this.store.windowFigures.get(window.window)?.fps ?? window.fps ?? 0, 1) });
  }

  /** @param {string} name @param {number} side 0 to 3: x, y, width, height */
  #number(name, side) {
    const [min, max] = side < 2 ? [-kMostOffset, kMostOffset] : [1, kMostSide];
    const input = element('input', { type: 'number', min, max, step: 1, inputmode: 'numeric', 'data-side': name, onchange: () => this.#apply(side) });
    input.addEventListener('input', () => (this.#typed = input));
    input.addEventListener('blur', () => (this.#typed = null));
    return input;
  }

  /** Applies the field's value to this side of all selected windows. @param {number} side */
  #apply(side) {
    const input = this.#sides[side];
    this.#typed = null;
    if (input.value === '' || !input.reportValidity()) return;
    const value = Math.round(input.valueAsNumber);
    const rects = new Map(this.store.selected().map((window) => [window.window, this.#changed(window, side, value)]));
    void this.store.place(rects);
  }

  /** @param {T.WallWindow} window @param {number} side @param {number} value @returns {T.Rect} */
  #changed(window, side, value) {
    const rect = /** @type {T.Rect} */ ([...this.store.rectOf(window.window)]);
    rect[side] = value;
    if (side < 2 || !this.#keep.checked) return rect;
    const [width, height] = shownSize(window);
    const other = side === 2 ? (value * height) / width : (value * width) / height;
    rect[side === 2 ? 3 : 2] = Math.min(kMostSide, Math.max(1, Math.round(other)));
    return rect;
  }

  /** @param {string} method of the protocol, for one window @param {() => object} [params] */
  #each(method, params = () => ({})) {
    const more = params();
    for (const { window } of this.store.selected()) void this.store.act(method, { window, ...more });
  }

  /** @param {'raise' | 'lower' | 'close'} method for all of them, as one undo step */
  #together(method) {
    void this.store.act(method, { windows: this.store.selected().map(({ window }) => window) });
  }
}

/** The value that all have in common, or undefined. @template V @param {V[]} values @returns {V | undefined} */
function common(values) {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** Hides the folder of a file on the server. @param {string} media a path or an address */
function fileName(media) {
  return media.startsWith('/') ? media.slice(media.lastIndexOf('/') + 1) : media;
}

customElements.define('vt-inspector', Inspector);
