// Drags items from a panel onto the wall with mouse, pen or finger. (HTML drag and drop does not support touch.)

import { element } from '../../dom.js';

/** @import { Store } from '../../store.js' */
/** @import * as T from '../../types.js' */

const kMouseSlackPx = 6;
const kFingerSlackPx = 10;
const kLongPressMs = 350; // a finger that moves earlier scrolls the list

/**
 * Makes the handle draggable onto the wall.
 * @param {HTMLElement} handle @param {Store} store
 * @param {{title: string, size?: T.Size, opens?: boolean}} thing the dragged item; opens: it opens a new window, whose place is shown
 * @param {(at: T.Point, window: number) => void} drop at: where it was released, wall pixels; window: the window to replace; 0: none
 */
export function makeDraggable(handle, store, thing, drop) {
  handle.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && event.isPrimary) new Carry(handle, store, thing, drop, event);
  });
  handle.addEventListener('contextmenu', (event) => {
    if (handle.classList.contains('carried')) event.preventDefault();
  });
}

/** One drag, from the press to the drop. */
class Carry {
  #handle;
  #store;
  #thing;
  #drop;
  #pointer;
  #start;
  #finger;
  /** @type {HTMLElement | null} */
  #ghost = null;
  #timer = 0;
  /** The window that would be replaced. */
  #window = 0;
  #end = new AbortController();

  /** @param {HTMLElement} handle @param {Store} store @param {{title: string, size?: T.Size, opens?: boolean}} thing @param {(at: T.Point, window: number) => void} drop @param {PointerEvent} press */
  constructor(handle, store, thing, drop, press) {
    this.#handle = handle;
    this.#store = store;
    this.#thing = thing;
    this.#drop = drop;
    this.#pointer = press.pointerId;
    this.#start = { x: press.clientX, y: press.clientY };
    this.#finger = press.pointerType === 'touch';
    if (this.#finger) this.#timer = window.setTimeout(() => this.#lift(this.#start.x, this.#start.y), kLongPressMs);
    const { signal } = this.#end;
    window.addEventListener('pointermove', (event) => this.#move(event), { signal });
    window.addEventListener('pointerup', (event) => this.#up(event), { signal });
    window.addEventListener('pointercancel', (event) => this.#cancel(event), { signal });
    window.addEventListener('keydown', (event) => this.#key(event), { signal, capture: true });
    // During the drag a finger must not scroll.
    window.addEventListener('touchmove', (event) => this.#ghost && event.cancelable && event.preventDefault(), { signal, passive: false });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const far = Math.hypot(event.clientX - this.#start.x, event.clientY - this.#start.y);
    if (!this.#ghost) {
      if (this.#finger && far > kFingerSlackPx) return this.#finish();
      if (this.#finger || far < kMouseSlackPx) return;
    }
    this.#lift(event.clientX, event.clientY, event.altKey);
  }

  /** @param {number} x @param {number} y @param {boolean} [beside] over a window, the item does not replace it */
  #lift(x, y, beside = false) {
    if (!this.#ghost) {
      this.#ghost = element('div', { class: 'carried-ghost', 'aria-hidden': 'true' }, this.#thing.title);
      document.body.append(this.#ghost);
      this.#handle.classList.add('carried');
      this.#handle.setPointerCapture?.(this.#pointer);
    }
    this.#ghost.style.translate = `${x}px ${y}px`;
    const at = this.#store.wallPoint(x, y);
    this.#ghost.classList.toggle('over', at !== null);
    this.#window = at && this.#thing.opens && !beside ? this.#store.windowUnder(at) : 0;
    if (this.#window) this.#store.drops.showInstead(this.#window);
    else if (at && this.#thing.opens) this.#store.drops.show(at, [this.#thing.size]);
    else this.#store.drops.hide();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    const at = this.#ghost && this.#store.wallPoint(event.clientX, event.clientY);
    // The click that follows the drop would play the item again.
    if (this.#ghost) this.#handle.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => this.#handle.removeEventListener('click', swallow, { capture: true }));
    this.#finish();
    if (at) this.#drop(at, this.#window);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    if (event.pointerId === this.#pointer) this.#finish();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape' || !this.#ghost) return;
    event.stopPropagation();
    this.#finish();
  }

  #finish() {
    clearTimeout(this.#timer);
    this.#end.abort();
    if (this.#ghost) this.#store.drops.hide();
    this.#ghost?.remove();
    this.#ghost = null;
    this.#handle.classList.remove('carried');
  }
}

/** @param {Event} event */
function swallow(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}
