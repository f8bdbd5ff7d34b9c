// Input mode: sends pointer, wheel, keys and touch to one window's application, until Escape is pressed twice.

import { element } from '../dom.js';
import { setText } from '../panels/controls.js';
import { t } from '../texts.js';
import { centre } from './geometry.js';
import { putAt } from './wall_map.js';
import { toScreen } from './viewport.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { WallView } from './view.js' */

const kTwiceMs = 600; // two presses of Escape within this time leave input mode
const kBarHeight = 40; // CSS pixels; with less space above the window the bar lies inside it
const kNotch = 100; // CSS pixels that browsers report for one wheel notch
const kLines = 3; // lines that browsers report for one wheel notch

export class InputMode {
  #store;
  #view;
  #name = element('span');
  #takeOver = element('button', { onclick: () => void this.#take() }, t('drive.take'));
  /** The window that the person took over here; 0: none. */
  #took = 0;
  #bar;
  /** The frame around the window; it receives all events while it is shown. */
  node;
  /** The window that receives the input; 0: none. */
  window = 0;
  #lastEscape = -Infinity;
  /** @type {Set<string>} */
  #keysDown = new Set();
  /** Moves to send at the next animation frame, the newest of each pointer. @type {Map<string, object>} */
  #moves = new Map();
  #frame = 0;
  /** The element that had the focus before. @type {Element | null} */
  #before = null;

