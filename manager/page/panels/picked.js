// Several picked items of a list, and the bar with their actions.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { t } from '../texts.js';
import { setPressed, textButton } from './controls.js';

/** @typedef {{play: () => void, inTurn: (loop: boolean) => void, favour?: () => void}} Uses actions of the bar's buttons */

/** @template Thing */
export class Picked {
  /** In the order in which they were picked. @type {Map<string, Thing>} */
  #things = new Map();
  #changed;
  #count = element('span', { class: 'count', role: 'status' });
  #loop = iconButton('loop', t('picked.loop'), () => setPressed(this.#loop, !this.#loops));
  bar;

  /** @param {Uses} uses @param {() => void} changed */
  constructor({ play, inTurn, favour }, changed) {
    this.#changed = changed;
    this.bar = element('div', { class: 'picked', role: 'toolbar', 'aria-label': t('picked.label'), hidden: true }, this.#count,
      this.#loop, ...(favour ? [iconButton('star', t('picked.favour'), favour)] : []), iconButton('close', t('picked.clear'), () => this.clear()),
      textButton(t('picked.play'), play, { class: 'primary' }),
      textButton(t('picked.inTurn'), () => inTurn(this.#loops), { title: t('picked.inTurnTitle') }));
    setPressed(this.#loop, true);
  }

  /** Whether the playlist repeats. */
  get #loops() {
    return this.#loop.getAttribute('aria-pressed') === 'true';
  }

  get things() {
    return [...this.#things.values()];
  }

  /** @param {string} key */
  has(key) {
    return this.#things.has(key);
  }

  /** @param {string} key @param {Thing} thing @param {boolean} [on] */
  pick(key, thing, on = !this.#things.has(key)) {
    if (on) this.#things.set(key, thing);
    else this.#things.delete(key);
    this.#show();
  }

  clear() {
    this.#things.clear();
    this.#show();
  }

  #show() {
    this.bar.hidden = this.#things.size === 0;
    this.#count.textContent = t('picked.count', { count: this.#things.size });
    this.#changed();
  }
}
