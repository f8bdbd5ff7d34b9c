// Mouse, pen and touch on the wall view, by pointer events: recognises gestures and starts the drag for each.

import { t } from '../texts.js';
import { BandDrag, MoveDrag, PinchDrag, ResizeDrag, ViewDrag } from './drags.js';
import { PictureZoom } from './picture_zoom.js';

/** @import { Actions } from '../actions.js' */
/** @import { Store } from '../store.js' */
/** @import { Drag, Place } from './drags.js' */
/** @import { Handle } from './geometry.js' */
/** @import { WallView } from './view.js' */

const kLongPressMs = 550;
const kSlop = { mouse: 3, pen: 5, touch: 9 }; // CSS pixels that a press may move before it becomes a drag

/** What a press started on. @typedef {{window: number, handle: Handle | '', start: Place, event: PointerEvent}} Press */

export class Gestures {
  #store;
  #view;
  #actions;
  /** Pressed pointers, in the order in which they were pressed. @type {Map<number, Place>} */
  #down = new Map();
  /** @type {Press | null} */
  #press = null;
  /** @type {Drag | null} */
  #drag = null;
  #longPress = 0;
  #zoom;

  /** @param {Store} store @param {WallView} view @param {Actions} actions */
  constructor(store, view, actions) {
    this.#store = store;
    this.#view = view;
    this.#actions = actions;
    this.#zoom = new PictureZoom(store);
    view.addEventListener('pointerdown', (event) => this.#onDown(event));
    for (const type of /** @type {const} */ (['pointerdown', 'pointermove', 'pointerup'])) {
      view.addEventListener(type, (event) => view.ownPointer.move(view.at(event.clientX, event.clientY), event.buttons !== 0));
    }
    view.addEventListener('pointerleave', () => view.ownPointer.on && view.ownPointer.hide());
    // Events of the whole page: a press may leave the view before it becomes a drag.
    addEventListener('pointermove', (event) => this.#onMove(event));
    addEventListener('pointerup', (event) => this.#onUp(event, false));
    addEventListener('pointercancel', (event) => this.#onUp(event, true));
    view.addEventListener('dblclick', (event) => this.#onDoubleClick(event));
    view.addEventListener('contextmenu', (event) => this.#onMenu(event));
    view.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
  }

  /** Whether a drag is in progress. */
  get busy() {
    return this.#drag !== null;
  }

  /** Cancels the current drag and restores the state before it. */
  cancel() {
    this.#drag?.cancel();
    this.#drag = null;
    this.#press = null;
    clearTimeout(this.#longPress);
  }

  // --- pointers

  /** @param {PointerEvent} event @returns {Place} */
  #place(event) {
    return { client: [event.clientX, event.clientY], wall: this.#view.at(event.clientX, event.clientY) };
  }

  /** @param {PointerEvent} event */
  #onDown(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('button, .input-frame, .text-field') || event.button === 2) return;
    if (event.pointerType === 'touch' && this.#view.pen.resting) return;
    this.#down.set(event.pointerId, this.#place(event));
    if (this.#down.size === 1) this.#begin(event, target);
    else if (this.#down.size === 2) this.#beginPinch();
  }

  /** Starts a press. While the pointer tool is on, only the middle button acts here, and moves the view; while the pen is on, other buttons draw. @param {PointerEvent} event @param {Element} target */
  #begin(event, target) {
    if (this.#view.pen.on && event.button !== 1) {
      this.#drag = this.#view.pen.begin(this.#place(event), event);
      if (this.#drag) this.#view.setPointerCapture(event.pointerId);
      return;
    }
    if (this.#view.ownPointer.on && event.button !== 1) return;
    const window = Number(target.closest('[data-window]')?.getAttribute('data-window') ?? 0);
    const handle = /** @type {Handle | ''} */ (target.getAttribute('data-handle') ?? '');
    this.#press = { window, handle, start: this.#place(event), event };
    if (event.button === 1) {
      event.preventDefault();
      this.#drag = new ViewDrag(this.#view, [this.#press.start]);
      return;
    }
    if (window) this.#pressWindow(window, event);
    if (event.pointerType === 'touch') this.#awaitLongPress();
  }

  /** @param {number} window @param {PointerEvent} event */
  #pressWindow(window, event) {
    if (event.ctrlKey || event.metaKey) return; // a click toggles, a drag swaps
    if (event.shiftKey) this.#store.select([window], 'toggle');
    else if (!this.#store.selection.has(window)) this.#store.select([window]);
  }

  /** Starts a pinch at the second finger: on a window it resizes the selection, elsewhere it zooms the view. */
  #beginPinch() {
    clearTimeout(this.#longPress);
    const press = this.#press;
    const windows = press?.window && !(this.#drag instanceof ViewDrag) ? this.#movable() : [];
    this.#view.pen.on ? this.#drag?.cancel() : this.#drag?.finish();
    const places = [...this.#down.values()];
    this.#drag = windows.length ? new PinchDrag(this.#store, windows, places) : new ViewDrag(this.#view, places);
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    if (!this.#down.has(event.pointerId)) return;
    this.#down.set(event.pointerId, this.#place(event));
    if (!this.#drag && this.#press) this.#beginDrag(this.#press, event);
    this.#drag?.update([...this.#down.values()], { shift: event.shiftKey, alt: event.altKey, ctrl: event.ctrlKey || event.metaKey }, event);
  }

  /** @param {Press} press @param {PointerEvent} event */
  #beginDrag(press, event) {
    const [x, y] = press.start.client;
    const slop = kSlop[/** @type {keyof typeof kSlop} */ (event.pointerType)] ?? kSlop.mouse;
    if (Math.hypot(event.clientX - x, event.clientY - y) < slop) return;
    clearTimeout(this.#longPress);
    if (press.window && (press.event.ctrlKey || press.event.metaKey)) this.#store.select([press.window]);
    this.#drag = this.#dragFor(press);
    if (this.#drag) this.#view.setPointerCapture(event.pointerId);
    else this.#press = null;
  }

  /** @param {Press} press @returns {Drag | null} */
  #dragFor({ window, handle, start, event }) {
    if (handle || this.#store.selection.has(window)) {
      const windows = this.#movable();
      if (windows.length === 0) return null;
      return handle ? new ResizeDrag(this.#store, this.#view, windows, handle, start) : new MoveDrag(this.#store, this.#view, windows, start);
    }
    if (window) return null;
    if (event.pointerType === 'touch' && this.#view.zoomedIn) return new ViewDrag(this.#view, [start]);
    return new BandDrag(this.#store, this.#view, start, event.shiftKey || event.ctrlKey || event.metaKey);
  }

  /** The selected windows that are not locked; shows a message if there are none. */
  #movable() {
    const selected = this.#store.selected();
    const own = selected.filter((window) => this.#store.mayChange([window]));
    const windows = own.filter((window) => !window.locked);
    if (own.length > 0 && windows.length === 0) this.#store.say(t('said.isLocked', { name: own[0].title }));
    else if (own.length === 0 && selected.length > 0) this.#store.say(this.#store.right === 'viewer' ? t('role.about.viewer') : t('role.othersWindow', { title: selected[0].title }));
    return windows;
  }

  /** @param {PointerEvent} event @param {boolean} lost */
  #onUp(event, lost) {
    if (!this.#down.delete(event.pointerId)) return;
    clearTimeout(this.#longPress);
    if (this.#down.size > 0) {
      // One of two fingers was lifted: further moves of the other finger are neither a pinch nor a drag.
      this.#drag?.finish();
      this.#drag = null;
      this.#press = null;
      return;
    }
    const [press, drag] = [this.#press, this.#drag];
    this.#press = null;
    this.#drag = null;
    if (drag) lost ? drag.cancel() : drag.finish();
    else if (press && !lost) this.#click(press);
  }

  /** Handles a press that did not become a drag. @param {Press} press */
  #click({ window, handle, event }) {
    if (handle) return;
    if (window && (event.ctrlKey || event.metaKey)) return this.#store.select([window], 'toggle');
    if (event.shiftKey || event.ctrlKey || event.metaKey) return;
    this.#store.select(window ? [window] : []);
  }

  // --- long press, menu and wheel

  #awaitLongPress() {
    this.#longPress = window.setTimeout(() => this.#onLongPress(), kLongPressMs);
  }

  #onLongPress() {
    const press = this.#press;
    if (!press || this.#drag) return;
    this.#press = null;
    this.#actions.openMenu(press.start.client, press.window);
  }

  /** @param {MouseEvent} event */
  #onMenu(event) {
    event.preventDefault();
    if (this.#down.size > 0) return; // a long press: its timer opens the menu
    const node = /** @type {Element} */ (event.target).closest('[data-window]');
    const window = Number(node?.getAttribute('data-window') ?? 0);
    if (window && !this.#store.selection.has(window)) this.#store.select([window]);
    const byKey = event.clientX === 0 && event.clientY === 0;
    const box = (node ?? this.#view).getBoundingClientRect();
    this.#actions.openMenu(byKey ? [box.left + 16, box.top + 16] : [event.clientX, event.clientY], window);
  }

  /** @param {MouseEvent} event */
  #onDoubleClick(event) {
    const target = /** @type {Element} */ (event.target);
    if (this.#view.ownPointer.on || this.#view.pen.on || target.closest('button, .input-frame') || event.shiftKey || event.ctrlKey) return;
    if (this.#store.selection.size === 1) this.#actions.run('maximise');
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    if (/** @type {Element} */ (event.target).closest('.input-frame')) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
    const box = /** @type {Element} */ (event.target).closest('[data-window]');
    if (event.shiftKey && box) return this.#zoomPicture(event, box, unit);
    if (event.ctrlKey || event.metaKey) this.#view.zoomBy(Math.exp(-event.deltaY * unit * 0.004), [event.clientX, event.clientY]);
    else if (this.#view.zoomedIn) this.#view.panBy(-event.deltaX * unit, -event.deltaY * unit);
  }

  /** Some systems turn the wheel sideways while Shift is pressed. @param {WheelEvent} event @param {Element} box @param {number} unit */
  #zoomPicture(event, box, unit) {
    const { left, top, width, height } = box.getBoundingClientRect();
    const turned = (event.deltaY || event.deltaX) * unit;
    this.#zoom.turn(Number(box.getAttribute('data-window')), [(event.clientX - left) / width, (event.clientY - top) / height], Math.exp(-turned * 0.002));
  }
}