  /** @param {Store} store @param {WallView} view */
  constructor(store, view) {
    this.#store = store;
    this.#view = view;
    const leave = element('button', { onclick: () => this.leave() }, t('input.leave'));
    this.#bar = element('div', { class: 'input-bar' }, this.#name, this.#takeOver, leave);
    this.node = element('div', { class: 'input-frame', role: 'application', tabindex: 0, hidden: true }, this.#bar);
    this.#listen(this.node, this.#bar);
    store.addEventListener('state', () => this.#follow());
  }

  /** @param {T.WallWindow} window one that accepts input */
  enter(window) {
    this.window = window.window;
    this.#before = document.activeElement;
    this.#follow();
    this.node.setAttribute('aria-label', t('input.label', { title: window.title }));
    this.node.hidden = false;
    this.layOut();
    this.node.focus({ preventScroll: true });
    this.#send('enter', { at: centre(this.#store.rectOf(this.window)) });
    this.#store.say(t('input.entered', { title: window.title }), 'quiet');
  }

  leave() {
    if (!this.window) return;
    this.#flush();
    for (const key of this.#keysDown) this.#send('key_up', { key, modifiers: 0 });
    this.#keysDown.clear();
    this.#send('leave', {});
    if (this.#took === this.window) this.#release(this.window);
    this.#took = 0;
    this.window = 0;
    this.node.hidden = true;
    if (this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true });
    this.#store.say(t('input.left'), 'quiet');
  }

  /** Shows who drives the window; leaves input mode if the window takes no more input. */
  #follow() {
    if (!this.window) return;
    const window = this.#store.window(this.window);
    if (!window?.input) return this.leave();
    const alone = window.driver?.alone ? window.driver : undefined;
    const mine = alone?.client === this.#store.connection.welcome?.client;
    const other = mine ? undefined : alone;
    const text = other ? t('drive.theirs', { name: other.name }) : t('input.controls', { title: window.title });
    if (other) this.#took = 0;
    if (other && this.#name.textContent !== text) this.#store.say(text, 'quiet');
    this.#takeOver.hidden = mine;
    setText(this.#name, text);
  }

  async #take() {
    const { window } = this;
    this.node.focus({ preventScroll: true });
    if (!(await this.#store.act('drive', { window, action: 'take' }))) return;
    // The person may have left input mode before the answer.
    if (this.window === window) this.#took = window;
    else this.#release(window);
  }

  /** @param {number} window */
  #release(window) {
    if (this.#store.window(window)) void this.#store.act('drive', { window, action: 'release' });
  }

  layOut() {
    if (!this.window) return;
    const screen = toScreen(this.#view.viewport, this.#store.rectOf(this.window));
    putAt(this.node, screen);
    this.#bar.classList.toggle('inside', screen[1] < kBarHeight);
  }

  /** @param {HTMLElement} node @param {HTMLElement} bar whose events stay with the page */
  #listen(node, bar) {
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'wheel', 'keydown', 'keyup', 'contextmenu', 'dblclick']) {
      bar.addEventListener(type, (event) => event.stopPropagation());
    }
    node.addEventListener('pointerdown', (event) => this.#onPointer(event, 'down'));
    node.addEventListener('pointermove', (event) => this.#onPointer(event, 'move'));
    node.addEventListener('pointerup', (event) => this.#onPointer(event, 'up'));
    node.addEventListener('pointercancel', (event) => this.#onPointer(event, 'up'));
    node.addEventListener('contextmenu', (event) => this.#consume(event));
    node.addEventListener('dblclick', (event) => this.#consume(event));
    node.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
    node.addEventListener('keydown', (event) => this.#onKey(event, 'key_down'));
    node.addEventListener('keyup', (event) => this.#onKey(event, 'key_up'));
  }

  /** @param {Event} event */
  #consume(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  #at(event) {
    return { at: this.#view.at(event.clientX, event.clientY), modifiers: modifiersOf(event) };
  }

  /** @param {PointerEvent} event @param {'down' | 'move' | 'up'} what */
  #onPointer(event, what) {
    this.#consume(event);
    if (what === 'down') {
      this.node.setPointerCapture(event.pointerId);
      this.node.focus({ preventScroll: true });
    }
    const touch = event.pointerType === 'touch';
    const type = touch ? `touch_${what}` : what;
    const detail = touch ? { touch: event.pointerId } : { buttons: event.buttons, ...(what === 'move' ? {} : { button: event.button }) };
    const fields = { ...this.#at(event), ...detail };
    if (what === 'move') {
      this.#moves.set(`${type} ${touch ? event.pointerId : ''}`, { type, ...fields });
      this.#frame ||= requestAnimationFrame(() => this.#flush());
    } else {
      this.#flush();
      this.#send(type, fields);
    }
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    this.#consume(event);
    this.#flush();
    // Browsers report a touchpad pinch as a wheel event with Ctrl.
    if (event.ctrlKey && event.deltaMode === WheelEvent.DOM_DELTA_PIXEL) {
      this.#send('pinch', { ...this.#at(event), scale: Math.exp(-event.deltaY / kNotch) });
      return;
    }
    const notch = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? kNotch : kLines;
    this.#send('wheel', { ...this.#at(event), wheel: [event.deltaX / notch, event.deltaY / notch] });
  }

  /** @param {KeyboardEvent} event @param {'key_down' | 'key_up'} type */
  #onKey(event, type) {
    this.#consume(event);
    if (event.key === 'Escape' && type === 'key_down' && !event.repeat) {
      const twice = event.timeStamp - this.#lastEscape < kTwiceMs;
      this.#lastEscape = event.timeStamp;
      if (twice) return this.leave();
    }
    // The release of a key that was pressed before input mode is not sent.
    if (type === 'key_down') this.#keysDown.add(event.key);
    else if (!this.#keysDown.delete(event.key)) return;
    this.#flush();
    this.#send(type, { key: event.key, modifiers: modifiersOf(event) });
  }

  #flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const { type, ...fields } of /** @type {Iterable<any>} */ (this.#moves.values())) this.#send(type, fields);
    this.#moves.clear();
  }

  /** @param {string} type @param {object} fields */
  #send(type, fields) {
    if (this.window) this.#store.notify('input', { window: this.window, type, ...fields });
  }
}

/** @param {MouseEvent | KeyboardEvent} event */
function modifiersOf(event) {
  return (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);
}
