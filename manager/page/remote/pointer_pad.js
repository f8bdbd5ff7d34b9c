// A small picture of the wall: a finger on it moves this person's pointer on the wall.

import { element } from '../dom.js';
import { setOptions } from '../panels/controls.js';
import { miniature } from '../panels/miniature.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { kStyles, OwnPointer } from '../wall/own_pointer.js';

/** @import { Store } from '../store.js' */

export class PointerPad {
  #store;
  #pointer;
  #pad = element('div', { class: 'pad', role: 'img', 'aria-label': t('remote.pad') });
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
    for (const type of ['pointerup', 'pointercancel']) this.#pad.addEventListener(type, () => this.#pointer.turn(false));
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
    const [width, height] = this.#store.state?.wall.size ?? [0, 0];
    const box = this.#pad.getBoundingClientRect();
    const share = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size) => Math.min(1, Math.max(0, (at - from) / size));
    this.#pointer.move([share(event.clientX, box.left, box.width) * (width - 1), share(event.clientY, box.top, box.height) * (height - 1)], false);
  }
}
