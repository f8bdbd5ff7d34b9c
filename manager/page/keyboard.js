// The keyboard: Tab moves between windows; all other keys are actions of actions.js.

import { belongsToField, chordOf, isSingleKey } from './keys.js';

/** @import { Action, Actions } from './actions.js' */
/** @import { SingleKeys } from './single_keys.js' */
/** @import { Store } from './store.js' */
/** @import { Gestures } from './wall/gestures.js' */
/** @import { WallView } from './wall/view.js' */

/** Keys with a meaning of their own on buttons and tabs: with one of these focused they do not act on windows. */
const kOfButtons = /^(Enter|Space|Home|End)$/;

export class Keyboard {
  #store;
  #view;
  #gestures;
  #actions;
  #singleKeys;

  /** @param {Store} store @param {WallView} view @param {Gestures} gestures @param {Actions} actions @param {SingleKeys} singleKeys */
  constructor(store, view, gestures, actions, singleKeys) {
    this.#store = store;
    this.#view = view;
    this.#gestures = gestures;
    this.#actions = actions;
    this.#singleKeys = singleKeys;
    document.addEventListener('keydown', (event) => this.#onKey(event));
    view.windows.addEventListener('focusin', (event) => this.#onFocus(/** @type {HTMLElement} */ (event.target)));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.defaultPrevented || event.isComposing || belongsToField(event)) return;
    const chord = chordOf(event);
    const onWindow = /** @type {Element} */ (event.target).closest('.window') !== null;
    if (chord === 'Escape' && this.#gestures.busy) this.#gestures.cancel();
    else if (onWindow && (chord === 'Tab' || chord === 'Shift+Tab')) return this.#walk(event, chord === 'Tab' ? 1 : -1);
    else if (onWindow && chord === 'Ctrl+Space') this.#store.select([...this.#focused()], 'toggle');
    else if (!this.#act(event, chord)) return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event @param {string} chord */
  #act(event, chord) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('button, a, [role=tab], aside') && kOfButtons.test(chord)) return false;
    if (target.closest('[role=tab]') && /^Arrow/.test(chord)) return false;
    const action = this.#actions.forKey(chord);
    if (!action || (isSingleKey(chord) && !this.#maySingly(action, target))) return false;
    action.run();
    return true;
  }

  /** Single keys that change the shared wall work only while the wall or its tools have the focus. @param {Action} action @param {Element} target */
  #maySingly({ group, anywhere }, target) {
    const ofPage = group === 'view' || group === 'everything';
    return this.#singleKeys.on && (ofPage || anywhere || target.closest('#stage') !== null);
  }

  /** The number of the focused window, in a list; empty if none has the focus. @returns {number[]} */
  #focused() {
    const number = Number(document.activeElement?.getAttribute('data-window') ?? 0);
    return number ? [number] : [];
  }

  /** Focuses the next window; after the last one Tab leaves the wall. @param {KeyboardEvent} event @param {1 | -1} step */
  #walk(event, step) {
    const order = this.#view.inReadingOrder();
    const next = order[order.indexOf(this.#focused()[0]) + step];
    if (next === undefined) return;
    event.preventDefault();
    this.#view.boxes.get(next)?.node.focus();
    this.#store.select([next]);
  }

  /** Selects a window that gets the focus by keys, unless other windows are selected. @param {HTMLElement} node */
  #onFocus(node) {
    const number = Number(node.getAttribute('data-window') ?? 0);
    if (number && this.#store.selection.size === 0 && node.matches(':focus-visible')) this.#store.select([number]);
  }
}
