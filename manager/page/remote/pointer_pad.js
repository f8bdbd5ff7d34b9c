// A small picture of the wall: a finger on it, or arrow keys, move this person's pointer on the wall.

import { element } from '../dom.js';
import { setOptions } from '../panels/controls.js';
import { miniature } from '../panels/miniature.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { kStyles, OwnPointer } from '../wall/own_pointer.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

/** The share of the wall by which an arrow key moves the pointer. */
const kStep = 0.05;
/** @type {Record<string, T.Point>} */
const kArrows = { ArrowLeft: [-kStep, 0], ArrowRight: [kStep, 0], ArrowUp: [0, -kStep], ArrowDown: [0, kStep] };

const share = (/** @type {number} */ at) => Math.min(1, Math.max(0, at));

export class PointerPad {
  #store;
  #pointer;
  #pad = element('div', { class: 'pad', role: 'application', tabindex: 0, 'aria-label': t('remote.pad') });
  // Where the pointer is, as shares of the wall's width and height.
  #x = 0.5;
  #y = 0.5;
  #style = element('select', { 'aria-label': t('action.pointer-style'), onchange: () => (this.#pointer.style = /** @type {OwnPointer['style']} */ (this.#style.value)) });
  root = needs('presenter', element('section', { 'aria-label': t('action.pointer') }, element('p', { class: 'soft' }, t('remote.pad')), this.#style, this.#pad));

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.#pointer = new OwnPointer(store);
    setOptions(this.#style, kStyles.map((value) => ({ value, label: t(`pointer.${value}`) })));
    this.#pad.addEventListener('pointerdown', (event) => {
      this.#pad.setPointerCapture(event.pointerId);
      this.#pointer.turn(true);
      this.#move(event);
    });
    this.#pad.addEventListener('pointermove', (event) => this.#move(event));
    this.#pad.addEventListener('keydown', (event) => this.#step(event));
    for (const type of ['pointerup', 'pointercancel', 'blur']) this.#pad.addEventListener(type, () => this.#pointer.turn(false));
  }

  /** Draws the wall and its windows as they are now. */
  draw() {
    const { state } = this.#store;
    if (!state) return;
    const windows = state.order.map((number) => ({ title: '', rect: this.#store.rectOf(number) }));
    this.#pad.replaceChildren(miniature(state.wall, windows));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const box = this.#pad.getBoundingClientRect();
    this.#show((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    if (event.key === 'Escape') return this.#pointer.turn(false);
    const step = kArrows[event.key];
    if (!step) return;
    event.preventDefault();
    this.#pointer.turn(true);
    this.#show(this.#x + step[0], this.#y + step[1]);
  }

  /** @param {number} x @param {number} y */
  #show(x, y) {
    const [width, height] = this.#store.state?.wall.size ?? [0, 0];
    this.#x = share(x);
    this.#y = share(y);
    this.#pointer.move([this.#x * (width - 1), this.#y * (height - 1)], false);
  }
}
