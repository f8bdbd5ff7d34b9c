// Pointers on the wall view: those of other people, and this person's own, sent while the pointer tool is on.

import { element } from '../dom.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Viewport } from './viewport.js' */

const kSvg = 'http://www.w3.org/2000/svg';

/** Draws other people's pointers over the wall. */
export class OthersPointers {
  #layer;
  /** @type {Map<string, {node: HTMLElement, name: HTMLElement}>} */
  #shown = new Map();

  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /** @param {T.WallPointer[]} pointers those of other people @param {Viewport} view */
  render(pointers, view) {
    const gone = new Set(this.#shown.keys());
    for (const pointer of pointers) {
      const key = `${pointer.client}/${pointer.pointer}`;
      gone.delete(key);
      const { node, name } = this.#shown.get(key) ?? this.#make(key);
      if (name.textContent !== pointer.name) name.textContent = pointer.name;
      node.style.setProperty('--colour', pointer.colour);
      node.style.transform = `translate(${pointer.at[0] * view.scale + view.x}px, ${pointer.at[1] * view.scale + view.y}px)`;
      node.classList.toggle('pressed', pointer.pressed);
    }
    for (const key of gone) {
      this.#shown.get(key)?.node.remove();
      this.#shown.delete(key);
    }
  }

  /** @param {string} key */
  #make(key) {
    const svg = document.createElementNS(kSvg, 'svg');
    svg.setAttribute('viewBox', '0 0 20 24');
    const path = document.createElementNS(kSvg, 'path');
    path.setAttribute('d', 'M1 1l16 11-7 1.5L6.5 21z');
    svg.append(path);
    const name = element('span');
    const node = element('div', { class: 'pointer' }, svg, name);
    this.#layer.append(node);
    const made = { node, name };
    this.#shown.set(key, made);
    return made;
  }
}

/** Sends this person's pointer, at most once a frame, while the tool is on. */
export class OwnPointer {
  #store;
  #on = false;
  #frame = 0;
  /** @type {{at: T.Point, pressed: boolean} | null} */
  #next = null;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  get on() {
    return this.#on;
  }

  /** @param {boolean} on */
  turn(on) {
    this.#on = on;
    if (!on) this.hide();
  }

  /** @param {T.Point} at wall pixels @param {boolean} pressed */
  move(at, pressed) {
    if (!this.#on) return;
    this.#next = { at: [Math.round(at[0]), Math.round(at[1])], pressed };
    this.#frame ||= requestAnimationFrame(() => this.#send());
  }

  hide() {
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#store.notify('pointer', { pointer: 0, hidden: true });
  }

  #send() {
    this.#frame = 0;
    if (this.#next) this.#store.notify('pointer', { pointer: 0, ...this.#next });
  }
}
