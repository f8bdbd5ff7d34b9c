// The row below the wall: actions on the selected windows or those of the pen, and the zoom of the view.

import { element } from './dom.js';
import { icon } from './icons.js';
import { keysText } from './keys.js';
import { moves } from './panels/playback.js';
import { kModes } from './wall/pen.js';
import { WallBar } from './wall_bar.js';
import { t } from './texts.js';

/** @import { Actions } from './actions.js' */
/** @import { IconName } from './icons.js' */
/** @import { Store } from './store.js' */
/** @import { WallView } from './wall/view.js' */

const kOfWindows = ['control', 'replay', 'play', 'loop', 'mute', 'page-before', 'page-next', 'front', 'back', 'fit-tile', 'maximise', 'swap', 'lock', 'close'];
const kOfPen = [...kModes.map((mode) => `draw-${mode}`), 'undo', 'draw-clear', 'draw-end'];

/** The current icon of actions that toggle. @param {string} id @param {Store} store @returns {IconName | undefined} */
function iconNow(id, store) {
  const windows = store.selected();
  if (id === 'play') return windows.some((window) => moves(window.playback)) ? 'pause' : 'play';
  if (id === 'mute') return windows.some((window) => !window.muted) ? 'volume' : 'mute';
  if (id === 'lock') return windows.some((window) => !window.locked) ? 'lock' : 'unlock';
  if (id === 'maximise') return windows[0]?.maximised ? 'restore' : 'maximise';
  return undefined;
}

export class Toolbar {
  #store;
  #actions;
  #pen;
  #name = element('span', { class: 'name' });
  #buttons = element('span', { class: 'buttons' });
  #ofWindows = element('div', { class: 'window-bar', role: 'toolbar', 'aria-label': t('tools.selected'), hidden: true }, this.#name, this.#buttons);
  node;
  #shown = '';

  /** @param {Store} store @param {Actions} actions @param {WallView} view */
  constructor(store, actions, view) {
    this.#store = store;
    this.#actions = actions;
    this.#pen = view.pen;
    const zoom = element('output', { class: 'zoom', 'aria-label': t('tools.zoom') });
    view.addEventListener('zoom', () => (zoom.textContent = t('percent', { percent: Math.round(view.viewport.scale * 100) })));
    const ofView = element('div', { class: 'zoom-bar', role: 'toolbar', 'aria-label': t('tools.view') }, this.#button('zoom-out'), zoom, this.#button('zoom-in'), this.#button('whole'));
    this.node = element('div', { class: 'tools' }, this.#ofWindows, element('p', { class: 'hint soft' }, t('tools.hint')), new WallBar(store, actions, view.pen).node, ofView);
    for (const type of ['selection', 'state']) store.addEventListener(type, () => this.#render());
    view.pen.addEventListener('change', () => this.#render());
  }

  #render() {
    const windows = this.#store.selected();
    const { on } = this.#pen;
    this.#ofWindows.hidden = windows.length === 0 && !on;
    this.#ofWindows.setAttribute('aria-label', t(on ? 'tools.pen' : 'tools.selected'));
    this.#name.textContent = on ? t('tools.pen') : windows.length === 1 ? windows[0].title : t('windows', { count: windows.length });
    const now = (on ? kOfPen : kOfWindows).filter((id) => this.#actions.get(id).can?.() ?? true);
    const shown = now.map((id) => `${id} ${iconNow(id, this.#store)} ${this.#pressed(id)}`).join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = document.activeElement?.getAttribute('data-action');
    this.#buttons.replaceChildren(...now.map((id) => this.#button(id)));
    if (focused) /** @type {HTMLElement | null} */ (this.#buttons.querySelector(`[data-action="${focused}"]`))?.focus();
  }

  /** Whether the action is the pen's current mode; undefined: it selects none. @param {string} id */
  #pressed(id) {
    return kModes.some((mode) => id === `draw-${mode}`) ? id === `draw-${this.#pen.mode}` : undefined;
  }

  /** @param {string} id */
  #button(id) {
    const action = this.#actions.get(id);
    const label = action.keys.length ? `${action.label} (${keysText(action.keys[0])})` : action.label;
    const button = element('button', { type: 'button', class: id === 'close' ? 'icon danger' : 'icon', 'data-action': id, title: label, 'aria-label': label });
    const pressed = this.#pressed(id);
    if (pressed !== undefined) button.setAttribute('aria-pressed', String(pressed));
    button.append(icon(iconNow(id, this.#store) ?? action.icon ?? 'more'));
    button.addEventListener('click', () => this.#actions.run(id));
    return button;
  }
}
