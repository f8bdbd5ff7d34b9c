// Other people's pointers on the wall view.

import { element } from '../dom.js';

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
      node.dataset.style = pointer.style ?? 'arrow';
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
