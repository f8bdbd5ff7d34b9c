// Controls of the whole wall, below it: the pen, master volume, mute, blanking and freezing.

import { element } from './dom.js';
import { icon } from './icons.js';
import { needs } from './rights.js';
import { t } from './texts.js';

/** @import { Actions } from './actions.js' */
/** @import { IconName } from './icons.js' */
/** @import { Store } from './store.js' */
/** @import { Pen } from './wall/pen.js' */

export class WallBar {
  #store;
  #mute;
  #blank;
  #freeze;
  #volume = element('input', { type: 'range', min: 0, max: 1, step: 0.01, class: 'master', 'aria-label': t('wallBar.volume'), title: t('wallBar.volume'), oninput: () => this.#turn(), onchange: () => (this.#held = false) });
  /** The slider is being dragged and does not follow the wall. */
  #held = false;
  node;

  /** @param {Store} store @param {Actions} actions @param {Pen} pen */
  constructor(store, actions, pen) {
    this.#store = store;
    const button = (/** @type {string} */ id) => element('button', { type: 'button', class: 'icon', 'data-action': id, onclick: () => actions.run(id) });
    const draw = button('draw');
    show(draw, 'pen', t('wallBar.draw'), false);
    const mark = () => draw.setAttribute('aria-pressed', String(pen.on));
    pen.addEventListener('change', mark);
    mark();
    this.#mute = button('mute-all');
    this.#blank = button('blank');
    this.#freeze = button('freeze');
    this.node = needs('presenter', element('div', { class: 'wall-bar', role: 'toolbar', 'aria-label': t('wallBar.label'), hidden: true }, draw, this.#mute, this.#volume, this.#blank, this.#freeze));
    store.addEventListener('state', (event) => this.#render(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {{keys: Set<string>, windows: Set<number>}} changed */
  #render({ keys, windows }) {
    const { state } = this.#store;
    if (!state || !(keys.has('sound') || keys.has('blank') || keys.has('wall') || windows.size > 0)) return;
    const { sound, blank } = state;
    this.node.hidden = false;
    show(this.#mute, sound.muted ? 'mute' : 'volume', t(sound.muted ? 'wallBar.unmuteAll' : 'wallBar.muteAll'), sound.muted);
    show(this.#blank, 'blank', t(blank ? 'wallBar.unblank' : 'wallBar.blank'), blank);
    const frozen = [...state.windows.values()].some((window) => window.frozen);
    show(this.#freeze, 'freeze', t(frozen ? 'wallBar.unfreeze' : 'wallBar.freeze'), frozen);
    if (!this.#held) this.#volume.value = String(sound.volume);
    this.#volume.setAttribute('aria-valuetext', t('percent', { percent: Math.round(100 * this.#volume.valueAsNumber) }));
  }

  #turn() {
    this.#held = true;
    void this.#store.act('master_volume', { volume: this.#volume.valueAsNumber });
  }
}

/** @param {HTMLElement} button @param {IconName} name @param {string} label @param {boolean} on */
function show(button, name, label, on) {
  button.replaceChildren(icon(name));
  button.title = label;
  button.setAttribute('aria-label', label);
  button.classList.toggle('alarm', on);
}
