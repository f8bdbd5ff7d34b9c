// The field in which people write a text on a window or on the wall, at its place and in its size.

import { element } from '../dom.js';
import { t } from '../texts.js';
import { common } from './geometry.js';
import { kTextLetters, linesOf, placedOn } from './strokes.js';
import { toScreen } from './viewport.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Drag } from './drags.js' */
/** @import { Pen } from './pen.js' */
/** @import { WallView } from './view.js' */

/** Enter or another focus writes the text, Escape drops it. */
export class TextField {
  #store;
  #view;
  #pen;
  #node = element('input', { type: 'text', class: 'text-field', hidden: true, maxlength: kTextLetters, autocomplete: 'off', placeholder: t('draw.type'), 'aria-label': t('draw.type') });
  #window = 0;
  /** @type {T.Point} wall pixels */
  #at = [0, 0];
  #refused = ''; // a text that the manager did not accept: the field has it when it opens again

  /** @param {Store} store @param {WallView} view @param {Pen} pen */
  constructor(store, view, pen) {
    this.#store = store;
    this.#view = view;
    this.#pen = pen;
    this.#node.addEventListener('keydown', (event) => this.#onKey(event));
    this.#node.addEventListener('blur', () => document.hasFocus() && void this.#write());
    view.addEventListener('zoom', () => this.#place());
  }

  /** @param {number} window 0: on the wall @param {T.Point} at top left corner of the text, wall pixels */
  open(window, at) {
    if (!this.#node.hidden) void this.#write(); // a tap leaves the focus in the field
    [this.#window, this.#at] = [window, at];
    this.#view.append(this.#node);
    this.#node.hidden = false;
    this.#node.value = this.#refused;
    this.#node.style.color = this.#pen.colour;
    this.#place();
    this.#node.focus({ preventScroll: true });
    this.#node.select();
  }

  /** At the left edge of the window or wall, below the texts that are there; at the top again if there is no room. @param {number} window */
  openBelowOthers(window) {
    if (!this.#pen.mayDraw(window)) return;
    const [x, y, width, height] = common(this.#rectOf(window), this.#rectOf(0));
    const size = this.#pen.widthOf('text');
    const lines = this.#pen.strokes(window).reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    const line = lines % Math.max(1, Math.floor(height / size - 0.5));
    this.open(window, [x + Math.min(size, width) / 2, y + Math.min(size, height) / 2 + size * line]);
  }

  /** @param {number} window @returns {T.Rect} */
  #rectOf(window) {
    return window ? this.#store.rectOf(window) : [0, 0, ...(this.#store.state?.wall.size ?? /** @type {T.Size} */ ([1, 1]))];
  }

  #place() {
    const size = this.#pen.widthOf('text');
    const [x, y, , height] = toScreen(this.#view.viewport, [...this.#at, 0, size]);
    this.#node.style.transform = `translate(${x}px, ${y}px)`;
    this.#node.style.fontSize = `${Math.max(height, 12)}px`;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    event.stopPropagation();
    if (event.isComposing || !['Enter', 'Escape'].includes(event.key)) return;
    if (event.key === 'Escape') this.#node.value = '';
    this.#view.focus({ preventScroll: true });
  }

  async #write() {
    const { value } = this.#node;
    const text = linesOf(value);
    this.#refused = '';
    this.#node.value = '';
    this.#node.hidden = true;
    if (text.length === 0) return;
    const size = this.#pen.widthOf('text');
    /** @type {T.Stroke} */
    const stroke = { ...placedOn([this.#at, this.#at], size, this.#rectOf(this.#window)), colour: this.#pen.colour, opacity: 100, text };
    this.#pen.show(undefined, stroke, this.#window);
    const answer = this.#store.act('annotate', { points: [this.#at], text, size, ...(this.#window ? { window: this.#window } : {}) });
    void this.#pen.keep(stroke, answer);
    if (!(await answer)) this.#refused = value;
  }
}

/** Opens the field when the press ends. @implements {Drag} */
export class TextPress {
  #open;

  /** @param {TextField} field @param {number} window 0: on the wall @param {T.Point} at */
  constructor(field, window, at) {
    this.#open = () => field.open(window, at);
  }

  update() {}

  finish() {
    this.#open();
  }

  cancel() {}
}
